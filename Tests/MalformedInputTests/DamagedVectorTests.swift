import OutsideParsers
import TestSupport
import Testing

/// Every reader of strangers' bytes is given every truncation of every vector that it reads, and every vector with each of
/// its bytes changed. A trap would end the tests; everything else that must not be is a broken promise of the reader.
@Suite("Damaged vectors end in a value or a coded error", .enabled(if: Vectors.areHere))
struct DamagedVectorTests {
  /// Changes that are tried besides one of every byte, so many that all readers together take about a minute without
  /// optimization. `make test-exhaustive` tries all there are.
  private static let moreChanges = 2000

  @Test("vectors are read, each to the value or the refusal that it is a seed for", arguments: OutsideParser.all)
  func seeds(parser: OutsideParser) {
    let endings = parser.seeds().map { parser.ending(of: $0) }
    #expect(!endings.isEmpty)
    #expect(broken(endings) == [])
    // Documents are for keys that are not here.
    #expect(endings.contains(parser.name == "issuer-signed" ? .refused("held-document") : .value))
  }

  @Test("are the same in every process, so that what fails can be tried again", arguments: OutsideParser.all)
  func fixedSeeds(parser: OutsideParser) {
    #expect(parser.seeds() == parser.seeds())
  }

  @Test("every truncation", arguments: OutsideParser.all)
  func truncations(parser: OutsideParser) {
    var found: [String] = []
    let clock = ContinuousClock(); let start = clock.now
    let count = Damage.truncations(of: parser.seeds(), atMost: .max) { found += broken([parser.ending(of: $0)]) }
    print("T \(parser.name): \(count) \(clock.now - start)")
    #expect(count == parser.seeds().reduce(0) { $0 + $1.count })
    #expect(found == [])
  }

  @Test("every byte changed", arguments: OutsideParser.all)
  func changes(parser: OutsideParser) {
    var found: [String] = []
    let clock = ContinuousClock(); let start = clock.now
    let extent = Damage.Extent.ordinarily(.everyByte(more: Self.moreChanges), of: parser.name)
    let tally = Damage.changes(of: parser.seeds(), extent) { found += broken([parser.ending(of: $0)]) }
    print("C \(parser.name): \(tally) \(clock.now - start)")
    #expect(tally.tried >= tally.bytes && tally.bytes > 0)
    #expect(found == [])
  }

  private func broken(_ endings: [OutsideParser.Ending]) -> [String] {
    endings.compactMap { if case .broken(let promise) = $0 { promise } else { nil } }
  }
}
