import Foundation
import HTTPTypes
import Testing

@testable import DemoServer

/// The registrations that the card of an operating system shows.
@Suite("The card of the operating system") struct RegistrationsTests {
  struct Table: Decodable {
    struct Row: Decodable {
      struct Fact: Decodable {
        var name: String
        var value: String
      }

      var app: String
      var facts: [Fact]
      var isOffered: Bool
    }

    var rows: [Row]
  }

  private static func table(_ client: TestClient, _ query: String) async throws -> [Table.Row] {
    let response = try await client.execute(
      uri: "/api/play/registrations?scenario=headline&device=kellys-iphone\(query)", method: .get)
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONDecoder().decode(Table.self, from: Data(buffer: response.body)).rows
  }

  @Test func itShowsEachRegistrationAndTheResultOfTheLastRequest() async throws {
    try await ServedStage.test { client in
      let rows = try await Self.table(client, "")
      #expect(rows.map(\.app).sorted() == ["Local Driving Authority", "Other Wallet", "Wallet"])
      for row in rows {
        #expect(row.facts.map(\.name) == ["document", "issuer keys", "readers", "until", "last request"])
        #expect(row.facts[0].value.contains("org.iso.18013.5.1.mDL") && row.facts[1].value.count >= 40)
      }
      let wallet = try #require(rows.first { $0.app == "Wallet" })
      #expect(wallet.isOffered && wallet.facts[4].value == "offered" && wallet.facts[2].value.contains("Apple"))
      let other = try #require(rows.first { $0.app == "Other Wallet" })
      #expect(!other.isOffered && other.facts[4].value.hasSuffix("[selector.reader/untrusted]"), "\(other)")
    }
  }

  @Test func beforeTheRequestNothingIsOffered() async throws {
    try await ServedStage.test { client in
      #expect(try await Self.table(client, "&line=1").isEmpty)
      let response = try await client.execute(uri: "/api/play/registrations?scenario=headline", method: .get)
      #expect(response.status == .badRequest)
    }
  }
}
