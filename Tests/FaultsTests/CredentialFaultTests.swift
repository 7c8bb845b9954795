import COSE
import Certificates
import Checks
import Faults
import MobileDocument
import SDJWT
import StatusLists
import Testing

@Suite("Faults of SD-JWT credentials")
struct CredentialFaultTests {
  private static let type = "urn:eudi:pid:1"

  /// The codes of the failed and of the deviating checks.
  private func findings(_ fault: Fault?) async throws -> (failed: Set<String>, deviating: Set<String>) {
    let parties = try Parties()
    let key = COSEKey(parties.deviceKey.publicKey)
    var draft = try SDJWTDraft(
      type: Self.type,
      elements: [
        DocumentDraft.Element("given_name", .text("Kelly")),
        DocumentDraft.Element("nationalities", .array([.text("US"), .text("FR")])),
      ], holderKey: key,
      validity: MobileSecurityObject.Validity(
        signed: parties.moment, validFrom: parties.moment, validUntil: parties.moment.adding(days: 365)))
    draft.status = StatusReference(.index(7), uri: "https://registry.example/statuses")
    var salts = CountedRandomness()
    let issued = try draft.issued(by: parties.issuer.signer, chain: [parties.issuer.certificate]) { salts.bytes($0) }
    let held = try HeldSDJWT(issued: issued, holderKey: key)
    var given = Array(issued.utf8)
    if let fault {
      var salts = CountedRandomness(next: 100)
      given = try parties.issuer.issued(draft, with: try #require(fault.credentialChange)) { salts.bytes($0) }
    }
    let presented = UncheckedCredential(issued: given).presented(
      disclosing: Set(0..<held.disclosureCount), of: held)
    let binding = HeldSDJWT.KeyBinding(
      audience: "origin:\(parties.origin)", nonce: "a nonce", issuedAt: parties.moment)
    let text = presented + (try held.keyBinding(over: presented, binding, signedWith: parties.deviceKey))
    let verifier = SDJWTVerifier(
      trustedIssuers: TrustedCertificates([try parties.authority.root], for: .documentSigner))
    let report = await verifier.verify(
      text, types: [Self.type], binding: ExpectedKeyBinding(audience: binding.audience, nonce: binding.nonce),
      at: parties.moment)
    func codes(_ outcome: CheckResult.Status) -> Set<String> {
      Set(report.checks.filter { $0.status == outcome }.map(\.name))
    }
    #expect((report.verified != nil) == codes(.failed).isEmpty)
    return (codes(.failed), codes(.deviates))
  }

  @Test("a credential without a fault verifies without findings")
  func none() async throws {
    let (failed, deviating) = try await findings(nil)
    #expect(failed == [] && deviating == [])
  }

  @Test("each fault of a credential gives exactly its declared findings", arguments: Fault.ofCredentials)
  func declared(_ fault: Fault) async throws {
    let (failed, deviating) = try await findings(fault)
    #expect(failed == Set(fault.findings.failed))
    #expect(deviating == Set(fault.findings.deviating))
  }
}
