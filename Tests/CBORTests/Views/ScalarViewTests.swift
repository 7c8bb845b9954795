import CBOR
import Testing

@Suite("Views of single items")
struct ScalarViewTests {
  @Test(arguments: [
    ("00", CBORItem.Kind.unsigned), ("20", .negative), ("40", .bytes), ("60", .text), ("80", .array), ("a0", .map),
    ("c000", .tagged), ("f4", .boolean), ("f5", .boolean), ("f6", .null), ("f7", .undefined), ("e0", .simple),
    ("f3", .simple), ("f820", .simple), ("f8ff", .simple), ("f90000", .float), ("fa00000001", .float),
    ("fb0000000000000001", .float),
  ])
  func kindFollowsTheHead(hex: String, kind: CBORItem.Kind) throws {
    let item = try read(hex)
    #expect(item.kind == kind)
    #expect(item.isNull == (kind == .null))
  }

  @Test(arguments: [
    ("00", 0), ("17", 23), ("1b7fffffffffffffff", Int.max), ("20", -1), ("3b7fffffffffffffff", Int.min),
    ("3b7ffffffffffffffe", Int.min + 1),
  ])
  func integersOfTheRangeOfIntAreRead(hex: String, value: Int) throws {
    #expect(try read(hex).integer() == value)
  }

  @Test(arguments: ["1b8000000000000000", "1bffffffffffffffff", "3b8000000000000000", "3bffffffffffffffff"])
  func integersBeyondIntAreBadValues(hex: String) throws {
    let item = try read("81" + hex).array().at(0)
    #expect(refusal { () throws(CBORError) in try item.integer() } == Failure(.badValue, at: 1))
  }

  @Test(arguments: [("00", 0), ("1b8000000000000000", 1 << 63), ("1bffffffffffffffff", UInt64.max)])
  func unsignedIntegersAreReadInFull(hex: String, value: UInt64) throws {
    #expect(try read(hex).unsigned() == value)
  }

  @Test func everyAccessorRefusesEveryOtherKind() throws {
    let samples = [
      "00", "20", "40", "60", "80", "a0", "c000", "f5", "f6", "f7", "e0", "f93c00",
    ]
    for sample in samples {
      let item = try read("8200" + sample).array().at(1)
      let kind = item.kind
      let wrong = Failure(.wrongType, at: 2)
      #expect(refusal { () throws(CBORError) in try item.unsigned() } == (kind == .unsigned ? nil : wrong))
      let isInteger = kind == .unsigned || kind == .negative
      #expect(refusal { () throws(CBORError) in try item.integer() } == (isInteger ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.bytes() } == (kind == .bytes ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.byteSlice() } == (kind == .bytes ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.text() } == (kind == .text ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.boolean() } == (kind == .boolean ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.float() } == (kind == .float ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.array() } == (kind == .array ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.array(count: 0) } == (kind == .array ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.map() } == (kind == .map ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.tagged() } == (kind == .tagged ? nil : wrong))
      #expect(refusal { () throws(CBORError) in try item.embedded() } == wrong)
    }
    #expect(Set(try samples.map { try read($0).kind }).count == samples.count)
  }

  @Test func messageNamesTheExpectedAndTheFoundType() throws {
    let item = try read("6161")
    let error = try #require(thrownError { () throws(CBORError) in try item.bytes() })
    #expect(error.message == "expected a byte string, found a text string")
    #expect(error.description == "expected a byte string, found a text string (cbor.wrong-type, byte 0)")
    let integer = try #require(thrownError { () throws(CBORError) in try item.integer() })
    #expect(integer.message == "expected an integer, found a text string")
  }

  @Test func stringsAreRead() throws {
    #expect(try read("43010203").bytes() == [1, 2, 3])
    #expect(try Array(read("43010203").byteSlice()) == [1, 2, 3])
    #expect(try read("40").bytes().isEmpty)
    #expect(try read("62c3bc").text() == "\u{fc}")
    #expect(try read("60").text().isEmpty)
  }

  @Test func booleansAreRead() throws {
    #expect(try read("f5").boolean())
    #expect(try !read("f4").boolean())
  }

  @Test(arguments: [
    ("f93c00", 1.0), ("f97bff", 65504), ("f90001", 0x1p-24), ("f9c400", -4), ("f97c00", .infinity),
    ("fa47c35000", 100_000), ("fa00000001", 0x1p-149), ("fb3ff199999999999a", 1.1), ("fbfff0000000000000", -.infinity),
  ])
  func floatsOfEveryWidthAreRead(hex: String, value: Double) throws {
    #expect(try read(hex, leniency: .received).float() == value)
  }

  @Test func theSignOfZeroIsKept() throws {
    #expect(try read("f98000").float().sign == .minus)
    #expect(try read("f90000").float().sign == .plus)
  }

  @Test(
    arguments: [
      ("e0", 0), ("f3", 19), ("f4", 20), ("f5", 21), ("f6", 22), ("f7", 23), ("f820", 32), ("f8ff", 255),
      ("f93c00", nil), ("00", nil), ("80", nil),
    ] as [(String, UInt8?)])
  func simpleValuesAreNumbered(hex: String, number: UInt8?) throws {
    #expect(try read(hex).simpleValue == number)
  }

  @Test func tagsAreRead() throws {
    let item = try read("82 00 d903ec 6161")
    let date = try item.array().at(1)
    #expect(date.tag == 1004)
    #expect(try date.tagged().tag == 1004)
    #expect(try date.tagged().item.text() == "a")
    #expect(try date.tagged().item.offset == 5)
    #expect(try date.withoutTag(1004).text() == "a")
    #expect(date.withoutTag(0).tag == 1004)
    #expect(try item.array().at(0).tag == nil)
    #expect(try item.array().at(0).withoutTag(0).integer() == 0)
  }

  @Test func largestTagIsRead() throws {
    #expect(try read("dbffffffffffffffff00").tag == .max)
  }
}
