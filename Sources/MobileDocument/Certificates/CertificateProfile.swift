import Crypto
import SwiftASN1
import X509

/// Largest certificate that is read, in bytes: real ones are below 2 kB, and brand data or long chains of names fit.
public enum CertificateLimits {
  /// Longest DER encoding.
  public static let bytes = 16 << 10
}

/// A certificate profile of ISO/IEC 18013-5 annex B.
public enum CertificateProfile: String, Sendable, CaseIterable {
  /// Root of an issuing authority (B.1.2).
  case issuingAuthorityRoot = "IACA root"
  /// Signer of documents (B.1.4).
  case documentSigner = "document signer"
  /// Signer of status and identifier lists (B.1 of the second edition draft): short-lived as a reader is, and for no
  /// extended purpose that it would have to name.
  case statusListSigner = "status list signer"
  /// Root of a reader authority; the standard recommends none, so this is the issuing root's shape.
  case readerRoot = "reader root"
  /// Certificate between a reader authority's root and its reader certificates; the standard has no profile for it, so
  /// this is the root's shape with the limits that RFC 5280 sets.
  case readerIntermediate = "reader intermediate"
  /// Reader authentication (B.1.7).
  case reader = "reader"

  /// Longest validity in days: 20 years, 457 days, 1187 days.
  public var maximumDays: Int {
    switch self {
    case .issuingAuthorityRoot, .readerRoot, .readerIntermediate: 20 * 366
    case .documentSigner: 457
    case .reader, .statusListSigner: 1187
    }
  }

  /// Whether certificates of this profile sign other certificates.
  public var isAuthority: Bool { self == .readerIntermediate || isRoot }

  var isRoot: Bool { self == .issuingAuthorityRoot || self == .readerRoot }

  /// Whether certificates of this profile stand on the way from a reader to its authority's root.
  private var isReaders: Bool { self == .reader || self == .readerIntermediate || self == .readerRoot }

  /// The extended key usage that a certificate of this profile must have.
  public var extendedKeyUsage: ASN1ObjectIdentifier? {
    switch self {
    case .documentSigner: CertificateOID.documentSignerKeyPurpose
    case .reader: CertificateOID.readerKeyPurpose
    case .issuingAuthorityRoot, .readerRoot, .readerIntermediate, .statusListSigner: nil
    }
  }
}

/// Object identifiers of the profiles.
public enum CertificateOID {
  /// Extended key usage of document signers (ISO/IEC 18013-5, B.1.4).
  public static let documentSignerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 2]
  /// Extended key usage of readers (ISO/IEC 18013-5, B.1.7).
  public static let readerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 6]
  /// Issuer alternative name (RFC 5280, 4.2.1.7).
  static let issuerAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 18]
  /// CRL distribution points (RFC 5280, 4.2.1.13).
  static let crlDistributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
}

/// A rule of a certificate profile.
public enum CertificateRule: String, CheckCode {
  case version = "certificate.version"
  case serialNumber = "certificate.serial-number"
  case validityPeriod = "certificate.validity-period"
  case key = "certificate.key"
  case country = "certificate.country"
  case issuerPlace = "certificate.issuer-place"
  case commonName = "certificate.common-name"
  case basicConstraints = "certificate.basic-constraints"
  case keyUsage = "certificate.key-usage"
  case extendedKeyUsage = "certificate.extended-key-usage"
  case subjectKeyIdentifier = "certificate.subject-key-identifier"
  case authorityKeyIdentifier = "certificate.authority-key-identifier"
  case issuerAlternativeName = "certificate.issuer-alternative-name"
  case crlDistributionPoints = "certificate.crl-distribution-points"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .version: "the certificate is not X.509 version 3"
    case .serialNumber: "the serial number is shorter than 63 bits or longer than 20 octets"
    case .validityPeriod: "the certificate is valid for longer than its profile allows"
    case .key: "the key is on no curve that the profile allows"
    case .country: "the subject names no country of two upper-case letters"
    case .issuerPlace: "the subject's country or state is not the issuer's"
    case .commonName: "the subject has no common name"
    case .basicConstraints: "the basic constraints are not those of the profile"
    case .keyUsage: "the key usage is not exactly that of the profile"
    case .extendedKeyUsage: "the extended key usage of the profile is missing"
    case .subjectKeyIdentifier: "the subject key identifier is missing"
    case .authorityKeyIdentifier: "the authority key identifier is missing or is not the issuer's"
    case .issuerAlternativeName: "the issuer alternative name is missing"
    case .crlDistributionPoints: "the CRL distribution point is missing"
    }
  }

  /// Whether breaking the rule makes a certificate unusable for its purpose. The rest are departures that real
  /// authorities' certificates show and that are accepted with a finding.
  var isEssential: Bool {
    switch self {
    case .basicConstraints, .keyUsage, .extendedKeyUsage, .key, .authorityKeyIdentifier, .issuerPlace: true
    default: false
    }
  }
}

extension CertificateProfile {
  /// Checks every rule of the profile that concerns the certificate by itself or towards its issuer.
  ///
  /// - Parameters:
  ///   - issuer: the certificate that issued it, when known.
  ///   - anchor: the trusted certificate at the end of its path, when known; the issuer when left out.
  /// - Returns: one result for each rule: passed, deviates or failed.
  public func check(
    _ certificate: Certificate, issuer: Certificate? = nil, anchor: Certificate? = nil
  ) -> [CheckResult] {
    CertificateRule.allCases.compactMap { rule in
      guard let holds = holds(rule, certificate, issuer: issuer, anchor: anchor ?? issuer) else { return nil }
      let evidence = [CheckResult.Evidence("certificate", found: certificate.subject.description)]
      if !holds {
        return CheckResult(
          rule, subject: rawValue, rule.isEssential ? .failed : .deviates, sentence: rule.sentence, evidence: evidence)
      }
      // Only who does not understand an extension has to care whether it is critical; these are understood.
      if let missing = extensionThatMustBeCritical(rule), certificate.extensions[oid: missing]?.critical == false {
        return CheckResult(
          rule, subject: rawValue, .deviates, sentence: "the extension is not critical", evidence: evidence)
      }
      return CheckResult(rule, subject: rawValue, .passed)
    }
  }

  private func extensionThatMustBeCritical(_ rule: CertificateRule) -> ASN1ObjectIdentifier? {
    switch rule {
    case .basicConstraints: isAuthority ? .X509ExtensionID.basicConstraints : nil
    case .keyUsage: .X509ExtensionID.keyUsage
    case .extendedKeyUsage: .X509ExtensionID.extendedKeyUsage
    default: nil
    }
  }

  /// Whether a rule holds; nil when the profile has no such rule.
  private func holds(
    _ rule: CertificateRule, _ certificate: Certificate, issuer: Certificate?, anchor: Certificate?
  ) -> Bool? {
    let extensions = certificate.extensions
    switch rule {
    case .version: return certificate.version == .v3
    case .serialNumber: return hasGoodSerialNumber(certificate)
    case .validityPeriod:
      let validity = certificate.validity
      return validity.until.secondsSince1970 - validity.from.secondsSince1970 <= Int64(maximumDays) * 86_400
    case .key: return (try? certificate.verificationKey()) != nil
    case .country:
      if isReaders { return nil }
      return certificate.country.map { $0.utf8.count == 2 && $0.utf8.allSatisfy { (65...90).contains($0) } } ?? false
    case .issuerPlace:
      guard self == .documentSigner, let anchor else { return nil }
      let agrees = certificate.state == nil || anchor.state == nil || certificate.state == anchor.state
      return agrees && certificate.country == anchor.country
    case .commonName: return certificate.commonName != nil
    case .basicConstraints: return hasGoodBasicConstraints(certificate)
    case .keyUsage: return hasGoodKeyUsage(certificate)
    case .extendedKeyUsage:
      guard let wanted = extendedKeyUsage else { return nil }
      guard let found = try? extensions.extendedKeyUsage else { return false }
      return found.contains(ExtendedKeyUsage.Usage(oid: wanted))
    case .subjectKeyIdentifier: return certificate.subjectKeyIdentifier != nil
    case .authorityKeyIdentifier:
      if isRoot { return nil }
      guard let found = certificate.authorityKeyIdentifier else { return false }
      guard let wanted = issuer?.subjectKeyIdentifier else { return true }
      return found == wanted
    case .issuerAlternativeName:
      return isReaders ? nil : extensions[oid: CertificateOID.issuerAlternativeName] != nil
    case .crlDistributionPoints:
      return self == .documentSigner ? extensions[oid: CertificateOID.crlDistributionPoints] != nil : nil
    }
  }

  private func hasGoodSerialNumber(_ certificate: Certificate) -> Bool {
    let bytes = certificate.serialNumber.bytes.drop { $0 == 0 }
    guard let first = bytes.first, bytes.count <= 20 else { return false }
    return bytes.count * 8 - first.leadingZeroBitCount >= 63
  }

  private func hasGoodBasicConstraints(_ certificate: Certificate) -> Bool {
    let constraints = try? certificate.extensions.basicConstraints
    switch constraints {
    // Only a reader authority may have a certificate between root and leaf.
    case .isCertificateAuthority(let pathLength)?: return isAuthority && (self == .readerRoot || (pathLength ?? 0) == 0)
    case .notCertificateAuthority?, nil: return !isAuthority
    }
  }

  private func hasGoodKeyUsage(_ certificate: Certificate) -> Bool {
    guard let usage = try? certificate.extensions.keyUsage else { return false }
    return isAuthority ? usage == KeyUsage(keyCertSign: true, cRLSign: true) : usage == KeyUsage(digitalSignature: true)
  }
}
