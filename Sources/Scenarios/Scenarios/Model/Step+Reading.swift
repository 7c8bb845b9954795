extension Step {
  /// Reads one step as it stands in a scenario, such as `person: { taps: Verify Identity }`, in YAML or JSON.
  ///
  /// - Parameters:
  ///   - name: what to call the text in problems.
  ///   - scenario: whose world the step is for.
  /// - Throws: ``SourceProblem``, the first that was found.
  public init(_ text: String, called name: String, for scenario: Scenario) throws(SourceProblem) {
    let problems = ProblemCollector()
    let file = try SourceFile(path: name, text: text)
    let source = SourceNode.parse(file, problems)
    let steps = source.flatMap { source in
      StepReader(world: scenario.world, because: nil, problems: problems).read(
        SourceNode(.sequence([source]), at: source.position))
    }
    if let problem = problems.problems.first { throw problem }
    guard let step = steps?.first else { throw .empty(path: name, "there is no step") }
    self = step
  }

  /// The step as one that fails, written so.
  ///
  /// - Parameter sentence: what the report says of it.
  public func failing(_ sentence: String) -> Step {
    guard case .mapping(let entries) = source.content else { return self }
    let mark = SourceNode.Entry(
      key: Located("fails", at: position),
      value: SourceNode(.scalar(SourceScalar(sentence, style: .quoted)), at: position))
    return Step(
      position: position, source: SourceNode(.mapping(entries + [mark]), at: source.position),
      kind: kind, because: because, fails: Located(sentence, at: position))
  }

  /// Whether the step can be put into a world that is driven from outside: an action or a fault of which it is known
  /// before whether it can be done, so that what was recorded is done again.
  public var isForLiveWorlds: Bool {
    // Whoever drives a world hears what fails; only its recording says so beforehand.
    guard fails == nil else { return false }
    return switch kind {
    case .person(let action):
      switch action {
      case .visits, .taps, .picks, .cancelsSelector, .authorizes, .waits, .deletes, .answersPrompt: true
      case .switches, .manages, .restarts: false
      }
    case .page, .app, .fault: true
    case .server, .authority, .world, .prompt, .selector, .consent, .website, .exception, .decision: false
    }
  }
}
