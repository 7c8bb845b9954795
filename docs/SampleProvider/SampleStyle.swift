import Crypto
import Devices
import Foundation
import IdentityDocumentServices
import Storage

@testable import SampleProvider

/// The sample app in a world, by the name `sample`.
struct SampleStyle: ProviderStyle {
  let name = "sample"
  let meaning = "the sample of the guide to writing a provider app"

  func provider(in surroundings: ProviderSurroundings) async -> any IdentityDocumentProvider {
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
            lines: choice.elements.filter(\.isRetaining).map { "\($0.identifier) will be stored." },
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

  func documents() async throws -> [SampleProvider.StoredDocument] {
    try await surroundings.documents().map { document in
      SampleProvider.StoredDocument(
        identifier: document.identifier, issuedDocument: document.issuedDocument,
        deviceKey: try P256.Signing.PrivateKey(rawRepresentation: document.deviceKey))
    }
  }

  func presentableDocuments() async throws -> [PresentableDocument] {
    await surroundings.documents().map(\.presentable)
  }

  // The world adds and removes documents itself.
  func add(_: SampleProvider.StoredDocument) async throws {}
  func remove(documentIdentifier _: String) async throws {}
}
