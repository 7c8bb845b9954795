import Ecosystem
import LocatedYAML
import Messaging

extension Form where Value == PromptExpectation {
  static let prompt = Form.mapping(
    "prompt", { PromptExpectation() },
    [
      Key("app", \.app, .name(.app), "the prompt on the screen asks whether this app may provide documents"),
      Key("shown", \.isShown, .boolean, "`false`: the screen shows no prompt"),
    ], expectsBesides: []
  ).checked { value, node, _ in
    if let isShown = value.isShown, isShown != (value.app != nil) {
      throw SourceProblem(
        .missingKey, isShown ? "name the app of the prompt" : "a prompt with an app is shown", at: node.position)
    }
  }
}

extension Form where Value == NotificationExpectation {
  static let notification = Form.mapping(
    "notification", { NotificationExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the iPhone"),
      Key("origin", \.origin, .text, "the origin of the website"),
      Key("mac", \.mac, .name(.device), "the Mac with the request"),
      Key("mentions", \.mentions, .list(.text), "texts of the notification"),
      Key("shown", \.isShown, .boolean, "`false`: the iPhone shows no notification for a Mac"),
    ], expectsBesides: ["on"])
}

extension Form where Value == QRCodeExpectation {
  static let code = Form.mapping(
    "qr-code", { QRCodeExpectation() },
    [
      Key("shown", \.isShown, .boolean, "a QR code is on the screen, or with `false` none is"),
      Key("mentions", \.mentions, .list(.text), "texts of the message beside the QR code, or in its place"),
    ], expectsBesides: [])
}

extension Form where Value == SelectorExpectation {
  private static func knownApp(_ name: Located<String>, _ context: ReadingContext) throws {
    let apps = context.names(of: .app)
    guard apps.contains(name.value) else {
      throw SourceProblem(
        .unknownName, "unknown app \(SourceText.quote(name.value))", at: name.position,
        suggestion: NearestName.of(name.value, in: apps))
    }
  }

  static let selector = Form.mapping(
    "selector", { SelectorExpectation() },
    [
      Key("shows", \.shows, .list(.name(.app)), "the apps that the selector offers, and no others"),
      Key(
        "offers", \.offers, .named("app", .list(.text)) { try knownApp($0, $1) },
        "apps with the document identifiers of the registrations that the selector offers"),
      Key(
        "hides", \.hides, .named("app", .code(CodeRegistry.selectorNames, "reason")) { try knownApp($0, $1) },
        "apps that the selector hides, with the check that hides each"),
      Key("origin", \.origin, .text, "the origin of the website that the selector shows"),
      Key(
        "notice", \.notice, .text, "a text of the message in the open selector, or with which the system closed it"),
    ], expectsBesides: [])
}

extension Form where Value == ConsentExpectation {
  static let consent = Form.mapping(
    "consent", { ConsentExpectation() },
    [
      Key("requester", \.requester, .text, "the requester's name"),
      Key("icon", \.icon, .text, "the requester's icon; `none` without one"),
      Key("certified", \.certified, .boolean, "a trusted reader authority has certified the requester"),
      Key("asks", \.asks, .list(.text), "all requested elements, in any order"),
      Key("retains", \.retains, .list(.text), "all elements that will be retained, in any order"),
      Key(
        "storage", \.storage, .named("element", .text),
        "for some elements the words about their storage, for example `will be stored for 30 days`"),
      Key("mentions", \.mentions, .list(.text), "texts of the app's own view: its heading or its lines"),
      Key("agrees-with", \.agreesWith, .list(.text), "all controls that agree, in any order"),
      Key(
        "notice", \.notice, .text, "a text of the message in the open view, or with which the system closed it"),
      Key("shown", \.isShown, .boolean, "`false`: no app's view is open; goes with `notice` only"),
    ], expectsBesides: []
  ).checked { value, node, _ in
    guard value.isShown == false else { return }
    var rest = value
    (rest.isShown, rest.notice) = (nil, nil)
    if rest != ConsentExpectation() {
      throw SourceProblem(.notOneKey, "a view that is not shown has no contents", at: node.position)
    }
  }
}

extension Form where Value == WebsiteExpectation {
  static let website = Form.mapping(
    "website", { WebsiteExpectation() },
    [
      Key("name", \.name, .name(.website), usual: "the website visited last", "the website"),
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
        "explained", \.explained, .code(CodeRegistry.explanations, "explanation"),
        "the known mistake that explains the refusal"),
    ], expectsBesides: ["name"])
}

extension Form where Value == ExceptionExpectation {
  static let exception = Form.mapping(
    "exception", { ExceptionExpectation() },
    [
      Key("name", \.name, .code(CodeRegistry.exceptionNames, "exception"), "the name of the exception"),
      Key("code", \.code, .code(CodeRegistry.browser, "code"), "the rule that rejected the call"),
      Key(
        "mentions", \.mentions,
        Form<[String]>.list(.text).checked { texts, node, _ in
          if texts.allSatisfy(\.isEmpty) {
            throw SourceProblem(.missingKey, "the expectation is empty", at: node.position)
          }
        }, "texts that the message contains"),
    ], expectsBesides: [])
}

extension Form where Value == DecisionExpectation {
  static let decision = Form.mapping(
    "decision", { DecisionExpectation() },
    [
      Key("by", required: \.role, .words(Party.Role.allCases.map(\.rawValue), "role"), "the role of the party"),
      Key("code", required: \.code, .code(CodeRegistry.all, "code"), "the check or the decision"),
      Key("outcome", \.outcome, .text, usual: "any", "the outcome, for example `passed` or `failed`"),
      Key(
        "explained", \.explained, .code(CodeRegistry.explanations, "explanation"),
        "the known mistake that explains the decision"),
    ])
}
