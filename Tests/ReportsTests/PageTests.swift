import Foundation
import ScenarioRunner
import TestSupport
import Testing

@testable import Reports

@Suite("The page about CI")
struct PageTests {
  private static func page() throws -> String {
    try String(contentsOf: Programs.package.appendingPathComponent("docs/ci.md"), encoding: .utf8)
  }

  @Test("the page has each system with its variables", arguments: ShardEnvironment.allCases)
  func systems(system: ShardEnvironment) throws {
    let first = system.firstIndex.map(String.init) ?? "`SLURM_ARRAY_TASK_MIN`"
    let row =
      "| [\(system.rawValue)](\(system.reference)) | `\(system.indexVariable)`, from \(first) | `\(system.countVariable)` |"
    #expect(try Self.page().contains(row + "\n"), "\(row)")
  }

  @Test("the page has each format, and no other", arguments: ReportFormat.allCases)
  func formats(format: ReportFormat) throws {
    let rows = try Self.page().matches(of: /\n\| `(\w+)(=FILE)?` \|/).map { String($0.output.1) }
    #expect(rows.contains(format.rawValue) && rows.count { $0 == format.rawValue } == 1)
  }

  @Test("the members of the JSON report are those of the page")
  func members() throws {
    let page = try Self.page()
    let verdicts = CaseResult.Verdict.allCases.map(\.rawValue)
    // The members of a place and of totals explain themselves.
    let plain = Set(["line", "column", "path", "run"] + verdicts)
    let found = Samples.json(Samples.everyVerdict).matches(of: #/\n +"([A-Za-z]+)": /#).map { String($0.output.1) }
    let names = Set(found).subtracting(plain)
    #expect(names.count > 15)
    for name in names { #expect(page.contains("`\(name)`") || page.contains("`run.\(name)`"), "\(name)") }
  }
}
