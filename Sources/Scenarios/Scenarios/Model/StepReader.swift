import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import SimulationKernel

/// Reads steps: the fixed vocabulary of scenarios.
struct StepReader {
  let world: WorldDescription
  let because: String?
  let problems: ProblemCollector

  private enum StepKey: String, CaseIterable {
    case person, prompt, selector, consent, website, page, app, server, authority, world, exception, decision, fault,
      because, fails
  }
  private enum SelectorKey: String, CaseIterable { case shows, offers, hides }
  private enum ConsentKey: String, CaseIterable { case requester, icon, certified, asks, retains }
  private enum WebsiteKey: String, CaseIterable {
    case name, verified, refused
    case fallsBack = "falls-back"
    case without, explained
  }
  private enum ExceptionKey: String, CaseIterable { case name, code, mentions }
  private enum DecisionKey: String, CaseIterable { case by, code, outcome, explained }
  private enum PageKey: String, CaseIterable { case name, on, calls, aborts, replays, sends, body }
  private enum ReplayTarget: String, CaseIterable { case sameSession = "same-session", newSession = "new-session" }
  private enum Call: String, CaseIterable { case withoutGesture = "without-gesture", again }
  private enum PromptKey: String, CaseIterable { case app, shown }

  var apps: [String] {
    world.devices.flatMap(\.apps).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
  /// Identifiers of elements that a site asks for or a document holds.
  private var elements: [String] {
    let asked = world.websites.flatMap(\.asks).flatMap(\.nameSpaces).flatMap(\.elements).map(\.identifier)
    let held = world.devices.flatMap(\.apps).flatMap(\.documents).flatMap(\.nameSpaces).flatMap(\.elements)
    return (asked + held.map(\.identifier)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
  var websites: [String] { world.websites.map(\.identifier) }

  func read(_ node: SourceNode) -> [Step]? {
    guard let steps = node.each(problems, { try readStep($0) }) else { return nil }
    if case .sequence(let items) = node.content, items.isEmpty {
      problems.report(SourceProblem(.missingKey, "there is no step", at: node.position))
    }
    var waiting = Duration.zero
    for step in steps {
      guard case .person(.waits(let duration)) = step.kind else { continue }
      waiting += duration
      if waiting > Scenario.maximumWaiting {
        problems.report(SourceProblem(.outOfRange, "all waits together are longer than 100 years", at: step.position))
        break
      }
    }
    return steps
  }

  /// Reports an expectation that expects nothing and so could not fail.
  private func requireExpectation(_ node: SourceNode, besides others: [String] = []) {
    if node.keys.contains(where: { !others.contains($0) && !(node[$0]?.isEmptyMapping ?? false) }) {
      return
    }
    problems.report(SourceProblem(.missingKey, "nothing is expected here", at: node.position))
  }

  private func readStep(_ node: SourceNode) throws -> Step? {
    let because = node["because"].flatMap { reason in problems.attempt(reason) { try $0.string() } } ?? self.because
    let fails = node["fails"].flatMap { text in problems.attempt(text) { try readFails($0) } }
    let (key, value) = try node.without("because").without("fails").onlyKey(of: StepKey.self)
    let kind: Step.Kind? =
      switch key.value {
      case .person: readPerson(value).map(Step.Kind.person)
      case .prompt: try readPrompt(value).map(Step.Kind.prompt)
      case .selector: readSelector(value).map(Step.Kind.selector)
      case .consent: readConsent(value).map(Step.Kind.consent)
      case .website: readWebsite(value).map(Step.Kind.website)
      case .page: try readPage(value)
      case .app: try readApp(value)
      case .server: try readServer(value)
      case .authority: try readAuthority(value)
      case .world: .world(try readWorldAction(value))
      case .exception: readException(value).map(Step.Kind.exception)
      case .decision: readDecision(value).map(Step.Kind.decision)
      case .fault: try readFault(value).map { .fault($0) }
      case .because, .fails: nil
      }
    return kind.map { Step(position: key.position, source: node, kind: $0, because: because, fails: fails) }
  }

  private func readFails(_ node: SourceNode) throws -> Located<String> {
    let text = try node.located { try $0.string() }
    guard !text.value.isEmpty else {
      throw SourceProblem(.missingKey, "nothing is expected here", at: node.position, hint: "say how the step fails")
    }
    return text
  }

  private func readPrompt(_ node: SourceNode) throws -> PromptExpectation? {
    guard let fields = MappingReader<PromptKey>(node, problems) else { return nil }
    requireExpectation(node)
    let app = fields.optional(.app) { node in try node.located { try $0.oneOf(apps, "app") } }
    let isShown = fields.optional(.shown) { try $0.boolean() }
    if let isShown, isShown != (app != nil) {
      throw SourceProblem(
        .missingKey, isShown ? "a prompt that is shown is for an app" : "a prompt that is not shown is for no app",
        at: node.position)
    }
    return PromptExpectation(app: app)
  }

  private func readSelector(_ node: SourceNode) -> SelectorExpectation? {
    guard let fields = MappingReader<SelectorKey>(node, problems) else { return nil }
    requireExpectation(node)
    let shows = fields.optional(.shows) { node -> Located<[Located<String>]>? in
      node.each(problems) { item in try item.located { try $0.oneOf(apps, "app") } }.map {
        Located($0, at: node.position)
      }
    }
    let hides =
      fields.optional(.hides) { node in
        node.eachEntry(problems) { name, value -> (app: Located<String>, code: Located<String>)? in
          try requireApp(name)
          return (name, try value.located { try $0.oneOf(CodeRegistry.selectorNames, "reason") })
        }
      } ?? []
    let offers =
      fields.optional(.offers) { node in
        node.eachEntry(problems) { name, value -> (app: Located<String>, registrations: Located<[String]>)? in
          try requireApp(name)
          return value.each(problems) { try $0.string() }.map { (name, Located($0, at: value.position)) }
        }
      } ?? []
    return SelectorExpectation(shows: shows, offers: offers, hides: hides)
  }

  private func requireApp(_ name: Located<String>) throws {
    guard apps.contains(name.value) else {
      throw SourceProblem(
        .unknownName, "unknown app \(SourceText.quote(name.value))", at: name.position,
        suggestion: NearestName.of(name.value, in: apps))
    }
  }

  private func readConsent(_ node: SourceNode) -> ConsentExpectation? {
    guard let fields = MappingReader<ConsentKey>(node, problems) else { return nil }
    requireExpectation(node)
    func names(_ key: ConsentKey) -> Located<[String]>? {
      fields.optional(key) { node in
        node.each(problems) { try $0.string() }.map { Located($0, at: node.position) }
      }
    }
    return ConsentExpectation(
      requester: fields.optional(.requester) { try $0.located { try $0.string() } },
      icon: fields.optional(.icon) { try $0.located { try $0.string() } },
      certified: fields.optional(.certified) { try $0.located { try $0.boolean() } }, asks: names(.asks),
      retains: names(.retains))
  }

  private func readWebsite(_ node: SourceNode) -> WebsiteExpectation? {
    guard let fields = MappingReader<WebsiteKey>(node, problems) else { return nil }
    requireExpectation(node, besides: [WebsiteKey.name.rawValue])
    let verified = fields.optional(.verified) {
      node -> Located<[(identifier: Located<String>, value: Located<String>)]>? in
      node.eachEntry(problems) { name, value -> (identifier: Located<String>, value: Located<String>)? in
        guard let scalar = value.scalar else { throw value.wrongType("a value in words") }
        return (name, Located(scalar.text, at: value.position))
      }.map { Located($0, at: node.position) }
    }
    return WebsiteExpectation(
      name: fields.optional(.name) { try $0.located { try $0.oneOf(websites, "website") } }, verified: verified,
      refused: fields.optional(.refused) { try $0.located { try $0.oneOf(CodeRegistry.verdicts, "code") } },
      explained: fields.optional(.explained) { try readExplained($0) },
      fallsBack: fields.optional(.fallsBack) {
        try $0.located { try $0.oneOf(CodeRegistry.exceptionNames, "exception") }
      },
      without: fields.optional(.without) { node in
        node.each(problems) { try $0.oneOf(elements, "element") }.map { Located($0, at: node.position) }
      })
  }

  private func readException(_ node: SourceNode) -> ExceptionExpectation? {
    guard let fields = MappingReader<ExceptionKey>(node, problems) else { return nil }
    requireExpectation(node)
    return ExceptionExpectation(
      name: fields.optional(.name) { try $0.located { try $0.oneOf(CodeRegistry.exceptionNames, "exception") } },
      code: fields.optional(.code) { try $0.located { try $0.oneOf(CodeRegistry.browser, "code") } },
      mentions: fields.optional(.mentions) { node in
        let texts = node.each(problems) { item in try item.located { try $0.string() } }
        if texts?.allSatisfy(\.value.isEmpty) ?? false {
          throw SourceProblem(.missingKey, "nothing is expected here", at: node.position)
        }
        return texts
      } ?? [])
  }

  private func readDecision(_ node: SourceNode) -> DecisionExpectation? {
    guard let fields = MappingReader<DecisionKey>(node, problems) else { return nil }
    let role = fields.required(.by) { node in
      try node.located { try $0.oneOf(Party.Role.allCases.map(\.rawValue), "role") }
    }
    let code = fields.required(.code) { try $0.located { try $0.oneOf(CodeRegistry.all, "code") } }
    guard let role, let code else { return nil }
    return DecisionExpectation(
      role: role, code: code, outcome: fields.optional(.outcome) { try $0.located { try $0.string() } },
      explained: fields.optional(.explained) { try readExplained($0) })
  }

  private func readBody(_ node: SourceNode) throws -> String {
    let text = try node.string()
    guard text.utf8.count <= PageMessage.maximumLength else {
      throw SourceProblem(
        .outOfRange, "a body has at most \(PageMessage.maximumLength) bytes, not \(text.utf8.count)",
        at: node.position)
    }
    return text
  }

  private func readPage(_ node: SourceNode) throws -> Step.Kind? {
    guard let fields = MappingReader<PageKey>(node, problems) else { return nil }
    let name = fields.optional(.name) { try $0.located { try $0.oneOf(websites, "website") } }
    let device = fields.optional(.on) { try $0.oneOf(world.devices.map(\.identifier), "device") }
    let actions: [World.PageAction?] = [
      fields.optional(.calls) { node in
        _ = try node.oneOf(Call.self, "way to call")
        return .calls
      },
      fields.optional(.aborts) { .aborts(reason: try $0.string()) },
      fields.optional(.replays) {
        .replaysResponse(toNewSession: try $0.oneOf(ReplayTarget.self, "session") == .newSession)
      },
      fields.optional(.sends) { node in
        let operation = try node.oneOf(PageMessage.Operation.self, "operation")
        let body = fields.required(.body) { try readBody($0) }
        return body.map { .sends(PageMessage(operation, body: $0)) }
      },
    ]
    if let position = fields.position(of: .body), fields[.sends] == nil {
      problems.report(SourceProblem(.unknownKey, "the key 'body' belongs to 'sends'", at: position))
    }
    if fields[.sends] != nil {
      guard let name else {
        throw SourceProblem(.missingKey, "the key 'name' is missing: whose page sends this", at: node.position)
      }
      guard world.websites.contains(where: { $0.identifier == name.value && $0.script == .outside }) else {
        throw SourceProblem(
          .unknownName, "the script of \(name.value) runs in the world", at: name.position,
          hint: "what is sent from outside is for a website with 'script: outside'")
      }
    }
    let written = node.keys.compactMap(PageKey.init(rawValue:)).filter { ![.name, .on, .body].contains($0) }
    guard written.count == 1 else {
      throw SourceProblem(
        .notOneKey, "the page does \(written.count) things here", at: node.position,
        hint: "one of calls, aborts, replays, sends")
    }
    return actions.compactMap(\.self).first.map { .page(website: name, device: device, $0) }
  }
}
