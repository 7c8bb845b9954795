import CBOR
import Testing

@Suite("Limits of a reading")
struct LimitTests {
  private func limits(bytes: Int = 1000, depth: Int = 100, items: Int = 1000) -> CBORLimits {
    CBORLimits(bytes: bytes, depth: depth, items: items)
  }

  @Test(arguments: [
    ("00", 1, 0), ("80", 1, 0), ("8100", 2, 1), ("818100", 3, 2), ("81818100", 4, 3), ("a10000", 2, 1),
    ("a1a1000000", 3, 2), ("a100a10000", 3, 3), ("c100", 2, 1), ("c1c1c100", 4, 3), ("d8184100", 3, 3),
    ("d81844d8184100", 5, 6), ("8200a10081c100", 5, 6), ("820081c100", 4, 4),
  ])
  func depthCountsArraysMapsTagsAndEmbeddedItems(hex: String, levels: Int, deepest: Int) throws {
    #expect(try refusal(of: hex, limits: limits(depth: levels)) == nil)
    #expect(try refusal(of: hex, limits: limits(depth: levels - 1)) == Failure(.tooDeep, at: deepest))
  }

  @Test(arguments: [("9f00ff", 2, 1), ("9f9f00ffff", 3, 2), ("5f4101ff", 2, 1), ("bf009f00ffff", 3, 3)])
  func depthCountsIndefiniteLengths(hex: String, levels: Int, deepest: Int) throws {
    #expect(try refusal(of: hex, leniency: .received, limits: limits(depth: levels)) == nil)
    let tooFew = limits(depth: levels - 1)
    #expect(try refusal(of: hex, leniency: .received, limits: tooFew) == Failure(.tooDeep, at: deepest))
  }

  @Test(arguments: [("81", 32), ("a100", 63), ("a1", 32), ("c1", 32), ("9f", 32), ("bf00", 63)], [33, 512, 100_000])
  func deepNestingEndsAtTheStandardLimit(opening: (hex: String, offset: Int), times: Int) throws {
    let bytes = try [[UInt8]](repeating: hex(opening.hex), count: times).flatMap { $0 } + hex("00 00 00 00")
    #expect(refusal(of: bytes, leniency: .received) == Failure(.tooDeep, at: opening.offset))
  }

  @Test func embeddedItemsInsideOneAnotherEndAtTheStandardLimit() {
    var bytes: [UInt8] = [0x00]
    for _ in 0..<15 { bytes = CBORWriter.encode { $0.embedded(bytes) } }
    #expect(refusal(of: bytes) == nil)
    bytes = CBORWriter.encode { $0.embedded(bytes) }
    #expect(refusal(of: bytes)?.code == .tooDeep)
  }

  @Test(arguments: [
    ("00", 1, 0), ("83010203", 4, 3), ("a201020304", 5, 4), ("c1c100", 3, 2), ("d8184100", 3, 3),
    ("82d8184382010205", 7, 7), ("81d81843820102", 6, 6), ("4401020304", 1, 0),
  ])
  func everyItemCounts(hex: String, items: Int, last: Int) throws {
    #expect(try refusal(of: hex, limits: limits(items: items)) == nil)
    #expect(try refusal(of: hex, limits: limits(items: items - 1)) == Failure(.tooManyItems, at: last))
  }

  @Test func chunksCountAsItems() throws {
    let chunked = "5f41014102ff"
    #expect(try refusal(of: chunked, leniency: .received, limits: limits(items: 3)) == nil)
    let refused = try refusal(of: chunked, leniency: .received, limits: limits(items: 2))
    #expect(refused == Failure(.tooManyItems, at: 3))
  }

  @Test func standardItemLimitHolds() {
    let most = CBORLimits.standard.items
    let array = { (count: Int) in CBORWriter.encode { $0.array(count) } + [UInt8](repeating: 0, count: count) }
    #expect(refusal(of: array(most - 1)) == nil)
    #expect(refusal(of: array(most)) == Failure(.tooManyItems, at: array(most).count - 1))
  }

  @Test func inputLongerThanTheLimitIsNotRead() throws {
    #expect(try refusal(of: "83010203", limits: limits(bytes: 4)) == nil)
    #expect(try refusal(of: "83010203", limits: limits(bytes: 3)) == Failure(.tooLarge, at: 0))
    #expect(try refusal(of: "ffffffff", limits: limits(bytes: 3)) == Failure(.tooLarge, at: 0))
  }

  @Test func standardByteLimitHolds() throws {
    let most = CBORLimits.standard.bytes
    let string = CBORWriter.encode(capacity: most) { $0.byteString([UInt8](repeating: 0, count: most - 5)) }
    #expect(string.count == most)
    #expect(refusal(of: string) == nil)
    #expect(refusal(of: string + [0]) == Failure(.tooLarge, at: 0))
  }

  @Test func limitsOfZeroRefuseEverything() {
    #expect(refusal(of: [0x00], limits: limits(bytes: 0)) == Failure(.tooLarge, at: 0))
    #expect(refusal(of: [0x00], limits: limits(depth: 0)) == Failure(.tooDeep, at: 0))
    #expect(refusal(of: [0x00], limits: limits(items: 0)) == Failure(.tooManyItems, at: 0))
    #expect(refusal(of: [0x00], limits: limits(items: -1)) == Failure(.tooManyItems, at: 0))
  }
}
