import LocatedYAML
import Vocabulary

/// One kind of step: its key in a scenario file, and the form of the key's value.
struct StepKind: Sendable {
  /// The group in the reference page.
  enum Group: String, Sendable { case action, fault, expectation }

  let group: Group
  let key: KeyType
  let read: @Sendable (SourceNode, ReadingContext) throws -> Step.Content?
  /// Writes the content of a step; nil for a step of another kind.
  let write: @Sendable (Step.Content) -> YAMLValue?

  init<Value>(
    _ name: String, _ group: Group, _ form: Form<Value>, _ meaning: String,
    _ make: @escaping @Sendable (Value) -> Step.Content, _ match: @escaping @Sendable (Step.Content) -> Value?
  ) {
    self.group = group
    key = KeyType(name: name, type: form.type, meaning: meaning)
    read = { try form.read($0, $1).map(make) }
    write = { match($0).map(form.write) }
  }

  /// Every kind of step, in the order of the reference page.
  static let all: [StepKind] = [
    StepKind("person", .action, .person, "the person does one thing", { .action(.person($0)) }) {
      if case .action(.person(let action)) = $0 { action } else { nil }
    },
    expectation("prompt", .prompt, "the system asks about an app", Expectation.prompt),
    expectation(
      "notification", .notification,
      "an iPhone's notification for another device, in [the model](model.md#a-nearby-iphone)",
      Expectation.notification),
    expectation("qr-code", .code, "the QR code of a browser that asks another device", Expectation.code),
    expectation("selector", .selector, "the apps that the selector offers and hides", Expectation.selector),
    expectation("consent", .consent, "the contents of the app's view", Expectation.consent),
    expectation("website", .website, "the result on the website's page", Expectation.website),
    expectation("in-app", .inApp, "the result in a requesting app", Expectation.inApp),
    expectation("terminal", .terminal, "the result at a terminal", Expectation.terminal),
    action("page", .page, "a page's script does one thing without the person"),
    action("app", .app, "an app's code does one thing without the person"),
    action("requesting-app", .requestingApp, "the code of a requesting app does one thing without the person"),
    action("server", .server, "a website's server is restarted, or its operator acts"),
    action("clerk", .clerk, "the clerk at a terminal does one thing"),
    action("reader-authority", .readerAuthority, "a reader authority reviews a brand or revokes certificates"),
    action("authority", .authority, "an issuing authority changes the status of a document"),
    StepKind(
      "world", .action, .restart, "the world is restarted from its storage", { _ in .restartWorld },
      { if case .restartWorld = $0 { "restarts" } else { nil } }),
    expectation("exception", .exception, "the exception of the newest call", Expectation.exception),
    expectation("decision", .decision, "a decision of a party", Expectation.decision),
    expectation("messages", .messages, "the number of messages so far", Expectation.messages),
    tally(.prompts, "how often the system asked about an app so far"),
    tally(.asked, "how often an app asked for consent so far"),
    tally(.released, "how often an app got the raw request so far"),
    tally(.answered, "how often an app answered so far"),
    tally(.verified, "how often a server verified a response so far"),
    StepKind(
      "invariants", .expectation, Form<String>.words(["hold"], "thing that is so of the invariants"),
      "the [invariants](searching.md#invariants) hold so far, as they must at the end of every case",
      { _ in .expectation(.invariants) }, { if case .expectation(.invariants) = $0 { "hold" } else { nil } }),
    StepKind("fault", .fault, .fault, "a fault of the catalogue acts from now on, or ends", Step.Content.fault) {
      if case .fault(let change) = $0 { change } else { nil }
    },
  ]

  private static func tally(_ subject: TallyExpectation.Subject, _ meaning: String) -> StepKind {
    expectation(subject.rawValue, .tally(subject), meaning, Expectation.tally) { $0.subject == subject }
  }

  private static func action(_ name: String, _ form: Form<Action>, _ meaning: String) -> StepKind {
    StepKind(name, .action, form, meaning, Step.Content.action) { content in
      // A form writes nothing of another party's action.
      if case .action(let action) = content, form.write(action) != .mapping([]) { action } else { nil }
    }
  }

  private static func expectation<Value: ExpectedContent>(
    _ name: String, _ form: Form<Value>, _ meaning: String, _ make: @escaping @Sendable (Value) -> Expectation,
    where isMatch: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) -> StepKind {
    StepKind(name, .expectation, form, meaning, { .expectation(make($0)) }) { content in
      guard case .expectation(let expected) = content, let value = expected.content as? Value else { return nil }
      return isMatch(value) ? value : nil
    }
  }
}

extension Form where Value == String {
  /// The restart of a world, which needs storage.
  fileprivate static let restart = Form.words(["restarts"], "thing that happens to the world").checked {
    _, node, context in
    guard context.world.storage != .memory else {
      throw SourceProblem(
        .missingKey, "a world in memory cannot be restarted", at: node.position, hint: "give the world a 'storage'")
    }
  }
}

/// Steps, with their reasons and expected failures.
package enum StepForm {
  /// Keys of every kind of step.
  static let shared = [
    KeyType(
      name: "because", type: .text, usual: "the scenario's `because`",
      meaning: "the reason for the expectation, shown when it fails"),
    KeyType(
      name: "fails", type: .text, usual: "the step must not fail",
      meaning: "the step must fail, and the first line of the report must contain this text"),
    KeyType(
      name: "acts", type: .words(["never"]), usual: "the fault must act",
      meaning: "`never`, for a fault: it must change nothing until the end of the case"),
  ]

  /// The type of a step.
  static let type = MappingType(
    title: "Steps", keys: StepKind.all.map(\.key) + shared, choice: StepKind.all.map(\.key.name))

  private static let names = StepKind.all.map(\.key.name)

  /// Reads a step. Returns nil after it has reported a problem itself.
  package static func read(
    _ node: SourceNode, _ context: ReadingContext, uses: [SourcePosition] = []
  ) throws -> LocatedStep? {
    let problems = context.problems
    let because = node["because"].flatMap { reason in problems.attempt(reason) { try $0.string() } }
    let fails = node["fails"].flatMap { text in problems.attempt(text) { try readFails($0) } }
    let acts = node["acts"].flatMap { word in problems.attempt(word) { try $0.oneOf(["never"], "way to act") } }
    let entry = try node.without("because", "fails", "acts").onlyEntry(hint: "one of " + NearestName.list(names))
    guard let kind = StepKind.all.first(where: { $0.key.name == entry.key.value }) else {
      throw SourceProblem.unknownKey(entry.key, known: names + shared.map(\.name))
    }
    guard let content = try kind.read(entry.value, context) else { return nil }
    var step = Step(content, because: because, fails: fails)
    if let position = node["acts"]?.position, acts != nil {
      guard case .fault(.begins) = content, fails == nil else {
        throw SourceProblem(.unknownKey, "only a fault that begins acts or never acts", at: position)
      }
      step.neverActs = true
    }
    return LocatedStep(step: step, position: entry.key.position, uses: uses, source: node)
  }

  private static func readFails(_ node: SourceNode) throws -> String {
    let text = try node.string()
    guard !text.isEmpty else {
      throw SourceProblem(
        .missingKey, "the expected failure is empty", at: node.position, hint: "write a part of the failure's message")
    }
    return text
  }

  /// Writes a step.
  package static func write(_ step: Step) -> YAMLValue {
    let kind = StepKind.all.lazy.compactMap { kind in
      kind.write(step.content).map { YAMLValue.Entry(kind.key.name, $0) }
    }.first
    return .mapping(
      (kind.map { [$0] } ?? []) + (step.because.map { [YAMLValue.Entry("because", .text($0))] } ?? [])
        + (step.fails.map { [YAMLValue.Entry("fails", .text($0))] } ?? [])
        + (step.neverActs ? [YAMLValue.Entry("acts", .text("never"))] : []))
  }
}

extension Step {
  /// Reads one step as a scenario writes it, such as `person: { taps: Verify Identity }`, in YAML or JSON.
  ///
  /// - Parameters:
  ///   - text: The step.
  ///   - name: The name of the text in problems.
  ///   - scenario: The scenario whose world the step is for.
  /// - Throws: ``SourceProblem``, the first problem.
  public init(_ text: String, called name: String, for scenario: Scenario) throws(SourceProblem) {
    let problems = ProblemCollector()
    let file = try SourceFile(path: name, text: text)
    let context = ReadingContext(world: scenario.world, problems: problems)
    let step = SourceNode.parse(file, problems).flatMap { node in
      problems.attempt(node) { try StepForm.read($0, context) }
    }
    if let problem = problems.problems.first { throw problem }
    guard let step else { throw .empty(path: name, "the text has no step") }
    self = step.step
  }

  /// The step as a scenario writes it, in one line.
  public var text: String { StepForm.write(self).flow }
}
