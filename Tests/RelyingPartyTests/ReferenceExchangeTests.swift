import Certificates
import CrossCheckTrait
import Crypto
import DocumentFixtures
import MobileDocument
import RelyingParty
import TestSupport
import TestTraits
import Testing
import X509

@Suite("The exchange that ISO/IEC 18013-7 prints", .crossChecked, .requiresVectors("annex_c_dcapi"))
struct ReferenceExchangeTests {
  @Test("the reference exchange verifies from its JSON on")
  func referenceExchange() async throws {
    let entry = try Vectors.entry("iso-18013-7-annex-c-reference", of: "annex_c_dcapi.json")
    let text = try entry.text("encryption_info_b64u")
    let contents = try UnverifiedDeviceRequest(entry.bytes("device_request_hex")).unverifiedContents()
    let session = VerifierSession(
      identifier: "1", origin: try entry.text("origin"),
      requests: [
        .annexC(
          AnnexCSession(
            documents: contents.documentRequests, encryptionInfoText: text,
            recipientKey: try P256.KeyAgreement.PrivateKey(
              rawRepresentation: entry.bytes("recipient_private_key_hex"))))
      ], expires: try moment("2021-01-01T00:00:00Z"))
    let answer = #"{"response":"\#(try entry.text("response_b64u"))"}"#
    let root = try Certificate(derEncoded: entry.bytes("trust_anchor_der_hex"))
    let context = VerificationContext(
      trustedIssuers: TrustedCertificates([root], for: .documentSigner), revocation: .none)
    let now = try moment("2020-12-31T23:59:59Z")
    let verdict = await context.verdict(
      on: SubmittedAnswer(protocol: "org-iso-mdoc", data: Array(answer.utf8)), to: session, now: { now },
      markUsed: { _ in true }, fetch: { _ in .unreachable("not asked") })
    #expect(verdict.checks.failed == [])
    #expect(
      verdict.checks.deviating == [
        "issuer.certificate.profile/crl-distribution-points", "mso.signer-validity/outlives-signer",
      ])
    let elements = try #require(verdict.documents.first).elements
    #expect(elements.map(\.identifier).sorted() == ["document_number", "family_name"])
    #expect(elements.first { $0.identifier == "family_name" }?.value == .text("Doe"))
  }
}
