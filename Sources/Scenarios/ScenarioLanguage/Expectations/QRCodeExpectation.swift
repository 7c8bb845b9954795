import Telling

/// The QR code that a browser must show to ask another device.
public struct QRCodeExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// True if a code must be shown, false if none must be.
  public var isShown: Bool?
  /// Texts that the message beside the code contains.
  public var mentions: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == QRCodeExpectation {
  static let code = Form.mapping(
    "qr-code", { QRCodeExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the one with the page opened last", "the device"),
      Key("shown", \.isShown, .boolean, "a QR code is on the screen, or with `false` none is"),
      Key("mentions", \.mentions, .list(.text), "texts of the message beside the QR code, or in its place"),
    ], expectsBesides: ["on"])
}

extension QRCodeExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    switch isShown {
    case true?: "the browser shows a QR code"
    case false? where mentions == nil: "no QR code is on the screen"
    default: "the browser says \(Wording.quoted(mentions) ?? "nothing beside a QR code")"
    }
  }
}
