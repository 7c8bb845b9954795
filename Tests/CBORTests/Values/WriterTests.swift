import CBOR
import Testing

@Suite("Writing in preferred serialization")
struct WriterTests {
  @Test(
    arguments: [
      (0, "00", "20"), (23, "17", "37"), (24, "1818", "3818"), (255, "18ff", "38ff"), (256, "190100", "390100"),
      (65_535, "19ffff", "39ffff"), (65_536, "1a00010000", "3a00010000"), (1 << 32 - 1, "1affffffff", "3affffffff"),
      (1 << 32, "1b0000000100000000", "3b0000000100000000"), (.max, "1bffffffffffffffff", "3bffffffffffffffff"),
    ] as [(UInt64, String, String)])
  func argumentsTakeTheShortestHead(argument: UInt64, unsigned: String, negative: String) {
    #expect(digits(CBORWriter.encode { $0.unsigned(argument) }) == unsigned)
    #expect(digits(CBORWriter.encode { $0.negative(argument: argument) }) == negative)
  }

  @Test(arguments: [
    (0, "00"), (-1, "20"), (-24, "37"), (-25, "3818"), (-256, "38ff"), (-257, "390100"),
    (Int.max, "1b7fffffffffffffff"), (Int.min, "3b7fffffffffffffff"),
  ])
  func integersAreWritten(value: Int, hex: String) throws {
    #expect(digits(CBORWriter.encode { $0.integer(value) }) == hex)
    #expect(digits(CBORValue.integer(value).encoded) == hex)
    #expect(try read(hex).integer() == value)
  }

  @Test(arguments: [
    (0.0, "f90000"), (-0.0, "f98000"), (1, "f93c00"), (65504, "f97bff"), (65505, "fa477fe100"), (65536, "fa47800000"),
    (0x1p-24, "f90001"), (0x1p-25, "fa33000000"), (0x1p-149, "fa00000001"), (0x1p-150, "fb3690000000000000"),
    (1.1, "fb3ff199999999999a"), (Double(Float.greatestFiniteMagnitude), "fa7f7fffff"), (0x1p128, "fb47f0000000000000"),
    (.greatestFiniteMagnitude, "fb7fefffffffffffff"), (.infinity, "f97c00"), (-.infinity, "f9fc00"), (.nan, "f97e00"),
    (-.nan, "f97e00"), (Double(nan: 1, signaling: false), "f97e00"), (.signalingNaN, "f97e00"),
  ])
  func floatsTakeTheShortestWidthThatKeepsThem(value: Double, hex: String) {
    #expect(digits(CBORWriter.encode { $0.float(value) }) == hex)
    #expect(digits(CBORValue.float(value).encoded) == hex)
  }

  @Test func stringsAndSimpleValuesAreWritten() {
    let bytes = CBORWriter.encode { writer in
      writer.array(8)
      writer.byteString([1, 2])
      writer.text("\u{6c34}")
      writer.boolean(true)
      writer.boolean(false)
      writer.null()
      writer.undefined()
      writer.simple(16)
      writer.simple(255)
    }
    #expect(digits(bytes) == "88" + "420102" + "63e6b0b4" + "f5f4f6f7" + "f0" + "f8ff")
  }

  @Test func simpleValuesThatDoNotExistAreWrittenAsNull() {
    for number in UInt8(24)...31 {
      #expect(digits(CBORWriter.encode { $0.simple(number) }) == "f6")
    }
    #expect(digits(CBORWriter.encode { $0.simple(23) }) == "f7")
    #expect(digits(CBORWriter.encode { $0.simple(32) }) == "f820")
  }

  @Test func containersAndTagsAreHeadsBeforeTheirItems() throws {
    let bytes = CBORWriter.encode { writer in
      writer.map(2)
      writer.text("a")
      writer.tag(1004)
      writer.text("b")
      writer.integer(-1)
      writer.embedded([0x82, 0x01, 0x02])
    }
    #expect(digits(bytes) == "a2" + "6161" + "d903ec6162" + "20" + "d81843820102")
    #expect(try CBORReader.read(bytes).diagnosticWithEmbedded == "{\"a\": 1004(\"b\"), -1: 24(<<[1, 2]>>)}")
  }

  @Test func encodedItemsAreWrittenUnchanged() {
    let bytes = CBORWriter.encode { writer in
      writer.array(1)
      writer.encoded([0x18, 0x01])
    }
    #expect(digits(bytes) == "811801")
  }

  @Test func writerStartsEmptyAndAppends() {
    var writer = CBORWriter(capacity: 1)
    #expect(writer.bytes.isEmpty)
    writer.null()
    writer.text("ab")
    #expect(digits(writer.bytes) == "f6626162")
  }
}
