import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import Vocabulary

/// A search for cases that pass without what they are about: each case runs without each of its faults, and without each
/// of its changes to the world.
///
/// The parts are taken out of the trees of the files: the file of a case also has those of others, by its matrix, flows
/// and anchors.
package struct VacuousPlan: Sendable {
  private let files: [DividedFile]
  /// The place of every sandbox; nil for the worlds' own.
  package var sandbox: WorldDescription.SandboxPlace?
  /// The number of runs at the same time.
  package var jobs = 1

  /// A search in the cases of some files. Left out are those that are skipped or expected to fail.
  package init(_ files: [DividedFile]) { self.files = files }

  /// The reason why the cases cannot run on this machine, or nil if they can.
  package var obstacle: String? {
    files.lazy.flatMap(\.cases).map { sandbox.map($0.parsing) ?? $0 }.compactMap(ScenarioRun.obstacle).first
  }

  /// A case without one of its parts.
  struct Trial: Sendable {
    let scenario: Scenario
    let part: CasePart
    /// True if the case passes without the part.
    let passes: Bool
    /// True if its run is also the same, byte for byte.
    let isSame: Bool
  }

  /// The trials of a case, and its failure with all of its parts.
  private struct Outcome: Sendable {
    var trials: [Trial] = []
    var failure: SourceProblem?
  }

  /// Runs the cases. The result is the same for any number of jobs.
  /// - Parameter progress: Called with the number of cases that have ended and the number of all, in order.
  package func run(progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }) -> VacuousResult {
    let cases = files.flatMap { file in
      file.cases.indices.filter { file.cases[$0].skip == nil && file.cases[$0].expectedFailure == nil }
        .map { (file: file, number: $0) }
    }
    let board = WorkBoard<Outcome>(count: cases.count)
    let ended = Counter()
    let outcomes = board.run(threads: min(jobs, cases.count)) { board in
      var worlds = WorldSources()
      while board.next({ number in
        defer { progress(ended.next(), cases.count) }
        return outcome(ofCase: cases[number].number, in: cases[number].file, &worlds)
      }) {}
    }
    return VacuousResult(
      of: cases.map { $0.file.cases[$0.number] }, trials: outcomes.flatMap(\.trials),
      failures: outcomes.compactMap(\.failure))
  }

  private func outcome(ofCase number: Int, in file: DividedFile, _ worlds: inout WorldSources) -> Outcome {
    let scenario = file.cases[number]
    let parts = file.parts(ofCase: number, worlds: &worlds)
    var outcome = Outcome()
    guard !parts.isEmpty else { return outcome }
    let whole = run(scenario)
    guard whole.isPassed else {
      outcome.failure = SourceProblem(
        .doesNotPass, "the case does not pass, so its parts cannot be judged", at: scenario.position,
        hint: "see presentment run"
      ).used(scenario.caseName.map { ["in the case \(SourceText.quote($0))"] } ?? [])
      return outcome
    }
    let trace = whole.journal.trace()
    outcome.trials = parts.map { part in
      guard let rest = file.rest(ofCase: number, without: part, worlds: &worlds) else {
        return Trial(scenario: scenario, part: part, passes: false, isSame: false)
      }
      let result = run(rest)
      let isSame = result.isPassed && result.journal.trace() == trace
      return Trial(scenario: scenario, part: part, passes: result.isPassed, isSame: isSame)
    }
    return outcome
  }

  private func run(_ scenario: Scenario) -> CaseResult { ScenarioRun.run(sandbox.map(scenario.parsing) ?? scenario) }
}

/// The cases that pass without what they are about.
package struct VacuousResult: Sendable {
  /// A part without which its cases pass.
  package struct Finding: Sendable {
    /// The part, where it is first.
    package let part: CasePart
    /// The cases: for a fault the one that passes, for a change all of the file that make it.
    package let cases: [Scenario]
    /// True if the runs of the cases are also the same without it, byte for byte.
    package let isSame: Bool

    init(_ trials: [VacuousPlan.Trial], first: VacuousPlan.Trial) {
      part = first.part
      cases = trials.map(\.scenario)
      isSame = trials.allSatisfy(\.isSame)
    }

    /// The exemptions of the cases for the part; nil if a case has none.
    fileprivate var exemptions: [CaseExemption]? {
      let found = cases.map { scenario in scenario.exemptions.filter { $0.name == part.name } }
      return found.contains(where: \.isEmpty) ? nil : found.flatMap(\.self)
    }

    /// The finding as a problem of the file.
    package var problem: SourceProblem {
      let same = isSame ? ", with the same run" : ""
      let hint = "expect what it changes, remove it, or give the reason under 'passes-without'"
      let problem =
        switch part.kind {
        case .fault:
          SourceProblem(
            .vacuousFault, "the case still passes without the fault \(part.name)\(same)", at: part.position, hint: hint)
        case .change:
          SourceProblem(
            .vacuousChange,
            "\(cases.count == 1 ? "the case still passes" : "all \(cases.count) cases with it still pass") "
              + "without the change of \(part.name)\(same)", at: part.position, hint: hint)
        }
      return problem.used(
        cases.compactMap { scenario in
          let file = scenario.path == part.position.file.path ? nil : scenario.path
          let words = [scenario.caseName.map { "in the case \(SourceText.quote($0))" }, file.map { "in \($0)" }]
          return words.contains { $0 != nil } ? words.compactMap(\.self).joined(separator: " ") : nil
        })
    }
  }

  /// The number of cases.
  package let cases: Int
  /// The number of parts that were taken out.
  package let parts: Int
  /// The parts without which their cases pass, and no reason is given; in the order of the files.
  package let findings: [Finding]
  /// The number of such parts with a reason.
  package let exempted: Int
  /// Exemptions that no case needs.
  package let unneeded: [SourceProblem]
  /// Cases that do not pass with all of their parts.
  package let failures: [SourceProblem]

  /// True if no case passes without a part, unless for a given reason, and every reason is needed.
  package var isClean: Bool { findings.isEmpty && unneeded.isEmpty }

  init(of scenarios: [Scenario], trials: [VacuousPlan.Trial], failures: [SourceProblem]) {
    cases = scenarios.count
    parts = trials.count
    self.failures = failures
    let vacuous = Self.findings(in: trials)
    findings = vacuous.filter { $0.exemptions == nil }
    exempted = vacuous.count - findings.count
    let needed = Set(vacuous.flatMap { $0.exemptions ?? [] }.map(\.position))
    // The reasons of a case that does not pass may be needed once it does.
    unneeded =
      failures.isEmpty
      ? Self.unneeded(in: scenarios, besides: needed, names: trials.map(\.part.name)) : []
  }

  /// A fault is judged for each case. A change is judged for all cases of its file that make it, whatever the value: a
  /// matrix often compares a value that makes a difference with one that makes none.
  private static func findings(in trials: [VacuousPlan.Trial]) -> [Finding] {
    struct Key: Hashable {
      let path: String
      let name: String
    }
    var changes: [Key: [VacuousPlan.Trial]] = [:]
    for trial in trials where trial.part.kind == .change {
      changes[Key(path: trial.scenario.path, name: trial.part.name), default: []].append(trial)
    }
    return trials.compactMap { trial in
      guard trial.part.kind == .change else { return trial.passes ? Finding([trial], first: trial) : nil }
      let all = changes.removeValue(forKey: Key(path: trial.scenario.path, name: trial.part.name)) ?? []
      return !all.isEmpty && all.allSatisfy(\.passes) ? Finding(all, first: trial) : nil
    }
  }

  private static func unneeded(
    in scenarios: [Scenario], besides needed: Set<SourcePosition>, names: [String]
  ) -> [SourceProblem] {
    let problems = ProblemCollector(limit: SourceLimits.problemsOfRun)
    let known = Set(names)
    for exemption in scenarios.flatMap(\.exemptions) where !needed.contains(exemption.position) {
      let name = SourceText.quote(exemption.name)
      problems.report(
        known.contains(exemption.name)
          ? SourceProblem(
            .unneededExemption, "a case fails without \(name), so the reason is not needed", at: exemption.position)
          : SourceProblem(
            .unneededExemption, "no case has the fault or the change \(name)", at: exemption.position,
            suggestion: NearestName.of(exemption.name, in: known.sorted())))
    }
    return problems.problems
  }
}

extension SourceProblem.Code {
  /// A case passes without one of its faults.
  static let vacuousFault = Self(rawValue: "vacuous.fault")
  /// The cases of a file that change something in the world pass without the change.
  static let vacuousChange = Self(rawValue: "vacuous.change")
  /// A reason under `passes-without` that no case needs.
  static let unneededExemption = Self(rawValue: "vacuous.unneeded-reason")
  /// A case does not pass with all of its parts.
  static let doesNotPass = Self(rawValue: "vacuous.does-not-pass")
}
