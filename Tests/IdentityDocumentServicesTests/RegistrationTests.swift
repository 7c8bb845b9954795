import Foundation
import IdentityDocumentServices
import TestSupport
import Testing

@Suite("Registrations")
struct RegistrationTests {
  @Test("Enforces the limits of lists and texts")
  func limits() {
    let longest = [UInt8](repeating: 1, count: MobileDocumentRegistration.maximumKeyIdentifierLength)
    let most = MobileDocumentRegistration.maximumIssuerKeyIdentifiers
    let rows: [(MobileDocumentRegistration, Bool)] = [
      (registration(), true), (registration(""), false), (registration(identifier: ""), false),
      (registration(authorities: [longest]), true), (registration(authorities: [longest + [1]]), false),
      (registration(authorities: [[]]), false), (registration(issuers: [Data(longest)]), true),
      (registration(issuers: [Data(longest + [1])]), false), (registration(issuers: [Data()]), false),
      (registration(issuers: [Data](repeating: Data([1]), count: most)), true),
      (registration(issuers: [Data](repeating: Data([1]), count: most + 1)), false),
      (registration(String(repeating: "a", count: MobileDocumentRegistration.maximumNameLength)), true),
      (registration(String(repeating: "a", count: MobileDocumentRegistration.maximumNameLength + 1)), false),
      (
        registration(identifier: String(repeating: "a", count: MobileDocumentRegistration.maximumNameLength + 1)), false
      ),
      (registration(authorities: [[UInt8]](repeating: [1], count: 1_000)), true),
      (registration(authorities: [[UInt8]](repeating: [1], count: 1_001)), false),
    ]
    for (registration, isWithin) in rows { #expect(registration.isWithinLimits == isWithin) }
  }

  @Test("Refuses registrations outside any system")
  func noSystem() async throws {
    let store = IdentityDocumentProviderRegistrationStore()
    #expect(await store.status == .notSupported)
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.notSupported) {
      try await store.addRegistration(registration())
    }
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.notSupported) {
      try await store.removeRegistration(forDocumentIdentifier: "1")
    }
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.notSupported) {
      _ = try await store.registrations
    }
  }

  @Test("The system receives the registrations of its app that are within the limits")
  func registers() async throws {
    let system = RecordingSystem()
    let store = IdentityDocumentServicesHost.$system.withValue(system) { IdentityDocumentProviderRegistrationStore() }
    try await store.addRegistration(registration())
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.invalidRequest) {
      try await store.addRegistration(registration(identifier: ""))
    }
    #expect(try await store.registrations as? [MobileDocumentRegistration] == [registration()])
    try await store.removeRegistration(forDocumentIdentifier: "1")
    #expect(try await store.registrations.isEmpty)
    #expect(await store.status == .authorized)
  }

  @Test("Registers documents that are missing or changed, and removes registrations without a document")
  func changes() {
    let same = registration(identifier: "same")
    let changed = registration(authorities: [[1]], identifier: "changed")
    let new = registration(identifier: "new")
    let changes = RegistrationChanges(
      from: [registration(identifier: "old"), registration(identifier: "changed"), same], to: [new, same, changed])
    #expect(changes.added == [new, changed] && changes.removed == ["old"])
    let none = RegistrationChanges(from: [same, changed], to: [changed, same])
    #expect(none.added.isEmpty && none.removed.isEmpty)
  }

  @Test("An app that requires reader authorities registers nothing while it can name none")
  func unnamedAuthorities() {
    #expect(RegistrationChanges.mayBegin(requiresReaders: true, authorities: [[1]]))
    #expect(!RegistrationChanges.mayBegin(requiresReaders: true, authorities: []))
    #expect(RegistrationChanges.mayBegin(requiresReaders: false, authorities: []))
  }

  @Test("The store accepts 1,000 issuer key identifiers of 1 to 64 bytes")
  func issuerKeyIdentifierLimits() async throws {
    let system = RecordingSystem()
    let store = IdentityDocumentServicesHost.$system.withValue(system) { IdentityDocumentProviderRegistrationStore() }
    let longest = Data(repeating: 1, count: 64)
    try await store.addRegistration(registration(issuers: [Data](repeating: longest, count: 1_000)))
    #expect(await system.registrations().first?.supportedIssuerKeyIdentifiers.count == 1_000)
    for issuers in [[Data](repeating: longest, count: 1_001), [longest + [1]], [longest, Data()]] {
      await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.invalidRequest) {
        try await store.addRegistration(registration(issuers: issuers, identifier: "2"))
      }
    }
    #expect(await system.registrations().map(\.documentIdentifier) == ["1"])
  }

  @Test("Refuses a registration of an unknown type")
  func unknownKind() async throws {
    struct Other: IdentityDocumentRegistration { let documentIdentifier = "1" }
    let store = IdentityDocumentServicesHost.$system.withValue(RecordingSystem()) {
      IdentityDocumentProviderRegistrationStore()
    }
    await #expect(throws: IdentityDocumentProviderRegistrationStore.RegistrationError.invalidRequest) {
      try await store.addRegistration(Other())
    }
  }

  @Test("Default identifiers are distinct UUIDs")
  func generatedIdentifiers() {
    let registrations = (0..<100).map { position in
      position.isMultiple(of: 2)
        ? MobileDocumentRegistration(mobileDocumentType: "t", supportedAuthorityKeyIdentifiers: [])
        : MobileDocumentRegistration(
          mobileDocumentType: "t", supportedIssuerKeyIdentifiers: [], supportedAuthorityKeyIdentifiers: [])
    }
    #expect(registrations.allSatisfy { UUID(uuidString: $0.documentIdentifier)?.uuidString == $0.documentIdentifier })
    #expect(Set(registrations.map(\.documentIdentifier)).count == registrations.count)
  }

  @Test("A registration without an identifier is listed and removed by the one that the system generates")
  func generatedIdentifierRemoves() async throws {
    let system = RecordingSystem()
    let (store, generated) = IdentityDocumentServicesHost.$system.withValue(system) {
      (
        IdentityDocumentProviderRegistrationStore(),
        MobileDocumentRegistration(mobileDocumentType: "t", supportedAuthorityKeyIdentifiers: [])
      )
    }
    try await store.addRegistration(registration(identifier: "kept"))
    try await store.addRegistration(generated)
    #expect(try await store.registrations.map(\.documentIdentifier) == ["kept", "made by the system"])
    try await store.removeRegistration(forDocumentIdentifier: generated.documentIdentifier)
    #expect(try await store.registrations.map(\.documentIdentifier) == ["kept"])
  }

  @Test("Identifiers come from the system, or are distinct")
  func identifiers() {
    let inside = IdentityDocumentServicesHost.$system.withValue(RecordingSystem()) {
      MobileDocumentRegistration(mobileDocumentType: "t", supportedAuthorityKeyIdentifiers: []).documentIdentifier
    }
    #expect(inside == "made by the system")
    #expect(
      IdentityDocumentServicesHost.makeDocumentIdentifier() != IdentityDocumentServicesHost.makeDocumentIdentifier())
  }
}

private actor RecordingSystem: IdentityDocumentServicesSystem {
  private var kept: [MobileDocumentRegistration] = []

  func addRegistration(_ registration: MobileDocumentRegistration) { kept.append(registration) }

  func removeRegistration(forDocumentIdentifier documentIdentifier: String) {
    kept.removeAll { $0.documentIdentifier == documentIdentifier }
  }

  func registrations() -> [MobileDocumentRegistration] { kept }

  func status() -> IdentityDocumentProviderRegistrationStore.Status { .authorized }

  nonisolated func makeDocumentIdentifier() -> String { "made by the system" }
}
