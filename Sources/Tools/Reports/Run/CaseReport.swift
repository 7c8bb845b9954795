import Checks
import JSON
import LocatedYAML
import Messaging
import Primitives
import ScenarioLanguage
import ScenarioRunner

/// One case in a report.
public struct CaseReport: Sendable, Equatable {
  /// The failure of an expectation, or the reason why a case is undecided.
  public struct Failure: Sendable, Equatable {
    /// The failure in one message.
    public var message: String
    /// The code of the check or rule.
    public var code: String?
    /// The place in a file.
    public var place: ReportedPlace
    /// The whole text that `run` prints: excerpt, evidence, and the command to repeat the case.
    public var detail: String

    /// A failure.
    public init(message: String, code: String?, place: ReportedPlace, detail: String) {
      (self.message, self.code, self.place, self.detail) = (message, code, place, detail)
    }
  }

  /// A check that a party found something with.
  public struct Finding: Sendable, Hashable {
    /// The role of the party, such as `server`.
    public var party: String
    /// The check, with its reason.
    public var check: String
    /// A failure, or a departure that the party accepts.
    public var status: CheckResult.Status

    /// A finding.
    public init(party: String, check: String, status: CheckResult.Status) {
      (self.party, self.check, self.status) = (party, check, status)
    }
  }

  /// The reading of a program in a case of a suite in which both are right.
  public enum Reading: String, Sendable {
    /// The program accepted.
    case accepts
    /// The program refused.
    case refuses
  }

  /// The place of the case among all cases and unreadable files of the whole run, from 1.
  public var number: Int
  /// The file of the scenario, as it was named, and the position of the title.
  public var place: ReportedPlace
  /// The title, with the name of the case if the file has several.
  public var name: String
  /// Labels, in the order of the file.
  public var tags: [String]
  /// The seed that it ran with.
  public var seed: UInt64
  /// The verdict.
  public var verdict: CaseResult.Verdict
  /// The reason to skip the case or to expect that it fails.
  public var reason: String?
  /// The failure of a case that failed, failed as expected, or was undecided.
  public var failure: Failure?
  /// The command that runs the case again.
  public var command: String
  /// The time that the run took on its machine.
  public var time: ReportedTime
  /// The time of the world at the end.
  public var worldTime: ReportedTime
  /// The path of the journal's file.
  public var trace: String?
  /// The path of the trace page.
  public var page: String?
  /// The findings of the parties, each once, in the order of the run.
  public var findings: [Finding] = []
  /// The reading of the program in a case of a suite in which both are right; nil for every other case.
  public var reading: Reading?

  /// The same case in other runs has the same identity.
  public var identity: CaseIdentity { CaseIdentity(path: place.path, name: name) }
}

extension CaseReport {
  /// The report of a case that is no scenario.
  /// - Parameter number: The place of the case among all cases of the whole run, from 1.
  public init(
    number: Int, place: ReportedPlace, name: String, tags: [String], seed: UInt64, verdict: CaseResult.Verdict,
    reason: String?, failure: Failure?, command: String, time: ReportedTime
  ) {
    self.init(
      number: number, place: place, name: name, tags: tags, seed: seed, verdict: verdict, reason: reason,
      failure: failure, command: command, time: time, worldTime: ReportedTime(.zero))
  }
}

/// The identity of a case from run to run: its file and title, whatever the seed.
public struct CaseIdentity: Sendable, Hashable {
  /// The file of the scenario, as it was named.
  public let path: String
  /// The title, with the name of the case if the file has several.
  public let name: String

  /// An identity.
  public init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// The identity of a case.
  public init(_ scenario: Scenario) { self.init(path: scenario.path, name: scenario.name) }
}

extension CaseReport {
  /// The report of a result.
  ///
  /// - Parameters:
  ///   - number: The place of the case among all cases and unreadable files of the whole run, from 1.
  ///   - trace: The path of the journal's file, if it was written.
  ///   - page: The path of the trace page, if it was written.
  public init(_ result: CaseResult, number: Int, trace: String? = nil, page: String? = nil) {
    self.number = number
    let title = result.scenario.position
    place = ReportedPlace(path: result.scenario.path, line: title.line, column: title.column)
    name = result.scenario.name
    tags = result.scenario.tags
    seed = result.seed
    command = result.command
    time = ReportedTime(wallClock: result.duration)
    worldTime = ReportedTime(result.virtualDuration)
    self.trace = trace
    self.page = page
    findings = result.journal.entries.compactMap { entry in
      guard case .check(let check) = entry.event, check.status.isFinding else { return nil }
      return Finding(party: entry.party.role.rawValue, check: check.name, status: check.status)
    }.uniqued()
    verdict = result.outcome.verdict
    reason = result.outcome.reason
    switch result.outcome {
    case .passed, .skipped: break
    case .failed(let found), .failedAsExpected(let found, _):
      failure = Failure(
        message: found.headline, code: found.code, place: found.position.map(ReportedPlace.init) ?? place,
        detail: found.rendered(for: result))
    case .undecided(let message):
      failure = Failure(message: message, code: nil, place: place, detail: TextReport.detail(for: result) ?? message)
    }
  }
}

extension CaseResult.Verdict: JSONWritable, JSONReadable {}
extension CaseReport.Reading: JSONWritable, JSONReadable {}

extension CaseReport: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("number", \.number), Member("place", \.place), Member("name", \.name),
    Member(list: "tags", \.tags),
    Member("seed", \.seed), Member("verdict", \.verdict), Member(optional: "reason", \.reason),
    Member(optional: "failure", \.failure), Member("command", \.command), Member("seconds", \.time),
    Member("worldSeconds", \.worldTime), Member(optional: "trace", \.trace), Member(optional: "page", \.page),
    Member(list: "findings", \.findings), Member(optional: "reading", \.reading)
  ).checking { (found, json) throws(JSONError) in
    guard found.number > 0 else { throw json.error("the number of a case is 1 or more") }
    let verdict = found.verdict
    let needsFailure = verdict.isBad || verdict == .failedAsExpected
    guard (found.failure != nil) == needsFailure else {
      throw json.error("the verdict '\(verdict.rawValue)' \(needsFailure ? "needs" : "cannot have") a 'failure'")
    }
    // Reports of suites by version 0.1.0 repeat the detail of a failure as a reason.
    if verdict.isBad { found.reason = nil }
    let needsReason = verdict == .skipped || verdict == .failedAsExpected
    guard (found.reason != nil) == needsReason else {
      throw json.error("the verdict '\(verdict.rawValue)' \(needsReason ? "needs" : "cannot have") a 'reason'")
    }
  }
}

extension CaseReport.Finding: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("party", \.party), Member("check", \.check), Member("status", \.status))
}

extension CaseReport.Failure: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("message", \.message), Member(optional: "code", \.code), Member("place", \.place),
    Member("detail", \.detail))
}
