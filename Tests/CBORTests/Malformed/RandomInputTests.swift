import CBOR
import TestSupport
import Testing

@Suite("Random inputs of a fixed seed")
struct RandomInputTests {
  /// Bytes that open, close and fill items, so that random inputs are more than one byte deep.
  static let frequent: [UInt8] = [
    0x00, 0x01, 0x18, 0x20, 0x40, 0x41, 0x42, 0x5f, 0x61, 0x62, 0x7f, 0x80, 0x81, 0x82, 0x9f, 0xa1, 0xa2, 0xbf, 0xc1,
    0xd8, 0xf5, 0xf6, 0xf9, 0xff,
  ]

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func endInAValueOrAnError(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<5_000 {
      let bytes = (0..<random.below(16)).map { _ in
        random.below(4) == 0 ? random.byte() : Self.frequent[random.below(Self.frequent.count)]
      }
      if refusal(of: bytes, leniency: .received) == nil { accepted += 1 }
      if let broken = Promises.broken(by: bytes) { Issue.record("\(digits(bytes)): \(broken)") }
    }
    #expect((100...4_000).contains(accepted))
  }

  @Test func valuesSurviveARoundTrip() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      let value = random.value()
      let item = try CBORReader.read(value.encoded)
      if CBORValue(item) != value { Issue.record("\(digits(value.encoded))") }
    }
  }

  @Test func everyEncodingGivesTheValueAndReportsEachDeviation() throws {
    var random = SeededGenerator(seed: 6)
    var departures = 0
    for seed in 0..<400 {
      let value = random.value()
      let varied = VariedEncoding(of: value, random: SeededGenerator(seed: UInt64(seed)))
      let item = try CBORReader.read(varied.bytes, leniency: .received)
      if CBORValue(item) != value || item.findings != varied.departures { Issue.record("\(digits(varied.bytes))") }
      if refusal(of: varied.bytes) != varied.departures.first { Issue.record("strictly: \(digits(varied.bytes))") }
      departures += varied.departures.count
    }
    #expect(departures > 400)
  }

  @Test func deterministicOrderIsSortedAndStable() throws {
    var random = SeededGenerator(seed: 7)
    var maps = 0
    for _ in 0..<400 {
      let value = random.value().deterministic
      if value.deterministic != value { Issue.record("\(digits(value.encoded)) is sorted again") }
      guard case .map(let entries) = value else { continue }
      let keys = entries.map(\.key.encoded)
      if zip(keys, keys.dropFirst()).contains(where: { !$0.lexicographicallyPrecedes($1) }) {
        Issue.record("\(digits(value.encoded)) is not sorted")
      }
      maps += 1
    }
    #expect(maps > 20)
  }
}
