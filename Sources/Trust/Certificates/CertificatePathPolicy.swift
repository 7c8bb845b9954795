import Checks
import Primitives
import SwiftASN1
import X509

/// The rules of a path whose signatures verify (RFC 5280, 6.1, and ISO/IEC 18013-5, 9.3.3). The dates and the profile of
/// the leaf are checked separately.
///
/// The library's `RFC5280Policy` is not used: it reads the system's clock, rejects constraints that are not in DER,
/// which occur in a real authority's certificates, does not check key usages and the standard's algorithms, and reports
/// failures as text only.
struct CertificatePathPolicy {
  /// Extended key usages, one of which every constraining issuer must permit; nil if the leaf requires none.
  let purposes: [ASN1ObjectIdentifier]?
  /// The time at which every issuer must be valid.
  let moment: DateTime

  /// Returns the first broken rule of a path.
  func failure(of path: [CertificateFields]) -> CertificatePathError? {
    // The number of authorities between the leaf and this one, without self-issued ones.
    var between = 0
    for (position, certificate) in path.enumerated().dropFirst() {
      let failure =
        certificate.failure(at: moment, place: .path) ?? authorityFailure(certificate, between: between)
        ?? (position == path.count - 1 ? anchorFailure(certificate) : intermediateFailure(certificate))
      if let failure { return failure }
      if !certificate.isSelfIssued { between += 1 }
    }
    return nil
  }

  /// Checks the rules for every issuer on a path, trusted or not (RFC 5280, 6.1.4 k to m).
  private func authorityFailure(_ certificate: CertificateFields, between: Int) -> CertificatePathError? {
    let key = certificate.key
    if key == .rsa { return error(.key, .keyKind, certificate, found: key.name) }
    if key.isEdwards { return error(.key, .key, certificate, expected: "ECDSA", found: key.name) }
    if let unknown = certificate.unknownCriticalExtensions.first {
      return error(.profile, .criticalExtension, certificate, found: unknown.description)
    }
    guard let constraints = certificate.constraints, constraints.isAuthority, certificate.version == 3 else {
      return error(
        .profile, .basicConstraints, certificate, expected: "an authority",
        found: certificate.constraints?.shown ?? "none")
    }
    if let length = constraints.pathLength, length < between {
      return error(
        .profile, .basicConstraints, certificate, expected: "at most \(length) authorities below it",
        found: "\(between)")
    }
    return nil
  }

  /// Checks a trusted certificate. Its name, key and constraints count. One with a key usage that excludes certificates
  /// is trusted as a signer, and does not issue.
  private func anchorFailure(_ certificate: CertificateFields) -> CertificatePathError? {
    guard certificate.extensions[oid: .X509ExtensionID.keyUsage] != nil else { return nil }
    return keyUsageFailure(certificate)
  }

  /// Checks an intermediate certificate: it must be allowed to sign certificates of the leaf's kind (RFC 5280, 6.1.4 n)
  /// and follow the rules of annex B for all certificates.
  private func intermediateFailure(_ certificate: CertificateFields) -> CertificatePathError? {
    if let failure = keyUsageFailure(certificate) { return failure }
    if let forbidden = certificate.forbiddenExtensions.first {
      return error(.profile, .forbiddenExtension, certificate, expected: "none", found: forbidden)
    }
    guard CertificateSignatureAlgorithms.ecdsa.contains(certificate.signatureAlgorithm),
      certificate.signatureAlgorithmsAgree
    else {
      return error(
        .profile, .signatureAlgorithm, certificate,
        expected: CertificateSignatureAlgorithms.ecdsa.joined(separator: " or "),
        found: certificate.signatureAlgorithmsAgree
          ? certificate.signatureAlgorithm : "one name inside and another outside")
    }
    guard certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil, let purposes else { return nil }
    let found = certificate.extendedKeyUsage
    guard purposes.contains(where: { found?.contains(ExtendedKeyUsage.Usage(oid: $0)) == true }) else {
      return error(
        .profile, .extendedKeyUsage, certificate, expected: purposes.map(\.description).joined(separator: " or "),
        found: found.map { $0.map(\.description).joined(separator: ", ") } ?? "unreadable")
    }
    return nil
  }

  private func keyUsageFailure(_ certificate: CertificateFields) -> CertificatePathError? {
    let usage = certificate.usage?.usage
    if usage?.keyCertSign == true { return nil }
    return error(.profile, .keyUsage, certificate, expected: "keyCertSign", found: usage?.names ?? "none")
  }

  private func error(
    _ code: CertificatePathError.Code, _ rule: CertificateRule, _ certificate: CertificateFields,
    expected: String? = nil,
    found: String
  ) -> CertificatePathError {
    CertificatePathError(
      code: code, place: .path,
      message: "the certificate path is not valid, at \(certificate.subject): \(rule.message)",
      fields: [
        CheckResult.Evidence("issuing certificate", expected: expected, found: found),
        CheckResult.Evidence("rule", found: rule.name),
      ])
  }
}

extension CertificateFields {
  /// Returns an error if the certificate is not valid at a time, both ends included (RFC 5280, 4.1.2.5).
  package func failure(at moment: DateTime, place: CertificatePathError.Place) -> CertificatePathError? {
    if moment > validity.until {
      return CertificatePathError(
        code: .expired, place: place, message: "the certificate of \(self.subject) expired on \(self.validity.until)",
        fields: .field("notAfter", expected: "\(moment) or later", found: self.validity.until.description))
    }
    if moment < validity.from {
      return CertificatePathError(
        code: .notYetValid, place: place,
        message: "the certificate of \(self.subject) is not valid before \(self.validity.from)",
        fields: .field("notBefore", expected: "\(moment) or earlier", found: self.validity.from.description))
    }
    return nil
  }
}
