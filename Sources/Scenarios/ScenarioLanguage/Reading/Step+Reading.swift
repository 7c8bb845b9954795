import LocatedYAML

extension Step {
  /// Reads one step as a scenario writes it, such as `person: { taps: Verify Identity }`, in YAML or JSON.
  ///
  /// - Parameters:
  ///   - text: the step.
  ///   - name: the name of the text in problems.
  ///   - scenario: the scenario whose world the step is for.
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
