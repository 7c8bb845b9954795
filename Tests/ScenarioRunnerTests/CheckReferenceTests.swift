import Foundation
import Testing

@testable import ScenarioLanguage

@Suite("The reference page of checks")
struct CheckReferenceTests {
  private static let url = ShippedScenarios.root.appendingPathComponent("docs/checks.md")

  @Test("the page has the tables of the declarations; PRESENTMENT_WRITE_CHECKS=1 writes them")
  func page() throws {
    let page = try String(contentsOf: Self.url, encoding: .utf8)
    let updated = CheckReference.updated(page)
    if ProcessInfo.processInfo.environment["PRESENTMENT_WRITE_CHECKS"] == "1" {
      try updated.write(to: Self.url, atomically: true, encoding: .utf8)
    } else {
      #expect(page == updated)
    }
    for (name, _) in CheckReference.tables { #expect(page.contains("<!-- checks: \(name) -->"), "\(name)") }
  }
}
