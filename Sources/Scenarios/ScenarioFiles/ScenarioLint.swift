import LocatedYAML
import ScenarioLanguage
import Vocabulary

/// The problems of scenario files and of the worlds and flows in folders beside them, and likely mistakes.
public struct ScenarioLint: Sendable {
  /// Reasons why files cannot be used.
  public let problems: ProblemCollector
  /// Findings about files that can be used, with codes of the family `lint`.
  public let advice: ProblemCollector
  /// The number of files that were read.
  public let files: Int

  /// Reads the scenarios of paths, in folders also the worlds and flows that no scenario uses, and checks them.
  public init(_ paths: [String]) {
    let advice = ProblemCollector(limit: SourceLimits.problemsOfRun)
    let finding = ProblemCollector()
    let scenarios = ScenarioFinder.files(at: paths, finding) { path in
      advice.report(
        SourceProblem(
          .passedOver, "the file looks like a scenario, but runs of its folder pass it over", path: path,
          hint: "a scenario's name ends in .yaml or .yml and does not begin with a dot"))
    }
    var worlds = WorldSources()
    var readings = [finding]
    for path in scenarios {
      let problems = ProblemCollector()
      readings.append(problems)
      for scenario in Self.read(path, worlds: &worlds, problems) { Self.checkFaults(of: scenario, advice) }
      Self.checkAnchors(of: path, advice)
    }
    let shared = ScenarioFinder.sharedFiles(at: paths, finding)
    for path in shared.worlds where !worlds.used.contains(path) {
      let problems = ProblemCollector()
      readings.append(problems)
      _ = WorldFile.read(path, problems)
    }
    for path in shared.worlds { Self.checkAnchors(of: path, advice) }
    var unusedFlows: [String] = []
    for path in shared.flows {
      Self.checkAnchors(of: path, advice)
      let problems = ProblemCollector()
      readings.append(problems)
      guard !worlds.used.contains(path) else { continue }
      Self.checkFlow(path, problems)
      unusedFlows.append(path)
    }
    problems = ProblemCollector(limit: SourceLimits.problemsOfRun)
    for reading in readings { problems.absorb(reading) }
    // Files that cannot be read may use what seems unused.
    self.advice = advice
    if problems.isEmpty {
      worlds.reportUnusedFlows(advice)
      for path in unusedFlows {
        advice.report(SourceProblem(.unusedFlow, "no scenario of these paths uses the flow", path: path))
      }
    }
    files = scenarios.count + shared.worlds.count + shared.flows.count
  }

  /// Reads a scenario, or a world or a flow that is named itself. Returns the cases of a scenario.
  private static func read(_ path: String, worlds: inout WorldSources, _ problems: ProblemCollector) -> [Scenario] {
    switch SourceNode.read(path, ProblemCollector()).map(ScenarioReader.Kind.init) {
    case .world: _ = WorldFile.read(path, problems)
    case .flow: checkFlow(path, problems)
    case .scenario, nil: return ScenarioReader.read(path, worlds: &worlds, problems) ?? []
    }
    return []
  }

  /// Checks the keys of a flow. Its steps are read with the world of a scenario that uses it.
  private static func checkFlow(_ path: String, _ problems: ProblemCollector) {
    guard let root = SourceNode.read(path, problems) else { return }
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    _ = problems.attempt(root) { try Form<Flow>.flow.read($0, context) }
  }

  /// Reports the anchors of a file that no alias names.
  private static func checkAnchors(of path: String, _ advice: ProblemCollector) {
    guard let file = try? SourceFile(readingFrom: path) else { return }
    for anchor in file.unusedAnchors() {
      advice.report(
        SourceProblem(
          .unusedAnchor, "no alias names the anchor \(SourceText.quote("&" + anchor.value))", at: anchor.position))
    }
  }

  /// Reports a fault of a case after which nothing is expected.
  private static func checkFaults(of scenario: Scenario, _ advice: ProblemCollector) {
    let fault = scenario.steps.lastIndex { located in
      if case .fault(.begins) = located.step.content {
        located.step.fails == nil && !located.step.neverActs
      } else {
        false
      }
    }
    guard let fault, !scenario.steps[(fault + 1)...].contains(where: \.step.expects) else { return }
    let problem = SourceProblem(
      .faultNotJudged, "nothing is expected after the fault has begun", at: scenario.steps[fault].position,
      hint: "expect what the fault changes, for example with 'decision' or 'website'")
    advice.report(problem.used(scenario.caseName.map { ["in the case \(SourceText.quote($0))"] } ?? []))
  }
}

extension SourceProblem.Code {
  /// A file that looks like a scenario is not read with its folder.
  static let passedOver = Self(rawValue: "lint.passed-over")
  /// No scenario uses a flow.
  static let unusedFlow = Self(rawValue: "lint.unused-flow")
  /// No alias names an anchor.
  static let unusedAnchor = Self(rawValue: "lint.unused-anchor")
  /// A case expects nothing after a fault has begun.
  static let faultNotJudged = Self(rawValue: "lint.fault-not-judged")
}
