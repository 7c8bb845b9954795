import CBOR
import TestSupport
import Testing

@Suite("Deterministic order of map keys")
struct DeterministicOrderTests {
  /// The example of RFC 8949, 4.2.1, in its order.
  static let ordered = ["0a", "1864", "20", "617a", "626161", "811864", "8120", "f4"]

  @Test func keysAreSortedBytewiseAsInTheRFC() throws {
    var random = SeededGenerator(seed: 8949)
    for _ in 0..<20 {
      let shuffled = Self.ordered.shuffled(using: &random)
      let map = CBORValue.map(try shuffled.map { .init(CBORValue(try read($0)), .null) })
      let sorted = try CBORReader.read(map.deterministic.encoded).map()
      #expect(sorted.map { digits($0.key.encoded) } == Self.ordered)
    }
  }

  @Test func orderIsNotByLengthFirst() throws {
    // RFC 8949, 4.2.3, sorts the same keys by length first: 10, -1, false, 100, ...
    let map = CBORValue.map([.init(.boolean(false), .null), .init(.integer(100), .null)])
    #expect(digits(map.deterministic.encoded) == "a2" + "1864f6" + "f4f6")
  }

  @Test func valuesStayWithTheirKeys() {
    let map = CBORValue.textMap([("b", .integer(1)), ("a", .integer(2))])
    #expect(map.deterministic == .textMap([("a", .integer(2)), ("b", .integer(1))]))
  }

  @Test func mapsInsideKeysValuesArraysAndTagsAreSorted() {
    let unsorted = CBORValue.textMap([("b", .null), ("a", .null)])
    let sorted = CBORValue.textMap([("a", .null), ("b", .null)])
    let nested = CBORValue.array([
      .tagged(1, unsorted), .map([.init(unsorted, unsorted), .init(.integer(0), unsorted)]),
    ])
    let expected = CBORValue.array([
      .tagged(1, sorted), .map([.init(.integer(0), sorted), .init(sorted, sorted)]),
    ])
    #expect(nested.deterministic == expected)
    #expect(nested != expected)
  }

  @Test func embeddedBytesAreNotTouched() {
    let content: [UInt8] = [0xa2, 0x61, 0x62, 0xf6, 0x61, 0x61, 0xf6]
    let value = CBORValue.tagged(24, .bytes(content))
    #expect(value.deterministic == value)
  }

  @Test func writingKeepsTheOrderGiven() {
    let map = CBORValue.textMap([("b", .null), ("a", .null)])
    #expect(digits(map.encoded) == "a2" + "6162f6" + "6161f6")
  }
}
