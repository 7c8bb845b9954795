import CBOR
import Testing

@Suite("Unread items inside tag 24")
struct ClosedEmbeddedItemTests {
  private func readClosed(_ digits: String, limits: CBORLimits = .standard) throws -> CBORItem {
    try CBORReader.read(try hex(digits), limits: limits, readingEmbedded: false)
  }

  @Test(arguments: ["", "ff", "18", "0000", "1801", "a201000100", "61ff", "9fff"])
  func areNotLookedAt(content: String) throws {
    let bytes = try hex(content)
    let item = try readClosed("8200 d818" + digits(CBORWriter.encode { $0.byteString(bytes) }))
    let tagged = try item.array().at(1)
    #expect(try tagged.embeddedBytes() == bytes)
    #expect(tagged.diagnosticWithEmbedded == "24(h'\(content)')")
    #expect(refusal { () throws(CBORError) in try tagged.embedded() } == Failure(.badEmbeddedItem, at: 2))
  }

  @Test(arguments: [
    ("d818 6100", CBORError.Code.badEmbeddedItem, 0), ("d818 00", .badEmbeddedItem, 0), ("d818", .truncated, 2),
    ("d818 580100", .nonMinimalHead, 2), ("d818 5fff", .indefiniteLength, 2), ("d818 42 00", .truncated, 3),
    ("d818 41 00 00", .trailingBytes, 4), ("a2 d8184100 00 d8184100 00", .duplicateKey, 6),
  ])
  func closedItemsMustBeOneDefiniteByteString(hex: String, code: CBORError.Code, offset: Int) throws {
    let bytes = try CBORTests.hex(hex)
    let error = refusal { () throws(CBORError) in try CBORReader.read(bytes, readingEmbedded: false) }
    #expect(error == Failure(code, at: offset))
  }

  @Test func closedItemsCountNeitherAsLevelsNorAsItems() throws {
    let limits = CBORLimits(bytes: 100, depth: 2, items: 2)
    #expect(try readClosed("d818 43 810203", limits: limits).embeddedBytes() == [0x81, 0x02, 0x03])
    #expect(try refusal(of: "d818 43 820203", limits: limits)?.code == .tooDeep)
  }

  @Test func itemsAfterAClosedItemKeepTheirPlace() throws {
    let array = try readClosed("83 d818 42 1801 02 d818 4103").array()
    #expect(array.map(\.offset) == [1, 6, 7])
    #expect(try array.at(2).embeddedBytes() == [0x03])
    #expect(try CBORValue(array.at(0)) == .tagged(24, .bytes([0x18, 0x01])))
  }

  @Test func closedItemsAreReadSeparately() throws {
    let bytes = try readClosed("d818 43 820102").embeddedBytes()
    let item = try CBORReader.read(bytes)
    #expect(try item.array().at(1).offset == 2)
  }

  @Test func embeddedBytesAreAvailableForReadItemsToo() throws {
    let item = try read("82 d818 43 820102 4101").array()
    #expect(try item.at(0).embeddedBytes() == [0x82, 0x01, 0x02])
    #expect(refusal { () throws(CBORError) in try item.at(1).embeddedBytes() } == Failure(.wrongType, at: 7))
  }
}
