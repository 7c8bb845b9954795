import CrossCheckTrait
import DocumentFixtures
import Foundation
import SwiftASN1
import TestSupport
import TestTraits
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

/// Certificates of real authorities and of other implementations' tests.
@Suite("Certificates of real authorities", .crossChecked, .requiresVectors("certificates"))
struct RealCertificateTests {
  static let entries = Vectors.entries(of: "certificates.json")

  private static func profile(of entry: Vector) -> CertificateProfile? {
    switch entry["role"]?.text {
    case "IACA": .issuingAuthorityRoot
    case "DS": .documentSigner
    case "reader": .reader
    case "reader-CA": .readerRoot
    default: nil
    }
  }

  @Test("each certificate is read, independent of its key and extensions", arguments: entries)
  func facts(_ entry: Vector) throws {
    let fields = try CertificateFields(derEncoded: entry.bytes("hex"))
    guard let facts = entry["facts"], facts["parse_error"] == nil else {
      // Strict DER readers refuse an extension, which is read leniently.
      #expect(fields.certificate != nil && !fields.extensions.isEmpty)
      return
    }
    #expect(fields.key.name == Self.curves[facts["curve"]?.text ?? ""] ?? facts["curve"]?.text)
    #expect(fields.signatureAlgorithm.lowercased().contains(facts["sig_hash"]?.text ?? "?"))
    #expect(fields.serialNumber.count == facts["serial_octets"]?.number.map(Int.init))
    let dates = [facts["not_before"]?.text, facts["not_after"]?.text].map { $0?.replacing("+00:00", with: "Z") }
    #expect(dates == [fields.validity.from.description, fields.validity.until.description])
    let days = (fields.validity.until.secondsSince1970 - fields.validity.from.secondsSince1970) / 86_400
    #expect(Double(days) == facts["validity_days"]?.number)
    #expect(fields.subjectKeyIdentifier.map(hexadecimal) == facts["ski"]?.text)
    #expect(fields.authorityKeyIdentifier.map(hexadecimal) == facts["aki"]?.text)
    #expect(Self.attributes(fields.subject) == Self.attributes(facts["subject"]?.text))
    #expect(Self.attributes(fields.issuer) == Self.attributes(facts["issuer"]?.text))
    try extensions(fields, facts)
  }

  private func extensions(_ fields: CertificateFields, _ facts: JSON) throws {
    let extensions = fields.extensions
    let usage = fields.usage?.usage
    let wanted = (facts["key_usage"]?.array ?? []).compactMap(\.text)
    #expect(usage?.names == (wanted.isEmpty ? nil : wanted.compactMap { Self.usages[$0] }.joined(separator: ", ")))
    #expect(extensions[oid: .X509ExtensionID.keyUsage]?.critical == facts["key_usage_critical"]?.boolean)
    let constraints = fields.constraints
    #expect(constraints?.isAuthority == facts["basic_constraints"]?["ca"]?.boolean)
    #expect(constraints?.pathLength == (facts["basic_constraints"]?["path_len"]?.number).map(Int.init))
    #expect(
      extensions[oid: .X509ExtensionID.basicConstraints]?.critical == facts["basic_constraints"]?["critical"]?.boolean)
    let purposes = facts["eku"]?.array.map { $0.compactMap(\.text) }
    let found = try extensions.extendedKeyUsage
    #expect(found?.count == purposes?.count)
    for purpose in purposes ?? [] {
      let parts = purpose.split(separator: ".").compactMap { UInt($0) }
      #expect(found?.contains(ExtendedKeyUsage.Usage(oid: try ASN1ObjectIdentifier(elements: parts))) == true)
    }
    #expect(extensions[oid: .X509ExtensionID.extendedKeyUsage]?.critical == facts["eku_critical"]?.boolean)
    #expect(facts["other_critical"]?.array?.isEmpty == true)
    let profile = CertificateProfile.documentSigner.check(fields)
    #expect(profile.first { $0.reason == CertificateRule.criticalExtension.rawValue }?.status != .failed)
    // The reference computed no digest for a key that the standard does not allow.
    guard fields.key != .rsa else { return }
    let isSHA1 = profile.first { $0.reason == CertificateRule.subjectKeyIdentifier.rawValue }?.status == .passed
    #expect(isSHA1 == (facts["ski_is_sha1_of_key"]?.boolean ?? false))
    #expect((extensions[oid: CertificateOID.crlDistributionPoints] != nil) == (facts["crl_dp"]?.array != nil))
    #expect((extensions[oid: CertificateOID.issuerAlternativeName] != nil) == (facts["issuer_alt_name"]?.array != nil))
  }

  private static let curves = ["RSAPublicKey": "RSA"]
  private static let usages = [
    "digital_signature": "digitalSignature", "key_encipherment": "keyEncipherment", "key_cert_sign": "keyCertSign",
    "crl_sign": "cRLSign",
  ]

  /// The parts of a name, sorted: the reference prints them in another order.
  private static func attributes(_ name: some CustomStringConvertible) -> [String] {
    name.description.split(separator: ",").map(String.init).sorted()
  }

  private static func attributes(_ name: String?) -> [String] { attributes(name ?? "") }

  @Test("the rules find what the reference found, and more only for a reason", arguments: entries)
  func findings(_ entry: Vector) throws {
    guard let profile = Self.profile(of: entry) else { return }
    let fields = try CertificateFields(derEncoded: entry.bytes("hex"))
    let found = Set(profile.check(fields).filter { $0.status != .passed }.compactMap(\.reason))
    let listed = (entry["profile_findings"]?.array ?? []).compactMap(\.text)
    var wanted: Set<String> = []
    for finding in listed {
      let rule = try #require(Self.rules.first { finding.hasPrefix($0.prefix) }, "\(finding)").rule
      if let rule, Self.applies(rule, to: profile) { wanted.insert(rule.rawValue) }
    }
    #expect(wanted.isSubset(of: found), "\(wanted.subtracting(found).sorted())")
    // Without findings the reference made no judgment.
    guard entry["profile_findings"] != nil else { return }
    let beyond = found.subtracting(wanted).subtracting(Self.beyond.map(\.rawValue))
      .subtracting(Self.beyondInProfile[profile, default: []].map(\.rawValue))
      .subtracting(Self.beyondInEntry[entry.identifier, default: []].map(\.rawValue))
    #expect(beyond.isEmpty, "\(beyond.sorted())")
  }

  /// The reference's terms and their rules; nil if the standard has no such rule.
  private static let rules: [(prefix: String, rule: CertificateRule?)] = [
    ("AKI", .authorityKeyIdentifier), ("CRL distribution point", .crlDistributionPoints), ("EKU", .extendedKeyUsage),
    ("SKI", .subjectKeyIdentifier), ("basicConstraints", .basicConstraints), ("pathLen", .basicConstraints),
    ("commonName", .commonName), ("countryName encoded", .countryEncoding), ("countryName missing", .country),
    ("curve/algorithm RSA", .keyKind), ("issuerAltName", .issuerAlternativeName), ("key usage", .keyUsage),
    ("subject differs from issuer", .issuerName), ("validity", .validityPeriod),
    // Optional, as the reference states.
    ("no CRL distribution point", nil),
  ]

  /// Annex B does not require a country in a reader's certificate, and requires an issuer alternative name only if an
  /// issuing authority issued it.
  private static func applies(_ rule: CertificateRule, to profile: CertificateProfile) -> Bool {
    profile != .reader || (rule != .country && rule != .issuerAlternativeName)
  }

  /// Rules that the reference does not check: lengths of serial numbers, codes without a country (UT, UK, ZE), the
  /// signature algorithm besides the key's, unsupported curves, and the purposes of authorities.
  private static let beyond: Set<CertificateRule> = [
    .serialNumber, .countryCode, .signatureAlgorithm, .keySupport, .criticalExtension,
  ]

  /// The reference checks neither the URI of an authority's distribution point, which is optional, nor the basic
  /// constraints of signers.
  private static let beyondInProfile: [CertificateProfile: Set<CertificateRule>] = [
    .issuingAuthorityRoot: [.crlDistributionPoints], .documentSigner: [.basicConstraints],
  ]

  /// A key usage whose last octet has unused bits that DER requires to be zero, and a country in UTF-8, which the
  /// reference reports in roots only.
  private static let beyondInEntry: [String: Set<CertificateRule>] = [
    "iaca-us-oh-ohio-mdl-iaca-root-2024-pem": [.keyUsage], "isomdl-owf-multipaz-ds-p384-pem": [.countryEncoding],
  ]

  @Test("each signer leads to its root if that is present, and every authority can be trusted")
  func anchors() async throws {
    let all = try Self.entries.map { (entry: $0, fields: try CertificateFields(derEncoded: $0.bytes("hex"))) }
    let authorities = try all.filter { $0.fields.constraints?.isAuthority == true }.map { try $0.entry.bytes("hex") }
    let read = try CertificateChain.readTrusted(authorities)
    #expect(read.usable.count == authorities.count - 1)
    #expect(read.unusable.map(\.key.name) == ["brainpoolP512r1"])
    let issuers = try Self.entries.compactMap { $0["issuer_hex"]?.text.flatMap(Hex.decode) }.map {
      try Certificate(derEncoded: $0)
    }
    #expect(!issuers.isEmpty)
    var led: Set<String> = []
    for (entry, fields) in all {
      // The signature of a certificate that the library does not read cannot be verified.
      guard let leaf = fields.certificate, fields.constraints?.isAuthority != true else { continue }
      for anchor in read.usable + issuers {
        guard anchor != leaf, CertificateFields(anchor).constraints?.isAuthority == true, anchor.subject == leaf.issuer,
          anchor.publicKey.isValidSignature(leaf.signature, for: leaf)
        else { continue }
        led.insert(entry.identifier)
        let moment = max(leaf.validity.from, anchor.validity.from)
        let profile = Self.profile(of: entry) ?? .documentSigner
        let type = Self.types[entry.identifier]
        let result = await TrustedCertificates([anchor], for: profile).validate([leaf], at: moment, documentType: type)
        let code: CertificatePathError.Code? = if case .failure(let error) = result { error.code } else { nil }
        #expect(code == Self.refused[entry.identifier], "\(entry) \(result)")
      }
    }
    #expect(led == Self.led)
  }

  /// The document types of the European Union's signers, which determine the required purpose.
  private static let types = [
    "ds-eudi-verifier-readme-bad-digest": DocumentType.personIdentification,
    "ds-eudi-verifier-pid-plus-mdl": DocumentType.personIdentification,
  ]
  /// The leaves whose root is among the certificates.
  private static let led: Set = [
    "annexd-reader", "ds-apple-passkit-test", "ds-cmwallet-id1", "ds-eudi-verifier-pid-plus-mdl",
    "ds-eudi-verifier-readme-bad-digest", "ds-longfellow-00", "ds-mdoc-ts-france", "ds-mdoc-ts-google",
    "ds-pymdoc-readme", "ds-sphereon-oid4vp-bad-digests", "govuk-c-gb-1a0b",
    "govuk-cn-example-issuer-dsc-local-c-gb-1148", "isomdl-isomdl-iaca-signer-pem",
  ]
  /// Three without an extended key usage, and a reader certificate that signs documents.
  private static let refused: [String: CertificatePathError.Code] = [
    "govuk-c-gb-1a0b": .purpose, "govuk-cn-example-issuer-dsc-local-c-gb-1148": .purpose,
    "ds-eudi-verifier-pid-plus-mdl": .purpose, "ds-sphereon-oid4vp-bad-digests": .purpose,
  ]
}
