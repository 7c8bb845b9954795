import Primitives
import Telling

/// The apps that the selector must offer and hide.
public struct SelectorExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// Apps that the selector must offer, and no others.
  public var shows: [String]?
  /// Document identifiers of the registrations that the selector must offer for an app, and no others.
  public var offers: [Named<[String]>]?
  /// Apps that the selector must hide, with the check that hides each.
  public var hides: [Named<String>]?
  /// The origin of the website that the selector shows.
  public var origin: String?
  /// A text of the message in the selector, or with which the system closed it.
  public var notice: String?
  /// True if the open selector must offer another device beside the apps; false if it must not.
  public var offersAnotherDevice: Bool?
  /// Texts of the open selector in the language of the device.
  public var says: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == SelectorExpectation {
  static let selector = Form.mapping(
    "selector", { SelectorExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
      Key("shows", \.shows, .list(.name(.app)), "the apps that the selector offers, and no others"),
      Key(
        "offers", \.offers, .named(.app, .list(.text)),
        "apps with the document identifiers of the registrations that the selector offers"),
      Key(
        "hides", \.hides, .named(.app, .code(CodeRegistry.selectorNames, "reason")),
        "apps that the selector hides, with the check that hides each"),
      Key("origin", \.origin, .text, "the origin of the website that the selector shows"),
      Key(
        "notice", \.notice, .text, "a text of the message in the open selector, or with which the system closed it"),
      Key(
        "another-device", \.offersAnotherDevice, .boolean, usual: "any",
        "the open selector offers another device beside the apps, or does not"),
      Key("says", \.says, .list(.text), "texts of the open selector, in the [language](#languages) of the device"),
    ], expectsBesides: ["on"])
}

extension SelectorExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_: WorldNames) -> String {
    Wording.sentence(
      "the selector",
      [
        shows.map { $0.isEmpty ? "offers no app" : "offers \(Wording.list($0))" },
        offers.map { offers in
          "offers " + Wording.list(offers.map { "\($0.value.count.counted("document")) of \($0.name)" })
        },
        hides.map { $0.isEmpty ? "hides no app" : "hides \(Wording.list($0.map(\.name)))" },
        origin.map { "shows the origin \($0)" }, notice.map { "says \u{201C}\($0)\u{201D}" },
        offersAnotherDevice.map { $0 ? "offers another device" : "does not offer another device" },
        Wording.quoted(says).map { "says \($0)" },
      ], otherwise: "is open")
  }
}
