import Messaging
import Reports
import ShippedScenarios
import Telling
import Testing

@Suite("Registrations of a journal") struct RegistrationTableTests {
  private static func rows(_ file: String, _ name: String?) async throws -> [RegistrationTable.Row] {
    let results = try await ShippedScenarios.results(of: "\(ShippedScenarios.folder)/\(file).yaml")
    let result = try #require(results.first { name == nil || $0.scenario.caseName == name })
    return RegistrationTable(of: result.journal.entries, on: Party(.operatingSystem, "kellys-iphone")).rows
  }

  @Test func explainingTheSelectorPrintsThem() async throws {
    let results = try await ShippedScenarios.results(of: "\(ShippedScenarios.folder)/headline.yaml")
    let result = try #require(results.first)
    let printed = ExplainReport.text(of: result, about: .selector).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    let rows = RegistrationTable(of: result.journal.entries, on: Party(.operatingSystem, "kellys-iphone")).rows
    #expect(rows.count == 3)
    for fact in rows.flatMap(\.facts) { #expect(printed.contains("\(fact.name) \(fact.value)"), "\(fact)") }
  }

  @Test func oneAppHasSeveralAndOnlyThoseThatMatchAreOffered() async throws {
    let name = "one is of the issuer that is asked for"
    let wallet = try await Self.rows("selector/several-documents", name).filter { $0.app == "Wallet" }
    #expect(wallet.map(\.document).sorted() == ["moonbase", "spaceport"])
    #expect(wallet.filter { $0.choice == .offered }.map(\.document) == ["spaceport"])
  }

  @Test func anAppThatIsRemovedHasNone() async throws {
    let rows = try await Self.rows("provider/apps-change-while-the-selector-is-open", "the only one is removed")
    #expect(!rows.contains { $0.app == "Wallet" }, "\(rows.map(\.app))")
  }
}
