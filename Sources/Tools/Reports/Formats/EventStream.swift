import Foundation
import JSON
import Synchronization

/// The events of a run as lines of JSON, each written as soon as it happens, for programs that follow a run.
///
/// | event | members |
/// | --- | --- |
/// | `run-started` | `entries`, `digest`, `settings`, `shard`, and `cases`: how many this run has |
/// | `file-unreadable` | `file`, as in the JSON report |
/// | `case-started` | `number`, `path`, `name` |
/// | `case-ended` | `case`, as in the JSON report |
/// | `run-ended` | `seconds`, `stopped`, `totals`, `verdict` |
public final class EventStream: Sendable {
  private let path: String
  private let descriptor: Int32
  private let firstProblem = Mutex<ReportError?>(nil)

  /// Creates the file, or empties it.
  /// - Throws: ``ReportError`` if it cannot be written.
  public init(path: String) throws(ReportError) {
    self.path = path
    descriptor =
      path == ReportFile.standardOutput
      ? STDOUT_FILENO : try ReportFile.create(path, O_WRONLY | O_CREAT | O_TRUNC)
  }

  deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

  /// The first error of writing, or nil.
  public var problem: ReportError? { firstProblem.withLock { $0 } }

  /// Writes that the run begins.
  ///
  /// - Parameters:
  ///   - report: The report of the run, which has no cases yet.
  ///   - cases: The number of cases to run.
  public func start(_ report: RunReport, cases: Int) {
    write(RunEvent.started(report, cases: cases))
    for file in report.unreadable { write(.unreadable(file)) }
  }

  /// Writes that a case begins.
  public func start(_ identity: CaseIdentity, number: Int) { write(.caseStarted(identity, number: number)) }

  /// Writes that a case has ended.
  public func end(_ found: CaseReport) { write(.caseEnded(found)) }

  /// Writes that the run has ended.
  public func end(_ report: RunReport) { write(.ended(report)) }

  private func write(_ event: RunEvent) {
    let line = JSONCoding.lines([event])
    // Under the lock, so that no two lines mix.
    firstProblem.withLock { problem in
      guard problem == nil else { return }
      let start = descriptor == STDOUT_FILENO ? -1 : lseek(descriptor, 0, SEEK_CUR)
      do {
        try ReportFile.append(line, to: descriptor, path: path)
      } catch let error as ReportError {
        problem = error
        // The file ends with a whole line. A pipe has no place to go back to.
        if start >= 0 { ftruncate(descriptor, start) }
      } catch {}
    }
  }

  /// The events of a run that has ended, in its order.
  static func lines(of report: RunReport) -> [UInt8] {
    JSONCoding.lines(
      [RunEvent.started(report, cases: report.cases.count)] + report.unreadable.map(RunEvent.unreadable)
        + report.cases.flatMap { [.caseStarted($0.identity, number: $0.number), .caseEnded($0)] } + [.ended(report)])
  }
}

/// One event of a run.
private enum RunEvent {
  case started(RunReport, cases: Int)
  case unreadable(UnreadableFile)
  case caseStarted(CaseIdentity, number: Int)
  case caseEnded(CaseReport)
  case ended(RunReport)
}

extension RunEvent: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .started(let report, let cases):
      json.member("cases", cases)
      json.member("digest", report.entries.digest)
      json.member("entries", report.entries.count)
      json.member("event", "run-started")
      json.member("settings", report.settings)
      json.member("shard", report.shard?.description)
    case .unreadable(let file):
      json.member("event", "file-unreadable")
      json.member("file", file)
    case .caseStarted(let identity, let number):
      json.member("event", "case-started")
      json.member("name", identity.name)
      json.member("number", number)
      json.member("path", identity.path)
    case .caseEnded(let found):
      json.member("case", found)
      json.member("event", "case-ended")
    case .ended(let report):
      json.member("event", "run-ended")
      json.member("seconds", report.time)
      json.member("stopped", report.stopped)
      json.member("totals", report.totals)
      json.member("verdict", report.verdict.rawValue)
    }
  }
}
