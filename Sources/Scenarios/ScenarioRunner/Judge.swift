import Checks
import Ecosystem
import LocatedYAML
import Messaging
import MobileDocument
import ScenarioLanguage

/// Judges expectations by the journal and by the person's screens.
struct Judge {
  let entries: [JournalEntry]
  /// Number of journal lines before the newest action.
  let mark: Int
  /// The device of the expectation: the one that it names, otherwise the one that the person uses.
  let device: String
  /// The device with the page: the one that the expectation names, otherwise that of the page opened last.
  let pageDevice: String
  /// True if the expectation names the device: it does not look at others.
  var isDeviceNamed = false
  /// The entries since the last action.
  var recent: ArraySlice<JournalEntry> { entries.dropFirst(mark) }

  /// Returns true if a party has recorded this note since the last action.
  func hasNoted(_ code: NoteCode) -> Bool { reason(of: code) != nil }

  /// The message of the latest note with a code since the last action.
  func reason(of code: NoteCode) -> String? {
    recent.compactMap(\.event.note).last { $0.code == code }?.message
  }

  /// Judges the prompt on the screen.
  func judge(_ expected: PromptExpectation, view: PersonView) -> ExpectationFailure? {
    let found = view.prompt(on: device)?.app
    if found == expected.app { return nil }
    return ExpectationFailure(
      at: StepPath("prompt", "app"),
      expected.app.map { "no prompt for \($0) is on the screen" } ?? "a prompt is on the screen",
      note: found.map { "there is one for \($0)" }, evidence: latestFailures())
  }

  /// Judges the notification for a Mac.
  func judge(_ expected: NotificationExpectation, view: PersonView) -> ExpectationFailure? {
    let found = view.notification(on: device)
    if expected.isShown == false {
      return found.map {
        ExpectationFailure(
          at: StepPath("notification", "shown"), "\(device) shows a notification", note: "it says: \($0.title)")
      }
    }
    guard let found else {
      return ExpectationFailure(at: .step, "\(device) shows no notification", evidence: latestFailures())
    }
    if let origin = expected.origin, origin != found.origin {
      return ExpectationFailure(
        at: StepPath("notification", "origin"), "the notification has another origin", note: "it has \(found.origin)")
    }
    if let mac = expected.mac, mac != found.mac {
      return ExpectationFailure(
        at: StepPath("notification", "mac"), "the notification is for another Mac", note: "it is for \(found.mac)")
    }
    let lines = [found.title, found.model]
    return expected.mentions?.first { text in !lines.contains { $0.contains(text) } }.map { text in
      ExpectationFailure(
        at: StepPath("notification", "mentions", end: .item(text)), "the notification does not say this",
        evidence: lines.map { "notification: \($0)" })
    }
  }

  /// Judges the QR code on the screen of the device with the page.
  func judge(_ expected: QRCodeExpectation, view: PersonView) -> ExpectationFailure? {
    let screen = view.code(on: pageDevice)
    if let isShown = expected.isShown, isShown != (screen?.uri != nil) {
      return ExpectationFailure(
        at: StepPath("qr-code", "shown"), isShown ? "no QR code is on the screen" : "a QR code is on the screen",
        note: screen?.message, evidence: latestFailures())
    }
    for text in expected.mentions ?? [] where !(screen?.message.contains(text) ?? false) {
      return ExpectationFailure(
        at: StepPath("qr-code", "mentions", end: .item(text)), "the message does not contain '\(text)'",
        note: screen?.message ?? "the screen shows no QR code and no message in its place")
    }
    return nil
  }

  /// The latest exception of the browser with the page that the person opened last, in one of its frames if named.
  func latestException(
    in entries: some BidirectionalCollection<JournalEntry>, frame: String? = nil
  ) -> ExceptionEvent? {
    entries.last { entry in
      guard entry.party == Party(.browser, pageDevice), let exception = entry.event.exception else { return false }
      return frame == nil || Party(.page, exception.page).frame?.name == frame
    }?.event.exception
  }

  /// The latest failed check with a name.
  func latestFailure(named name: String?) -> CheckResult? {
    entries.compactMap(\.event.check).last { $0.status == .failed && $0.name == name }
  }

  /// Judges the view on the screen.
  func judge(_ expected: ConsentExpectation, view: PersonView) -> ExpectationFailure? {
    let screen = view.authorization(on: device)
    if let notice = expected.notice,
      let failure = judge(notice, of: "consent", found: screen?.notice ?? view.notice(on: device))
    {
      return failure
    }
    if expected.isShown == false {
      return screen.map {
        ExpectationFailure(at: StepPath("consent", "shown"), "the view of \($0.app) is on the screen")
      }
    }
    if expected.hasNoticeOnly { return nil }
    guard let screen else {
      return ExpectationFailure(
        at: .step, "no app asks for consent", note: view.selector(on: device).map { _ in "the selector is open" },
        evidence: latestFailures())
    }
    func compare<Value: Equatable & CustomStringConvertible>(
      _ expected: Value?, _ found: Value, _ key: String, _ what: String
    ) -> ExpectationFailure? {
      guard let expected, expected != found else { return nil }
      return ExpectationFailure(
        at: StepPath("consent", key), "the consent sheet shows another \(what)", note: "it shows \(found)")
    }
    func compare(
      _ expected: [String]?, _ found: [String], _ key: String, _ what: String, _ noun: String = "elements"
    ) -> ExpectationFailure? {
      guard let expected else { return nil }
      var surplus = found
      var missing: [String] = []
      for name in expected {
        if let position = surplus.firstIndex(of: name) { surplus.remove(at: position) } else { missing.append(name) }
      }
      if missing.isEmpty && surplus.isEmpty { return nil }
      return ExpectationFailure(
        at: StepPath("consent", key), "the consent sheet \(what) other \(noun)",
        evidence: [
          missing.isEmpty ? nil : "missing: \(missing.joined(separator: ", "))",
          surplus.isEmpty ? nil : "not expected: \(surplus.joined(separator: ", "))",
        ].compactMap(\.self))
    }
    return compare(expected.requester, screen.requester, "requester", "requester")
      ?? compare(expected.icon, screen.icon ?? "none", "icon", "icon")
      ?? compare(expected.certified, screen.isRequesterCertified, "certified", "certification")
      ?? compare(expected.asks, screen.elements.map(\.identifier), "asks", "asks for")
      ?? wrongStorage(expected.storage, on: screen)
      ?? compare(
        expected.retains, screen.elements.filter(\.isRetained).map(\.identifier), "retains", "says that it retains")
      ?? compare(expected.agreesWith, screen.agreeing, "agrees-with", "agrees with", "controls")
      ?? judge(expected.mentions ?? [], in: screen.text)
  }

  /// Judges the app's own text in its view.
  private func judge(_ mentions: [String], in lines: [String]) -> ExpectationFailure? {
    guard let text = mentions.first(where: { text in !lines.contains { $0.contains(text) } }) else { return nil }
    return ExpectationFailure(
      at: StepPath("consent", "mentions", end: .item(text)), "the view does not say this",
      evidence: lines.map { "view: \($0)" })
  }

  /// Judges a message that the person reads.
  func judge(_ notice: String, of step: String, found: String?) -> ExpectationFailure? {
    if let found, found.contains(notice) { return nil }
    return ExpectationFailure(
      at: StepPath(step, "notice"), "the person does not read this", note: found.map { "the screen says: \($0)" })
  }

  /// Judges the words about the storage of some elements.
  private func wrongStorage(_ expected: [Named<String>]?, on screen: AuthorizationScreen) -> ExpectationFailure? {
    for element in expected ?? [] {
      let found = screen.elements.first { $0.identifier == element.name }?.storageText
      guard found != element.value else { continue }
      return ExpectationFailure(
        at: StepPath("consent", "storage", element.name), "the consent sheet says something else about \(element.name)",
        note: found.map { "it \($0)" } ?? "it is not on the sheet")
    }
    return nil
  }

  /// Judges the result on the page.
  func judge(_ expected: WebsiteExpectation, view: PersonView, website: String) -> ExpectationFailure? {
    let name = expected.name ?? website
    let shown =
      expected.frame.map { view.page(ofFrame: $0, in: name, on: pageDevice) } ?? view.page(of: name, on: pageDevice)
    guard let page = shown else {
      return ExpectationFailure(at: StepPath("website", "name"), "\(name) is empty")
    }
    return judge(expected, on: page, as: "website")
  }

  /// Judges the result on a screen.
  /// - Parameter key: The key of the step.
  func judge(_ expected: WebsiteExpectation, on page: PageScreen, as key: String) -> ExpectationFailure? {
    func place(_ keys: String..., end: StepPath.End = .value) -> StepPath {
      var path = StepPath(end: end)
      path.keys = [key] + keys
      return path
    }
    if let verified = expected.verified {
      guard page.verdict == "verified" else {
        return notVerified(
          page, at: verified.first.map { place("verified", $0.name, end: .key) } ?? place("verified"))
      }
      for element in verified {
        let elements = (page.verified ?? []).filter { $0.identifier == element.name }
        guard let found = elements.first(where: { $0.value != element.value }) ?? elements.first else {
          return ExpectationFailure(
            at: place("verified", element.name, end: .key), "\(element.name) is not among the verified elements",
            code: ResponseCheck.elementReturned.id,
            evidence: ["verified: \((page.verified ?? []).map(\.identifier).joined(separator: ", "))"])
        }
        if element.value != "present" && element.value != found.value {
          return ExpectationFailure(
            at: place("verified", element.name), "\(element.name) has another value",
            note: "the site shows \(found.value)")
        }
      }
    }
    if expected.without != nil, page.verdict == nil, page.exception == nil, page.error == nil {
      return ExpectationFailure(
        at: place("without"), "the page has no result yet", note: "nothing was answered, so nothing could be verified",
        evidence: latestFailures())
    }
    for identifier in expected.without ?? []
    where page.verified?.contains(where: { $0.identifier == identifier }) ?? false {
      return ExpectationFailure(
        at: place("without"), "\(identifier) is among the verified elements")
    }
    if let refused = expected.refused {
      guard page.verdict == "refused" else {
        return ExpectationFailure(
          at: place("refused"), "the site does not refuse the response",
          note: page.verdict.map { "it is \($0)" } ?? "no response was received", evidence: latestFailures())
      }
      if !page.code.isName(expected: refused) {
        return ExpectationFailure(
          at: place("refused"), "the site refuses for another reason", code: page.code,
          evidence: checkEvidence(page.code))
      }
    }
    if let explained = expected.explained {
      let checks = latestFailure(named: page.code).map { [$0] } ?? []
      if let failure = judge(explained, at: place("explained"), of: checks) { return failure }
    }
    if let fallsBack = expected.fallsBack {
      guard let exception = page.exception else {
        return ExpectationFailure(
          at: place("falls-back"), "the call did not throw",
          note: page.verdict.map { "the response is \($0)" } ?? "no result yet")
      }
      if exception != fallsBack {
        return threw(exception, newestException(), at: place("falls-back"))
      }
    }
    return judge(expected, on: page, at: { place($0) }, item: { place("mentions", end: .item($0)) })
  }

  /// Judges the checkout on the page: its step, its form and its words.
  private func judge(
    _ expected: WebsiteExpectation, on page: PageScreen, at place: (String) -> StepPath, item: (String) -> StepPath
  ) -> ExpectationFailure? {
    if let step = expected.step, step != page.step {
      return ExpectationFailure(
        at: place("step"), "the page shows another step", note: "it shows \(page.step.rawValue)",
        evidence: latestFailures())
    }
    if let form = expected.form {
      let found = page.form.map { $0.refusal ?? "offered" }
      if found != form {
        return ExpectationFailure(
          at: place("form"), found == nil ? "the page has no form" : "the form is in another state", code: found,
          note: page.form?.message)
      }
    }
    if let text = expected.mentions?.first(where: { text in !page.text.contains { $0.contains(text) } }) {
      return ExpectationFailure(
        at: item(text), "the page does not say this", evidence: page.text.map { "page: \($0)" })
    }
    return nil
  }

  private func notVerified(_ page: PageScreen, at path: StepPath) -> ExpectationFailure {
    if let verdict = page.verdict {
      let check = latestFailure(named: page.code)
      return ExpectationFailure(
        at: path, check?.message ?? "the response is \(verdict)", code: page.code,
        note: "\(verdict) by the verifier server", evidence: checkEvidence(page.code) + responseMessage())
    }
    if let exception = page.exception {
      return threw(exception, newestException(), at: path, evidence: latestFailures())
    }
    return ExpectationFailure(at: path, "the page has no result yet", evidence: latestFailures())
  }

  /// The details of a check that failed, in columns.
  private func checkEvidence(_ code: String?) -> [String] {
    latestFailure(named: code).map(Self.evidence(of:)) ?? []
  }

  /// The message that carried the newest response.
  private func responseMessage() -> [String] {
    let messages = entries.compactMap { if case .message(let sent) = $0.event { sent } else { nil } }
    guard let carrier = messages.last(where: { $0.sender.role == .app && $0.mediaType == MediaType.cbor }) else {
      return []
    }
    return [
      "message \(carrier.number) of \(messages.count)  \(carrier.sender) -> \(carrier.recipient)  "
        + "EncryptedResponse, \(carrier.bytes.count) bytes"
    ]
  }

  private func newestException() -> ExceptionEvent? { latestException(in: entries) }

  /// The newest failures, newest last.
  func latestFailures() -> [String] {
    recent.filter(\.event.isFailure).suffix(4).map(line) + appsThatCannotAnswer()
  }

  /// Judges the exception of the newest call.
  func judge(_ expected: ExceptionExpectation) -> ExpectationFailure? {
    let found = latestException(in: recent, frame: expected.frame)
    guard let found else {
      return ExpectationFailure(
        at: expected.name != nil
          ? StepPath("exception", "name") : expected.code != nil ? StepPath("exception", "code") : .step,
        "no call threw since the last action")
    }
    if let name = expected.name, name != found.name {
      return threw(found.name, found, at: StepPath("exception", "name"), evidence: appsThatCannotAnswer())
    }
    if let code = expected.code, !Optional(found.code).isName(expected: code) {
      return ExpectationFailure(
        at: StepPath("exception", "code"), "the call was rejected by another rule", code: found.code,
        note: shortMessage(of: found),
        evidence: appsThatCannotAnswer())
    }
    if let text = expected.mentions?.first(where: { !found.message.contains($0) }) {
      return ExpectationFailure(
        at: StepPath("exception", "mentions", end: .item(text)), "the exception's message does not say this",
        code: found.code,
        evidence: ["message: \(found.message)"])
    }
    return nil
  }

  /// Judges the decisions of a party since the last action.
  func judge(_ expected: DecisionExpectation) -> ExpectationFailure? {
    let all = decisions(of: expected)
    let found = all.filter { $0.event.code.isName(expected: expected.code) }
    if let count = expected.count {
      return wrongCount(
        countedEntries(of: expected), expected: count, at: StepPath("decision", "count"),
        "the \(expected.role) decided this", since: "since the last action")
    }
    guard !found.isEmpty else {
      return ExpectationFailure(
        at: StepPath("decision", "code"), "no \(expected.role) decided this since the last action",
        evidence: all.filter { $0.event.outcome != CheckResult.Status.passed.rawValue }.suffix(6).map(line))
    }
    if let outcome = expected.outcome, !found.contains(where: { $0.event.outcome == outcome }) {
      return ExpectationFailure(
        at: StepPath("decision", "outcome"),
        "the outcome differs: \(found.map { $0.event.outcome ?? "none" }.joined(separator: ", "))",
        code: expected.code)
    }
    return expected.explained.flatMap {
      judge($0, at: StepPath("decision", "explained"), of: found.compactMap(\.event.check))
    }
  }
}

extension Judge {
  /// All decisions of a party since the last action.
  func decisions(of expected: DecisionExpectation) -> [JournalEntry] {
    recent.filter { entry in
      entry.party.role.rawValue == expected.role && entry.event.code != nil
        && expected.device.map(entry.party.isPart(of:)) ?? true
    }
  }

  /// The decisions that an expectation with a number counts.
  func countedEntries(of expected: DecisionExpectation) -> [JournalEntry] {
    decisions(of: expected).filter { entry in
      entry.event.code.isName(expected: expected.code)
        && expected.outcome.map { entry.event.outcome == $0 } ?? true
        && expected.explained.map { entry.event.check?.explanations.contains($0) ?? false } ?? true
    }
  }

  /// The messages so far that an expectation counts.
  func countedEntries(of expected: MessagesExpectation) -> [JournalEntry] {
    entries.filter { entry in
      guard case .message(let message) = entry.event else { return false }
      return expected.kind.map { $0 == message.kind } ?? true
        && expected.sender.map { $0 == message.sender.role.rawValue } ?? true
        && expected.recipient.map { $0 == message.recipient.role.rawValue } ?? true
        && expected.device.map { message.sender.isPart(of: $0) || message.recipient.isPart(of: $0) } ?? true
    }
  }

  /// The events so far that an expectation counts.
  func countedEntries(of expected: TallyExpectation) -> [JournalEntry] {
    entries.filter { entry in
      guard expected.device.map(entry.party.isPart(of:)) ?? true else { return false }
      let app: String?
      switch (expected.subject, entry.event) {
      case (.prompts, .consent(.promptShown(let name))), (.released, .consent(.requestReleased(let name))),
        (.answered, .consent(.answered(let name))):
        app = name
      case (.asked, .consent(.asked)): app = entry.party.name.split(separator: "/").last.map(String.init)
      case (.verified, .verdict(let verdict)):
        return verdict.verdict == .verified && expected.website.map { $0 == entry.party.name } ?? true
      default: return false
      }
      return expected.app.map { $0 == app } ?? true
    }
  }

  /// Judges the number of messages so far.
  func judge(_ expected: MessagesExpectation) -> ExpectationFailure? {
    wrongCount(
      countedEntries(of: expected), expected: expected.count, at: StepPath("messages", "count"),
      "such a message was sent")
  }

  /// Judges the number of events of a kind so far.
  func judge(_ expected: TallyExpectation) -> ExpectationFailure? {
    let key = expected.subject.rawValue
    let path =
      expected.app == nil && expected.website == nil && expected.device == nil
      ? StepPath(key) : StepPath(key, "count")
    return wrongCount(
      countedEntries(of: expected), expected: expected.count, at: path, expected.subject.phrase)
  }

  /// The failure of a number of events, or nil.
  private func wrongCount(
    _ found: [JournalEntry], expected: Int, at path: StepPath, _ what: String, since: String = "so far"
  ) -> ExpectationFailure? {
    if found.count == expected { return nil }
    // The newest show which one is too many; more would hide them.
    let shown = found.suffix(6)
    return ExpectationFailure(
      at: path,
      "\(what) \(Self.times(found.count)) \(since), expected \(expected == 0 ? "never" : Self.times(expected))",
      evidence: shown.count == found.count || shown.isEmpty
        ? shown.map(countedLine) : ["the last \(shown.count):"] + shown.map(countedLine))
  }

  /// An event as one line: a message with its kind, any other with its code.
  private func countedLine(of entry: JournalEntry) -> String {
    guard case .message(let message) = entry.event else { return line(of: entry) }
    return "message \(message.number)  \(message.sender) -> \(message.recipient)  \(message.kind.rawValue)"
  }

  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension TallyExpectation.Subject {
  /// The event, for messages.
  fileprivate var phrase: String {
    switch self {
    case .prompts: "the system asked about an app"
    case .asked: "an app asked for consent"
    case .released: "an app got the raw request"
    case .answered: "an app answered"
    case .verified: "a server verified a response"
    }
  }
}

extension Party {
  /// Returns true for a device and for its parts: its apps and the pages of its browser.
  func isPart(of device: String) -> Bool {
    switch role {
    case .browser, .operatingSystem, .sandbox, .clientPlatform, .authenticator, .nearby: name == device
    case .app, .requestingApp: name.hasPrefix(device + "/")
    case .page: deviceOfPage == device
    case .person, .server, .issuer, .readerAuthority, .portal, .tunnelService, .bluetooth: false
    }
  }
}

extension String? {
  /// Returns true if a finding has the expected name: a check without a reason means any of its reasons.
  func isName(expected: String) -> Bool {
    map { CheckResult.isName($0, expectedAs: expected) } ?? false
  }
}

extension ConsentExpectation {
  /// True if nothing but a message is expected.
  var hasNoticeOnly: Bool {
    var rest = self
    (rest.notice, rest.device) = (nil, nil)
    return notice != nil && rest == ConsentExpectation()
  }
}
