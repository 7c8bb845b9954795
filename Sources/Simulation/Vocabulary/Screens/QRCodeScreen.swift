import JSON
import Proximity

/// The QR code of a browser that asks another device, or of an mdoc for a reader near it, with the progress, on the person's
/// screen.
public struct QRCodeScreen: Sendable, Equatable {
  /// Origin of the website; `A reader nearby` for an mdoc.
  public var origin: String
  /// The text of the QR code; nil while none is shown.
  public var uri: String?
  /// The progress in words, for the person.
  public var message: String
  /// Labels of the buttons.
  public var buttons: [String]

  package init(origin: String, uri: String? = nil, message: String, buttons: [String]) {
    (self.origin, self.uri, self.message, self.buttons) = (origin, uri, message, buttons)
  }

  /// The label of the button that ends the session.
  public static let cancel = "Cancel"

  /// True for the code of an mdoc for a reader near it.
  public var isInPerson: Bool { origin == InPersonRequest.origin }

  /// The title in words: what the person does with the code.
  public var title: String { isInPerson ? "Show this code to the reader" : "Use your phone" }
}

extension QRCodeScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member(optional: "uri", \.uri), Member("message", \.message),
    Member("buttons", \.buttons))
}
