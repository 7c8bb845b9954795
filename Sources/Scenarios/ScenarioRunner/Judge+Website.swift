import Checks
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the result on the page.
  func judge(_ expected: WebsiteExpectation, view: PersonView, website: String) -> ExpectationFailure? {
    let name = expected.name ?? website
    let shown =
      expected.frame.map { view.page(ofFrame: $0, in: name, on: pageDevice) } ?? view.page(of: name, on: pageDevice)
    guard let page = shown else { return ExpectationFailure(at: StepPath("website", "name"), "\(name) is empty") }
    return judge(expected, on: page, as: "website")
      ?? judge(keeps: expected.keeps, of: "website", by: Party(.server, name))
  }

  /// Judges what a verifier holds of the newest response.
  /// - Parameters:
  ///   - step: The key of the step.
  ///   - verifier: The server of a website, or a terminal.
  func judge(keeps: [String]?, of step: String, by verifier: Party) -> ExpectationFailure? {
    guard let keeps else { return nil }
    let path = StepPath(step, "keeps")
    let isTerminal = verifier.role == .terminal
    guard let kept = kept(by: verifier) else {
      return ExpectationFailure(
        at: path, "no response has reached the \(isTerminal ? "terminal" : "server")", evidence: latestFailures())
    }
    return Set(keeps) == Set(kept)
      ? nil
      : ExpectationFailure(
        at: path, "the \(isTerminal ? "terminal" : "server's store") holds something else after the session",
        note: kept.isEmpty ? "it holds nothing of the response" : "it holds \(kept.joined(separator: ", "))")
  }

  /// Everything that a verifier holds of the newest response.
  func corrected(keeps: [String]?, by verifier: Party) throws(Uncorrectable) -> [String]? {
    guard let keeps else { return nil }
    let noun = verifier.role == .terminal ? "terminal" : "server"
    guard let kept = kept(by: verifier) else { throw Uncorrectable("no response has reached the \(noun)") }
    return try Self.corrected(list: keeps, to: kept, "the \(noun) keeps")
  }

  /// The names of what a verifier holds of the newest response; nil if it has had none. It notes what it holds after
  /// the verdict, and nothing if it holds nothing.
  private func kept(by verifier: Party) -> [String]? {
    let own = entries.filter { $0.party == verifier }
    guard let end = own.lastIndex(where: { if case .verdict = $0.event { true } else { false } }) else { return nil }
    let code: NoteCode = verifier.role == .terminal ? .terminalKept : .websiteKept
    let note = own[end...].compactMap(\.event.note).first { $0.code == code }
    return (note?.facts ?? []).compactMap { fact in
      switch fact.name {
      case Note.Kept.element: Note.Kept.Element(fact)?.identifier
      case Note.Kept.response: Note.Kept.response
      default: nil
      }
    }
  }

  /// Judges the result on a screen.
  /// - Parameter key: The key of the step.
  func judge(_ expected: WebsiteExpectation, on page: PageScreen, as key: String) -> ExpectationFailure? {
    if let verified = expected.verified {
      guard page.verdict == "verified" else {
        return notVerified(
          page, at: verified.first.map { StepPath(key, "verified", $0.name, end: .key) } ?? StepPath(key, "verified"))
      }
      for element in verified {
        let elements = (page.verified ?? []).filter { $0.identifier == element.name }
        guard let found = elements.first(where: { $0.value != element.value }) ?? elements.first else {
          return ExpectationFailure(
            at: StepPath(key, "verified", element.name, end: .key),
            "\(element.name) is not among the verified elements", code: ResponseCheck.elementReturned.id,
            evidence: ["verified: \((page.verified ?? []).map(\.identifier).joined(separator: ", "))"])
        }
        if element.value != "present" && element.value != found.value {
          return ExpectationFailure(
            at: StepPath(key, "verified", element.name), "\(element.name) has another value",
            note: "the site shows \(found.value)")
        }
      }
    }
    if expected.without != nil, page.verdict == nil, page.exception == nil, page.error == nil {
      return ExpectationFailure(
        at: StepPath(key, "without"), Self.noResult(key), note: "nothing was answered, so nothing could be verified",
        evidence: latestFailures())
    }
    for identifier in expected.without ?? []
    where page.verified?.contains(where: { $0.identifier == identifier }) ?? false {
      return ExpectationFailure(at: StepPath(key, "without"), "\(identifier) is among the verified elements")
    }
    if let refused = expected.refused {
      guard page.verdict == "refused" else {
        return ExpectationFailure(
          at: StepPath(key, "refused"), "the site does not refuse the response",
          note: page.verdict.map { "it is \($0)" } ?? "no response was received", evidence: latestFailures())
      }
      if !page.code.isName(expected: refused) {
        return ExpectationFailure(
          at: StepPath(key, "refused"), "the site refuses for another reason", code: page.code,
          evidence: checkEvidence(page.code))
      }
    }
    if let explained = expected.explained {
      let checks = latestFailure(named: page.code).map { [$0] } ?? []
      if let failure = judge(explained, at: StepPath(key, "explained"), of: checks) { return failure }
    }
    if let fallsBack = expected.fallsBack {
      guard let exception = page.exception else {
        return ExpectationFailure(
          at: StepPath(key, "falls-back"), "the call did not throw",
          note: page.verdict.map { "the response is \($0)" } ?? "no result yet")
      }
      if exception != fallsBack { return threw(exception, newestException(), at: StepPath(key, "falls-back")) }
    }
    return judgeCheckout(expected, on: page, as: key)
  }

  /// Judges the checkout on the page: its step, its form and its words.
  private func judgeCheckout(
    _ expected: WebsiteExpectation, on page: PageScreen, as key: String
  ) -> ExpectationFailure? {
    if let step = expected.step, step != page.step {
      return ExpectationFailure(
        at: StepPath(key, "step"), "the page shows another step", note: "it shows \(page.step.rawValue)",
        evidence: latestFailures())
    }
    if let form = expected.form {
      let found = page.form.map { $0.refusal ?? "offered" }
      if found != form {
        return ExpectationFailure(
          at: StepPath(key, "form"), found == nil ? "the page has no form" : "the form is in another state",
          code: found, note: page.form?.message)
      }
    }
    return judge(mentions: expected.mentions, of: key, in: page.text, "page")
  }

  private func notVerified(_ page: PageScreen, at path: StepPath) -> ExpectationFailure {
    if let verdict = page.verdict {
      let check = latestFailure(named: page.code)
      return ExpectationFailure(
        at: path, check?.message ?? "the response is \(verdict)", code: page.code,
        note: "\(verdict) by the \(path.keys.first == "terminal" ? "terminal" : "verifier server")",
        evidence: checkEvidence(page.code) + responseMessage())
    }
    if let exception = page.exception {
      return threw(exception, newestException(), at: path, evidence: latestFailures())
    }
    return ExpectationFailure(at: path, Self.noResult(path.keys.first), evidence: latestFailures())
  }

  private static func noResult(_ key: String?) -> String {
    "the \(key == "terminal" ? "terminal" : "page") has no result yet"
  }

  /// The details of a check that failed, in columns.
  private func checkEvidence(_ code: String?) -> [String] { latestFailure(named: code).map(Self.evidence(of:)) ?? [] }

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

  /// Another result of the same kind on the page of a website.
  func corrected(
    _ expected: WebsiteExpectation, on page: PageScreen?, called name: String
  ) throws(Uncorrectable) -> WebsiteExpectation {
    guard let page else { throw .otherKind("\(name) is empty") }
    var corrected = expected
    corrected.verified = try Self.corrected(expected.verified, on: page)
    corrected.refused = try Self.corrected(refusal: expected.refused, on: page)
    try Self.requireMissing(expected.without, on: page)
    corrected.explained = try Self.corrected(
      expected.explained, toOneOf: latestFailure(named: page.code)?.explanations ?? [])
    if expected.fallsBack != nil {
      guard let exception = page.exception else { throw .otherKind(page.result) }
      corrected.fallsBack = exception
    }
    if let step = expected.step, step != page.step {
      guard step.isVerified == page.step.isVerified else {
        throw .otherKind("the page shows the step '\(page.step.rawValue)'")
      }
      corrected.step = page.step
    }
    if let form = expected.form {
      let found = page.form.map { $0.refusal ?? "offered" }
      guard let found, found == form || found != "offered" && form != "offered" else {
        throw .otherKind(found.map { "the form is '\($0)'" } ?? "the page has no form")
      }
      corrected.form = found
    }
    corrected.mentions = try Self.corrected(expected.mentions, in: page.text)
    corrected.keeps = try self.corrected(keeps: expected.keeps, by: Party(.server, name))
    return corrected
  }

  static func corrected(_ verified: [Named<String>]?, on page: PageScreen) throws(Uncorrectable) -> [Named<String>]? {
    guard var corrected = verified else { return nil }
    guard page.verdict == "verified" else { throw .otherKind(page.result) }
    for (place, element) in corrected.enumerated() {
      let values = (page.verified ?? []).filter { $0.identifier == element.name }.map(\.value).uniqued()
      guard let value = values.first else {
        throw Uncorrectable("\(element.name) is not among the verified elements, so its expectation would be lost")
      }
      if element.value == "present" || values == [element.value] { continue }
      guard values.count == 1 else { throw Uncorrectable("the page shows several values of \(element.name)") }
      corrected[place].value = value
    }
    return corrected
  }

  static func corrected(refusal expected: String?, on page: PageScreen) throws(Uncorrectable) -> String? {
    guard let expected else { return nil }
    guard page.verdict == "refused", let code = page.code else { throw .otherKind(page.result) }
    return corrected(expected, toName: code)
  }

  static func requireMissing(_ without: [String]?, on page: PageScreen) throws(Uncorrectable) {
    guard let without else { return }
    if let name = without.first(where: { name in page.verified?.contains { $0.identifier == name } ?? false }) {
      throw Uncorrectable("\(name) is among the verified elements, so its expectation would be lost")
    }
  }
}

extension CheckoutStep {
  /// True after the identity was verified.
  fileprivate var isVerified: Bool {
    switch self {
    case .summary, .ordered: true
    case .selection, .identity, .review: false
    }
  }
}

extension PageScreen {
  /// The result on the screen, in words.
  var result: String {
    if let verdict { return "the response is \(verdict)\(code.map { " [\($0)]" } ?? "")" }
    if let exception { return "the call threw \(exception)" }
    if let error { return "the request threw \(error)" }
    return "the result is not there yet"
  }
}
