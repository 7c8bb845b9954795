import Primitives

/// An operation of a simulated world that cannot be done: of its keys, its network, its parties or its faults.
public typealias SimulationError = CodedFailure<SimulationErrorCode>

/// The kinds of failure.
public enum SimulationErrorCode: String, Sendable, CaseIterable {
  /// The bytes are not a P-256 private key (SEC 1, section 3.2.1).
  case privateKey = "signing.private-key"
  /// The source of seeds gave no private key.
  case seed = "signing.seed"
  /// The sender has no channel to the recipient.
  case noChannel = "network.no-channel"
  /// The sender was retired: its device was switched off, or its page was left.
  case retired = "network.retired"
  /// The recipient of a request has not answered in time.
  case noAnswer = "network.no-answer"
  /// The device of the sender or of the recipient is in flight mode.
  case offline = "network.offline"
  /// The app is not installed on the device.
  case appNotInstalled = "world.app-not-installed"
  /// The status lists of an issuing authority have no unused entry.
  case statusListsFull = "world.status-lists-full"
  /// The message or the document does not have the part that the fault changes.
  case faultNotApplicable = "fault.not-applicable"
}

extension SimulationError {
  /// The error of a fault that finds nothing to change.
  /// - Parameter reason: The part that is missing.
  public static func notApplicable(_ reason: String) -> SimulationError {
    SimulationError(.faultNotApplicable, "the fault is not applicable: \(reason)")
  }
}
