import Ecosystem
import Testing

@testable import Scenarios

@Suite("Codes")
struct CodeRegistryTests {
  @Test("stand in the registry once")
  func unique() {
    var seen: Set<String> = []
    let repeated = CodeRegistry.all.filter { !seen.insert($0).inserted }
    #expect(repeated.isEmpty)
    #expect(CodeRegistry.all.count > 100)
  }

  @Test("are lower-case words joined by dots")
  func shape() {
    for code in CodeRegistry.all {
      #expect(code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*/) != nil, "\(code)")
    }
  }

  @Test("are all that a journal of a shipped scenario holds")
  func complete() async throws {
    let known = Set(CodeRegistry.all)
    for result in try await ShippedScenarios.results() {
      for entry in result.journal.entries {
        guard case .decision(let made) = entry.event else { continue }
        #expect(known.contains(made.code), "\(made.code) in \(result.scenario.path)")
      }
    }
  }
}
