import CBOR
import COSE
import Crypto
import Foundation
import JSON
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing
import TranscriptDiagnosis
import WebPresentment

@testable import ExchangeFiles

/// Documents without a session transcript, and transcripts that are computed from their inputs.
@Suite("Verification without a session transcript")
struct UnprovenDocumentTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  private var roots: JSONValue { get throws { .trust([try parties.root.derEncoded()]) } }

  private func response(over transcript: SessionTranscript) throws -> [UInt8] {
    let held = try HeldDocument(issued: parties.issued, deviceKey: COSEKey(parties.deviceKey.publicKey))
    let request = try RequestedElements.items(
      documentType: Parties.documentType, elements: ["\(Parties.nameSpace):given_name"])
    let document = try held.presented(
      held.answer(to: request).nameSpaces, over: transcript, signedWith: parties.deviceKey)
    return DeviceResponseWriter.encoded(documents: [document])
  }

  @Test("IssuerSigned alone: the issuer's data verify, and possession is not shown")
  func issuerSigned() async throws {
    var draft = Draft(["issuerSigned": .base64URL(parties.issued), "trustedIssuers": try roots])
    let report = try await draft.verified(at: parties.now)
    #expect(!report.isVerified && report.verdict.verified == nil && report.failure == nil, "\(report.text)")
    #expect(report.verdict.issuerData?.documents.first?.documentType == Parties.documentType)
    #expect(report.text.contains("possession of the device was not shown"))
    #expect(report.text.hasSuffix("\n\nissuer-verified") && report.text.contains("given_name"))
    #expect(report.json.hasPrefix(#"{"verdict":"issuer-verified","failure":null"#))
    #expect(report.checks.filter { $0.status == .notReached }.allSatisfy { $0.check.hasPrefix("device.") })
    draft.members["trustedIssuers"] = .array([])
    let untrusted = try await draft.verified(at: parties.now)
    #expect(untrusted.verdict.issuerData == nil && untrusted.failure?.name == "issuer.trust")
    #expect(!untrusted.text.contains("given_name") && !untrusted.json.contains("given_name"))
    let late = Draft(["issuerSigned": .base64URL(parties.issued), "trustedIssuers": try roots])
    #expect(try await late.verified(at: parties.now.adding(days: 301)).failure?.name == "mso.validity/expired")
  }

  @Test("a response without a transcript is never verified")
  func response() async throws {
    let transcript = SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0x80])
    var draft = Draft(["deviceResponse": .base64URL(try response(over: transcript)), "trustedIssuers": try roots])
    let report = try await draft.verified(at: parties.now)
    #expect(!report.isVerified && report.verdict.outcome == "issuer-verified", "\(report.text)")
    draft.members["sessionTranscript"] = .base64URL(transcript.encoded)
    #expect(try await draft.verified(at: parties.now).isVerified)
    draft.members["sessionTranscript"] = .base64URL([0x83, 0xf6, 0xf6, 0x81, 0x00])
    #expect(try await draft.verified(at: parties.now).failure?.name == "device.signature/invalid")
  }

  @Test("a report begins with what failed")
  func failureFirst() async throws {
    let draft = Draft(["issuerSigned": .base64URL(parties.issued), "trustedIssuers": .array([])])
    let lines = try await draft.verified(at: parties.now.adding(days: 301)).text.split(separator: "\n")
    #expect(lines[1].hasPrefix("refused: ") && lines[1].hasSuffix("[issuer.trust]"))
    #expect(lines.prefix(8).contains { $0.contains("and: ") && $0.contains("[mso.validity/expired]") })
  }

  @Test("a file with a document alone is an exchange", arguments: ["IssuerSigned", "Document", "DeviceResponse"])
  func files(kind: String) async throws {
    let document = CBORWriter.encode(capacity: 64) { writer in
      writer.map(2)
      writer.text("docType")
      writer.text(Parties.documentType)
      writer.text("issuerSigned")
      writer.encoded(parties.issued)
    }
    let bytes: [UInt8] =
      switch kind {
      case "IssuerSigned": parties.issued
      case "Document": document
      default: try response(over: SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0x80]))
      }
    for form in [bytes, Array(Base64URL.encode(bytes).utf8), Array(hexadecimal(bytes).utf8)] {
      var draft = try Draft(try IssuedDocument.exchange(of: form, name: "document"))
      draft.members["trustedIssuers"] = try roots
      #expect(try await draft.verified(at: parties.now).verdict.outcome == "issuer-verified")
    }
    #expect(fault { _ = try IssuedDocument.exchange(of: [0x80], name: "document") }?.code == .content)
  }

  @Test("handovers are computed from their inputs")
  func handovers() async throws {
    let key = try fixedAgreementKey(4).publicKey
    let thumbprint = [UInt8](repeating: 7, count: 32)
    let cases: [([String: JSONValue], SessionTranscript)] = [
      (
        [
          "kind": .string("openid4vp-dcapi"), "origin": .string(Parties.origin), "nonce": .string("n"),
          "jwkThumbprint": .base64URL(thumbprint),
        ],
        SessionTranscript(encoded: OtherHandovers.openID4VP(origin: Parties.origin, nonce: "n", thumbprint: thumbprint))
      ),
      (
        [
          "kind": .string("openid4vp"), "clientId": .string("c"), "nonce": .string("n"), "responseUri": .string("u"),
        ],
        SessionTranscript(
          encoded: OtherHandovers.openID4VPRedirect(client: "c", nonce: "n", thumbprint: nil, responseAddress: "u"))
      ),
      (
        [
          "kind": .string("annex-b"), "clientId": .string("c"), "nonce": .string("n"), "responseUri": .string("u"),
          "mdocGeneratedNonce": .string("m"),
        ],
        SessionTranscript(
          encoded: OtherHandovers.annexB(client: "c", responseAddress: "u", nonce: "n", walletNonce: "m"))
      ),
      (
        [
          "kind": .string("apple"), "nonce": .base64URL([1, 2]), "merchantIdentifier": .string("m"),
          "teamIdentifier": .string("t"), "recipientPublicKey": PrivateKeyFile.jwk(of: key),
        ],
        AppleHandover(nonce: [1, 2], merchantIdentifier: "m", teamIdentifier: "t", recipient: key).sessionTranscript
      ),
    ]
    for (members, transcript) in cases {
      var draft = Draft([
        "deviceResponse": .base64URL(try response(over: transcript)), "handover": .objectOf(members),
        "trustedIssuers": try roots,
      ])
      let report = try await draft.verified(at: parties.now)
      #expect(report.isVerified, "\(report.text)")
      var other = members
      other["nonce"] = .string("bzzz")
      draft.members["handover"] = .objectOf(other)
      #expect(try await draft.verified(at: parties.now).failure?.name == "device.signature/invalid")
      other["nonce"] = nil
      draft.members["handover"] = .objectOf(other)
      #expect(draft.problem?.member == "handover.nonce")
    }
    let unknown = Draft([
      "deviceResponse": .base64URL([0xa0]), "handover": .objectOf(["kind": .string("qr")]),
      "trustedIssuers": .array([]),
    ])
    #expect(unknown.problem?.code == .content && unknown.problem?.message.contains("openid4vp-dcapi") == true)
  }

  @Test(
    "a real document with a negative serial number is read, and its signature and digests verify",
    .requiresVectors("real/walt-readme-document.cbor"))
  func negativeSerialNumber() async throws {
    let url = Vectors.folder.appendingPathComponent("real/walt-readme-document.cbor")
    let file = try IssuedDocument.exchange(of: [UInt8](try Data(contentsOf: url)), name: "walt")
    let report = try await Draft(file).verified(at: try moment("2025-06-01T00:00:00Z"))
    for check in ["issuer.signature", "element.digest", "element.coverage"] {
      #expect(report.checks.contains { $0.check == check && $0.status == .passed }, "\(report.text)")
    }
    #expect(
      report.checks.contains {
        $0.name == "issuer.certificate.profile/serial-number" && $0.message == "the serial number is negative"
      })
  }
}
