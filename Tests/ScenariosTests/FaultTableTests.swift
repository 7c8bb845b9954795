import Flaws
import Foundation
import Testing
import WebPresentment

@testable import Scenarios

@Suite("The table of faults")
struct FaultTableTests {
  private let scenarios: [Scenario]
  private let table: FaultTable

  /// Read once for all tests.
  private static let shipped = Result { try ShippedScenarios.cases() }
  private static let derived = shipped.map { FaultTable(of: $0, folder: ShippedScenarios.folder) }

  init() throws {
    scenarios = try Self.shipped.get()
    table = try Self.derived.get()
    if ProcessInfo.processInfo.environment["PRESENTMENT_WRITE_FAULT_TABLE"] == "1" {
      try table.text.write(to: FaultTablePage.url, atomically: true, encoding: .utf8)
    }
  }

  private func stands() throws -> String { try String(contentsOf: FaultTablePage.url, encoding: .utf8) }

  @Test("says what the scenarios show and nothing else; make fault-table writes it anew")
  func page() throws {
    #expect(try FaultTablePage.differences(of: stands(), from: table) == [])
  }

  @Test("holds every code of the server, the sandbox and the apps, and none that nobody knows")
  func complete() {
    let codes = Set(table.rows.map(\.code))
    let subjects = CodeRegistry.verification + CodeRegistry.sandbox + CodeRegistry.provider
    #expect(Set(subjects).subtracting(codes).sorted() == [])
    #expect(codes.subtracting(CodeRegistry.all).sorted() == [])
    let shown = Set(table.rows.filter { !$0.scenario.hasPrefix("none: ") }.map(\.code))
    #expect(shown.intersection(FaultTable.exempt.keys).sorted() == [], "a scenario shows what is said to have none")
  }

  @Test("holds every code that a scenario expects to refuse, to deviate, to hide or to explain")
  func expectedCodes() {
    let codes = Set(table.rows.map(\.code))
    for scenario in scenarios {
      for step in scenario.steps {
        var expected: [String?] = []
        switch step.kind {
        case .website(let website): expected = [website.refused?.value, website.explained?.value]
        case .exception(let exception): expected = [exception.code?.value]
        case .selector(let selector): expected = selector.hides.map(\.code.value)
        case .decision(let decision):
          let outcome = decision.outcome?.value
          expected = [decision.explained?.value]
          if ["failed", "deviates", "threw"].contains(outcome) { expected.append(decision.code.value) }
        default: break
        }
        for code in expected.compactMap(\.self) { #expect(codes.contains(code), "\(code) in \(scenario.path)") }
      }
    }
  }

  @Test("holds every flaw, with a code that refuses it or a deviation")
  func flaws() {
    let told = table.rows.filter { $0.outcome == "refused" || $0.outcome == "deviates" }.map(\.fault)
    for sentence in DocumentFlaw.allCases.map(\.sentence) + AnswerFlaw.allCases.map(\.sentence) {
      #expect(told.contains { $0.hasSuffix(": \(sentence)") || $0.contains(": \(sentence); ") }, "\(sentence)")
    }
  }

  @Test("every mistake in a transcript is shown where it is looked for: sealing, device and reader signatures")
  func mistakes() {
    /// Where a mistake cannot be made: a sandbox knows no other origins and no sessions, and the slash that is missing is
    /// one that the server has too many, which only the sealing comes to.
    let nowhere: [TranscriptMistake: Set<String>] = [
      .originSlashMissing: ["device.transcript", "sandbox.reader-signature"],
      .originTopLevel: ["sandbox.reader-signature"], .originFrame: ["sandbox.reader-signature"],
      .anotherSession: ["sandbox.reader-signature"],
    ]
    for mistake in TranscriptMistake.allCases {
      let explained = table.rows.filter { $0.code == mistake.rawValue }.map(\.outcome)
      for code in ["response.hpke-info", "device.transcript", "sandbox.reader-signature"] {
        let isShown = explained.contains("explains `\(code)`")
        #expect(isShown != (nowhere[mistake]?.contains(code) ?? false), "\(mistake.rawValue) under \(code)")
      }
    }
  }

  @Test("has something in every cell, and no cell with a bar in it")
  func cells() {
    for row in table.rows {
      let cells = [row.fault, row.who, row.code, row.outcome, row.scenario]
      #expect(cells.allSatisfy { !$0.isEmpty && !$0.contains("|") && !$0.contains("\n") }, "\(row.line)")
    }
  }

  @Test("a page that says something else, or leaves out a cell, is noticed")
  func altered() throws {
    let rows = table.rows
    let row = try #require(rows.first { $0.outcome == "deviates" })
    let text = table.text
    func differences(_ changed: String) throws -> Int {
      try FaultTablePage.differences(of: text.replacing(row.line, with: changed), from: table).count
    }
    #expect(try differences(row.line) == 0)
    #expect(try differences(row.line + "\n" + row.line) == 1)
    #expect(try FaultTablePage.differences(of: text.replacing(row.line + "\n", with: ""), from: table).count == 1)
    #expect(try differences(row.line.replacing(row.outcome, with: "refused")) == 2)
    #expect(try differences(row.line.replacing(row.fault, with: "something else")) == 2)
    #expect(try differences(row.line.replacing(row.scenario, with: "`scenarios/headline.yaml`")) == 2)
    #expect(try differences(row.line.replacing(row.code, with: "response.hpke-open")) == 2)
    for malformed in [
      row.line.replacing(row.fault, with: " "), String(row.line.dropLast(2)), "| a | b |", row.line + " x |",
      row.line.replacing("`\(row.code)`", with: row.code),
    ] {
      #expect(throws: FaultTablePage.Malformed.self, "\(malformed)") { try differences(malformed) }
    }
    #expect(throws: FaultTablePage.Malformed.self) { try FaultTablePage.rows("# Faults\n") }
  }
}
