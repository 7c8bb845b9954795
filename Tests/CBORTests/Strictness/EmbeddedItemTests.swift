import CBOR
import Testing

@Suite("Items inside tag 24")
struct EmbeddedItemTests {
  @Test(arguments: [
    ("d818 6100", 0), ("d818 00", 0), ("d818 8100", 0), ("d818 f6", 0), ("d818 c0 4100", 0), ("d818 d818 4100", 0),
    ("82 00 d818 6100", 2), ("a1 00 d818 a0", 2), ("d818 44 d818 6100", 3), ("d818 43 d81800", 3),
  ])
  func areRefusedInAnythingButAByteString(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.badEmbeddedItem, at: offset))
    #expect(try refusal(of: hex, leniency: .received) == Failure(.badEmbeddedItem, at: offset))
  }

  @Test func indefiniteByteStringsAreRefusedEvenIfLenient() throws {
    #expect(try refusal(of: "81 d818 5f4100ff") == Failure(.indefiniteLength, at: 3))
    #expect(try refusal(of: "81 d818 5f4100ff", leniency: .received) == Failure(.badEmbeddedItem, at: 1))
  }

  @Test(arguments: [
    ("d818 40", CBORError.Code.truncated, 3), ("d818 41 18", .truncated, 4), ("d818 41 41 00", .truncated, 4),
    ("d818 41 81 00", .truncated, 4), ("82 d818 41 19 0100", .truncated, 5), ("d818 41 ff", .unexpectedBreak, 3),
    ("d818 42 61ff", .invalidUTF8, 4), ("d818 41 1c", .reservedInformation, 3), ("d818 42 f800", .badSimpleValue, 3),
  ])
  func embeddedItemsFollowTheSameRulesAndStayInsideTheirString(hex: String, code: CBORError.Code, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(code, at: offset))
  }

  @Test func embeddedItemsHaveOffsetsInTheWholeBuffer() throws {
    let item = try read("a1 6161 d818 43 82 01 02")
    let embedded = try item.map().required("a").embedded()
    #expect(embedded.offset == 6)
    #expect(digits(embedded.encoded) == "820102")
    #expect(try embedded.array().at(1).offset == 8)
  }

  @Test func embeddedItemsNest() throws {
    let item = try read("d818 47 d818 44 d818 4101")
    #expect(try item.embedded().embedded().embedded().integer() == 1)
    #expect(item.diagnostic == "24(h'd81844d8184101')")
    #expect(item.diagnosticWithEmbedded == "24(<<24(<<24(<<1>>)>>)>>)")
  }

  @Test func byteStringsUnderOtherTagsAreNotRead() throws {
    let item = try read("d90190 d818 4101")
    let (tag, content) = try item.tagged()
    #expect(tag == 400)
    #expect(refusal { () throws(CBORError) in try item.embedded() } == Failure(.wrongType, at: 0))
    #expect(try content.embedded().integer() == 1)
  }

  @Test func byteStringsWithoutATagAreNotRead() throws {
    let item = try read("42 ff 18")
    #expect(try item.bytes() == [0xff, 0x18])
    #expect(refusal { () throws(CBORError) in try item.embedded() } == Failure(.wrongType, at: 0))
  }

  @Test func itemsAfterAnEmbeddedItemAreFound() throws {
    let array = try read("84 d818 43 82 01 02 03 d818 41 04 05").array()
    #expect(array.count == 4)
    #expect(try array.at(1).integer() == 3)
    #expect(try array.at(2).embedded().integer() == 4)
    #expect(try array.at(3).integer() == 5)
    #expect(array.map(\.offset) == [1, 7, 8, 12])
  }
}
