import Crypto
import Primitives
import SwiftASN1
import X509

/// The rules about extensions (ISO/IEC 18013-5, B.1.1 to B.1.8).
extension ProfileEvaluation {
  private var extensions: Certificate.Extensions { certificate.extensions }

  /// Compares the criticality of an extension with the profile's. A difference deviates only: a reader that knows an
  /// extension processes it either way.
  private func criticality(of identifier: ASN1ObjectIdentifier, is wanted: Bool) -> RuleResult {
    guard let found = extensions[oid: identifier], found.critical != wanted else { return .holds }
    return .deviates(wanted ? "the extension is not critical" : "the extension is critical")
  }

  var basicConstraints: RuleResult {
    let found = certificate.constraints
    let shown = found.map(\.shown)
    guard profile.isAuthority else {
      return .require(
        found?.isAuthority != true && (found != nil || extensions[oid: .X509ExtensionID.basicConstraints] == nil),
        expected: "not an authority", found: shown ?? "unreadable")
    }
    guard let found, found.isAuthority else { return .breaks(expected: "an authority", found: shown ?? "none") }
    // Only reader authorities may have a certificate between root and leaf.
    if profile != .readerRoot {
      guard let length = found.pathLength else {
        return .deviates(
          "the path length is not constrained, so subordinate authorities are possible", expected: "path length 0")
      }
      guard length == 0 else { return .breaks(expected: "path length 0", found: shown) }
    }
    if found.isLax { return .deviates("the basic constraints are not in DER") }
    return criticality(of: .X509ExtensionID.basicConstraints, is: true)
  }

  var keyUsage: RuleResult {
    let wanted = profile.isAuthority ? KeyUsage(keyCertSign: true, cRLSign: true) : KeyUsage(digitalSignature: true)
    guard let found = certificate.usage else {
      let hasOne = extensions[oid: .X509ExtensionID.keyUsage] != nil
      return .breaks(expected: wanted.names, found: hasOne ? "unreadable" : "none")
    }
    guard found.usage == wanted else { return .breaks(expected: wanted.names, found: found.usage.names) }
    if found.isLax { return .deviates("the key usage is not in DER") }
    return criticality(of: .X509ExtensionID.keyUsage, is: true)
  }

  var extendedKeyUsage: RuleResult? {
    let result = usageOfProfile
    guard policy == .lenient, case .breaks(let message, let expected, let found)? = result,
      profile.tolerance(of: certificate) != nil
    else { return result }
    return .deviates(message, expected: expected, found: found)
  }

  private var usageOfProfile: RuleResult? {
    if profile == .statusListSigner { return listSignersUsage }
    guard let purposes else { return nil }
    var wanted: String { purposes.accepted.map(\.description).joined(separator: " or ") }
    guard let found = certificate.extendedKeyUsage else {
      let hasOne = extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil
      return .breaks(expected: wanted, found: hasOne ? "unreadable" : "none")
    }
    let usages = ExtendedKeyUsage.Usage.self
    var shown: String { found.map(\.shown).joined(separator: ", ") }
    guard purposes.accepted.contains(where: { found.contains(usages.init(oid: $0)) }) else {
      let role = found.lazy.compactMap(\.role).first
      if purposes.toleratesOthers, role == nil, !found.contains(where: \.isForeign) {
        return .deviates(
          "the extended key usage is not that of a signer of mobile documents", expected: wanted, found: shown)
      }
      return .breaks(role.map { "the certificate is for another role: \($0)" }, expected: wanted, found: shown)
    }
    // The profile of OCSP responders does not require a critical extension.
    if profile != .responder, extensions[oid: .X509ExtensionID.extendedKeyUsage]?.critical == false {
      return criticality(of: .X509ExtensionID.extendedKeyUsage, is: true)
    }
    if let recommended = purposes.recommended, !found.contains(usages.init(oid: recommended)) {
      return .notes { "\(CertificateRule.extendedKeyUsage.title); \(recommended) is recommended too" }
    }
    return .holds
  }

  /// A signer of lists needs no extended key usage, and must not have that of another role: the keys of document
  /// signers and readers under the same root are not meant for lists.
  private var listSignersUsage: RuleResult {
    guard extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil else { return .holds }
    let own = CertificateOID.statusSigningKeyPurpose
    let wanted = "none or \(own)"
    guard let found = certificate.extendedKeyUsage else { return .breaks(expected: wanted, found: "unreadable") }
    let shown = found.map(\.shown).joined(separator: ", ")
    let others = found.filter { $0.role != nil || $0.isForeign }
    if let other = others.first(where: { $0 != ExtendedKeyUsage.Usage(oid: own) }) {
      return .breaks(
        "the certificate is for another role: \(other.role ?? other.description)", expected: wanted, found: shown)
    }
    guard found.contains(ExtendedKeyUsage.Usage(oid: own)) else {
      return .deviates("the extended key usage is not that of a signer of lists", expected: wanted, found: shown)
    }
    return .holds
  }

  var subjectKeyIdentifier: RuleResult {
    guard let found = certificate.subjectKeyIdentifier else {
      let isMissing = extensions[oid: .X509ExtensionID.subjectKeyIdentifier] == nil
      return .breaks("the subject key identifier \(isMissing ? "is missing" : "cannot be read")")
    }
    let wanted = Array(Insecure.SHA1.hash(data: certificate.keyBits))
    guard found == wanted else {
      return .breaks(
        "the subject key identifier is not the SHA-1 of the key", expected: hexadecimal(wanted),
        found: hexadecimal(found))
    }
    return criticality(of: .X509ExtensionID.subjectKeyIdentifier, is: false)
  }

  var authorityKeyIdentifier: RuleResult? {
    let found = certificate.authorityKeyIdentifier
    if profile.isRoot {
      guard let found, certificate.issuer == certificate.subject, let own = certificate.subjectKeyIdentifier else {
        return nil
      }
      return .require(found == own, expected: hexadecimal(own), found: hexadecimal(found))
    }
    guard let found else {
      if let encoded = extensions[oid: .X509ExtensionID.authorityKeyIdentifier],
        (try? AuthorityKeyIdentifier(encoded)) == nil
      {
        return .breaks("the authority key identifier cannot be read")
      }
      return .deviates("the authority key identifier is missing")
    }
    guard let wanted = issuer?.subjectKeyIdentifier else { return .holds }
    guard found == wanted else {
      return .breaks(
        "the authority key identifier is not the issuer's subject key identifier", expected: hexadecimal(wanted),
        found: hexadecimal(found))
    }
    return criticality(of: .X509ExtensionID.authorityKeyIdentifier, is: false)
  }

  var issuerAlternativeName: RuleResult? {
    // Readers need one only if an issuing authority issued them. Lists and responders do not need one.
    guard profile == .issuingAuthorityRoot || profile == .issuingAuthorityLink || profile == .documentSigner else {
      return nil
    }
    guard let found = extensions[oid: CertificateOID.issuerAlternativeName] else {
      return .breaks("the issuer alternative name is missing")
    }
    let names = Certificate.Extension(
      oid: .X509ExtensionID.subjectAlternativeName, critical: found.critical, value: found.value)
    guard let names = try? SubjectAlternativeNames(names) else {
      return .breaks("the issuer alternative name cannot be read")
    }
    let hasOne = names.contains { name in
      switch name {
      case .rfc822Name, .uniformResourceIdentifier: true
      default: false
      }
    }
    guard hasOne else { return .breaks("the issuer alternative name has neither e-mail address nor URI") }
    return criticality(of: CertificateOID.issuerAlternativeName, is: false)
  }

  var crlDistributionPoints: RuleResult? {
    guard let found = extensions[oid: CertificateOID.crlDistributionPoints] else {
      switch profile {
      case .documentSigner, .issuingAuthorityLink: return .breaks("the CRL distribution point is missing")
      case .reader: return .notes { "the CRL distribution point is missing; short-lived certificates may omit it" }
      case .responder:
        return .require(
          extensions[oid: CertificateOID.noRevocationCheck] != nil,
          "there is neither a CRL distribution point nor the extension id-pkix-ocsp-nocheck", found: nil)
      case .issuingAuthorityRoot, .statusListSigner, .listSigner, .readerRoot, .readerIntermediate: return nil
      }
    }
    if let problem = CRLDistributionPoints.problem(in: found.value) { return .breaks(problem) }
    return criticality(of: CertificateOID.crlDistributionPoints, is: false)
  }

  var forbiddenExtension: RuleResult {
    let found = certificate.forbiddenExtensions
    return .require(found.isEmpty, expected: "none", found: found.joined(separator: ", "))
  }

  var criticalExtension: RuleResult {
    let unknown = certificate.unknownCriticalExtensions
    if !unknown.isEmpty {
      return .breaks("a critical extension is not supported", found: unknown.map(\.description).joined(separator: ", "))
    }
    let needless = extensions.filter { found in
      found.critical
        && (found.oid == .X509ExtensionID.subjectAlternativeName
          || found.oid == .X509ExtensionID.extendedKeyUsage && (profile.isAuthority || profile == .statusListSigner))
    }
    return needless.isEmpty
      ? .holds : .deviates(found: needless.map(\.oid.description).joined(separator: ", "))
  }
}

extension KeyUsage {
  var names: String { names(orNone: "no usage") }

  /// The names of the usages (RFC 5280, 4.2.1.3), or a word for none.
  package func names(orNone none: String) -> String {
    let all: [(Bool, String)] = [
      (digitalSignature, "digitalSignature"), (nonRepudiation, "nonRepudiation"), (keyEncipherment, "keyEncipherment"),
      (dataEncipherment, "dataEncipherment"), (keyAgreement, "keyAgreement"), (keyCertSign, "keyCertSign"),
      (cRLSign, "cRLSign"), (encipherOnly, "encipherOnly"), (decipherOnly, "decipherOnly"),
    ]
    let found = all.filter(\.0).map(\.1)
    return found.isEmpty ? none : found.joined(separator: ", ")
  }
}

extension ExtendedKeyUsage.Usage {
  /// The role that the usage belongs to.
  fileprivate var role: String? { CertificateOID.role(of: ASN1ObjectIdentifier(self)) }

  fileprivate var isForeign: Bool { CertificateOID.isForeign(ASN1ObjectIdentifier(self)) }

  /// The role with the object identifier if the role is known, else the library's description.
  fileprivate var shown: String { role.map { "\($0) (\(ASN1ObjectIdentifier(self)))" } ?? description }
}
