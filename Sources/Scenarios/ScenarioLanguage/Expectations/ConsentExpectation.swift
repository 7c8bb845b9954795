import DevicePlatform
import LocatedYAML
import Primitives
import Telling

/// The contents of the consent sheet or the app's own view.
public struct ConsentExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// Name of the requester.
  public var requester: String?
  /// The requester's icon.
  public var icon: String?
  /// True if the view must have a picture from the requester's certificate.
  public var logotype: Bool?
  /// True if a trusted reader authority must have certified the requester.
  public var certified: Bool?
  /// Identifiers of all documents that the person can choose among.
  public var offers: [String]?
  /// Identifiers of the documents that the app gives.
  public var document: [String]?
  /// The names of their issuing authorities.
  public var issuer: [String]?
  /// Identifiers of all requested elements.
  public var asks: [String]?
  /// Identifiers of the elements that the app gives.
  public var gives: [String]?
  /// Identifiers of the requested elements that the app does not give.
  public var lacks: [String]?
  /// Identifiers of the elements that will be retained.
  public var retains: [String]?
  /// For some elements the intention to store each, in the words of the view.
  public var storage: [Named<String>]?
  /// Texts that the app's own view must contain.
  public var mentions: [String]?
  /// Texts of the view in the language of the device.
  public var says: [String]?
  /// Labels of all controls that agree.
  public var agreesWith: [String]?
  /// A text of the message in the view, or with which the system closed it.
  public var notice: String?
  /// False if no view must be open.
  public var isShown: Bool?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == ConsentExpectation {
  static let consent = Form.mapping(
    "consent", { ConsentExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
      Key("requester", \.requester, .text, "the requester's name"),
      Key("icon", \.icon, .text, "the requester's icon; `none` without one"),
      Key("logotype", \.logotype, .boolean, "the view has the picture in the requester's certificate"),
      Key("certified", \.certified, .boolean, "a trusted reader authority has certified the requester"),
      Key("offers", \.offers, .list(.name(.document)), "all documents that can answer, in any order"),
      Key("document", \.document, .list(.name(.document)), "all documents that the app gives, in any order"),
      Key("issuer", \.issuer, .list(.text), "the names of the issuers of these documents, in any order"),
      Key("asks", \.asks, .list(.text), "all requested elements, in any order"),
      Key("gives", \.gives, .list(.text), "all elements that the app gives, in any order"),
      Key("lacks", \.lacks, .list(.text), "all requested elements that the app does not give, in any order"),
      Key("retains", \.retains, .list(.text), "all elements that will be retained, in any order"),
      Key(
        "storage", \.storage, .named("element", .text),
        "for some elements the words about their storage, for example `will be stored for 30 days`"),
      Key("mentions", \.mentions, .list(.text), "texts of the app's own view: its heading or its lines"),
      Key("says", \.says, .list(.text), "texts of the open view, in the [language](#languages) of the device"),
      Key("agrees-with", \.agreesWith, .list(.text), "all controls that agree, in any order"),
      Key(
        "notice", \.notice, .text, "a text of the message in the open view, or with which the system closed it"),
      Key("shown", \.isShown, .boolean, "`false`: no app's view is open; goes with `notice` only"),
    ], expectsBesides: ["on"]
  ).checked { value, node, _ in
    guard value.isShown == false else { return }
    var rest = value
    (rest.isShown, rest.notice, rest.device) = (nil, nil, nil)
    if rest != ConsentExpectation() {
      throw SourceProblem(.notOneKey, "a view that is not shown has no contents", at: node.position)
    }
  }
}

extension ConsentExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    if isShown == false { return "no app asks for consent" }
    return Wording.sentence(
      "the consent sheet",
      [
        requester.map { "names \($0)" },
        certified.map { $0 ? "says that the name is certified" : "does not say that the name is certified" },
        offers.map { "offers \(Wording.list($0.map(names.document)))" },
        document.map { "shows that \(Wording.list($0.map(names.document))) will be given" },
        issuer.map { "names the issuer \(Wording.list($0))" },
        asks.map { "asks for \(Wording.elements($0))" },
        gives.map { $0.isEmpty ? "gives nothing" : "gives \(Wording.elements($0))" },
        lacks.map {
          $0.isEmpty ? "says that nothing is missing" : "says that \(Wording.elements($0)) will not be given"
        },
        retains.map {
          $0.isEmpty ? "says that nothing will be stored" : "says that \(Wording.elements($0)) will be stored"
        },
        storage.map { "tells how long \(Wording.elements($0.map(\.name))) will be stored" },
        Wording.quoted(mentions).map { "says \($0)" }, Wording.quoted(says).map { "says \($0)" },
        agreesWith.map { "agrees with \(Wording.list($0.map { Self.control($0, names) }))" },
        notice.map { "says \u{201C}\($0)\u{201D}" }, icon.map { Self.icon($0, names) },
        logotype.map { $0 ? "has the certificate's picture" : "has no picture of a certificate" },
      ], otherwise: "is open")
  }

  /// A control that agrees: a way to authenticate, or a button.
  private static func control(_ label: String, _ names: WorldNames) -> String {
    OwnerAuthentication.Method(rawValue: label).map(names.method) ?? label
  }

  private static func icon(_ file: String, _ names: WorldNames) -> String {
    file == "none" ? "shows no icon" : "shows the icon \(names.brand(icon: file).map { "of \($0)" } ?? file)"
  }
}
