import Foundation
import JSON
import ScenarioRunner

@testable import Reports

/// Reports to write and to read.
enum Samples {
  /// Characters with a meaning in one of the formats, or with none in any: a terminal's escape sequence, ends of CDATA and
  /// of comments, workflow commands, TAP's directives, YAML's markers, control, invisible and direction characters.
  static let hostile =
    "\u{1B}[31m]]> --> ::error::x, 100% # TODO \\ # SKIP \\# <b a='1'>&amp;\"\r\n...\n--- \u{0}\u{7F}\u{9B}\u{202E}\u{FEFF}\u{FFFE} é 日本 🚀"

  static func entry(
    _ number: Int, _ verdict: CaseResult.Verdict = .passed, name: String? = nil, path: String = "a/one.yaml",
    seconds: Double = 0.25, detail: String? = nil
  ) -> CaseReport {
    let place = ReportedPlace(path: path, line: number, column: 11)
    let needsReason = verdict == .skipped || verdict == .failedAsExpected
    let needsFailure = verdict.isBad || verdict == .failedAsExpected
    let name = name ?? "case \(number)"
    return CaseReport(
      number: number, place: place, name: name, tags: [], seed: 7, verdict: verdict,
      reason: needsReason ? "reason of \(number)" : nil,
      failure: needsFailure
        ? CaseReport.Failure(
          message: "message of \(number)", code: verdict == .undecided ? nil : "device.signature/transcript",
          place: ReportedPlace(path: path, line: number + 20, column: 5),
          detail: detail
            ?? "\(path):\(number + 20):5  message of \(number)\n   21 | - website: x\n      |   ^ here\n   again: run")
        : nil,
      command: "presentment run \(path) --seed 7", time: ReportedTime(.seconds(seconds)),
      worldTime: ReportedTime(.seconds(90)))
  }

  static func unreadable(_ number: Int, path: String = "a/bad.yaml") -> UnreadableFile {
    UnreadableFile(
      number: number, path: path,
      problems: [
        UnreadableFile.Problem(
          code: "source.unknown-key", message: "unknown key 'vists'",
          place: ReportedPlace(path: path, line: 3, column: 7),
          detail: "\(path):3:7  unknown key 'vists'\n    3 | vists: x")
      ], omitted: 2)
  }

  static func report(
    _ cases: [CaseReport], unreadable: [UnreadableFile] = [], shard: Shard? = nil, entries: Int? = nil,
    settings: [String: String] = ["seed": "7"], digest: String = "00ff", stopped: RunReport.Stop? = nil
  ) -> RunReport {
    RunReport(
      settings: settings,
      entries: RunEntries(count: entries ?? cases.count + unreadable.count, digest: digest), shard: shard, cases: cases,
      unreadable: unreadable, stopped: stopped, time: ReportedTime(.milliseconds(1500)))
  }

  /// One case of each verdict and an unreadable file.
  static let everyVerdict: RunReport = {
    var skipped = entry(4, .skipped)
    skipped.tags = ["slow"]
    var failed = entry(2, .failed)
    failed.trace = "out/traces/one case.trace.jsonl"
    failed.page = "out/traces/one case.html"
    return report(
      [
        entry(1), failed, skipped, entry(5, .undecided, path: "b/two.yaml", detail: "   no world\n   again: run"),
        entry(6, .failedAsExpected, path: "b/two.yaml"),
      ],
      unreadable: [unreadable(3)])
  }()

  /// Every text that comes from outside is hostile.
  static let hostileReport: RunReport = {
    func poisoned(_ number: Int, _ verdict: CaseResult.Verdict) -> CaseReport {
      var entry = entry(number, verdict, name: hostile, path: hostile, detail: hostile)
      entry.failure?.message = hostile
      entry.failure?.code = hostile
      entry.reason = entry.reason.map { _ in hostile }
      entry.tags = [hostile]
      entry.command = hostile
      entry.trace = hostile
      return entry
    }
    var file = unreadable(6, path: hostile)
    file.problems[0].message = hostile
    file.problems[0].code = hostile
    file.problems[0].detail = hostile
    let verdicts = CaseResult.Verdict.allCases
    return report(
      verdicts.enumerated().map { poisoned($0.offset + 1, $0.element) }, unreadable: [file],
      settings: [hostile: hostile], stopped: .interrupted)
  }()

  static func json(_ report: RunReport) -> String {
    String(decoding: report.text(.json, for: "-"), as: UTF8.self)
  }
}

/// A folder for the files of one test, removed at its end.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }
}
