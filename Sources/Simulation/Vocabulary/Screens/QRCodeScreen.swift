import JSON
import Proximity

/// The QR code of a browser that asks another device, or of an mdoc for a reader near it, with the progress, on the person's
/// screen.
public struct QRCodeScreen: LocalScreen, Equatable, JSONObject {
  /// Origin of the website; `A reader nearby` for an mdoc.
  public var origin: String
  /// The text of the QR code; nil while none is shown.
  public var uri: String?
  /// The progress in words, for the person.
  public var message: String
  /// Labels of the buttons.
  public var buttons: [String]
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// Creates a screen with a button that ends the session.
  /// - Parameter word: The progress.
  package init(origin: String, uri: String? = nil, _ word: ScreenWord, in language: Language = .english) {
    self.init(origin: origin, uri: uri, message: word.english, buttons: [Self.cancel])
    let texts = [ScreenText(word), ScreenText(titleWord), ScreenWord.control(named: Self.cancel)]
    local = LocalTexts(language, texts + [LocalTexts.nearby(origin)])
  }

  private init(origin: String, uri: String?, message: String, buttons: [String], local: LocalTexts? = nil) {
    (self.origin, self.uri, self.message, self.buttons) = (origin, uri, message, buttons)
    self.local = local
  }

  /// The label of the button that ends the session.
  public static let cancel = "Cancel"

  /// True for the code of an mdoc for a reader near it.
  public var isInPerson: Bool { origin == InPersonRequest.origin }

  /// The title in words: what the person does with the code.
  public var title: String { titleWord.english }

  private var titleWord: ScreenWord { isInPerson ? .showCodeToReader : .useYourPhone }

  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member(optional: "uri", \.uri), Member("message", \.message),
    Member("buttons", \.buttons), Member(optional: "local", \.local))
}
