import SwiftASN1
import X509

/// Evaluates the rules of a profile for one certificate.
struct ProfileEvaluation {
  let profile: CertificateProfile
  let certificate: CertificateFields
  let issuer: CertificateFields?
  let anchor: CertificateFields?
  let purposes: CertificatePurposes?

  /// Returns the result of a rule, or nil if the profile does not have it.
  func result(of rule: CertificateRule) -> RuleResult? {
    switch rule {
    case .readable, .size, .rootInChain, .trustedItself: nil
    case .version: .require(certificate.version == 3, expected: "3", found: String(certificate.version))
    case .serialNumber: serialNumber
    case .signatureAlgorithm: signatureAlgorithm
    case .validityPeriod: validityPeriod
    case .key, .keyKind, .keyEncoding, .keySupport: key(rule)
    case .country: country
    case .countryCode: countryCode
    case .countryEncoding: countryEncoding
    case .nameEncoding: nameEncoding
    case .commonName: .require(certificate.subject.firstValue(of: .RDNAttributeType.commonName) != nil, found: nil)
    case .issuerName: issuerName
    case .issuerCountry: issuerCountry
    case .issuerState: issuerState
    case .basicConstraints: basicConstraints
    case .keyUsage: keyUsage
    case .extendedKeyUsage: extendedKeyUsage
    case .subjectKeyIdentifier: subjectKeyIdentifier
    case .authorityKeyIdentifier: authorityKeyIdentifier
    case .issuerAlternativeName: issuerAlternativeName
    case .crlDistributionPoints: crlDistributionPoints
    case .forbiddenExtension: forbiddenExtension
    case .criticalExtension: criticalExtension
    }
  }

  private var serialNumber: RuleResult {
    if certificate.hasNegativeSerialNumber { return .breaks("the serial number is negative", found: "less than 0") }
    let octets = certificate.serialNumber
    let magnitude = octets.drop { $0 == 0 }
    let bits = magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    return .require(
      bits >= 63 && octets.count <= 20, expected: "63 bits to 20 octets",
      found: "\(bits) bits in \(octets.count) octets")
  }

  private var signatureAlgorithm: RuleResult {
    let found = certificate.signatureAlgorithm
    let allowed = CertificateSignatureAlgorithms.ecdsa
    guard allowed.contains(found) else {
      return .breaks(expected: allowed.joined(separator: " or "), found: found)
    }
    // RFC 5280, 4.1.1.2. No certificate in use is known to differ.
    return certificate.signatureAlgorithmsAgree
      ? .holds : .breaks("the signed part names another algorithm than the signature", expected: found)
  }

  private var validityPeriod: RuleResult? {
    // The standard sets no limit for signers of lists of authorities.
    if profile == .listSigner { return nil }
    let validity = certificate.validity
    let seconds = validity.until.secondsSince1970 - validity.from.secondsSince1970
    // An OCSP responder certificate without a CRL distribution point must be short-lived.
    let days =
      profile == .responder && certificate.extensions[oid: CertificateOID.crlDistributionPoints] == nil
      ? 90 : profile.maximumDays
    return .require(
      seconds <= Int64(days) * 86_400, expected: "\(days) days at most", found: "\(seconds / 86_400) days")
  }

  private func key(_ rule: CertificateRule) -> RuleResult? {
    let key = certificate.key
    switch (rule, key) {
    case (.keyKind, .rsa), (.keyEncoding, .misencoded), (.keySupport, .unsupported): return .breaks(found: key.name)
    case (.key, .rsa), (.key, .misencoded): return nil
    case (.key, .unknown): return .breaks(found: key.name)
    case (.key, _):
      return .require(
        !key.isEdwards || !profile.isAuthority, "the key is an EdDSA key, which authorities must not have",
        found: key.name)
    default: return nil
    }
  }
}
