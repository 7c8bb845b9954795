import LocatedYAML
import PassKit
import Primitives
import Vocabulary

extension Form where Value == [WorldDescription.RequestingApp] {
  static let requestingApps = Form.parts(
    "requesting app", \.name, "requesting-apps",
    { WorldDescription.RequestingApp(name: $0, server: "", teamIdentifier: "", merchantIdentifier: "") },
    [
      Key(
        "server", required: \.server, .name(.website),
        "the website whose server draws the app's nonces and verifies its answers, with the website's issuers, session "
          + "lifetime and policies"),
      Key("team-identifier", required: \.teamIdentifier, .identifier, "the team identifier of its developer account"),
      Key(
        "merchant-identifier", required: \.merchantIdentifier, .identifier,
        "the merchant identifier, for which the portal certifies the server's encryption key; it belongs to the first "
          + "app with it"),
      Key(
        "asks", \.asks, .askedElements,
        "the requested elements by their names in PassKit, such as `givenName` or `age(atLeast: 21)`, each with "
          + "`will-not-store`, `may-store` or a number of days"),
      Key(
        "entitled-merchants", \.entitledMerchants, .list(.text), usual: "its `merchant-identifier`",
        "the merchant identifiers of its entitlement"),
      Key(
        "entitled-elements", \.entitledElements, .list(.identityElement), usual: "all",
        "the elements of its entitlement"),
      Key("devices", \.devices, .list(.name(.device)), usual: "all", "the devices that have the app"),
      Key(
        "replays-requests-of", \.replaysRequestsOf, .name(.requestingApp), usual: "none",
        "it gets its nonces from that app's server and passes the answers on to it"),
      Key(
        "nonce-length", \.nonceLength, .integer(in: 0...1024), "the length of its server's nonces in bytes"),
    ])
}

extension Form where Value == String {
  /// An identifier of a developer account: a text that fits into a name of a certificate.
  fileprivate static let identifier = Form.text.checked { text, node, _ in
    guard (1...64).contains(text.utf8.count) else {
      throw SourceProblem(.outOfRange, "an identifier has 1 to 64 bytes, not \(text.utf8.count)", at: node.position)
    }
  }
}

extension Form where Value == PKIdentityElement {
  private static let names = PKIdentityElement.named.map(\.description)

  /// An element by its name in PassKit. The age of `age(atLeast: 21)` may be out of range: a request can have it.
  fileprivate static let identityElement = Form(
    type: .other("element of PassKit"), read: { node, _ in try element(Located(node.string(), at: node.position)) },
    write: { .text("\($0)") })

  fileprivate static func element(_ name: Located<String>) throws -> PKIdentityElement {
    if let element = PKIdentityElement(named: name.value) { return element }
    throw SourceProblem(
      .unknownName, "unknown element \(SourceText.quote(name.value))", at: name.position,
      suggestion: NearestName.of(name.value, in: names),
      hint: "one of \(names.joined(separator: ", ")), or for example age(atLeast: 21)")
  }
}

extension Form where Value == PKIdentityIntentToStore {
  private enum Word: String, CaseIterable, Sendable {
    case willNotStore = "will-not-store"
    case mayStore = "may-store"
  }

  private static let secondsOfDay: Int64 = 86_400

  fileprivate static let intent = Form(
    type: .either([.words(Word.allCases.map(\.rawValue)), .duration]),
    read: { node, _ in
      if let word = node.scalar.flatMap({ Word(rawValue: $0.text) }) {
        return word == .mayStore ? .mayStore : .willNotStore
      }
      let seconds = try node.duration().components.seconds
      guard seconds >= secondsOfDay, seconds % secondsOfDay == 0 else {
        throw SourceProblem(.outOfRange, "expected a number of days, at least 1 day", at: node.position)
      }
      return .mayStore(days: Int(seconds / secondsOfDay))
    },
    write: { intent in
      guard let days = intent.days else {
        return .text((intent.mayStoreElement ? Word.mayStore : .willNotStore).rawValue)
      }
      return .text(days == 1 ? "1 day" : "\(days) days")
    })
}

extension Form where Value == [IdentityDescription.Element] {
  fileprivate static let askedElements = Form<[Named<PKIdentityIntentToStore>]>.named("element of PassKit", .intent) {
    name, _ in _ = try Form<PKIdentityElement>.element(name)
  }.mapped(
    { asked in
      asked.compactMap { element in
        PKIdentityElement(named: element.name).map { IdentityDescription.Element($0, element.value) }
      }
    },
    { $0.map { Named("\($0.element)", $0.intent) } })
}

extension Form where Value == Action {
  static let requestingApp = Form.oneOf(
    "requesting-app", subject: "the requesting app", { "" },
    shared: [Key("name", required: \.self, .name(.requestingApp), "the app, on the device used last")],
    [
      Alternative(
        "requests", .words(["document"], "thing to request"), "calls `requestDocument` without a tap of the person",
        { _ in Action.ByRequestingApp.request }, { if case .request = $0 { "document" } else { nil } }),
      Alternative(
        "cancels", .words(["request"], "thing to cancel"), "calls `cancelRequest`",
        { _ in Action.ByRequestingApp.cancel }, { if case .cancel = $0 { "request" } else { nil } }),
      Alternative(
        "replays", .oneOf(Action.ReplayedSession.self, "session"),
        "sends its last envelope to the server again; the session of the other kind is one of the server's website",
        Action.ByRequestingApp.replay, { if case .replay(let session) = $0 { session } else { nil } }),
    ],
    { part, name, _, _ in .requestingApp(part, name: name) },
    { if case .requestingApp(let part, let name) = $0 { (part, name) } else { nil } })
}
