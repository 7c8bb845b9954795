import Foundation
import ShippedScenarios
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// The table of docs/conformance.md: each claim of the documents that describe the system, with the scenarios and tests that
/// show it.
@Suite("Conformance to the documents")
struct ConformanceTests {
  /// A claim and what shows it.
  struct Claim: Sendable, CustomTestStringConvertible {
    var number: String
    var text: String
    /// Paths from the project's folder, each with the cases that are named.
    var scenarios: [(path: String, cases: [String])] = []
    /// Paths of test files from the project's folder, each with the tests that are named.
    var tests: [(path: String, names: [String])] = []

    var testDescription: String { "\(number) \(text)" }
  }

  static let page = ShippedScenarios.root.appendingPathComponent("docs/conformance.md")

  static let claims: [Claim] = {
    let lines = ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(separator: "\n")
    return lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| "), cells.count == 3, let match = cells[0].wholeMatch(of: /[A-Z][0-9]+/) else {
        return nil
      }
      var claim = Claim(number: String(match.output), text: cells[1])
      // A link, and after it the names of cases or tests in quotation marks.
      for link in cells[2].matches(of: /\[[^\]]*\]\(\.\.\/([^)]*)\)((?: “[^”]*”)*)/) {
        let path = String(link.output.1)
        let names = link.output.2.matches(of: /“([^”]*)”/).map { String($0.output.1) }
        if path.hasPrefix("Tests/") { claim.tests.append((path, names)) } else { claim.scenarios.append((path, names)) }
      }
      return claim
    }
  }()

  @Test("claims are numbered in order, each once")
  func numbering() {
    #expect(Self.claims.count > 140)
    for (document, claims) in Dictionary(grouping: Self.claims, by: { $0.number.prefix(1) }) {
      #expect(claims.map(\.number) == (1...claims.count).map { "\(document)\($0)" })
    }
    #expect(Set(Self.claims.map(\.text)).count == Self.claims.count)
  }

  /// The names of the tests in a file: their display names, or those of their functions.
  private static func tests(in text: String) -> Set<String> {
    Set(
      text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) }
        + text.matches(of: /@Test(?:\([^"]*?\))? func (\w+)/).map { String($0.output.1) })
  }

  @Test("a test has its display name, or the name of its function")
  func names() {
    let text = """
      @Test("one") func a() {}
      @Test(
        "two", arguments: [1])
      func b(_: Int) {}
      @Test func c() {}
      @Test(.requiresPython) func d() {}
      func e() {}
      """
    #expect(Self.tests(in: text) == ["one", "two", "c", "d"])
  }

  /// Whether the tests ran is for `.ci/check-evidence`, which has the results of all of them.
  @Test("a claim is shown by scenarios that pass, or by tests, each by its name", arguments: claims)
  func isShown(_ claim: Claim) async throws {
    #expect(!claim.scenarios.isEmpty || !claim.tests.isEmpty)
    for (path, cases) in claim.scenarios {
      let results = try await ShippedScenarios.results(of: ShippedScenarios.root.appendingPathComponent(path).path)
      for result in results { #expect(result.isPassed, "\(path)") }
      for name in cases { #expect(results.contains { $0.scenario.caseName == name }, "\(path) has no case '\(name)'") }
    }
    for (path, names) in claim.tests {
      let text = try String(contentsOf: ShippedScenarios.root.appendingPathComponent(path), encoding: .utf8)
      let there = Self.tests(in: text)
      #expect(!names.isEmpty, "\(path): name the tests")
      for name in names { #expect(there.contains(name), "\(path) has no test '\(name)'") }
    }
  }
}
