/// The user activation of one document's window (HTML, "Tracking user activation").
///
/// Times are durations since any epoch that the caller keeps for the whole window.
public struct UserActivation: Hashable, Sendable {
  /// The duration of a transient activation. HTML leaves it to the browser, "a few seconds"; browsers use five.
  public static let duration: Duration = .seconds(5)

  private enum State: Hashable, Sendable {
    case none
    case at(Duration)
    case consumed
  }

  private var state = State.none

  /// Creates the state of a window that the person has not touched.
  public init() {}

  /// Records a gesture (HTML, "activation notification").
  public mutating func activate(at now: Duration) { state = .at(now) }

  /// Consumes the activation (HTML, "consume user activation"). A window without activation stays as it is.
  public mutating func consume() { if state != .none { state = .consumed } }

  /// Returns whether the window has transient activation: `navigator.userActivation.isActive`.
  public func isTransient(at now: Duration) -> Bool {
    guard case .at(let start) = state else { return false }
    return now >= start && now < start + Self.duration
  }

  /// Indicates whether the window had an activation at any time: `navigator.userActivation.hasBeenActive`.
  public var isSticky: Bool { state != .none }
}
