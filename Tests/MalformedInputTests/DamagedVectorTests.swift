import TestSupport
import TestTraits
import Testing
import UntrustedParsers

/// Passes all truncations of its vectors, and vectors with one changed byte, to every reader of untrusted input. A trap
/// would end the tests; any other misbehavior breaks a guarantee of the reader.
///
/// For most readers each byte of every vector is changed. Readers that take milliseconds get a selection, because all
/// changes would take minutes without optimization; `make test-every-byte` is optimized and uses all vectors, and
/// `make test-exhaustive` tries every change.
@Suite("Damaged vectors give a value or a coded error", .requiresEveryVectorFile)
struct DamagedVectorTests {
  /// The number of vector bytes that are all changed for slow readers: about a second for each.
  private static let slow = [
    "device-request": 1200, "device-response": 3000, "issuer-signed": 3000, "certificate": 1600, "sandbox-answer": 1000,
    "inspect": 800, "encrypted-response": 24_000, "exchange-file": 2400,
  ]
  /// The number of additional changes.
  private static let moreChanges = (fast: 1000, slow: 200)
  /// The maximum number of truncations for slow readers.
  private static let mostTruncations = ["inspect": 3000, "certificate": 18_000, "issuer-signed": 18_000]

  private static func extent(of name: String) -> Damage.Extent {
    guard let bytes = slow[name] else { return .ordinarily(.everyByte(more: moreChanges.fast), of: name) }
    return .ordinarily(.everyByteOf(bytes: bytes, more: moreChanges.slow), of: name)
  }

  @Test("each undamaged vector gives its stated value or refusal", arguments: UntrustedParser.all)
  func seeds(parser: UntrustedParser) {
    let endings = parser.seeds().map { parser.ending(of: $0) }
    #expect(!endings.isEmpty)
    #expect(broken(endings) == [])
    // The keys of these documents are not published.
    #expect(endings.contains(parser.name == "issuer-signed" ? .refused("document.device-key") : .value))
  }

  @Test("damage is the same in every process, so that failures can be repeated", arguments: UntrustedParser.all)
  func fixedSeeds(parser: UntrustedParser) {
    #expect(parser.seeds() == parser.seeds())
  }

  @Test("truncated vectors give a value or a coded error", arguments: UntrustedParser.all)
  func truncations(parser: UntrustedParser) {
    let most = Damage.Extent.isMoreThanOrdinary ? nil : Self.mostTruncations[parser.name]
    var found: [String] = []
    let count = Damage.truncations(of: parser.seeds(), atMost: most ?? .max) {
      found += broken([parser.ending(of: $0)])
    }
    let all = parser.seeds().reduce(0) { $0 + $1.count }
    print("\(parser.name): \(count) of \(all) truncations")
    #expect(count == all || count > (most ?? .max) / 2)
    #expect(found == [])
  }

  @Test("vectors with one changed byte give a value or a coded error", arguments: UntrustedParser.all)
  func changes(parser: UntrustedParser) {
    var found: [String] = []
    let extent = Self.extent(of: parser.name)
    let tally = Damage.changes(of: parser.seeds(), extent) { found += broken([parser.ending(of: $0)]) }
    print("\(parser.name): \(tally)")
    let least = Damage.Extent.isMoreThanOrdinary ? tally.bytes : min(tally.bytes, (Self.slow[parser.name] ?? .max) / 8)
    #expect(tally.covered >= least && least > 0)
    #expect(found == [])
  }

  private func broken(_ endings: [UntrustedParser.Ending]) -> [String] {
    endings.compactMap { if case .broken(let promise) = $0 { promise } else { nil } }
  }
}
