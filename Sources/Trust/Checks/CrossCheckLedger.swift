import COSE
import Primitives
import Synchronization

/// Compares every verification claim with another implementation, counts the answers and keeps the first disagreements.
///
/// The ledger is a witness: bind ``witness`` to ``VerificationWitness/current`` around the code to cross-check.
public final class CrossCheckLedger: Sendable {
  /// Another implementation. It passes a claim that it agrees with, fails one that it disagrees with, and does not reach
  /// one that it cannot compare, each under a ``ComparisonCheck``.
  public typealias Comparison = @Sendable (VerificationClaim) -> CheckResult

  /// The most disagreements that are kept: the first says what to look at, and a broken implementation has thousands.
  public static let maximumKept = 16

  private struct State {
    var tally = CrossCheckTally()
    var disagreements: [CheckResult] = []
  }

  private let compare: Comparison
  private let state = Mutex(State())

  /// Creates an empty ledger.
  public init(_ compare: @escaping Comparison) { self.compare = compare }

  /// The witness that feeds the ledger. It compares at once, on the thread that verified, so that no claim is stored.
  public var witness: VerificationWitness { VerificationWitness { [self] in take($0) } }

  /// The counts so far.
  public var tally: CrossCheckTally { state.withLock { $0.tally } }

  /// The first disagreements, oldest first; at most ``maximumKept``.
  public var disagreements: [CheckResult] { state.withLock { $0.disagreements } }

  private func take(_ claim: VerificationClaim) {
    let result = compare(claim)
    state.withLock { state in
      if result.status == .notReached {
        state.tally.notComparable += 1
        return
      }
      switch claim {
      case .signature: state.tally.signatures += 1
      case .chain: state.tally.chains += 1
      }
      guard result.status == .failed else { return }
      state.tally.disagreements += 1
      if state.disagreements.count < Self.maximumKept { state.disagreements.append(result) }
    }
  }
}

/// The number of claims that were cross-checked, and the result.
public struct CrossCheckTally: Sendable, Equatable, CustomStringConvertible {
  /// Signatures that were compared.
  public var signatures = 0
  /// Certificate chains that were compared.
  public var chains = 0
  /// Claims of both kinds that the other implementation cannot compare.
  public var notComparable = 0
  /// Claims of both kinds that the implementations decide differently.
  public var disagreements = 0

  /// Creates a tally of zero.
  public init() {}

  /// Adds two tallies.
  public static func + (left: CrossCheckTally, right: CrossCheckTally) -> CrossCheckTally {
    var sum = left
    sum.signatures += right.signatures
    sum.chains += right.chains
    sum.notComparable += right.notComparable
    sum.disagreements += right.disagreements
    return sum
  }

  /// The tally as one line: "cross-checked 11 signatures and 3 chains; 3 not comparable, 1 disagreement".
  public var description: String {
    let rest =
      (notComparable > 0 ? ["\(notComparable) not comparable"] : [])
      + (disagreements > 0 ? [disagreements.counted("disagreement")] : [])
    return "cross-checked \(signatures.counted("signature")) and \(chains.counted("chain"))"
      + (rest.isEmpty ? "" : "; " + rest.joined(separator: ", "))
  }
}

/// The checks of a cross-check by another implementation.
public enum ComparisonCheck: CheckFamily {
  case signature, chain

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .signature:
      CheckDefinition(
        "cross-check.signature", "another implementation agrees about every signature",
        "another implementation disagrees about a signature", clause: "own rule")
    case .chain:
      CheckDefinition(
        "cross-check.chain", "another implementation agrees about every certificate chain",
        "another implementation disagrees about a certificate chain", clause: "own rule")
    }
  }
}
