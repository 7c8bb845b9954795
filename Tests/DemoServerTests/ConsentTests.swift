import Foundation
import Hummingbird
import TestSupport
import Testing

@testable import DemoServer

/// The apps' views of a play, with what only the world knows.
@Suite("Consent on the stage") struct ConsentTests {
  private static let folder = Programs.package.appendingPathComponent("scenarios").path

  private struct Played: Decodable {
    struct Screen: Decodable {
      struct Device: Decodable { var authorization: Authorization? }

      var devices: [String: Device]
    }

    var screens: [Screen]
  }

  private struct Authorization: Decodable {
    struct Element: Decodable {
      var documentType: String
      var identifier: String
      var absence: String?
    }

    struct Card: Decodable, Equatable {
      var documentType: String
      var title: String
      var issuer: String?
      var hasPortrait: Bool
      var isChosen: Bool
    }

    var elements: [Element]
    var cards: [Card]
    var certifiedBy: String?
    var icon: String?
    var isRequesterCertified: Bool
  }

  /// The first view of an app in a scenario.
  private static func view(in scenario: String) async throws -> Authorization {
    let server = try DemoServer(DemoServer.Configuration(world: folder + "/worlds/spaceport.yaml", folder: folder))
    let play = try await server.test { client in
      let response = try await client.execute(uri: "/api/play?scenario=\(scenario)", method: .get)
      return try JSONDecoder().decode(Played.self, from: Data(buffer: response.body))
    }
    return try #require(play.screens.flatMap(\.devices.values).compactMap(\.authorization).first)
  }

  @Test func elementsHaveTheOrderOfTheWebsitesList() async throws {
    let view = try await Self.view(in: "headline")
    #expect(
      view.elements.map(\.identifier) == ["given_name", "family_name", "age_over_21", "portrait", "driving_privileges"])
  }

  @Test func aCardNamesTheIssuingAuthority() async throws {
    let view = try await Self.view(in: "headline")
    #expect(
      view.cards == [
        Authorization.Card(
          documentType: "org.iso.18013.5.1.mDL", title: "Driver's License", issuer: "Spaceport DMV", hasPortrait: true,
          isChosen: true)
      ])
  }

  @Test func eachOfTwoDocumentsHasACard() async throws {
    let view = try await Self.view(in: "documents/two-documents-together")
    #expect(view.cards.map(\.issuer) == ["Spaceport DMV Root", "Passport Office Root"])
    #expect(Set(view.cards.map(\.documentType)) == Set(view.elements.map(\.documentType)))
  }

  @Test func aDocumentThatCanBeChosenInsteadHasACardToo() async throws {
    let view = try await Self.view(in: "documents/two-licenses-in-one-app")
    #expect(view.cards.map(\.isChosen) == [true, false])
    #expect(view.cards.map(\.issuer) == ["Spaceport DMV Root", "Moonbase DMV Root"])
    #expect(view.elements.filter { $0.absence == nil }.map(\.identifier) == ["given_name", "document_number"])
  }

  @Test func theAuthorityThatCertifiedTheNameIsNamed() async throws {
    let inWallet = try await Self.view(in: "headline")
    #expect(inWallet.certifiedBy == "Apple Business Connect")
    let inAnother = try await Self.view(in: "consent/declined-in-local-driving-authority")
    #expect(inAnother.certifiedBy == "Local Driving Authority" && inAnother.icon == "spaceship.svg")
    let uncertified = try await Self.view(in: "selector/unsigned-request-answered")
    #expect(!uncertified.isRequesterCertified && uncertified.certifiedBy == nil)
  }
}
