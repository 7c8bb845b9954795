import DigitalCredentials
import JSON

/// The warning that a browser shows before the chooser.
public struct WarningScreen: Sendable, Equatable {
  /// The origin that asks.
  public var origin: String
  /// The risk: `low-risk` or `high-risk`.
  public var risk: String
  /// The text.
  public var text: String
  /// Labels of the buttons.
  public var buttons: [String]

  /// The label of the button that leads to the chooser.
  public static let `continue` = "Continue"
  /// The label of the button that ends the call.
  public static let cancel = "Cancel"
}

extension WarningScreen {
  package init(_ interstitial: Interstitial, origin: Origin) {
    self.origin = origin.serialized
    risk = interstitial.rawValue
    text =
      switch interstitial {
      case .lowRisk: "This site wants information from your ID. Share it only with a site that you trust."
      case .highRisk: "This site may be dangerous, and wants information from your ID."
      }
    buttons = [Self.continue, Self.cancel]
  }
}

extension WarningScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member("risk", \.risk), Member("text", \.text), Member("buttons", \.buttons))
}
