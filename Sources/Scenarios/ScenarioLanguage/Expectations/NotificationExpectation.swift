import Telling

/// The notification for another device that must be on the screen of an iPhone.
public struct NotificationExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The origin of the website.
  public var origin: String?
  /// The name of the asking device.
  public var mac: String?
  /// Texts of the notification.
  public var mentions: [String]?
  /// False if no notification must be on the screen.
  public var isShown: Bool?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == NotificationExpectation {
  static let notification = Form.mapping(
    "notification", { NotificationExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the iPhone"),
      Key("origin", \.origin, .text, "the origin of the website"),
      Key("mac", \.mac, .name(.device), "the device with the request"),
      Key("mentions", \.mentions, .list(.text), "texts of the notification"),
      Key("shown", \.isShown, .boolean, "`false`: the iPhone shows no notification for another device"),
    ], expectsBesides: ["on"])
}

extension NotificationExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    let subject = device.map(names.device) ?? "the iPhone"
    if isShown == false { return "\(subject) shows no notification" }
    return Wording.clauses(
      "\(subject) shows a notification",
      [
        mac.map { "for \(names.device($0))" }, origin.map { "with the origin \($0)" },
        Wording.quoted(mentions).map { "that says \($0)" },
      ],
      otherwise: "for another device")
  }
}
