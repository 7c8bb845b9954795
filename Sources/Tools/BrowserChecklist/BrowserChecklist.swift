import DigitalCredentials
import JSON

/// The checklist of what a web page sees from a browser, restated from web-platform-tests and from the browsers' own tests.
/// Each row runs through the machines of a profile, with the request's real bytes in the sandbox.
public enum BrowserChecklist {
  /// Every row, in the order of the tests.
  public static let rows: [ChecklistRow] =
    ChecklistRow.get + ChecklistRow.state + ChecklistRow.interface + ChecklistRow.policies + ChecklistRow.origins
    + ChecklistRow.validation + ChecklistRow.malformed + ChecklistRow.outcomes + ChecklistRow.issuance

  /// Returns the results of rows in a browser.
  /// - Parameter ids: The rows to run, or an empty list for all. `GET` means every row whose identifier begins with it.
  public static func run(in profile: BrowserProfile, only ids: [String] = []) -> [ChecklistResult] {
    rows.filter { row in ids.isEmpty || ids.contains { row.id == $0 || row.id.hasPrefix($0 + "-") } }
      .map { ChecklistResult($0, in: profile) }
  }

  /// The results as JSON, with a count.
  public static func report(_ results: [ChecklistResult], in profile: BrowserProfile) -> [UInt8] {
    JSONWriter.indented { json in
      json.object { json in
        json.member("profile", profile.name)
        json.member("rows", results)
        json.member("asExpected", results.filter(\.isExpected).count)
        json.member("otherwiseAtOnce", results.filter { $0.abortedAtOnce != nil }.count)
        json.member("count", results.count)
      }
    }
  }
}

/// The result of one row in one browser.
public struct ChecklistResult: Sendable {
  /// The row.
  public let row: ChecklistRow

  /// The expected results in the browser.
  public let expected: String

  /// The results of the machines.
  public let got: String

  /// The results for a page that aborts its call at once, as web-platform-tests do, before the sandbox has parsed the
  /// request; nil if they are the same. A row lets the sandbox finish first: otherwise it would not show what the sandbox
  /// finds.
  public let abortedAtOnce: String?

  /// The browser's difference from the standard, or nil if it follows the standard.
  public let difference: ChecklistRow.Difference?

  /// Indicates whether the machines did what the row expects.
  public var isExpected: Bool { got == expected }

  init(_ row: ChecklistRow, in profile: BrowserProfile) {
    self.row = row
    expected = row.expected(in: profile)
    difference = row.difference(in: profile)
    got = ChecklistRun.results(of: row, in: profile)
    let atOnce = ChecklistRun.results(of: row, in: profile, sandbox: .isLast)
    abortedAtOnce = atOnce == got ? nil : atOnce
  }
}

extension ChecklistResult: JSONObjectWritable {
  /// Writes the row and its result.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("abortedAtOnce", abortedAtOnce)
    json.member("id", row.id)
    json.member("given", row.given)
    json.member("expected", expected)
    json.member("got", got)
    json.member("isExpected", isExpected)
    json.member("source", difference?.source ?? row.source)
    json.member("standard", row.expected)
  }
}
