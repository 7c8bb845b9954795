import Checks
import Primitives
import SwiftASN1
import X509

/// The rules of a path whose signatures verify (RFC 5280, 6.1, and ISO/IEC 18013-5, 9.3.3), for `X509.Verifier`, which
/// builds the candidates. The leaf itself is left to its dates and its profile, which are no matter of the path.
///
/// `RFC5280Policy` of the library is not used: it takes the system's clock, refuses constraints that are not in DER,
/// which a real authority's are, knows neither key usage nor the standard's algorithms, and says why in words only.
struct CertificatePathPolicy: VerifierPolicy {
  /// Every extension that is critical on a path that can come: the verifier refuses others without a word, so that these
  /// rules judge them and can say why.
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier]
  /// What kept candidates from being the path, in the order in which they came.
  private(set) var failures: [CertificatePathError] = []

  private let purposes: [ASN1ObjectIdentifier]?
  private let moment: DateTime

  /// Rules for a moment.
  /// - Parameters:
  ///   - certificates: all that can be on a path.
  ///   - purposes: of which one must be allowed by whoever limits the purposes of what it issues; nil when the leaf
  ///     needs none.
  init(of certificates: [Certificate], purposes: [ASN1ObjectIdentifier]?, moment: DateTime) {
    verifyingCriticalExtensions = certificates.flatMap { $0.extensions.filter(\.critical).map(\.oid) }.uniqued()
    self.purposes = purposes
    self.moment = moment
  }

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    guard let failure = failure(of: Array(chain)) else { return .meetsPolicy }
    failures.append(failure)
    return .failsToMeetPolicy(reason: failure.sentence)
  }

  private func failure(of path: [Certificate]) -> CertificatePathError? {
    // How many authorities that are not their own issuers stand between the leaf and this one.
    var between = 0
    for (position, certificate) in path.enumerated().dropFirst() {
      let fields = CertificateFields(certificate)
      let failure =
        certificate.failure(at: moment, place: .path) ?? authorityFailure(certificate, fields, between: between)
        ?? (position == path.count - 1
          ? anchorFailure(certificate, fields) : intermediateFailure(certificate, fields))
      if let failure { return failure }
      if !certificate.isSelfIssued { between += 1 }
    }
    return nil
  }

  /// What whoever issues on a path must be, trusted or not (RFC 5280, 6.1.4 k to m).
  private func authorityFailure(
    _ certificate: Certificate, _ fields: CertificateFields, between: Int
  ) -> CertificatePathError? {
    if fields.key == .rsa { return error(.key, .keyKind, certificate, found: fields.key.name) }
    if fields.key.isEdwards { return error(.key, .key, certificate, expected: "ECDSA", found: fields.key.name) }
    if let unknown = certificate.extensions.first(where: {
      $0.critical && !CertificateOID.understoodExtensions.contains($0.oid)
    }) {
      return error(.profile, .criticalExtension, certificate, found: unknown.oid.description)
    }
    guard let constraints = fields.constraints, constraints.isAuthority, certificate.version == .v3 else {
      return error(
        .profile, .basicConstraints, certificate, expected: "an authority", found: fields.constraints?.shown ?? "none")
    }
    if let length = constraints.pathLength, length < between {
      return error(
        .profile, .basicConstraints, certificate, expected: "at most \(length) authorities below it",
        found: "\(between)")
    }
    return nil
  }

  /// Of what is trusted name, key and constraints count; but one that says itself what its key is for, and not that it is
  /// for certificates, is trusted as a signer and issues none.
  private func anchorFailure(_ certificate: Certificate, _ fields: CertificateFields) -> CertificatePathError? {
    guard certificate.extensions[oid: .X509ExtensionID.keyUsage] != nil else { return nil }
    return keyUsageFailure(certificate, fields)
  }

  /// Those between leaf and anchor must be allowed to sign certificates of the leaf's kind (RFC 5280, 6.1.4 n), and keep
  /// the rules that every certificate of annex B has to keep.
  private func intermediateFailure(_ certificate: Certificate, _ fields: CertificateFields) -> CertificatePathError? {
    if let failure = keyUsageFailure(certificate, fields) { return failure }
    if let forbidden = certificate.extensions.lazy.compactMap({ CertificateOID.forbiddenExtensions[$0.oid] }).first {
      return error(.profile, .forbiddenExtension, certificate, expected: "none", found: forbidden)
    }
    guard CertificateSignatures.ecdsa.contains(fields.signatureAlgorithm), fields.signatureAlgorithmsAgree else {
      return error(
        .profile, .signatureAlgorithm, certificate, expected: CertificateSignatures.ecdsa.joined(separator: " or "),
        found: fields.signatureAlgorithmsAgree ? fields.signatureAlgorithm : "one name inside and another outside")
    }
    guard certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil, let purposes else { return nil }
    let found = try? certificate.extensions.extendedKeyUsage
    guard purposes.contains(where: { found?.contains(ExtendedKeyUsage.Usage(oid: $0)) == true }) else {
      return error(
        .profile, .extendedKeyUsage, certificate, expected: purposes.map(\.description).joined(separator: " or "),
        found: found.map { $0.map(\.description).joined(separator: ", ") } ?? "unreadable")
    }
    return nil
  }

  private func keyUsageFailure(_ certificate: Certificate, _ fields: CertificateFields) -> CertificatePathError? {
    let usage = fields.usage?.usage
    if usage?.keyCertSign == true { return nil }
    return error(.profile, .keyUsage, certificate, expected: "keyCertSign", found: usage?.names ?? "none")
  }

  private func error(
    _ code: CertificatePathError.Code, _ rule: CertificateRule, _ certificate: Certificate, expected: String? = nil,
    found: String
  ) -> CertificatePathError {
    CertificatePathError(
      code: code, place: .path,
      sentence: "the certificate path is not valid, at \(certificate.subject): \(rule.sentence)",
      evidence: [
        CheckResult.Evidence("issuing certificate", expected: expected, found: found),
        CheckResult.Evidence("rule", found: rule.rawValue),
      ])
  }
}

extension Certificate {
  /// Why a certificate is not valid at a moment; nil when it is, both ends included (RFC 5280, 4.1.2.5).
  package func failure(at moment: DateTime, place: CertificatePathError.Place) -> CertificatePathError? {
    if moment > validity.until {
      return CertificatePathError(
        code: .expired, place: place, sentence: "the certificate of \(subject) expired on \(validity.until)",
        evidence: [
          CheckResult.Evidence("notAfter", expected: "\(moment) or later", found: validity.until.description)
        ])
    }
    if moment < validity.from {
      return CertificatePathError(
        code: .notYetValid, place: place,
        sentence: "the certificate of \(subject) is not valid before \(validity.from)",
        evidence: [
          CheckResult.Evidence("notBefore", expected: "\(moment) or earlier", found: validity.from.description)
        ])
    }
    return nil
  }
}
