import CBOR
import CrossCheckTrait
import DigitalCredentials
import Foundation
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import TestTraits
import Testing
import WebPresentment

@testable import ExchangeFiles

/// The exchanges of `synthetic_annex_c.json`, each built into an exchange file and verified.
@Suite("Exchanges of the synthetic set", .crossChecked, .requiresVectors("synthetic_annex_c"))
struct SyntheticVectorTests {
  private static let file = "synthetic_annex_c.json"
  private static let cases = Vectors.entries(of: file).filter { $0["kind"]?.text == "EncryptedResponse case" }

  /// The codes of the refusals that the set requires. One rule of the set can correspond to several codes.
  private static let codes: [String: String] = [
    "neg-issuer-signature": "issuer.signature/invalid",
    "neg-doctype": "mso.document-type",
    "neg-not-yet-valid": "mso.validity/not-yet-valid",
    "neg-device-key": "device.signature/invalid",
    "neg-device-doctype": "device.signature/invalid",
    "neg-keyauth-missing": "device.authorization",
    "neg-ds-wrong-eku": "issuer.certificate.purpose",
    "neg-ds-no-eku": "issuer.certificate.purpose/extended-key-usage-missing",
    "neg-ds-expired": "issuer.certificate.validity/expired",
    "neg-ds-state": "issuer.certificate.profile/issuer-state",
    "neg-ds-is-ca": "issuer.certificate.end-entity",
    "neg-rogue-root-in-x5chain": "issuer.trust",
    "neg-duplicate-element": "element.unique",
    "neg-missing-digest": "element.coverage/element",
    "neg-device-mac": "device.signature/mac-unsupported",
    "neg-alg-unprotected": "issuer.algorithm",
    "neg-version-2": "response.version",
    "neg-trailing-plaintext": "response.cbor/trailing-bytes",
    "neg-duplicate-key": "response.cbor/duplicate-key",
    "neg-empty-documents": "response.structure/malformed",
    "neg-hpke-ct": "response.decryption/unexplained",
    "neg-hpke-enc-offcurve": "response.decryption/encapsulated-key",
    "neg-hpke-enc-compressed": "response.decryption/encapsulated-key",
    "neg-envelope-tag": "response.envelope",
    "neg-envelope-missing-enc": "response.envelope",
    "neg-envelope-trailing": "response.envelope",
    "neg-envelope-three": "response.envelope",
    "neg-hpke-origin": "response.decryption/unexplained",
    "neg-hpke-info-tagged": "response.decryption/transcript",
    "ok-no-documents-status-10": "response.status",
    // The lists of the set are signed with the document signer's key; they also revoke the document.
    "neg-status-revoked": "status.list.signer",
    "neg-identifier-revoked": "status.list.signer",
  ]

  /// The deviations that the set allows a verifier to accept, with the code of the finding.
  private static let deviations: [String: String] = [
    "ok-tagged-issuerauth": "issuer.form/tagged",
    "ok-x5chain-protected": "issuer.form/chain-protected",
    "ok-fractional-seconds": "mso.dates/fraction",
    "ok-untagged-dates": "mso.dates/untagged",
    "ok-boundary-valid": "mso.validity-order/ends-at-beginning",
    // The device signs this element, which it may, and the request did not ask for it.
    "ok-device-signed-element": "element.requested/device-signed",
    "warn-validuntil-after-ds": "mso.signer-validity/outlives-signer",
    "neg-ds-too-long": "issuer.certificate.profile/validity-period",
    "warn-iaca-in-x5chain": "issuer.certificate.profile/root-in-chain",
  ]

  /// The exchange file of a case.
  static func draft(_ entry: Vector) throws -> Draft {
    let origin = try #require(try Vectors.file(file)["origin"]?.text)
    let information = try Vectors.entry("encryption-info", of: file).text("base64url")
    let request = try Vectors.entry(entry["request"]?.text ?? "req-1.1-readerAuthAll-useCases", of: file)
    let anchors = entry["trust_anchors"]?.array?.compactMap(\.text) ?? ["cert-iaca"]
    return Draft([
      "origin": .string(origin), "request": .request(try request.text("base64url"), information),
      "response": .base64URL(try entry.bytes("response_hex")),
      "recipientPrivateKey": try .jwk(try Vectors.entry("key-recipient", of: file).bytes("d_hex")),
      "trustedIssuers": .trust(try anchors.map { try Vectors.entry($0, of: file).bytes("hex") }),
      "statusLists": .objectOf([
        "https://issuer.example.com/status/1": .base64URL(
          try Vectors.entry("status-list-token", of: file).bytes("hex")),
        "https://issuer.example.com/idlist/1": .base64URL(
          try Vectors.entry("identifier-list-token", of: file).bytes("hex")),
      ]),
    ])
  }

  static func moment() throws -> DateTime {
    try ExchangeFilesTests.moment(try #require(try Vectors.file(file)["verification_time"]?.text))
  }

  @Test("Every exchange of the set has its answer in one of the tables")
  func complete() {
    #expect(Self.cases.count == 47)
    for entry in Self.cases {
      let isRefused = ["invalid", "no-data"].contains(entry["expect"]?.text)
      #expect((Self.codes[entry.identifier] != nil) == isRefused, "\(entry)")
    }
  }

  @Test("Each exchange gives its stated result", arguments: cases)
  func verdict(of entry: Vector) async throws {
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    if let code = Self.codes[entry.identifier] {
      #expect(!report.isVerified && report.failure?.name == code, "\(report.failure?.name ?? "verified")")
    } else {
      #expect(report.isVerified, "\(report.failure.map { "\($0.name): \($0.message)" } ?? "")")
      let code = Self.deviations[entry.identifier]
      if let code { #expect(report.checks.contains { $0.name == code && $0.status == .deviates }) }
      var strict = try Self.draft(entry)
      strict.members["policy"] = .string("strict")
      #expect(try await strict.verified(at: try Self.moment()).failure?.name == code)
    }
  }

  @Test("The JSON of a report has elements that only the device signed apart from the issuer's")
  func deviceSigned() async throws {
    let entry = try Vectors.entry("ok-device-signed-element", of: Self.file)
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    let document = try #require(report.verdict.documents.first)
    let own = document.elements.filter(\.isDeviceSigned)
    #expect(!own.isEmpty)
    let json = report.json
    let parts = json.components(separatedBy: #""deviceSignedElements":"#)
    #expect(parts.count == 2)
    for element in own {
      #expect(parts[1].contains("\"\(element.identifier)\":"))
      #expect(!parts[0].components(separatedBy: #""documents":"#)[1].contains("\"\(element.identifier)\":"))
    }
  }

  @Test("A document on a list is revoked; without the list its status is unknown")
  func revoked() async throws {
    let entry = try Vectors.entry("neg-status-revoked", of: Self.file)
    let listed = try await Self.draft(entry).verified(at: try Self.moment())
    #expect(listed.checks.contains { $0.name == "status.revocation/revoked" && $0.status == .failed })
    var draft = try Self.draft(entry)
    draft.members["statusLists"] = nil
    let unknown = try await draft.verified(at: try Self.moment())
    #expect(unknown.isVerified)
    #expect(unknown.checks.contains { $0.name == "status.list.fetched" && $0.status == .deviates })
  }

  @Test("Reports name every check, reached or not", arguments: cases)
  func everyCheck(of entry: Vector) async throws {
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    let named = Set(report.checks.map(\.check))
    let exchange = ExchangeCheck.definitions.map(\.id).filter { !$0.hasPrefix("session.") }
    for id in exchange + ResponseCheck.definitions.map(\.id) { #expect(named.contains(id), "\(id)") }
    #expect(!named.contains { $0.hasPrefix("session.") })
  }

  @Test("Reports show elements only if no check failed", arguments: cases)
  func secrecy(of entry: Vector) async throws {
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    let response = try? UnverifiedDeviceResponse(try entry.bytes("plaintext_hex"))
    let texts = (response?.documents ?? []).flatMap(\.issuerSigned.nameSpaces).flatMap(\.items).compactMap { item in
      if case .text(let text) = item.value.elementValue, text.count > 3 { text } else { nil }
    }
    for text in texts {
      #expect(report.text.contains(text) == report.isVerified, "\(text)")
      #expect(report.json.contains(text) == report.isVerified, "\(text)")
    }
    if entry.identifier == "ok-basic" { #expect(texts.count > 0 && report.isVerified) }
  }
}
