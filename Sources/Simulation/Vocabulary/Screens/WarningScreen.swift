import DigitalCredentials
import JSON

/// The warning that a browser shows before the chooser.
public struct WarningScreen: LocalScreen, Equatable, JSONObject {
  /// The origin that asks.
  public var origin: String
  /// The risk: `low-risk` or `high-risk`.
  public var risk: String
  /// The text.
  public var text: String
  /// Labels of the buttons.
  public var buttons: [String]
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// The label of the button that leads to the chooser.
  public static let `continue` = "Continue"
  /// The label of the button that ends the call.
  public static let cancel = "Cancel"

  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member("risk", \.risk), Member("text", \.text), Member("buttons", \.buttons),
    Member(optional: "local", \.local))
}

extension WarningScreen {
  package init(_ interstitial: Interstitial, origin: Origin, in language: Language = .english) {
    self.origin = origin.serialized
    risk = interstitial.rawValue
    let word: ScreenWord =
      switch interstitial {
      case .lowRisk: .warningLowRisk
      case .highRisk: .warningHighRisk
      }
    text = word.english
    buttons = [Self.continue, Self.cancel]
    local = LocalTexts(language, [ScreenText(word)] + buttons.map(ScreenWord.control))
  }
}
