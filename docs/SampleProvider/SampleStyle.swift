import Crypto
import Foundation
import IdentityDocumentServices
import ProviderStyles

/// The sample app in a world, by the name `sample`. On a phone this file is left out.
public struct SampleStyle: ProviderStyle {
  /// The name in world files.
  public let name = "sample"
  /// A short description of the view.
  public let meaning = "the sample of the guide to writing a provider app, with Show and Do Not Show"

  /// Creates the style.
  public init() {}

  /// Returns the sample's extension with what the world gives to the app.
  public func provider(in surroundings: ProviderSurroundings) async -> any IdentityDocumentProvider {
    let environment = ProviderEnvironment(
      storage: WorldStorage(surroundings: surroundings), responder: await surroundings.responder(),
      now: { surroundings.now }, ephemeralKey: { await surroundings.ephemeralKey() },
      show: { await surroundings.report($0.text) })
    return SampleInWorld(environment: environment, surroundings: surroundings)
  }
}

/// The sample's extension, whose view is drawn by the world.
private struct SampleInWorld: IdentityDocumentProvider {
  let environment: ProviderEnvironment
  let surroundings: ProviderSurroundings

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await AuthorizationView(context: context, environment: environment) { content in
        let decision = await surroundings.ask(content.choice, about: context) { choice in
          ProviderView(
            title: "Show your documents to \(content.requester.name)?",
            lines: choice.elements.filter(\.isRetaining).map {
              "\($0.identifier.replacing("_", with: " ").capitalized) will be stored."
            },
            agreeing: ["Show"], declining: ["Do Not Show"])
        }
        return if case .agrees(let choice) = decision { .accept(choice) } else { .decline }
      }.run()
    }
  }

  func performRegistrationUpdates() async {
    await DocumentProviderExtension(environment: environment, decide: { _ in .decline }).performRegistrationUpdates()
  }
}

/// The documents that the world's issuing authorities issued to the app.
private struct WorldStorage: DocumentStorage {
  let surroundings: ProviderSurroundings

  func documents() async throws -> [StoredDocument] {
    try await surroundings.documents().map { document in
      StoredDocument(
        identifier: document.identifier, issuedDocument: document.issuedDocument,
        deviceKey: try P256.Signing.PrivateKey(rawRepresentation: document.deviceKey))
    }
  }

  func presentableDocuments() async throws -> [PresentableDocument] {
    await surroundings.documents().map(\.presentable)
  }

  // The world adds and removes documents itself.
  func add(_: StoredDocument) async throws {}
  func remove(documentIdentifier _: String) async throws {}
}
