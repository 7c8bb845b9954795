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

  init(_ interstitial: Interstitial, origin: Origin) {
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

extension WarningScreen: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("buttons", buttons)
      json.member("origin", origin)
      json.member("risk", risk)
      json.member("text", text)
    }
  }

  package init(json: JSONItem) throws(JSONError) {
    buttons = try json.member("buttons")
    origin = try json.member("origin")
    risk = try json.member("risk")
    text = try json.member("text")
  }
}
