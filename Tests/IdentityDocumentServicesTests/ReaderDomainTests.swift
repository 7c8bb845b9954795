import Certificates
import Checks
import Foundation
import IdentityDocumentServices
import Testing
import X509

@Suite("The domain of a reader certificate")
struct ReaderDomainTests {
  private static let phishing = "https://phish.example"

  /// The finding of an app that trusts the first reader authority about a request of a website.
  private func finding(
    signedBy chain: [Certificate], from origin: String, answersOtherDomains: Bool = false
  ) async throws -> ProviderFinding? {
    let raw = try Exchange.shared.rawRequest(signedBy: [chain], origin: origin)
    var responder = try Exchange.responder()
    responder.answersOtherDomains = answersOtherDomains
    do {
      return try await responder.validateRawRequest(raw, origin: URL(string: origin), at: Readers.now.date)
        .otherDomain?.finding
    } catch {
      return error.finding
    }
  }

  @Test("A website with the reader certificate of another one is refused, unless the app answers it all the same")
  func differs() async throws {
    let readers = try Readers.shared
    let differs = ProviderFinding(.domain, .differs)
    #expect(try await finding(signedBy: readers.ofFirst, from: Exchange.origin) == nil)
    #expect(try await finding(signedBy: readers.ofFirst, from: Exchange.origin + ":8443") == nil)
    #expect(try await finding(signedBy: readers.ofFirst, from: Self.phishing) == differs)
    #expect(try await finding(signedBy: readers.ofFirst, from: Self.phishing, answersOtherDomains: true) == differs)
    let raw = try Exchange.shared.rawRequest(signedBy: [readers.ofFirst], origin: Self.phishing)
    await #expect(throws: ProviderRefusal.self) {
      try await Exchange.responder().validateRawRequest(
        raw, origin: URL(string: Self.phishing), at: Readers.now.date)
    }
  }

  @Test("A certificate without a domain name is accepted with a finding")
  func missing() async throws {
    let readers = try Readers.shared
    let nameless = try readers.first.issue(
      name: CertificateName(commonName: "nameless"), publicKey: Certificate.PublicKey(readers.key.publicKey),
      terms: CertificateAuthority.Terms(
        from: Readers.now.adding(days: -1), until: Readers.now.adding(days: 10),
        serialNumber: [UInt8](repeating: 6, count: 16)),
      extensions: try Certificate.Extensions {
        Critical(KeyUsage(digitalSignature: true))
        Critical(try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: CertificateOID.readerKeyPurpose)]))
        AuthorityKeyIdentifier(keyIdentifier: ArraySlice(readers.first.keyIdentifier))
        SubjectKeyIdentifier(hash: Certificate.PublicKey(readers.key.publicKey))
      })
    #expect(try await finding(signedBy: [nameless], from: Self.phishing) == ProviderFinding(.domain, .missing))
  }
}
