import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// The cases of a run, those of this machine's shard among them, and the report that grows while they run.
final class RunRecorder: Sendable {
  private struct State {
    /// The numbers of the cases that did not end yet.
    var numbers: [CaseIdentity: [Int]] = [:]
    var cases: [CaseReport] = []
  }

  /// The cases that this machine runs.
  let scenarios: [Scenario]
  private let orders: [ReportOrder]
  private let events: [EventStream]
  private let empty: RunReport
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// Numbers the cases and unreadable files, and begins the reports that are written while the run goes on.
  /// - Throws: ``ReportError`` if one of these cannot be written.
  init(_ run: BatchRun, _ files: ScenarioFiles) throws(ReportError) {
    var chosen: [(number: Int, scenario: Scenario)] = []
    var unreadable: [UnreadableFile] = []
    var number = 1
    for problem in files.pathProblems.problems {
      unreadable.append(UnreadableFile([problem], path: problem.path, number: number))
      number += 1
    }
    for entry in files.entries {
      switch entry {
      case .unreadable(let path, let problems, _):
        unreadable.append(UnreadableFile(problems, path: path, number: number))
        number += 1
      case .cases(let cases):
        for scenario in cases where run.selection.contains(scenario) {
          chosen.append((number, run.sandbox.map(scenario.parsing) ?? scenario))
          number += 1
        }
      }
    }
    let own = run.places(of: chosen.map(\.scenario)).map { chosen[$0] }
    scenarios = own.map(\.scenario)
    orders = run.reports.filter { $0.format != .jsonl }
    state = Mutex(
      State(numbers: Dictionary(grouping: own, by: { CaseIdentity($0.scenario) }).mapValues { $0.map(\.number) }))
    empty = RunReport(
      settings: run.settings,
      // The digest costs as much as a run of some cases, and only two formats have it.
      entries: run.reports.contains { $0.format == .json || $0.format == .jsonl }
        ? RunEntries(
          cases: chosen.map { ($0.scenario, run.seed ?? $0.scenario.seed) }, unreadable: unreadable.map(\.path))
        : RunEntries(count: number - 1),
      shard: run.shard, cases: [], unreadable: unreadable, time: ReportedTime(nanoseconds: 0))
    var events: [EventStream] = []
    for order in run.reports where order.format == .jsonl { events.append(try EventStream(path: order.path)) }
    self.events = events
    for stream in events { stream.start(empty, cases: scenarios.count) }
  }

  /// The number of chosen cases and of unreadable files, over all shards.
  var entries: Int { empty.entries.count }

  /// Notes that a case begins.
  func start(_ scenario: Scenario) {
    guard !events.isEmpty else { return }
    let identity = CaseIdentity(scenario)
    guard let number = state.withLock({ $0.numbers[identity]?.first }) else { return }
    for stream in events { stream.start(identity, number: number) }
  }

  /// Adds the result of a case.
  /// - Parameter files: The files with its journal and its page, if they were written.
  func end(_ result: CaseResult, files: TraceFolder.Files?) {
    guard !orders.isEmpty || !events.isEmpty else { return }
    let identity = CaseIdentity(result.scenario)
    let number = state.withLock { state -> Int? in
      guard state.numbers[identity]?.isEmpty == false else { return nil }
      return state.numbers[identity]?.removeFirst()
    }
    guard let number else { return }
    let found = CaseReport(result, number: number, trace: files?.trace, page: files?.page)
    state.withLock { $0.cases.append(found) }
    for stream in events { stream.end(found) }
  }

  /// Ends the run and writes its reports.
  /// - Throws: ``ReportError``: the first one.
  func end(_ stop: RunReport.Stop?) throws(ReportError) {
    var report = empty
    report.cases = state.withLock { $0.cases }
    report.stopped = stop
    report.time = ReportedTime(wallClock: ContinuousClock.now - start)
    for stream in events { stream.end(report) }
    try report.write(orders)
    if let problem = events.lazy.compactMap(\.problem).first { throw problem }
  }
}

extension BatchRun {
  /// The version of the program and the options that change results, for reports.
  var settings: [String: String] {
    var settings = ["version": ProgramVersion.text]
    settings["seed"] = seed.map(String.init)
    settings["seeds"] = seeds?.description
    settings["sandbox"] = sandbox?.rawValue
    settings["cross-check"] = crossCheck == nil ? nil : "yes"
    return settings
  }
}
