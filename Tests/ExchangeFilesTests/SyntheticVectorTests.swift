import CBOR
import CrossCheckTrait
import DigitalCredentials
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

@testable import ExchangeFiles

/// The exchanges of `synthetic_annex_c.json`, each built into an exchange file and verified.
@Suite("Exchanges of the synthetic set", .secondOpinion, .enabled(if: Vectors.areHere))
struct SyntheticVectorTests {
  private static let file = "synthetic_annex_c.json"
  private static let cases = Vectors.entries(of: file).filter { $0["kind"]?.text == "EncryptedResponse case" }

  /// Which code refuses what the set says must be refused. One rule of the set can be several of ours.
  private static let codes: [String: String] = [
    "neg-issuer-signature": "issuer.signature",
    "neg-doctype": "mso.document-type",
    "neg-not-yet-valid": "mso.validity.not-yet-valid",
    "neg-device-key": "device.signature",
    "neg-device-doctype": "device.signature",
    "neg-keyauth-missing": "device.not-authorized",
    "neg-ds-wrong-eku": "issuer.certificate-purpose",
    "neg-ds-no-eku": "issuer.certificate-purpose",
    "neg-ds-expired": "issuer.certificate-expired",
    "neg-ds-state": "issuer.certificate-profile",
    "neg-ds-is-ca": "issuer.certificate-authority",
    "neg-rogue-root-in-x5chain": "issuer.not-trusted",
    "neg-duplicate-element": "element.twice",
    "neg-missing-digest": "element.not-covered",
    "neg-device-mac": "device.mac",
    "neg-alg-unprotected": "issuer.algorithm",
    "neg-version-2": "response.version",
    "neg-trailing-plaintext": "response.trailing-bytes",
    "neg-duplicate-key": "response.duplicate-key",
    "neg-empty-documents": "response.malformed",
    "neg-hpke-ct": "response.hpke-open",
    "neg-hpke-enc-offcurve": "response.hpke-encapsulated-key",
    "neg-hpke-enc-compressed": "response.hpke-encapsulated-key",
    "neg-envelope-tag": "response.envelope",
    "neg-envelope-missing-enc": "response.envelope",
    "neg-envelope-trailing": "response.envelope",
    "neg-envelope-three": "response.envelope",
    "neg-hpke-origin": "response.hpke-open",
    "neg-hpke-info-tagged": "response.hpke-info",
    "ok-no-documents-status-10": "response.status",
    // The lists of the set are signed with the document signer's key; they say revoked besides.
    "neg-status-revoked": "status.list-signer",
    "neg-identifier-revoked": "status.list-signer",
  ]

  /// What the set lets a verifier accept, and the code of the finding.
  private static let deviations: [String: String] = [
    "ok-tagged-issuerauth": "issuer.form.tagged",
    "ok-x5chain-protected": "issuer.form.chain-protected",
    "ok-fractional-seconds": "mso.date.fraction",
    "ok-untagged-dates": "mso.date.untagged",
    "ok-boundary-valid": "mso.validity.ends-at-beginning",
    // Nobody asked for the element that the device signs and may sign.
    "ok-device-signed-element": "element.not-requested",
    "warn-validuntil-after-ds": "mso.validity.beyond-signer",
    "neg-ds-too-long": "certificate.validity-period",
    "warn-iaca-in-x5chain": "certificate.root-in-chain",
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

  @Test("are all here, and each has its answer in one of the tables")
  func complete() {
    #expect(Self.cases.count == 47)
    for entry in Self.cases {
      let isRefused = ["invalid", "no-data"].contains(entry["expect"]?.text)
      #expect((Self.codes[entry.identifier] != nil) == isRefused, "\(entry)")
    }
  }

  @Test("come out as they say", arguments: cases)
  func verdict(of entry: Vector) async throws {
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    if let code = Self.codes[entry.identifier] {
      #expect(!report.isVerified && report.failure?.code == code, "\(report.failure?.code ?? "verified")")
    } else {
      #expect(report.isVerified, "\(report.failure.map { "\($0.code): \($0.sentence)" } ?? "")")
      let code = Self.deviations[entry.identifier]
      if let code { #expect(report.checks.contains { $0.code == code && $0.outcome == .deviates }) }
      var strict = try Self.draft(entry)
      strict.members["policy"] = .string("strict")
      #expect(try await strict.verified(at: try Self.moment()).failure?.code == code)
    }
  }

  @Test("a document on a list is revoked, and without the list its status is unknown")
  func revoked() async throws {
    let entry = try Vectors.entry("neg-status-revoked", of: Self.file)
    let listed = try await Self.draft(entry).verified(at: try Self.moment())
    #expect(listed.checks.contains { $0.code == "status.revoked" && $0.outcome == .failed })
    var draft = try Self.draft(entry)
    draft.members["statusLists"] = nil
    let unknown = try await draft.verified(at: try Self.moment())
    #expect(unknown.isVerified)
    #expect(unknown.checks.contains { $0.code == "status.unreachable" && $0.outcome == .deviates })
  }

  @Test("name every check, whether or not it was reached", arguments: cases)
  func everyCheck(of entry: Vector) async throws {
    let report = try await Self.draft(entry).verified(at: try Self.moment())
    let named = Set(report.checks.map(\.code))
    // These are left out where they do not apply, or take the place of others.
    let conditional: Set<String> = [
      "device.mac", "device.signature", "device.transcript", "device.signed-twice", "device.header-twice",
      "device.signature-form", "device.payload", "issuer.country", "issuer.jurisdiction", "issuer.header-twice",
      "issuer.thumbprint",
      "issuer.signature-form", "mso.duplicate-key", "mso.trailing-bytes", "document.surplus",
      "response.hpke-encapsulated-key",
      "response.hpke-info", "response.hpke-suite", "response.another-session",
    ]
    let whyNotOpened = conditional.filter { $0.hasPrefix("response.") }
    let sessions = ExchangeCheck.allCases.map(\.rawValue).filter { $0.hasPrefix("session.") }
    for code in ExchangeCheck.allCases.map(\.rawValue) + ResponseCheck.allCases.map(\.rawValue)
    where !conditional.contains(code) && !sessions.contains(code) {
      let isReplaced = code == "response.hpke-open" && !named.isDisjoint(with: whyNotOpened)
      #expect(named.contains(code) != isReplaced, "\(code)")
    }
    #expect(named.isDisjoint(with: sessions))
  }

  @Test("show elements only when nothing failed", arguments: cases)
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
