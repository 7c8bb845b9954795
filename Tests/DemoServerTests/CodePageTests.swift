import ExchangeFiles
import Foundation
import HTTPTypes
import InteractiveWorlds
import TestSupport
import Testing

@testable import DemoServer

/// docs/checks.md lists the codes of live worlds and of answers over HTTP. The OpenAPI description lists them, too.
@Suite("Codes of live worlds and answers are documented") struct CodePageTests {
  /// The rows of a section's table: code, and status over HTTP.
  private static func rows(_ section: String) throws -> [String: String] {
    let page = try String(
      contentsOf: Programs.package.appendingPathComponent("docs/checks.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n## ")
    let part = try #require(parts.first { $0.hasPrefix(section + "\n") }, "docs/checks.md has no section \(section)")
    var rows: [String: String] = [:]
    for line in part.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 3 && !cells[1].isEmpty, "\(line)")
      let code = cells[0].trimmingCharacters(in: ["`"])
      #expect(rows.updateValue(cells[2], forKey: code) == nil, "\(code) is listed twice")
    }
    return rows
  }

  private static func statuses(_ problems: [HTTPProblem]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: problems.map { ($0.code.rawValue, String($0.status.code)) })
  }

  @Test func codesOfLiveWorldsAndTheirStatusAreDocumented() throws {
    let problems = InteractiveWorldError.Code.steps.map { HTTPProblem(InteractiveWorldError($0, "")) }
    #expect(try Self.rows("Live worlds") == Self.statuses(problems))
  }

  @Test func codesOfAnswersAndTheirStatusAreDocumented() throws {
    let problems = InteractiveWorldError.Code.answers.map { HTTPProblem(InteractiveWorldError($0, "")) }
    #expect(try Self.rows("Answers to real pages") == Self.statuses(problems))
  }

  @Test func codesOfRequestsOverHTTPAreDocumented() throws {
    let rows = try Self.rows("Requests over HTTP")
    #expect(Set(rows.keys) == Set(HTTPProblem.Code.requests.map(\.rawValue)))
    for (code, status) in rows { #expect(status.hasPrefix("4"), "\(code)") }
  }

  @Test func theDescriptionOfTheRoutesListsTheirCodes() throws {
    let file = Programs.package.appendingPathComponent("Sources/Apps/DemoServer/Web/Assets/openapi.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let listed = text.matches(of: /\b(answer|http|live|exchange-file)\.[a-z0-9]+(-[a-z0-9]+)*/).map {
      String($0.output.0)
    }
    #expect(Set(listed).count == listed.count)
    // Files, keys and options belong to the command.
    let ofFiles: Set = [
      ExchangeFileError.Code.unreadable, .unwritable, .key, .certificate, .origin, .element,
    ]
    var codes: Set<String> = []
    codes.formUnion(InteractiveWorldError.Code.answers.map(\.rawValue))
    codes.formUnion(InteractiveWorldError.Code.steps.map(\.rawValue))
    codes.formUnion(HTTPProblem.Code.requests.map(\.rawValue))
    codes.formUnion(ExchangeFileError.Code.allCases.filter { !ofFiles.contains($0) }.map(\.rawValue))
    #expect(Set(listed) == codes)
  }
}
