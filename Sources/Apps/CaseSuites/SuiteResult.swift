import Primitives
import Synchronization

/// The outcomes of a run of the suite.
public struct SuiteResult: Sendable {
  /// The suite.
  public let suite: Suite
  /// The name of the target.
  public let target: String
  /// The kind of program that was tried: that of the suite, or `library`.
  package var subject: String
  /// The number of cases that were to be tried.
  public let planned: Int
  /// The outcomes of the cases that were tried, in their order.
  public var outcomes: [CaseOutcome] = []
  /// The reason why the run ended early; nil for a complete run.
  public var stop: SuiteStop?
  /// Entries of the file of known mistakes that are not true any more.
  public var stale: [String] = []
  /// Remarks about the program beside its verdicts.
  public var remarks: [String] = []

  /// Creates a result without outcomes.
  package init(of suite: Suite, target: String, planned: Int) {
    self.suite = suite
    subject = suite.subject
    self.target = target
    self.planned = planned
  }

  /// The number of cases that were decided.
  public var decided: Int { outcomes.filter(\.isDecided).count }

  /// The exit code: 1 if something is wrong that is not known, or an entry of the known mistakes is not true, 2 if
  /// something was undecided, or nothing was decided, and 0 otherwise.
  ///
  /// - Parameter isStrict: True if mistakes that no clause forbids count, too.
  public func exitCode(isStrict: Bool) -> Int32 {
    if !stale.isEmpty || outcomes.contains(where: { $0.counts(isStrict: isStrict) }) { return 1 }
    let isComplete = stop == nil && outcomes.count == planned && decided > 0
    return isComplete && !outcomes.contains { $0.verdict == .unclear && $0.known == nil } ? 0 : 2
  }
}

/// The reason why a run cannot go on: nothing could be decided any more.
public struct SuiteStop: CodedError {
  /// The kind.
  public let code: Code
  /// A human-readable description.
  public let message: String
  /// Further lines.
  public let details: [String]

  /// The kinds of reasons.
  public enum Code: String, Sendable {
    /// The server begins no session.
    case unreachable = "suite.no-session"
    /// The wallet's program cannot be started, or takes no document.
    case program = "suite.no-wallet"
    /// The phone does not answer the request.
    case request = "suite.request-refused"
    /// The first genuine answer or request is refused.
    case genuineRefused = "suite.genuine-refused"
    /// A genuine answer or request is refused after others were accepted.
    case lost = "suite.genuine-refused-later"
    /// The status lists cannot be served.
    case lists = "suite.status-lists"
    /// The clocks differ.
    case clock = "suite.clock"
    /// The target looks for something that the server's answers lack.
    case target = "suite.target"
    /// A signal ended the run.
    case interrupted = "suite.interrupted"
  }

  package init(_ code: Code, _ message: String, details: [String] = []) {
    (self.code, self.message, self.details) = (code, message, details)
  }

  /// The lines below the message.
  public var evidence: String? { details.isEmpty ? nil : details.joined(separator: "; ") }
}

/// A request to end a run of a suite, which is looked at between its cases.
public final class SuiteInterruption: Sendable {
  private let number = Mutex<Int32?>(nil)

  /// Creates one that is not asked for.
  public init() {}

  /// Asks the run to end.
  /// - Parameter signal: The number of the signal that asks.
  public func ask(by signal: Int32) { number.withLock { $0 = signal } }

  /// The signal that asked the run to end; nil if none did.
  public var signal: Int32? { number.withLock { $0 } }

  /// True if the run is asked to end.
  package var isAsked: Bool { signal != nil }

  /// The stop of a run that was asked to end.
  package static let stop = SuiteStop(.interrupted, "the run was interrupted")
}
