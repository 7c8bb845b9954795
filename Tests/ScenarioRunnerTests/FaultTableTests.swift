import Faults
import Foundation
import ShippedScenarios
import Testing
import TranscriptDiagnosis
import WebPresentment

@testable import ScenarioLanguage

@Suite("The catalogue of faults")
struct FaultTableTests {
  private let scenarios: [Scenario]
  private let table: FaultTable

  /// Read once for all tests.
  private static let shipped = Result { try ShippedScenarios.cases() }
  private static let derived = shipped.map { FaultTable(of: $0, folder: ShippedScenarios.folder) }

  init() throws {
    scenarios = try Self.shipped.get()
    table = try Self.derived.get()
  }

  @Test("every id is unique and begins with a party")
  func ids() {
    let ids = FaultCatalogue.all.map(\.id)
    #expect(Set(ids).count == ids.count && ids.count > 250)
    for fault in FaultCatalogue.all { #expect(fault.id.hasPrefix("\(fault.party.rawValue)."), "\(fault.id)") }
    #expect(FaultCatalogue.featured.count == 11)
  }

  @Test("every list of faults is part of the catalogue")
  func lists() throws {
    let folder = ShippedScenarios.root.appendingPathComponent("Sources/Simulation/Faults")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    let text = try paths.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }.joined()
    let lists = text.matches(of: /static let (\w+): \[Fault\]/).map(\.output.1).filter { $0 != "all" }
    #expect(lists.count > 20)
    let words = text.split { !$0.isLetter && !$0.isNumber }
    for list in lists { #expect(words.count { $0 == list } > 1, "nothing refers to \(list)") }
  }

  @Test("each fault alone is noticed by one of its checks in a shipped scenario")
  func noticed() {
    for fault in FaultCatalogue.all {
      let shown = Set(table.rows.filter { $0.fault == fault.id }.map(\.code))
      let declared = fault.findings.failed + fault.findings.deviating
      guard fault.findings != .unnoticed else { continue }
      #expect(!declared.isEmpty && !shown.isDisjoint(with: declared), "\(fault.id): \(declared), shown: \(shown)")
    }
  }

  @Test("a fault that nothing notices has a shipped scenario in which the website verifies the response")
  func unnoticed() {
    for fault in FaultCatalogue.all where fault.findings == .unnoticed {
      let isShown = scenarios.contains { scenario in
        let steps = scenario.steps.map(\.step.content)
        let begins = steps.firstIndex { content in
          if case .fault(.begins(let planned)) = content { planned.fault == fault } else { false }
        }
        guard let begins else { return false }
        return steps[begins...].contains { content in
          if case .expectation(.website(let expected)) = content { expected.verified != nil } else { false }
        }
      }
      #expect(isShown, "\(fault.id)")
    }
  }

  @Test("the checks of every fault exist")
  func checks() {
    let known = Set(CodeRegistry.all)
    for fault in FaultCatalogue.all {
      for check in fault.findings.failed + fault.findings.deviating { #expect(known.contains(check), "\(check)") }
    }
  }

  @Test("every check and reason has a scenario, or names the test that reaches it")
  func complete() {
    let codes = Set(table.rows.map(\.code))
    #expect(Set(CheckTable.all.flatMap(\.findings)).subtracting(codes).sorted() == [])
    #expect(codes.subtracting(CodeRegistry.all).sorted() == [])
    let shown = Set(table.rows.filter { !$0.scenario.hasPrefix("none: ") }.map(\.code))
    #expect(shown.intersection(FaultTable.exempt.keys).sorted() == [], "a scenario shows what is said to have none")
  }

  @Test("each check without a scenario names an existing test")
  func exemptions() throws {
    let tests = ShippedScenarios.root.appendingPathComponent("Tests")
    let files = try #require(FileManager.default.enumerator(atPath: tests.path)).compactMap {
      ($0 as? NSString)?.lastPathComponent
    }
    for (name, exempt) in FaultTable.exempt {
      #expect(files.contains("\(exempt.test).swift"), "\(name)")
    }
  }

  @Test("the table has every code that a scenario expects")
  func expectedCodes() {
    let codes = Set(table.rows.map(\.code))
    for scenario in scenarios {
      for step in scenario.steps {
        var expected: [String?] = []
        guard case .expectation(let expectation) = step.step.content else { continue }
        switch expectation {
        case .website(let website): expected = [website.refused, website.explained]
        case .inApp(let inApp): expected = [inApp.refused]
        case .exception(let exception): expected = [exception.code]
        case .selector(let selector): expected = (selector.hides ?? []).map(\.value)
        case .decision(let decision):
          let outcome = decision.outcome
          expected = [decision.explained]
          if ["failed", "deviates", "refused"].contains(outcome) { expected.append(decision.code) }
        default: break
        }
        for code in expected.compactMap(\.self) { #expect(codes.contains(code), "\(code) in \(scenario.path)") }
      }
    }
  }

  @Test("every mistake in a transcript is shown in sealing, device signatures and reader signatures")
  func mistakes() {
    /// Combinations that cannot occur. A sandbox knows neither other origins nor sessions. A missing slash is also one
    /// that the server has too many, which only the sealing reaches.
    let nowhere: [TranscriptVariant: Set<String>] = [
      .originSlashMissing: ["device.signature/transcript", "sandbox.reader-signature"],
      .originTopLevel: ["sandbox.reader-signature"], .originFrame: ["sandbox.reader-signature"],
      .anotherSession: ["sandbox.reader-signature"],
    ]
    for mistake in TranscriptVariant.allCases {
      let explained = table.rows.filter { $0.code == mistake.rawValue }.map(\.outcome)
      for code in ["response.decryption/transcript", "device.signature/transcript", "sandbox.reader-signature"] {
        let isShown = explained.contains("explains `\(code)`")
        #expect(isShown != (nowhere[mistake]?.contains(code) ?? false), "\(mistake.rawValue) under \(code)")
      }
    }
  }
}
