import Checks
import Ecosystem
import MobileDocument
import RelyingParty
import Testing
import WebPresentment

@testable import ScenarioLanguage

@Suite("Codes")
struct CodeRegistryTests {
  @Test("each code is in the registry once")
  func unique() {
    var seen: Set<String> = []
    let repeated = CodeRegistry.all.filter { !seen.insert($0).inserted }
    #expect(repeated.isEmpty)
    #expect(CodeRegistry.all.count > 100)
  }

  @Test("codes are lower-case words joined by dots")
  func shape() {
    for code in CodeRegistry.all {
      #expect(
        code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*(\/[a-z0-9]+(-[a-z0-9]+)*)?/) != nil,
        "\(code)")
    }
  }

  @Test("journals of shipped scenarios contain registered codes only")
  func complete() async throws {
    let known = Set(CodeRegistry.all)
    for result in try await ShippedScenarios.results() {
      for entry in result.journal.entries {
        guard let code = entry.event.code else { continue }
        #expect(known.contains(code), "\(code) in \(result.scenario.path)")
      }
    }
  }

  @Test("every verification that passes lists the same checks in the same order")
  func sameChecks() async throws {
    var lists: Set<[String]> = []
    for result in try await ShippedScenarios.results() {
      var checks: [String] = []
      for entry in result.journal.entries {
        if let made = entry.event.check, entry.party.role == .server {
          if checks.last != made.check { checks.append(made.check) }
        } else if let verdict = entry.event.verdict {
          // Of the first document: the others and their lists repeat its checks.
          let first = Set(ResponseCheck.ofDocument.map(\.id))
          let isOfOneDocument = checks.count { $0 == ResponseCheck.issuerForm.id } == 1
          if verdict.verdict == .verified, isOfOneDocument {
            lists.insert(checks.filter { !$0.hasPrefix("status.") })
            #expect(first.isSubset(of: checks))
          }
          checks = []
        }
      }
    }
    #expect(lists == [(ExchangeCheck.definitions + ResponseCheck.definitions).map(\.id)])
  }
}
