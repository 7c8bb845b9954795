import CBOR
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DocumentFixtures
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import TestTraits
import Testing
import WebPresentment
import X509

/// Complete exchanges made for this project: valid ones, and one for each kind of fault.
@Suite("Synthetic exchanges of annex C", .crossChecked, .requiresVectors("synthetic_annex_c"))
struct SyntheticExchangeTests {
  private static let file = "synthetic_annex_c.json"

  /// The findings of each case that is not simply valid: failed checks, then deviations.
  private static let findings: [String: (failed: [String], deviating: [String])] = [
    "ok-no-documents-status-10": (["response.status", "response.documents/no-document"], []),
    // Revocation is not checked here: both documents are on a list.
    "neg-status-revoked": ([], []), "neg-identifier-revoked": ([], []),
    "ok-document-errors": ([], ["element.returned", "element.returned", "response.documents/not-returned"]),
    // The device signs this element, which it may, and the request did not ask for it.
    "ok-device-signed-element": ([], ["element.requested/device-signed"]),
    "ok-tagged-issuerauth": ([], ["issuer.form/tagged"]),
    "ok-x5chain-protected": ([], ["issuer.form/chain-protected"]),
    "ok-fractional-seconds": ([], ["mso.dates/fraction", "mso.dates/fraction"]),
    "ok-untagged-dates": ([], ["mso.dates/untagged", "mso.dates/untagged", "mso.dates/untagged"]),
    "warn-validuntil-after-ds": ([], ["mso.signer-validity/outlives-signer"]),
    "warn-iaca-in-x5chain": ([], ["issuer.certificate.profile/root-in-chain"]),
    "neg-issuer-signature": (["issuer.signature/invalid"], []),
    "ok-boundary-valid": ([], ["mso.validity-order/ends-at-beginning"]),
    "neg-doctype": (["mso.document-type", "document.requested/not-requested"], ["response.documents/not-returned"]),
    "neg-not-yet-valid": (["mso.validity/not-yet-valid"], []),
    "neg-device-key": (["device.signature/invalid"], []),
    // Signed for an unknown document type.
    "neg-device-doctype": (["device.signature/invalid"], []),
    "neg-keyauth-missing": (["device.authorization"], ["element.requested/device-signed"]),
    "neg-ds-wrong-eku": (["issuer.certificate.purpose"], []),
    "neg-ds-no-eku": (["issuer.certificate.purpose/extended-key-usage-missing"], []),
    "neg-ds-expired": (["issuer.certificate.validity/expired"], ["mso.signer-validity/outlives-signer"]),
    "neg-ds-too-long": ([], ["issuer.certificate.profile/validity-period"]),
    "neg-ds-state": (["issuer.certificate.profile/issuer-state"], []),
    "neg-ds-is-ca": (
      [
        "issuer.certificate.end-entity", "issuer.certificate.purpose/extended-key-usage-missing",
        "issuer.certificate.profile/key-usage",
      ], []
    ),
    "neg-rogue-root-in-x5chain": (["issuer.trust"], ["issuer.certificate.profile/root-in-chain"]),
    "neg-duplicate-element": (["element.unique"], []),
    "neg-missing-digest": (["element.coverage/element"], []),
    "neg-device-mac": (["device.signature/mac-unsupported"], []),
    "neg-alg-unprotected": (["issuer.algorithm"], []),
    "neg-version-2": (["response.version"], []),
    "neg-trailing-plaintext": (["response.cbor/trailing-bytes"], []),
    "neg-duplicate-key": (["response.cbor/duplicate-key"], []),
    "neg-empty-documents": (["response.structure/malformed"], []),
    "neg-hpke-ct": (["response.decryption/unexplained"], []),
    "neg-hpke-enc-offcurve": (["response.decryption/encapsulated-key"], []),
    "neg-hpke-enc-compressed": (["response.decryption/encapsulated-key"], []),
    "neg-envelope-tag": (["response.envelope"], []),
    "neg-envelope-missing-enc": (["response.envelope"], []),
    "neg-envelope-trailing": (["response.envelope"], []),
    "neg-envelope-three": (["response.envelope"], []),
    // Sealed for https://evil.example.com, which the diagnosis cannot guess.
    "neg-hpke-origin": (["response.decryption/unexplained"], []),
    "neg-hpke-info-tagged": (["response.decryption/transcript"], []),
  ]

  static var cases: [Vector] { Vectors.entries(of: file).filter { $0["kind"]?.text == "EncryptedResponse case" } }
  static var requests: [Vector] { Vectors.entries(of: file).filter { $0["kind"]?.text == "DeviceRequest" } }

  private func entry(_ identifier: String) throws -> Vector { try Vectors.entry(identifier, of: Self.file) }

  private func text(_ name: String) throws -> String { try #require(try Vectors.file(Self.file)[name]?.text) }

  private var encryptionInfo: EncryptionInfo {
    get throws { try EncryptionInfo(text: Base64URL.encode(entry("encryption-info").bytes("hex"))) }
  }

  @Test("every case is present")
  func count() {
    #expect(Self.cases.count == 47)
    #expect(Self.requests.count == 11)
    #expect(Self.findings.keys.allSatisfy { known in Self.cases.contains { $0.identifier == known } })
  }

  @Test("each request has the stated result", arguments: requests)
  func request(of entry: Vector) throws {
    let transcript = try encryptionInfo.sessionTranscript(origin: text("origin"))
    let request = try UnverifiedDeviceRequest(entry.bytes("hex"))
    let found: AuthenticatedDeviceRequest
    do {
      found = try request.authenticate(over: transcript)
    } catch {
      #expect(error.code == .readerSignature)
      #expect(try entry.text("expect") == "invalid")
      return
    }
    #expect(try entry.text("expect") == "valid")
    let counts = ["req-1.0-unsigned": 0, "req-1.1-two-docs-both-auths": 3]
    #expect(found.readerAuthentications.count == counts[entry.identifier, default: 1])
    let isFinding = entry.identifier == "req-1.1-x5chain-protected"
    #expect(found.findings.map(\.name) == (isFinding ? ["reader.signature/form"] : []))
    #expect(found.findings.allSatisfy { $0.message.hasSuffix(": cose.chain-in-protected-header") })
  }

  @Test("each response has the stated result", arguments: cases)
  func response(of entry: Vector) async throws {
    let checks = try await checks(of: entry)
    let expected = Self.findings[entry.identifier] ?? ([], [])
    #expect(checks.failed == expected.failed)
    #expect(checks.deviating == expected.deviating)
  }

  private func checks(of entry: Vector) async throws -> [CheckResult] {
    let now = try moment(text("verification_time"))
    let asked = entry["request"]?.text ?? "req-1.1-readerAuthAll-useCases"
    let session = VerifierSession(
      identifier: "1", origin: try text("origin"),
      requests: [
        .annexC(
          AnnexCSession(
            documents: try UnverifiedDeviceRequest(self.entry(asked).bytes("hex")).unverifiedContents()
              .documentRequests, encryptionInfoText: try encryptionInfo.text,
            recipientKey: try P256.KeyAgreement.PrivateKey(
              rawRepresentation: self.entry("key-recipient").bytes("d_hex"))))
      ], expires: now.adding(seconds: 1))
    let answer = #"{"response":"\#(Base64URL.encode(try entry.bytes("response_hex")))"}"#
    let anchors = try (entry["trust_anchors"]?.array?.compactMap(\.text) ?? ["cert-iaca"]).map { name in
      try Certificate(derEncoded: self.entry(name).bytes("hex"))
    }
    // Revocation is not checked: the lists of the set are tested with their own vectors.
    let context = VerificationContext(
      trustedIssuers: TrustedCertificates(anchors, for: .documentSigner), revocation: .none)
    var machine = VerificationMachine(of: .session(session), in: context)
    var marked: [String] = []
    let verdict = await machine.run(
      .submitted(SubmittedAnswer(protocol: "org-iso-mdoc", data: Array(answer.utf8))), now: { now },
      markUsed: { identifier in
        marked.append(identifier)
        return true
      }, fetch: { _ in .unreachable("not asked") })
    #expect(marked == ["1"])
    if let opened = machine.deviceResponse { #expect(try opened == entry.bytes("plaintext_hex")) }
    #expect(verdict.isVerified == verdict.checks.failed.isEmpty)
    return verdict.checks
  }
}
