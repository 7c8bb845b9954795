import Foundation
import Testing

@testable import Scenarios

@Suite("The table of faults")
struct FaultTableTests {
  /// A row of docs/faults.md.
  struct Row: Sendable {
    let code: String
    /// Path of the scenario; nil when the row says why there is none.
    let scenario: String?
    /// What stands where the scenario would.
    let reason: String
  }

  static func rows() throws -> [Row] {
    let text = try String(contentsOf: ShippedScenarios.root.appendingPathComponent("docs/faults.md"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4 else { return nil }
      let scenario = cells[3].hasPrefix("`") ? cells[3].trimmingCharacters(in: ["`"]) : nil
      return Row(code: cells[2].trimmingCharacters(in: ["`"]), scenario: scenario, reason: cells[3])
    }
  }

  /// Codes that a file's scenarios expect to fail or to deviate.
  private static func expected() throws -> [String: Set<String>] {
    var codes: [String: Set<String>] = [:]
    for scenario in try ShippedScenarios.cases() {
      let path = "scenarios" + scenario.path.dropFirst(ShippedScenarios.folder.count)
      for step in scenario.steps {
        switch step.kind {
        case .website(let expected):
          if let code = expected.refused?.value { codes[path, default: []].insert(code) }
        case .decision(let expected):
          let outcome = expected.outcome?.value
          if outcome == "failed" || outcome == "deviates" { codes[path, default: []].insert(expected.code.value) }
        default: break
        }
      }
    }
    return codes
  }

  /// The codes that the table is about.
  private static let subjects = CodeRegistry.verification + CodeRegistry.sandbox + CodeRegistry.provider

  @Test("holds every code of the server, the sandbox and the apps, and no other")
  func complete() throws {
    let rows = try Self.rows()
    // Of the rules of certificates it holds those that somebody departs from in a scenario.
    let codes = Set(rows.map(\.code)).subtracting(CodeRegistry.certificateRules)
    #expect(codes.symmetricDifference(Self.subjects).sorted() == [])
  }

  @Test("names for each code scenarios that show it, or why there is none")
  func shown() throws {
    let expected = try Self.expected()
    for row in try Self.rows() {
      guard let scenario = row.scenario else {
        #expect(row.reason.hasPrefix("none: "), "\(row.code)")
        continue
      }
      #expect(expected[scenario]?.contains(row.code) == true, "\(row.code) in \(scenario)")
    }
    #expect(try Self.rows().filter { $0.scenario == nil }.count == 2)
  }

  @Test("holds every code that a scenario expects of them")
  func expectedCodes() throws {
    let known = Set(try Self.rows().map(\.code))
    let all = try Self.expected().values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(all.intersection(Self.subjects).subtracting(known).sorted() == [])
  }
}
