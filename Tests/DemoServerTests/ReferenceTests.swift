import Foundation
import Hummingbird
import InteractiveWorlds
import Messaging
import ScenarioLanguage
import TestSupport
import Testing

@testable import DemoServer

/// The reference and the presenter's notes, called without a socket.
@Suite("The reference in the page") struct ReferenceTests {
  private struct Entry: Decodable {
    struct Fact: Decodable, Equatable {
      var name: String
      var text: String
    }

    var name: String
    var title: String?
    var text: String
    var facts: [Fact]
  }

  @Test(arguments: Party.Role.allCases) func everyRoleIsExplained(_ role: Party.Role) throws {
    let entry = try #require(Reference.shared.entry("party-\(role.rawValue)"))
    #expect(entry.title?.isEmpty == false && !entry.text.isEmpty)
    for name in ["Can read", "Holds"] { #expect(entry.facts.contains { $0.name == name && !$0.text.isEmpty }) }
  }

  @Test func everyCheckAndFaultIsExplained() {
    let events = JournalEvent.definitions.map(\.code)
    let faults = DemoFault.all.filter { $0.step != nil }.map(\.name)
    for name in CodeRegistry.checks + events + faults {
      #expect(Reference.shared.entry(name)?.text.isEmpty == false, "\(name)")
    }
  }

  @Test func everyNameHasOneEntry() {
    let names = Reference.shared.sections.flatMap(\.groups).flatMap(\.entries).map(\.name)
    let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(twice.isEmpty)
  }

  @Test func anEntryIsFetchedByItsName() async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(
        uri: "/api/reference?name=issuer.certificate.validity/expired", method: .get)
      let entry = try JSONDecoder().decode(Entry.self, from: Data(buffer: response.body))
      #expect(entry.name == "issuer.certificate.validity/expired" && entry.title == nil)
      #expect(entry.facts.contains(Entry.Fact(name: "Effect", text: "refused")))
      for query in ["", "?name=", "?name=nothing"] {
        let missing = try await client.execute(uri: "/api/reference" + query, method: .get)
        #expect(missing.status == .notFound, "\(query)")
      }
      #expect(try await client.execute(uri: "/api/reference?name=verified", method: .post).status == .methodNotAllowed)
    }
  }

  @Test func thePageHasAPlaceForEveryEntry() async throws {
    try await ServedStage.test { client in
      let page = String(buffer: try await client.execute(uri: "/reference", method: .get).body)
      for entry in Reference.shared.sections.flatMap(\.groups).flatMap(\.entries) {
        #expect(page.contains("<article id=\"\(entry.name)\""), "\(entry.name)")
      }
      #expect(page.contains(/<h3>\s*Operating system\s*<\/h3>/))
      #expect(page.contains(/<h4>\s*<code>issuer\.trust<\/code>\s*<\/h4>/))
      #expect(!page.contains("](#"))
    }
  }

  @Test func textOfDeclarationsIsEscaped() {
    #expect(InlineText("a < b & `x > \"y\"`").html == "a &lt; b &amp; <code>x &gt; &quot;y&quot;</code>")
    #expect(InlineText("see [the `list`](model.md#list), not [this]").withoutLinks == "see the `list`, not [this]")
  }

  @Test(arguments: ["/notes", "/reference", "/tour"]) func pagesOfTheirOwnAreNotFramed(_ path: String) async throws {
    try await ServedStage.test { client in
      let response = try await client.execute(uri: path, method: .get)
      #expect(response.status == .ok)
      #expect(response.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
      #expect(try await client.execute(uri: path, method: .post).status == .methodNotAllowed)
    }
  }
}
