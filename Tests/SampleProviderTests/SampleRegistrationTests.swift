import Certificates
import Foundation
import IdentityDocumentServices
import MobileDocument
import Testing

@testable import SampleProvider

/// A sample app on a scripted system.
struct SampleApp {
  let system: ScriptedSystem
  let screen = ScriptedScreen()
  let environment: ProviderEnvironment

  init(_ documents: [StoredDocument] = [], system: ScriptedSystem = ScriptedSystem()) throws {
    self.system = system
    let screen = screen
    environment = ProviderEnvironment(
      storage: InMemoryDocumentStorage(documents),
      responder: try MobileDocumentResponder(
        trustedReaderRoots: [Data(try Surroundings.shared.readers.root.derEncoded())]),
      now: { Surroundings.now.date }, show: { screen.show($0) })
  }

  var library: DocumentLibrary { DocumentLibrary(environment: environment) }

  /// The app's extension, with a person's decisions.
  func provider(
    deciding decide: @escaping @Sendable (AuthorizationView.Content) async -> AuthorizationView.Decision = { _ in
      .decline
    }
  ) -> DocumentProviderExtension {
    let screen = screen
    return DocumentProviderExtension(environment: environment) { content in
      screen.show(content)
      return await decide(content)
    }
  }

  func add(_ document: StoredDocument) async throws { try await system.running { try await library.add(document) } }

  func registered() async throws -> [MobileDocumentRegistration] {
    try await system.running {
      try await IdentityDocumentProviderRegistrationStore().registrations.compactMap {
        $0 as? MobileDocumentRegistration
      }
    }
  }
}

@Suite("Sample provider: registration")
struct SampleRegistrationTests {
  @Test("a new document is registered at once, and the person is asked once")
  func registersAtOnce() async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp()
    try await app.add(surroundings.document("1"))
    try await app.add(surroundings.document("2", days: 10))
    let registrations = try await app.registered()
    #expect(registrations.map(\.documentIdentifier) == ["1", "2"])
    #expect(registrations.map(\.mobileDocumentType) == [Surroundings.licence, Surroundings.licence])
    #expect(
      registrations.map(\.invalidationDate)
        == [30, 10].map { Surroundings.now.adding(days: $0).date })
    #expect(
      registrations.allSatisfy {
        $0.supportedAuthorityKeyIdentifiers == [Data(surroundings.readers.keyIdentifier)]
          && $0.supportedIssuerKeyIdentifiers == [Data(surroundings.issuer.keyIdentifier)]
      })
    #expect(await app.system.prompts == 1)
    #expect(app.screen.notices.isEmpty)
    #expect(await app.system.running { await app.library.notice() } == nil)
  }

  @Test("after a refusal the app keeps its documents, and registers them when it is allowed in Settings")
  func declinedThenAllowed() async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp(system: ScriptedSystem(allows: false))
    try await app.add(surroundings.document("1"))
    try await app.add(surroundings.document("2"))
    #expect(app.screen.notices == [.allowInSettings, .allowInSettings])
    #expect(await app.system.prompts == 1)
    #expect(await app.system.running { await app.library.notice() } == .allowInSettings)
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.notAuthorized) {
      _ = try await app.registered()
    }
    await app.system.running { await app.provider().performRegistrationUpdates() }
    #expect(await app.system.log.isEmpty)

    await app.system.allowInSettings(app.provider())
    #expect(try await app.registered().map(\.documentIdentifier) == ["1", "2"])
    #expect(await app.system.running { await app.library.notice() } == nil)
  }

  @Test("an update in the background does not ask the person")
  func updateDoesNotAsk() async throws {
    let app = try SampleApp([try Surroundings.shared.document("1")])
    await app.system.running { await app.provider().performRegistrationUpdates() }
    #expect(await app.system.prompts == 0)
    #expect(app.screen.notices.isEmpty)
  }

  @Test("an update registers missing and changed documents and removes deleted ones")
  func updates() async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp()
    for identifier in ["changed", "gone", "same"] { try await app.add(surroundings.document(identifier)) }
    try await app.environment.storage.add(surroundings.document("changed", days: 90))
    try await app.environment.storage.remove(documentIdentifier: "gone")
    try await app.environment.storage.add(surroundings.document("new"))
    let before = await app.system.log.count
    await app.system.running { await app.provider().performRegistrationUpdates() }
    #expect(await app.system.log.dropFirst(before) == ["add changed", "add new", "remove gone"])
    let registrations = try await app.registered()
    #expect(registrations.map(\.documentIdentifier) == ["changed", "new", "same"])
    #expect(registrations.first?.invalidationDate == Surroundings.now.adding(days: 90).date)
    await app.system.running { await app.provider().performRegistrationUpdates() }
    #expect(await app.system.log.count == before + 3)
  }

  @Test("a document without entitlement is kept and reported, and does not block others")
  func notEntitled() async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp()
    try await app.add(surroundings.document("photo", type: "org.iso.23220.photoid.1"))
    try await app.environment.storage.add(surroundings.document("licence"))
    await app.system.running { await app.provider().performRegistrationUpdates() }
    #expect(try await app.registered().map(\.documentIdentifier) == ["licence"])
    let reason = "The registration is not valid."
    #expect(
      app.screen.notices
        == [Notice](repeating: .registrationFailed(documentIdentifier: "photo", reason: reason), count: 2))
    #expect(try await app.environment.storage.documents().count == 2)
  }

  @Test("a document without the issuer's signature is rejected")
  func forged() async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp()
    let (one, other) = (try surroundings.document("1"), try surroundings.document("2"))
    let exchanged = StoredDocument(
      identifier: "1", issuedDocument: one.issuedDocument, deviceKey: other.deviceKey)
    await #expect(throws: DocumentError.self) { try await app.add(exchanged) }
    #expect(try await app.environment.storage.documents().isEmpty)
    #expect(await app.system.prompts == 0)
  }

  @Test("a removed document loses its registration first", arguments: [true, false])
  func removes(isAllowed: Bool) async throws {
    let surroundings = try Surroundings.shared
    let app = try SampleApp(system: ScriptedSystem(allows: isAllowed))
    for identifier in ["1", "2"] { try await app.add(surroundings.document(identifier)) }
    try await app.system.running { try await app.library.remove(documentIdentifier: "1") }
    try await app.system.running { try await app.library.remove(documentIdentifier: "unknown") }
    #expect(try await app.environment.storage.documents().map(\.identifier) == ["2"])
    if isAllowed { #expect(try await app.registered().map(\.documentIdentifier) == ["2"]) }
    #expect(await app.system.log == (isAllowed ? ["add 1", "add 2", "remove 1"] : []))
  }

  @Test("documents are kept where presentment is not supported")
  func notSupported() async throws {
    let app = try SampleApp()
    let document = try Surroundings.shared.document("1")
    try await app.library.add(document)
    #expect(app.screen.notices == [.webPresentmentNotSupported])
    #expect(await app.library.notice() == .webPresentmentNotSupported)
    try await app.library.remove(documentIdentifier: "1")
    #expect(try await app.environment.storage.documents().isEmpty)
  }
}
