import Invariants
import JSON
import Messaging
import RelyingParty
import Vocabulary

/// The bounds of altered runs: the properties of the unaltered one that they are compared with.
struct SweepBounds: Sendable {
  /// The signals that do not count as noticing.
  let usual: UsualSignals
  private let world: WorldDescription
  /// The invariants that the unaltered run breaks, which are not the alteration's.
  private let brokenInvariants: [InvariantViolation]
  private let verified: Set<VerifiedElement>

  /// The bounds of a run.
  init(of replay: Replay, in world: WorldDescription) {
    self.world = world
    usual = UsualSignals(of: replay)
    brokenInvariants = Invariants.violations(in: replay.entries, world: world)
    verified = VerifiedElement.all(in: replay, exceptMessage: nil)
  }

  /// A rule that an altered run breaks and the unaltered one does not, or nil.
  ///
  /// The invariants judge each element that a server verifies, but not that a server refuses: a revoked document of which
  /// an altered message hides the revocation breaks none. For this the run is compared with the unaltered one.
  ///
  /// - Parameters:
  ///   - number: The number of the altered message, whose bytes in the journal are not the sender's; nil for none.
  ///   - issuersAreAtFault: True if issuers sign other documents than without the alteration, so that servers may verify
  ///     other elements.
  func violation(in replay: Replay, exceptMessage number: Int?, issuersAreAtFault: Bool = false) -> String? {
    var usual = brokenInvariants
    for violation in Invariants.violations(in: replay.entries, world: world) {
      // An alteration moves the numbers of messages, so the facts are compared without them.
      guard let place = usual.firstIndex(where: { $0.finding == violation.finding && $0.detail == violation.detail })
      else { return "\(violation.name): \(violation.message)" }
      usual.remove(at: place)
    }
    if !issuersAreAtFault, !VerifiedElement.all(in: replay, exceptMessage: number).isSubset(of: verified) {
      return "a server verifies elements that it does not verify without the alteration"
    }
    return nil
  }
}

/// An element in the result that a server sends after a verification that succeeded. The value is left out, because an
/// invariant compares it with the issued one.
private struct VerifiedElement: Hashable, Sendable {
  let documentType: String
  let nameSpace: String
  let identifier: String

  /// The elements in the results of a run.
  /// - Parameter number: The number of a message to leave out; nil for none.
  static func all(in replay: Replay, exceptMessage number: Int?) -> Set<Self> {
    replay.messages.filter { $0.kind == .verificationResult && $0.number != number }
      .reduce(into: []) { $0.formUnion(all(in: $1.bytes)) }
  }

  /// The elements in a server's result, which lists the documents with their elements or claims.
  private static func all(in result: [UInt8]) -> [Self] {
    guard let json = try? JSONReader.read(result),
      json.member("verdict")?.text == VerdictEvent.Verdict.verified.rawValue,
      case .array(let documents)? = json.member("documents")
    else { return [] }
    return documents.flatMap { VerdictElement.elements(of: $0) }.map {
      Self(documentType: $0.documentType, nameSpace: $0.nameSpace, identifier: $0.identifier)
    }
  }
}
