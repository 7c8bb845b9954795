import SwiftASN1
import X509

extension CertificateProfile {
  /// Checks every rule of the profile that concerns the certificate by itself or towards its issuer.
  ///
  /// - Parameters:
  ///   - issuer: the certificate that issued it, when known.
  ///   - anchor: the trusted certificate at the end of its path, when known; the issuer when left out.
  ///   - documentType: what a document signer signs, see ``TrustedCertificates/validate(_:at:documentType:)``.
  /// - Returns: one result for each rule that applies: passed, deviates or failed.
  public func check(
    _ certificate: Certificate, issuer: Certificate? = nil, anchor: Certificate? = nil, documentType: String? = nil
  ) -> [CheckResult] {
    check(
      CertificateFields(certificate), issuer: issuer.map(CertificateFields.init),
      anchor: anchor.map(CertificateFields.init), documentType: documentType)
  }

  /// Checks every rule of the profile, also of a certificate whose key has no implementation here.
  public func check(
    _ certificate: CertificateFields, issuer: CertificateFields? = nil, anchor: CertificateFields? = nil,
    documentType: String? = nil
  ) -> [CheckResult] {
    let examination = CertificateExamination(
      profile: self, certificate: certificate, issuer: issuer, anchor: anchor ?? issuer,
      purposes: purposes(signing: documentType))
    return CertificateRule.allCases.compactMap { rule in
      examination.outcome(of: rule)?.result(rule, of: certificate, profile: self)
    }
  }

  /// What is wrong with a certificate: the results that have not simply passed.
  func findings(
    in certificate: Certificate, issuer: Certificate?, anchor: Certificate?, documentType: String?
  ) -> [CheckResult] {
    let fields = CertificateFields(certificate)
    let examination = CertificateExamination(
      profile: self, certificate: fields, issuer: issuer.map(CertificateFields.init),
      anchor: (anchor ?? issuer).map(CertificateFields.init), purposes: purposes(signing: documentType))
    return CertificateRule.allCases.compactMap { rule in
      switch examination.outcome(of: rule) {
      case nil, .holds, .notes: nil
      case let outcome?: outcome.result(rule, of: fields, profile: self)
      }
    }
  }
}

/// How one rule came out.
enum CertificateOutcome {
  /// As the profile asks.
  case holds
  /// As the profile asks, though not as it recommends.
  case notes(String)
  /// Not as the profile asks; whether that refuses is the rule's nature.
  case breaks(String? = nil, expected: String? = nil, found: String? = nil)
  /// Not as the profile asks, and let pass whatever the rule's nature.
  case deviates(String? = nil, expected: String? = nil, found: String? = nil)

  /// A condition and what was found where it does not hold.
  static func require(
    _ condition: Bool, _ sentence: @autoclosure () -> String? = nil, expected: @autoclosure () -> String? = nil,
    found: @autoclosure () -> String?
  ) -> CertificateOutcome {
    condition ? .holds : .breaks(sentence(), expected: expected(), found: found() ?? "none")
  }

  fileprivate func result(
    _ rule: CertificateRule, of certificate: CertificateFields, profile: CertificateProfile
  ) -> CheckResult {
    func broken(
      _ outcome: CheckResult.Outcome, _ sentence: String?, _ expected: String?, _ found: String?
    ) -> CheckResult {
      let field = CheckResult.Evidence(rule.field, expected: expected, found: found)
      let whose = CheckResult.Evidence("certificate", found: certificate.subject.description)
      return CheckResult(
        rule, subject: profile.rawValue, outcome, sentence: sentence ?? rule.sentence,
        evidence: expected == nil && found == nil ? [whose] : [field, whose])
    }
    switch self {
    case .holds: return CheckResult(rule, subject: profile.rawValue, .passed)
    case .notes(let sentence): return CheckResult(rule, subject: profile.rawValue, .passed, sentence: sentence)
    case .breaks(let sentence, let expected, let found):
      return broken(rule.isEssential ? .failed : .deviates, sentence, expected, found)
    case .deviates(let sentence, let expected, let found): return broken(.deviates, sentence, expected, found)
    }
  }
}

extension CertificateRule {
  /// The field that evidence names: the code without its family, in words.
  fileprivate var field: String {
    rawValue.drop { $0 != "." }.dropFirst().split(separator: "-").joined(separator: " ")
  }
}

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
    let allowed = CertificateSignatures.ecdsa + (profile.isAuthority ? [] : CertificateSignatures.edwards)
    guard allowed.contains(found) else {
      return .breaks(expected: allowed.joined(separator: " or "), found: found)
    }
    return certificate.signatureAlgorithmsAgree
      ? .holds : .deviates("what is signed names another algorithm than the signature has", expected: found)
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
