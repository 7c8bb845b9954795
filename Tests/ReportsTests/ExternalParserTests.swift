import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Reports

/// Each report is read by parsers that are not presentment's, and compared with the others.
@Suite("Reports in parsers of others", .requiresPython, .requiresJUnitSchemas)
struct ExternalParserTests {
  @Test("a report of every verdict agrees in all formats")
  func everyVerdict() async throws { try await check(Samples.everyVerdict) }

  @Test("hostile texts are the same in all formats, but for characters that a format cannot have")
  func hostile() async throws { try await check(Samples.hostileReport) }

  @Test("a run without cases is a report too")
  func empty() async throws { try await check(Samples.report([])) }

  private func check(_ report: RunReport) async throws {
    let folder = try Folder()
    for format in ReportFormat.allCases {
      let ending = format == .junit ? "xml" : format.rawValue
      try report.write([ReportOrder(format, path: folder.path("report.\(ending)"))])
    }
    let script = Programs.package.appendingPathComponent("Tests/External/Reports/check.py").path
    let run = try await Programs.run(
      Programs.python, ["-B", script, folder.url.path] + Programs.jUnitSchemas, in: folder.url)
    #expect(run.code == 0, "\(run)")
  }
}
