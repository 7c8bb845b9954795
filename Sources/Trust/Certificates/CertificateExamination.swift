import SwiftASN1
import X509

/// A certificate held against a profile.
struct CertificateExamination {
  let profile: CertificateProfile
  let certificate: CertificateFields
  let issuer: CertificateFields?
  let anchor: CertificateFields?
  let purposes: CertificatePurposes?

  /// How a rule came out; nil when the profile has no such rule.
  func outcome(of rule: CertificateRule) -> CertificateOutcome? {
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

  private var serialNumber: CertificateOutcome {
    if certificate.hasNegativeSerialNumber { return .breaks("the serial number is negative", found: "less than 0") }
    let octets = certificate.serialNumber
    let magnitude = octets.drop { $0 == 0 }
    let bits = magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    return .require(
      bits >= 63 && octets.count <= 20, expected: "63 bits to 20 octets",
      found: "\(bits) bits in \(octets.count) octets")
  }

  private var signatureAlgorithm: CertificateOutcome {
    let found = certificate.signatureAlgorithm
    let allowed = CertificateSignatures.ecdsa
    guard allowed.contains(found) else {
      return .breaks(expected: allowed.joined(separator: " or "), found: found)
    }
    // RFC 5280, 4.1.1.2; no certificate in the wild is known to differ.
    return certificate.signatureAlgorithmsAgree
      ? .holds : .breaks("what is signed names another algorithm than the signature has", expected: found)
  }

  private var validityPeriod: CertificateOutcome? {
    // Nothing is said of those who sign lists of authorities.
    if profile == .listSigner { return nil }
    let validity = certificate.validity
    let seconds = validity.until.secondsSince1970 - validity.from.secondsSince1970
    // A responder's without a list of revocations must be short.
    let days =
      profile == .responder && certificate.extensions[oid: CertificateOID.crlDistributionPoints] == nil
      ? 90 : profile.maximumDays
    return .require(
      seconds <= Int64(days) * 86_400, expected: "\(days) days at most", found: "\(seconds / 86_400) days")
  }

  private func key(_ rule: CertificateRule) -> CertificateOutcome? {
    let key = certificate.key
    switch (rule, key) {
    case (.keyKind, .rsa), (.keyEncoding, .misencoded), (.keySupport, .unsupported): return .breaks(found: key.name)
    case (.key, .rsa), (.key, .misencoded): return nil
    case (.key, .unknown): return .breaks(found: key.name)
    case (.key, _):
      return .require(
        !key.isEdwards || !profile.isAuthority, "the key is one of EdDSA, which no authority may have", found: key.name)
    default: return nil
    }
  }
}
