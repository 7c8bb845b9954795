import LocatedYAML
import Primitives
import Telling
import Vocabulary

/// The result that the website must show.
public struct WebsiteExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The website; nil for the one visited last.
  public var name: String?
  /// The frame of its page; nil for the page itself.
  public var frame: String?
  /// Verified elements with their values in words.
  public var verified: [Named<String>]?
  /// The check that must refuse the response.
  public var refused: String?
  /// The known mistake that must explain the refusal.
  public var explained: String?
  /// Name of the exception after which the website must fall back.
  public var fallsBack: String?
  /// The step of the checkout.
  public var step: CheckoutStep?
  /// The state of the form to upload a picture: `offered`, or the code of a refusal.
  public var form: String?
  /// Texts that the page must contain.
  public var mentions: [String]?
  /// Identifiers of requested elements that must not be verified.
  public var without: [String]?
  /// Identifiers of everything that the server's store holds of the response after the session.
  public var keeps: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

extension Form where Value == WebsiteExpectation {
  static let website = Form.mapping(
    "website", { WebsiteExpectation() },
    [
      Key("name", \.name, .name(.website), usual: "the website visited last", "the website"),
      Key("on", \.device, .name(.device), usual: "the one with the page opened last", "the device"),
      Key("frame", \.frame, .frame, usual: "the page itself", "the frame of the website's page"),
      Key(
        "verified", \.verified, .named("element", .scalar),
        "the response is verified, and these elements have these values; `present` for any value"),
      Key("refused", \.refused, .code(CodeRegistry.verdicts, "code"), "the check that refuses the response"),
      Key(
        "falls-back", \.fallsBack, .code(CodeRegistry.exceptionNames, "exception"),
        "the exception of the call, after which the website falls back"),
      Key(
        "step", \.step, .oneOf(CheckoutStep.self, "step"),
        "the step of the checkout on the page: `selection` of an item, `identity`, `summary` of a verified person, "
          + "`ordered`, or `review` of an uploaded picture"),
      Key(
        "form", \.form, .code(["offered"] + CodeRegistry.scanErrors, "state of the form"),
        "the form to upload a picture: `offered`, or the refusal of the newest picture"),
      Key(
        "mentions", \.mentions, .list(.text),
        "texts that the page contains, for example the selected item or what happens next"),
      Key("without", \.without, .list(.name(.element)), "requested elements that are not verified"),
      Key(
        "keeps", \.keeps, .list(.text),
        "everything that the website's server holds of the newest response when its session has ended, in any order: "
          + "elements, and `response` for the encrypted response"),
      Key(
        "explained", \.explained, .code(CodeRegistry.explanations, "explanation"),
        "the known mistake that explains the refusal"),
    ], expectsBesides: ["name", "on", "frame"])
}

extension WebsiteExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    Wording.sentence(
      (frame.map { "the frame \($0) of " } ?? "") + (name.map(names.website) ?? "the website"),
      [
        verified.map { "has verified \(Wording.elements($0.map(\.name)))" },
        refused.map { "refuses the response: \(CodeWords.finding($0))" }, explained.map { "explains it: \($0)" },
        fallsBack.map { "falls back after \($0)" }, step.map { "is at the step \($0.rawValue)" },
        form.map { $0 == "offered" ? "offers a form" : "refuses the picture: \($0)" },
        Wording.quoted(mentions).map { "says \($0)" }, without.map { "has not verified \(Wording.elements($0))" },
        keeps.map { "keeps \(Wording.elements($0))" },
      ], otherwise: "has a page")
  }
}
