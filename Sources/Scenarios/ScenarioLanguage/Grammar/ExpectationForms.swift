import Ecosystem
import LocatedYAML
import Messaging

extension Form where Value == PromptExpectation {
  static let prompt = Form.mapping(
    "prompt", { PromptExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
      Key("app", \.app, .name(.app), "the prompt on the screen asks whether this app may provide documents"),
      Key("shown", \.isShown, .boolean, "`false`: the screen shows no prompt"),
    ], expectsBesides: ["on"]
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
      Key("on", \.device, .name(.device), usual: "the one with the page opened last", "the device"),
      Key("shown", \.isShown, .boolean, "a QR code is on the screen, or with `false` none is"),
      Key("mentions", \.mentions, .list(.text), "texts of the message beside the QR code, or in its place"),
    ], expectsBesides: ["on"])
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
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
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
    ], expectsBesides: ["on"])
}

extension Form where Value == ConsentExpectation {
  static let consent = Form.mapping(
    "consent", { ConsentExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the device used last", "the device"),
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
        "explained", \.explained, .code(CodeRegistry.explanations, "explanation"),
        "the known mistake that explains the refusal"),
    ], expectsBesides: ["name", "on", "frame"])
}

extension Form where Value == ExceptionExpectation {
  static let exception = Form.mapping(
    "exception", { ExceptionExpectation() },
    [
      Key("on", \.device, .name(.device), usual: "the one with the page opened last", "the device"),
      Key("frame", \.frame, .frame, usual: "any", "the frame whose script called"),
      Key("name", \.name, .code(CodeRegistry.exceptionNames, "exception"), "the name of the exception"),
      Key("code", \.code, .code(CodeRegistry.browser, "code"), "the rule that rejected the call"),
      Key(
        "mentions", \.mentions,
        Form<[String]>.list(.text).checked { texts, node, _ in
          if texts.allSatisfy(\.isEmpty) {
            throw SourceProblem(.missingKey, "the expectation is empty", at: node.position)
          }
        }, "texts that the message contains"),
    ], expectsBesides: ["on"])
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
      Key(
        "count", \.count, .count, usual: "at least once",
        "the number of such decisions: `never`, `once`, or a whole number"),
      Key("on", \.device, .name(.device), usual: "any", "the device of the party"),
    ]
  ).checked { value, node, _ in
    // A check is reported when it passes too: without an outcome, "revoked" would mean "was looked at".
    guard value.outcome == nil, value.explained == nil, CodeRegistry.isCheckThatCanPass(value.code) else { return }
    throw SourceProblem(
      .missingKey, "the check \(value.code) can pass and fail: say the outcome",
      at: node["code"]?.position ?? node.position,
      hint: "add 'outcome: failed', 'outcome: deviates' or 'outcome: passed'")
  }
}

extension Form where Value == Int {
  /// A number of events: `never`, `once`, or a whole number.
  static var count: Form {
    // More than a world records.
    let numbers = 0...1_000_000
    let words = ["never": 0, "once": 1]
    return Form(
      type: .either([.words(["never", "once"]), .integer(numbers)]),
      read: { node, _ in
        if let text = node.scalar?.text, let number = words[text] { return number }
        if case .text? = node.scalar?.value { return words[try node.oneOf(["never", "once"], "count")] }
        return try node.integer(in: numbers)
      }, write: { $0 == 0 ? .text("never") : $0 == 1 ? .text("once") : .number($0) })
  }
}

extension Form where Value == MessagesExpectation {
  static let messages = Form.mapping(
    "messages", { MessagesExpectation() },
    [
      Key("count", required: \.count, .count, "the number of messages: `never`, `once`, or a whole number"),
      Key("kind", \.kind, .oneOf(MessageKind.self, "kind of message"), usual: "any", "the kind of the messages"),
      Key("from", \.sender, .role, usual: "any", "the role of the sender"),
      Key("to", \.recipient, .role, usual: "any", "the role of the recipient"),
      Key("on", \.device, .name(.device), usual: "any", "the device of the sender or of the recipient"),
    ])
}

extension Form where Value == String {
  fileprivate static let role = Form.words(Party.Role.allCases.map(\.rawValue), "role")
}

extension Form where Value == TallyExpectation {
  /// A number of events, or a mapping with the number and the events to count.
  static func tally(_ subject: TallyExpectation.Subject) -> Form {
    let count = Key(
      "count", required: \TallyExpectation.count, .count, "the number: `never`, `once`, or a whole number")
    let of =
      subject == .verified
      ? [Key("name", \TallyExpectation.website, .name(.website), usual: "any", "the website")]
      : [
        Key("app", \TallyExpectation.app, .name(.app), usual: "any", "the app"),
        Key("on", \TallyExpectation.device, .name(.device), usual: "any", "the device"),
      ]
    let mapping = Form.mapping(
      subject == .verified ? "verified" : "released", { TallyExpectation(subject) }, [count] + of)
    return Form(
      type: .either([Form<Int>.count.type, mapping.type]),
      read: { node, context in
        guard node.scalar != nil else { return try mapping.read(node, context) }
        return try Form<Int>.count.read(node, context).map { number in
          var expected = TallyExpectation(subject)
          expected.count = number
          return expected
        }
      },
      write: { expected in
        var rest = expected
        rest.count = 0
        return rest == TallyExpectation(subject) ? Form<Int>.count.write(expected.count) : mapping.write(expected)
      })
  }
}
