import LocatedYAML
import Reports
import ScenarioLanguage
import ScenarioRunner

/// The report of a run that grows while its cases run, and the streams that are written meanwhile.
struct RunRecorder: Sendable {
  private let orders: [ReportOrder]
  private let events: [EventStream]
  private let empty: RunReport
  private var cases: [CaseReport] = []
  private let start = ContinuousClock.now

  /// Begins the reports that are written while the run goes on.
  /// - Throws: ``ReportError`` if one of these cannot be written, or if one would replace a file that the run reads.
  init(_ run: BatchRun, _ chosen: ChosenCases) throws(ReportError) {
    try ReportOrder.check(run.reports, inputs: chosen.inputs.union(run.inputs))
    if let folder = run.traceFolder {
      try ReportOrder.check(run.reports, besides: TraceFolder.names(of: chosen.own.map(\.scenario)), in: folder)
    }
    orders = run.reports.filter { $0.format != .jsonl }
    let unreadable = chosen.unreadable.map(\.file)
    empty = RunReport(
      settings: run.settings.reported,
      // The digest costs as much as a run of some cases, and only two formats have it.
      entries: run.reports.contains { $0.format == .json || $0.format == .jsonl }
        ? RunEntries(
          cases: chosen.all.map { ($0.scenario, run.settings.seed ?? $0.scenario.seed) },
          unreadable: unreadable.map(\.path))
        : RunEntries(count: chosen.count),
      shard: run.selection.shard, cases: [], unreadable: unreadable, time: ReportedTime(nanoseconds: 0))
    var events: [EventStream] = []
    for order in run.reports where order.format == .jsonl { events.append(try EventStream(path: order.path)) }
    self.events = events
    for stream in events { stream.start(empty, cases: chosen.own.count) }
  }

  /// Notes that a case begins. Cases do on several threads at a time.
  func start(_ found: ChosenCases.Numbered) {
    for stream in events { stream.start(CaseIdentity(found.scenario), number: found.number) }
  }

  /// Adds the result of a case.
  /// - Parameter files: The files with its journal and its page, if they were written.
  mutating func end(_ result: CaseResult, number: Int, files: TraceFolder.Files?) {
    guard !orders.isEmpty || !events.isEmpty else { return }
    let found = CaseReport(result, number: number, trace: files?.trace, page: files?.page)
    cases.append(found)
    for stream in events { stream.end(found) }
  }

  /// Ends the run and writes its reports.
  /// - Throws: ``ReportError``: the first one.
  func end(_ stop: RunReport.Stop?) throws(ReportError) {
    var report = empty
    report.cases = cases
    report.stopped = stop
    report.time = ReportedTime(wallClock: ContinuousClock.now - start)
    for stream in events { stream.end(report) }
    try report.write(orders)
    if let problem = events.lazy.compactMap(\.problem).first { throw problem }
  }
}

extension RunSettings {
  /// The version of the program and the options that change results, for reports.
  var reported: [String: String] {
    var settings = ["version": ProgramVersion.text]
    settings["seed"] = seed.map(String.init)
    settings["seeds"] = seeds?.description
    settings["sandbox"] = sandbox?.rawValue
    settings["cross-check"] = crossCheck == nil ? nil : "yes"
    settings["repeat"] = repetitions == 1 ? nil : String(repetitions)
    settings["step-limit"] = control.steps.map(String.init)
    settings["time-limit"] = control.time.map { DurationUnit.text($0) }
    return settings
  }
}
