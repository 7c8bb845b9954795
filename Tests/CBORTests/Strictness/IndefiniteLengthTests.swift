import CBOR
import Testing

@Suite("Indefinite lengths")
struct IndefiniteLengthTests {
  @Test(arguments: [
    ("5fff", "''_", 0), ("5f4101 4102ff", "(_ h'01', h'02')", 0), ("7fff", "\"\"_", 0),
    ("7f6161 6162ff", "(_ \"a\", \"b\")", 0), ("9f01ff", "[_ 1]", 0), ("bf0102ff", "{_ 1: 2}", 0),
    ("82 01 9f02ff", "[1, [_ 2]]", 2), ("a1 bfff 00", "{{_ }: 0}", 1), ("a1 00 9fff", "{0: [_ ]}", 2),
    ("c1 9fff", "1([_ ])", 1), ("d818 43 9f01ff", "24(<<[_ 1]>>)", 3),
  ])
  func everyOneIsRefusedOrReported(hex: String, notation: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.indefiniteLength, at: offset))
    let item = try read(hex, leniency: .indefiniteLengths)
    #expect(item.findings == [Failure(.indefiniteLength, at: offset)])
    #expect(item.diagnosticWithEmbedded == notation)
  }

  @Test func leniencyForHeadsDoesNotCoverIndefiniteLengths() throws {
    #expect(try refusal(of: "9fff", leniency: .nonMinimalHeads) == Failure(.indefiniteLength, at: 0))
  }

  @Test func allDeviationsAreReportedInOrder() throws {
    let item = try read("9f bf 01 7f ff ff 1802 ff", leniency: .received)
    let expected = [
      Failure(.indefiniteLength, at: 0), Failure(.indefiniteLength, at: 1), Failure(.indefiniteLength, at: 3),
      Failure(.nonMinimalHead, at: 6),
    ]
    #expect(item.findings == expected)
  }

  @Test func chunksAreJoined() throws {
    #expect(try read("5f4101 40 420203ff", leniency: .received).bytes() == [1, 2, 3])
    #expect(try Array(read("5f4101 40 420203ff", leniency: .received).byteSlice()) == [1, 2, 3])
    #expect(try read("7f657374726561646d696e67ff", leniency: .received).text() == "streaming")
  }

  @Test func containersAreCounted() throws {
    let array = try read("9f 01 9f02ff 03ff", leniency: .received).array()
    #expect(array.count == 3)
    #expect(try array.at(2).integer() == 3)
    #expect(array[3] == nil)
    let map = try read("bf 01 9f02ff 03 04ff", leniency: .received).map()
    #expect(map.count == 2)
    #expect(try map.required(3).integer() == 4)
  }

  @Test(arguments: [
    ("5f 01 ff", CBORError.Code.badChunk, 1), ("5f 6161 ff", .badChunk, 1), ("7f 6161 4101 ff", .badChunk, 3),
    ("7f 7f 6161 ff ff", .badChunk, 1), ("5f 5c ff", .reservedInformation, 1), ("5f f6 ff", .badChunk, 1),
    ("7f 61c3 61bc ff", .invalidUTF8, 2), ("7f 6161 61ff ff", .invalidUTF8, 4), ("5f 42 01 ff", .truncated, 4),
    ("bf 01 ff", .unexpectedBreak, 2), ("bf 01 02 03 ff", .unexpectedBreak, 4), ("9f ff ff", .trailingBytes, 2),
    ("9f 81 ff ff", .unexpectedBreak, 2), ("9f c1 ff", .unexpectedBreak, 2), ("9f 01", .truncated, 2),
    ("d818 42 9f01", .truncated, 5), ("d818 41 9f ff", .truncated, 4), ("81 ff", .unexpectedBreak, 1),
  ])
  func malformedIndefiniteItemsAreRefused(hex: String, code: CBORError.Code, offset: Int) throws {
    #expect(try refusal(of: hex, leniency: .received) == Failure(code, at: offset))
  }
}
