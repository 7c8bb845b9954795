import CBOR
import CrossCheckTrait
import DigitalCredentials
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing
import WebPresentment

@testable import ExchangeFiles

/// Exchanges and responses of other implementations, each built into an exchange file and verified.
@Suite("Exchanges of other implementations", .crossChecked)
struct OtherVectorTests {
  /// Returns the start of validity of the mobile security object, a time at which the document has not expired.
  private static func start(_ response: [UInt8]) throws -> DateTime {
    let document = try #require(try UnverifiedDeviceResponse(response).documents.first)
    let signed = try CBORReader.read(document.issuerSigned.issuerAuthBytes, leniency: .received)
    let parts = try signed.array()
    return try #require(try MobileSecurityObject(payload: try parts.at(2).bytes()).validity).validFrom
  }

  @Test("the sealed response of the reference exchange of ISO/IEC 18013-7 verifies", .requiresVectors("annex_c_dcapi"))
  func reference() async throws {
    let entry = try Vectors.entry("iso-18013-7-annex-c-reference", of: "annex_c_dcapi.json")
    let draft = Draft([
      "origin": .string(try entry.text("origin")),
      "request": .request(try entry.text("device_request_b64u"), try entry.text("encryption_info_b64u")),
      "response": .string(try entry.text("response_b64u")),
      "recipientPrivateKey": try .jwk(try entry.bytes("recipient_private_key_hex")),
      "trustedIssuers": .trust([try entry.bytes("trust_anchor_der_hex")]),
    ])
    let moment = try Self.start(try entry.bytes("plaintext_device_response_hex"))
    let report = try await draft.verified(at: moment)
    #expect(report.isVerified, "\(report.text)")
    // The annex's own data is valid for longer than its signer's certificate.
    #expect(report.checks.contains { $0.name == "mso.signer-validity/outlives-signer" && $0.status == .deviates })
    #expect(report.json.contains(#""family_name":"Doe""#))
    var slashed = draft
    slashed.members["origin"] = .string(try entry.text("origin") + "/")
    #expect(try await slashed.verified(at: moment).failure?.name == "response.decryption/transcript")
  }

  @Test(
    "a wallet's response to a verifier of walt.id verifies except for its unpublished root",
    .requiresVectors("annex_c_dcapi"))
  func waltid() async throws {
    let entry = try Vectors.entry("waltid-verifier-session", of: "annex_c_dcapi.json")
    let response = try entry.bytes("plaintext_device_response_hex")
    let draft = Draft([
      "origin": .string(try entry.text("origin")),
      "request": .request(try entry.text("device_request_b64u"), try entry.text("encryption_info_b64u")),
      "deviceResponse": .base64URL(response), "trustedIssuers": .array([]),
    ])
    let report = try await draft.verified(at: try Self.start(response))
    #expect(report.checks.filter { $0.status == .failed }.map(\.name) == ["issuer.trust"], "\(report.text)")
    #expect(report.checks.contains { $0.check == "device.signature" && $0.status == .passed })
  }

  @Test("a developer's mock response is refused as not issuer authenticated", .requiresVectors("annex_c_dcapi"))
  func mock() async throws {
    let entry = try Vectors.entry("apple-developer-test-response", of: "annex_c_dcapi.json")
    let response = try entry.bytes("hex")
    let draft = Draft([
      "deviceResponse": .base64URL(response), "trustedIssuers": .array([]),
      "sessionTranscript": .base64URL(try entry.bytes("session_transcript_hex")),
    ])
    let report = try await draft.verified(at: try Self.start(response))
    #expect(report.failure?.name == "issuer.certificate")
    #expect(report.text.contains("not issuer authenticated"))
    #expect(report.checks.contains { $0.check == "device.signature" && $0.status == .passed })
  }

  private static let responses = Vectors.entries(of: "device_responses.json")
  private static let withTranscript = responses.filter { $0["session_transcript_hex"] != nil }

  /// Checks that may fail without a published root: most of these signers have test certificates, and some signed
  /// within the hour before their certificates were valid.
  private static let aboutSigners: Set<String> = [
    "issuer.trust", "issuer.certificate.purpose", "issuer.certificate.profile/key-usage",
    "mso.signer-validity/signed-outside", "mso.signer-validity/signed-early",
  ]

  /// A response whose root has an encoding that the library's strict DER reader refuses.
  private static let unreadableRoot = "mdoc-ts-ubique"

  @Test("all responses are present", .requiresVectors("device_responses"))
  func count() {
    #expect(Self.responses.count == 27 && Self.withTranscript.count == 21)
  }

  @Test(
    "responses with a transcript verify, except for an unpublished root", .requiresVectors("device_responses"),
    arguments: withTranscript)
  func response(of entry: Vector) async throws {
    let response = try entry.bytes("hex")
    let anchors = entry["trust_anchors_der_hex"]?.array?.compactMap { $0.text.flatMap(Hex.decode) } ?? []
    let draft = Draft([
      "deviceResponse": .base64URL(response), "trustedIssuers": .trust(anchors),
      "sessionTranscript": .base64URL(try entry.bytes("session_transcript_hex")),
    ])
    guard entry.identifier != Self.unreadableRoot else {
      #expect(draft.problem?.code == .certificate && draft.problem?.member == "trustedIssuers[0]")
      return
    }
    let report = try await draft.verified(at: try Self.start(response))
    let failed = report.checks.filter { $0.status == .failed }.map(\.name)
    if anchors.isEmpty {
      #expect(
        report.failure?.name == "issuer.trust" && Self.aboutSigners.isSuperset(of: failed), "\(report.text)")
    } else {
      #expect(report.isVerified && failed.isEmpty, "\(report.text)")
    }
  }

  @Test("responses with wrong digests are refused for them", .requiresVectors("device_responses"))
  func digests() async throws {
    let entry = try Vectors.entry("eudi-verifier-readme-bad-digest", of: "device_responses.json")
    let response = try entry.bytes("hex")
    let anchors = try #require(entry["trust_anchors_der_hex"]?.array?.compactMap { $0.text.flatMap(Hex.decode) })
    let draft = Draft([
      "deviceResponse": .base64URL(response), "trustedIssuers": .trust(anchors),
      // Its transcript is not published, so the device's signature fails too.
      "sessionTranscript": .base64URL([0x83, 0xf6, 0xf6, 0xf6]),
    ])
    let failed = try await draft.verified(at: try Self.start(response)).checks.filter { $0.status == .failed }
    #expect(failed.map(\.name).contains("element.digest"))
  }
}
