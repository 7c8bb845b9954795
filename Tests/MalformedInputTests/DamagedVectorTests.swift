import OutsideParsers
import TestSupport
import Testing

/// Every reader of strangers' bytes is given every truncation of every vector that it reads, and vectors with one byte
/// changed. A trap would end the tests; everything else that must not be is a broken promise of the reader.
@Suite("Damaged vectors end in a value or a coded error", .enabled(if: Vectors.areHere))
struct DamagedVectorTests {
  /// Most inputs with a changed byte that a reader is given, spread evenly over all of them: so many that all readers
  /// together take about a minute without optimization. The fuzzer tries the rest.
  private static let mostChanges = 4000
  /// The same for readers that take milliseconds: certificates are checked against a profile, and inspections print.
  private static let mostSlowChanges = 1000
  private static let slow: Set = ["certificate", "inspect", "device-response", "issuer-signed", "device-request"]
  /// Most truncations of a reader that begins anew in every form that a file may be in.
  private static let mostSlowTruncations = 8000

  @Test("vectors are read, each to the value or the refusal that it is a seed for", arguments: OutsideParser.all)
  func seeds(parser: OutsideParser) {
    let endings = parser.seeds().map { parser.ending(of: $0) }
    #expect(!endings.isEmpty)
    #expect(broken(endings) == [])
    // Documents are for keys that are not here.
    #expect(endings.contains(parser.name == "issuer-signed" ? .refused("held-document") : .value))
  }

  @Test("every truncation", arguments: OutsideParser.all)
  func truncations(parser: OutsideParser) {
    var found: [String] = []
    let most = parser.name == "inspect" ? Self.mostSlowTruncations : .max
    let count = Damage.truncations(of: parser.seeds(), atMost: most) { found += broken([parser.ending(of: $0)]) }
    #expect(count > 0)
    #expect(found == [])
  }

  @Test("single bytes changed", arguments: OutsideParser.all)
  func changes(parser: OutsideParser) {
    var found: [String] = []
    let most = Self.slow.contains(parser.name) ? Self.mostSlowChanges : Self.mostChanges
    let count = Damage.changes(of: parser.seeds(), atMost: most) { found += broken([parser.ending(of: $0)]) }
    #expect(count > 0)
    #expect(found == [])
  }

  private func broken(_ endings: [OutsideParser.Ending]) -> [String] {
    endings.compactMap { if case .broken(let promise) = $0 { promise } else { nil } }
  }
}
