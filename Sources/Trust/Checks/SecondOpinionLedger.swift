import COSE
import Synchronization

/// Asks another implementation about every claim that it hears of, counts the answers and keeps the first disagreements.
///
/// It is a witness: bind ``witness`` to ``VerificationWitness/current`` around whatever is to be judged.
public final class SecondOpinionLedger: Sendable {
  /// Another implementation: passes a claim that it agrees with, fails one that it decides otherwise, and does not
  /// reach one that it cannot decide, each with a code of ``SecondOpinionCheck``.
  public typealias Judge = @Sendable (VerificationClaim) -> CheckResult

  /// How many claims were heard of, and what became of them.
  public struct Tally: Sendable, Equatable {
    /// Signatures with an opinion.
    public var signatures = 0
    /// Certificate chains with an opinion.
    public var chains = 0
    /// Claims of both kinds without an opinion.
    public var unjudged = 0
    /// Claims of both kinds that were decided otherwise.
    public var disagreements = 0

    /// Nothing heard of yet.
    public init() {}

    /// Both together.
    public static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      sum.signatures += right.signatures
      sum.chains += right.chains
      sum.unjudged += right.unjudged
      sum.disagreements += right.disagreements
      return sum
    }
  }

  /// Most disagreements that are kept: the first says what to look at, and a broken implementation has thousands.
  public static let maximumKept = 16

  private struct State {
    var tally = Tally()
    var disagreements: [CheckResult] = []
  }

  private let judge: Judge
  private let state = Mutex(State())

  /// A ledger with nothing in it.
  public init(_ judge: @escaping Judge) { self.judge = judge }

  /// Takes claims. The opinion is asked for at once, on the thread that checked, so that no claim is kept.
  public var witness: VerificationWitness { VerificationWitness { [self] in take($0) } }

  /// What was counted so far.
  public var tally: Tally { state.withLock { $0.tally } }

  /// The first disagreements, oldest first; no more than ``maximumKept``.
  public var disagreements: [CheckResult] { state.withLock { $0.disagreements } }

  private func take(_ claim: VerificationClaim) {
    let opinion = judge(claim)
    state.withLock { state in
      if opinion.status == .notReached {
        state.tally.unjudged += 1
        return
      }
      switch claim {
      case .signature: state.tally.signatures += 1
      case .chain: state.tally.chains += 1
      }
      guard opinion.status == .failed else { return }
      state.tally.disagreements += 1
      if state.disagreements.count < Self.maximumKept { state.disagreements.append(opinion) }
    }
  }
}
