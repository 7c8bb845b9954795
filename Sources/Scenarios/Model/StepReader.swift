import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import Simulation

/// Reads steps: the fixed vocabulary of scenarios.
struct StepReader {
  let world: WorldDescription
  let because: String?
  let problems: ProblemCollector

  private enum StepKey: String, CaseIterable {
    case person, selector, consent, website, page, exception, decision, fault, because
  }
  private enum PersonKey: String, CaseIterable {
    case visits, on, taps, picks, cancels
    case authorizesWith = "authorizes-with"
    case waits, deletes
    case `in`
  }
  private enum SelectorKey: String, CaseIterable { case shows, hides }
  private enum ConsentKey: String, CaseIterable { case requester, icon, certified, asks, retains }
  private enum WebsiteKey: String, CaseIterable {
    case name, verified, refused
    case fallsBack = "falls-back"
    case without
  }
  private enum ExceptionKey: String, CaseIterable { case name, code }
  private enum DecisionKey: String, CaseIterable { case by, code, outcome }
  private enum PageKey: String, CaseIterable { case name, calls, aborts, replays }
  private enum FaultKey: String, CaseIterable { case alters, origin, sandbox }
  private enum Altered: String, CaseIterable {
    case response
    case readerSignature = "reader-signature"
    case rawRequest = "raw-request"
  }
  private enum ReplayTarget: String, CaseIterable { case sameSession = "same-session", newSession = "new-session" }
  private enum Call: String, CaseIterable { case withoutGesture = "without-gesture", again }
  private enum Selector: String, CaseIterable { case selector }
  private enum Authorization: String, CaseIterable { case faceID = "face-id" }

  private var apps: [String] {
    world.devices.flatMap(\.apps).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
  /// Identifiers of elements that a site asks for or a document holds.
  private var elements: [String] {
    let asked = world.websites.flatMap(\.asks).flatMap(\.nameSpaces).flatMap(\.elements).map(\.identifier)
    let held = world.devices.flatMap(\.apps).flatMap(\.documents).flatMap(\.nameSpaces).flatMap(\.elements)
    return (asked + held.map(\.identifier)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
  private var websites: [String] { world.websites.map(\.identifier) }

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
    let (key, value) = try node.without("because").onlyKey(of: StepKey.self)
    let kind: Step.Kind? =
      switch key.value {
      case .person: readPerson(value).map(Step.Kind.person)
      case .selector: readSelector(value).map(Step.Kind.selector)
      case .consent: readConsent(value).map(Step.Kind.consent)
      case .website: readWebsite(value).map(Step.Kind.website)
      case .page: try readPage(value)
      case .exception: readException(value).map(Step.Kind.exception)
      case .decision: readDecision(value).map(Step.Kind.decision)
      case .fault: try readFault(value).map(Step.Kind.fault)
      case .because: nil
      }
    return kind.map { Step(position: key.position, kind: $0, because: because) }
  }

  private func readPerson(_ node: SourceNode) -> Step.PersonAction? {
    guard let fields = MappingReader<PersonKey>(node, problems) else { return nil }
    let actions: [Step.PersonAction?] = [
      fields.optional(.visits) { node in
        .visits(
          website: try node.oneOf(websites, "website"),
          device: fields.optional(.on) { try $0.oneOf(world.devices.map(\.identifier), "device") })
      },
      fields.optional(.taps) { .taps(try $0.string()) },
      fields.optional(.picks) { .picks(try $0.oneOf(apps, "app")) },
      fields.optional(.cancels) { node in
        _ = try node.oneOf(Selector.self, "thing to cancel")
        return .cancelsSelector
      },
      fields.optional(.authorizesWith) {
        .authorizes(with: try $0.oneOf(Authorization.self, "way to authorize").rawValue)
      },
      fields.optional(.waits) { .waits(try $0.duration()) },
      fields.optional(.deletes) { node in
        .deletes(
          document: try node.oneOf(world.devices.flatMap(\.apps).flatMap(\.documents).map(\.identifier), "document"),
          app: fields.required(.in) { try $0.oneOf(apps, "app") } ?? "")
      },
    ]
    let written = node.keys.compactMap(PersonKey.init(rawValue:)).filter { $0 != .on && $0 != .in }
    for (companion, of) in [(PersonKey.on, PersonKey.visits), (.in, .deletes)] {
      if let position = fields.position(of: companion), fields[of] == nil {
        problems.report(
          SourceProblem(
            .unknownKey, "the key '\(companion.rawValue)' belongs to '\(of.rawValue)'", at: position))
      }
    }
    guard written.count == 1 else {
      problems.report(
        SourceProblem(
          .notOneKey,
          written.isEmpty ? "the person does nothing here" : "the person does \(written.count) things at once",
          at: node.position, hint: "one of visits, taps, picks, cancels, authorizes-with, waits, deletes"))
      return nil
    }
    return actions.compactMap(\.self).first
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
          guard apps.contains(name.value) else {
            problems.report(
              SourceProblem(
                .unknownName, "unknown app \(SourceText.quote(name.value))", at: name.position,
                suggestion: NearestName.of(name.value, in: apps)))
            return nil
          }
          return (name, try value.located { try $0.oneOf(CodeRegistry.selector, "reason") })
        }
      } ?? []
    return SelectorExpectation(shows: shows, hides: hides)
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
      refused: fields.optional(.refused) { try $0.located { try $0.oneOf(CodeRegistry.verification, "code") } },
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
      code: fields.optional(.code) { try $0.located { try $0.oneOf(CodeRegistry.browser, "code") } })
  }

  private func readDecision(_ node: SourceNode) -> DecisionExpectation? {
    guard let fields = MappingReader<DecisionKey>(node, problems) else { return nil }
    let role = fields.required(.by) { node in
      try node.located { try $0.oneOf(Party.Role.allCases.map(\.rawValue), "role") }
    }
    let code = fields.required(.code) { try $0.located { try $0.oneOf(CodeRegistry.all, "code") } }
    guard let role, let code else { return nil }
    return DecisionExpectation(
      role: role, code: code, outcome: fields.optional(.outcome) { try $0.located { try $0.string() } })
  }

  private func readPage(_ node: SourceNode) throws -> Step.Kind? {
    guard let fields = MappingReader<PageKey>(node, problems) else { return nil }
    let name = fields.optional(.name) { try $0.located { try $0.oneOf(websites, "website") } }
    let actions: [World.PageAction?] = [
      fields.optional(.calls) { node in
        _ = try node.oneOf(Call.self, "way to call")
        return .calls
      },
      fields.optional(.aborts) { .aborts(reason: try $0.string()) },
      fields.optional(.replays) {
        .replaysResponse(toNewSession: try $0.oneOf(ReplayTarget.self, "session") == .newSession)
      },
    ]
    let written = node.keys.compactMap(PageKey.init(rawValue:)).filter { $0 != .name }
    guard written.count == 1 else {
      throw SourceProblem(
        .notOneKey, "the page does \(written.count) things here", at: node.position,
        hint: "one of calls, aborts, replays")
    }
    return actions.compactMap(\.self).first.map { .page(website: name, $0) }
  }

  private func readFault(_ node: SourceNode) throws -> WorldFault? {
    let (key, value) = try node.onlyKey(of: FaultKey.self)
    switch key.value {
    case .origin: return .originReplaced(try value.string())
    case .sandbox:
      let drill = try value.oneOf(SandboxDrill.self, "way to misbehave")
      guard world.devices.contains(where: { $0.sandbox == .process }) else {
        throw SourceProblem(
          .unreadableValue, "no device of this world has its sandbox in a process, so none can misbehave",
          at: value.position, hint: "give a device 'sandbox: process'")
      }
      return .sandboxMisbehaves(drill)
    case .alters:
      return switch try value.oneOf(Altered.self, "thing to alter") {
      case .response: .responseAltered
      case .readerSignature: .readerSignatureAltered
      case .rawRequest: .rawRequestReplaced
      }
    }
  }
}
