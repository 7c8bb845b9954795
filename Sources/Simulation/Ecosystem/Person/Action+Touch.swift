/// The person's touches of a device outside the page, as the JSON message from the person to the operating system:
/// `{"label": "Wallet", "target": "pickApp"}`.
extension Action.ByPerson: Codable {
  private struct Touch: Codable {
    /// The kind of the target.
    var target: String
    /// The name of the target: an app, a button, a document.
    var label: String
    /// The app in which a document is deleted, or that the prompt or the switch is for.
    var app: String?
  }

  private var touch: Touch? {
    switch self {
    case .pick(let app): Touch(target: "pickApp", label: app)
    case .cancelSelector: Touch(target: "cancelSelector", label: "Cancel")
    case .tap(let label), .authorize(let label): Touch(target: "appView", label: label)
    case .delete(let document, let app): Touch(target: "deleteDocument", label: document, app: app)
    case .answerPrompt(let app, let isAllowed):
      Touch(target: "prompt", label: isAllowed ? PromptScreen.allow : PromptScreen.doNotAllow, app: app)
    case .switchApp(let app, let isOn): Touch(target: "settings", label: isOn ? "on" : "off", app: app)
    case .install(let app): Touch(target: "install", label: app)
    case .update(let app): Touch(target: "update", label: app)
    case .remove(let app): Touch(target: "remove", label: app)
    case .visit, .wait, .restart: nil
    }
  }

  /// Encodes a touch.
  /// - Throws: `EncodingError` for an action that is not a touch.
  public func encode(to encoder: any Encoder) throws {
    guard let touch else {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "not a touch of the device"))
    }
    try touch.encode(to: encoder)
  }

  /// Decodes a touch.
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let touch = try Touch(from: decoder)
    switch (touch.target, touch.app) {
    case ("pickApp", _): self = .pick(app: touch.label)
    case ("cancelSelector", _): self = .cancelSelector
    case ("appView", _): self = .tap(touch.label)
    case ("deleteDocument", let app?): self = .delete(document: touch.label, app: app)
    case ("prompt", let app?): self = .answerPrompt(app: app, isAllowed: touch.label == PromptScreen.allow)
    case ("settings", let app?): self = .switchApp(app, isOn: touch.label == "on")
    case ("install", _): self = .install(app: touch.label)
    case ("update", _): self = .update(app: touch.label)
    case ("remove", _): self = .remove(app: touch.label)
    default:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "unknown target \(touch.target)"))
    }
  }
}
