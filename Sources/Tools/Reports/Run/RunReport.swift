import JSON
import ScenarioLanguage
import ScenarioRunner

/// The results of a run or of one of its shards: the content of every report.
public struct RunReport: Sendable, Equatable {
  /// What the machines of one run have in common besides the scenarios: the version of the program, and options with their
  /// values, for example `seed: 7`. Reports with different settings are of different runs.
  public var settings: [String: String]
  /// The cases and unreadable files of the whole run.
  public var entries: RunEntries
  /// The part of the run; nil for the whole run.
  public var shard: Shard?
  /// The cases that ended, in the order of the run.
  public var cases: [CaseReport]
  /// The files that could not be read, in the order of the run. Each shard reads, and reports, all of them.
  public var unreadable: [UnreadableFile]
  /// The reason why cases are missing; nil for a complete run.
  public var stopped: Stop?
  /// The time that the run took on its machine; of several machines, the longest.
  public var time: ReportedTime

  /// A report.
  public init(
    settings: [String: String], entries: RunEntries, shard: Shard? = nil, cases: [CaseReport],
    unreadable: [UnreadableFile] = [], stopped: Stop? = nil, time: ReportedTime
  ) {
    self.settings = settings
    self.entries = entries
    self.shard = shard
    self.cases = cases
    self.unreadable = unreadable
    self.stopped = stopped
    self.time = time
  }

  /// The counts of the run.
  public var summary: RunSummary {
    var summary = RunSummary()
    for found in cases { summary.add(found.verdict) }
    summary.unreadable = unreadable.count
    return summary
  }

  /// The reasons why a run ends before its last case.
  public enum Stop: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
    /// A signal.
    case interrupted
    /// The first case that failed or was undecided.
    case failFast = "fail-fast"
    /// Nothing could be decided any more, for the reason in the last case.
    case cannotContinue = "cannot-continue"

    /// A human-readable description.
    var message: String {
      switch self {
      case .interrupted: "the run was interrupted"
      case .failFast: "the run ended with the first failure"
      case .cannotContinue: "the run could not continue"
      }
    }
  }

  /// The result of a run.
  public enum Verdict: String, Sendable, CaseIterable {
    /// All as expected.
    case passed
    /// An expectation failed.
    case failed
    /// A file could not be read, a case could not be judged, or the run is incomplete.
    case undecided

    /// The exit code of a command.
    public var exitCode: Int32 {
      switch self {
      case .passed: 0
      case .failed: 1
      case .undecided: 2
      }
    }
  }

  /// The result, as the command's exit code.
  public var verdict: Verdict { stopped == .interrupted || entries.count == 0 ? .undecided : summary.verdict }

  /// The lines and texts of all failures and unreadable files, and the totals, as `run` prints them.
  public func problemsAndTotals(_ text: TextReport) -> String {
    var parts = rows.compactMap { row -> String? in
      switch row {
      case .ended(let found):
        guard found.verdict.isBad, let failure = found.failure else { return nil }
        return text.line(for: found) + "\n" + failure.detail + "\n"
      case .unreadable(let file): return text.line(forUnreadable: file.path) + "\n" + file.detail + "\n"
      }
    }
    if let stopped { parts.append(stopped.message) }
    return (parts + [summary.text]).joined(separator: "\n")
  }

  /// One row of a report.
  enum Row {
    case ended(CaseReport)
    case unreadable(UnreadableFile)

    var number: Int {
      switch self {
      case .ended(let found): found.number
      case .unreadable(let file): file.number
      }
    }
  }

  /// Cases and unreadable files, in the order of the run.
  var rows: [Row] { (cases.map(Row.ended) + unreadable.map(Row.unreadable)).sorted { $0.number < $1.number } }
}

extension RunReport: JSONObjectWritable, JSONReadable {
  /// The version of the JSON report. Another version has other members.
  static let format = 1

  package func writeMembers(to json: inout JSONWriter) {
    json.member("cases", cases)
    json.member("format", Self.format)
    json.member("run") { json in
      json.object { json in
        json.member("digest", entries.digest)
        json.member("entries", entries.count)
        json.member("seconds", time)
        json.member("settings", settings)
        json.member("shard", shard?.description)
        json.member("stopped", stopped)
      }
    }
    json.member("totals", totals)
    json.member("unreadable", unreadable)
    json.member("verdict", verdict.rawValue)
  }

  /// The numbers of cases by verdict.
  var totals: [String: Int] {
    let summary = summary
    return Dictionary(uniqueKeysWithValues: CaseResult.Verdict.allCases.map { ($0.rawValue, summary.count($0)) })
  }

  package init(json: JSONItem) throws(JSONError) {
    let format: Int = try json.member("format")
    guard format == Self.format else {
      throw try json.item("format").error("version \(format) of the report; this program reads version \(Self.format)")
    }
    let run = try json.item("run")
    cases = try json.member("cases")
    unreadable = try json.member("unreadable")
    entries = RunEntries(count: try run.member("entries"), digest: try run.member("digest"))
    settings = try run.member("settings")
    stopped = try run.optionalMember("stopped")
    time = try run.member("seconds")
    if let text: String = try run.optionalMember("shard") {
      do {
        shard = try Shard(text)
      } catch {
        throw try run.item("shard").error(error.message)
      }
    }
    try check(json)
  }

  /// Checks that the members agree.
  private func check(_ json: JSONItem) throws(JSONError) {
    let numbers = rows.map(\.number)
    guard Set(numbers).count == numbers.count else { throw json.error("two entries have the same number") }
    guard numbers.allSatisfy({ $0 <= entries.count }) else {
      throw json.error("an entry has a number above \(entries.count), the number of entries of the run")
    }
    guard try json.member("totals") == totals else {
      throw try json.item("totals").error("other totals than the cases")
    }
    guard shard != nil || stopped != nil || numbers.count == entries.count else {
      throw json.error("\(entries.count - numbers.count) of \(entries.count) entries are missing")
    }
  }
}

/// The cases of an earlier run that are worth running again.
public struct EarlierFailures: Sendable {
  /// The cases that failed or were undecided.
  public let cases: Set<CaseIdentity>
  private let files: Set<String>

  /// The cases that failed or were undecided, and every case of a file that could not be read. Of an incomplete run, the
  /// cases that it did not reach are not known.
  public init(_ report: RunReport) {
    cases = Set(report.cases.filter(\.verdict.isBad).map(\.identity))
    files = Set(report.unreadable.map(\.path))
  }

  /// Failures that are known otherwise.
  public init(cases: Set<CaseIdentity>) {
    self.cases = cases
    files = []
  }

  /// True if everything was as expected.
  public var isEmpty: Bool { cases.isEmpty && files.isEmpty }

  /// Returns whether a case is among them.
  public func contains(_ scenario: Scenario) -> Bool { contains(CaseIdentity(scenario)) }

  /// Returns whether a case is among them.
  func contains(_ identity: CaseIdentity) -> Bool { cases.contains(identity) || files.contains(identity.path) }
}

/// The version of the program, which `presentment --version` prints and reports name.
public enum ProgramVersion {
  /// The version, by the rules of Semantic Versioning. Before 1.0.0, a new minor version may change files and options.
  public static let text = "0.1.0"
}
