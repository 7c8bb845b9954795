/// A message for the person about a selector or a view that the system closes, or about an app that cannot answer.
public struct PresentmentNotice: Sendable, Equatable {
  /// The kinds of messages.
  public enum Kind: Sendable, Equatable {
    /// No app on the device can answer any longer.
    case noneLeft
    /// An app that was offered before cannot answer: a check hides it, or it is no longer on the device.
    case noLonger(app: String, SelectorFinding?)
    /// An app did not answer.
    case didNotAnswer(app: String)
  }

  /// The kind.
  public let kind: Kind
  /// The message in English, with the details of the reason.
  public let message: String

  /// No app on the device can answer any longer.
  public static let noneLeft = PresentmentNotice(
    kind: .noneLeft, message: "No app on this device can answer any longer.")

  /// An app that was offered before cannot answer.
  /// - Parameter hidden: The check that hides it; nil if it is no longer on the device.
  static func noLonger(_ app: String, _ hidden: Selection.Hidden?) -> PresentmentNotice {
    let reason = hidden?.message ?? "the app is no longer on this device"
    return PresentmentNotice(
      kind: .noLonger(app: app, hidden?.finding), message: "\(app) can no longer answer: \(reason).")
  }

  /// An app did not answer, for a reason that it names.
  static func didNotAnswer(_ app: String, because reason: String) -> PresentmentNotice {
    PresentmentNotice(kind: .didNotAnswer(app: app), message: "\(app) did not answer: \(reason).")
  }
}
