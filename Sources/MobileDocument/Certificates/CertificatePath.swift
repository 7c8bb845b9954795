import COSE
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A certificate chain that ends in a trusted certificate and fits its profile. Only ``TrustedCertificates`` makes one.
public struct ValidatedCertificatePath: Sendable {
  /// Certificates from the leaf to the trusted one.
  public let certificates: [Certificate]
  /// Departures from the profile that were let pass.
  public let findings: [CheckResult]

  /// The certificate at the start.
  public var leaf: Certificate { certificates[0] }
  /// The trusted certificate at the end.
  public var anchor: Certificate { certificates[certificates.count - 1] }
}

/// Why a certificate chain was not accepted.
public struct CertificatePathError: Error, Sendable {
  /// The rule that was broken.
  public enum Code: Sendable {
    /// No path leads to a trusted certificate.
    case untrusted
    /// A certificate on the path is past its end.
    case expired
    /// A certificate on the path is before its start.
    case notYetValid
    /// The leaf is not of the profile that its use demands.
    case profile
  }

  /// The rule that was broken.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]
}

/// Certificates that somebody trusts, for one purpose.
public struct TrustedCertificates: Sendable {
  /// The trusted certificates. They need not be self-signed.
  public let anchors: [Certificate]
  /// The profile that leaves must fit.
  public let profile: CertificateProfile

  /// Trust in some certificates.
  public init(_ anchors: [Certificate], for profile: CertificateProfile) {
    self.anchors = anchors
    self.profile = profile
  }

  /// Validates a chain as received, leaf first (ISO/IEC 18013-5, 9.3.3 and annex B; RFC 5280, 6.1).
  ///
  /// The path is built and checked by swift-certificates at the given time, then the leaf by the rules of its profile.
  /// A root that travels in the chain is never trusted for it.
  ///
  /// - Returns: the path, or why there is none.
  public func validate(
    _ chain: [Certificate], at moment: DateTime
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    guard let leaf = chain.first else {
      return .failure(CertificatePathError(code: .untrusted, sentence: "there is no certificate", evidence: []))
    }
    let path: [Certificate]
    let found = await anchoredPath(chain, at: moment)
    VerificationWitness.report(.chain(claim(chain, at: moment, found)))
    switch found {
    case .success(let found): path = found
    case .failure(let error): return .failure(error)
    }
    let rules = profile.check(leaf, issuer: path.count > 1 ? path[1] : nil, anchor: path.last)
    if let broken = rules.first(where: { $0.outcome == .failed }) {
      return .failure(
        CertificatePathError(
          code: .profile, sentence: "the \(profile.rawValue) certificate does not fit its profile: \(broken.sentence)",
          evidence: broken.evidence + [CheckResult.Evidence("rule", found: broken.code)]))
    }
    return .success(
      ValidatedCertificatePath(certificates: path, findings: rules.filter { $0.outcome == .deviates }))
  }

  private func anchoredPath(
    _ chain: [Certificate], at moment: DateTime
  ) async -> Result<[Certificate], CertificatePathError> {
    let leaf = chain[0]
    var verifier = Verifier(rootCertificates: CertificateStore(anchors)) {
      RFC5280Policy(fixedExpiryValidationTime: moment.date)
      IntermediatesPolicy(purpose: profile.extendedKeyUsage)
    }
    switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(chain.dropFirst())) {
    case .validCertificate(let path):
      return .success(Array(path))
    case .couldNotValidate(let failures):
      for failure in failures {
        if let error = datesError(Array(failure.chain), at: moment) { return .failure(error) }
      }
      // An issuer outside the anchors leaves no candidate path, and neither does an outdated trusted leaf.
      if let reason = failures.first {
        return .failure(
          CertificatePathError(
            code: .profile, sentence: "the certificate path is not valid: \(reason.policyFailureReason)",
            evidence: evidence(for: leaf)))
      }
      return .failure(
        CertificatePathError(
          code: .untrusted,
          sentence: "no path leads from \(leaf.subject) to a trusted \(profile.isAuthority ? "" : "root ")certificate",
          evidence: evidence(for: leaf)))
    }
  }

  private func evidence(for leaf: Certificate) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("issuer", found: leaf.issuer.description),
      CheckResult.Evidence(
        "authority key identifier",
        expected: anchors.compactMap { $0.subjectKeyIdentifier.map(hexadecimal) }.joined(separator: " or "),
        found: leaf.authorityKeyIdentifier.map(hexadecimal)),
    ]
  }

  private func datesError(_ path: [Certificate], at moment: DateTime) -> CertificatePathError? {
    for certificate in path {
      let validity = certificate.validity
      if moment > validity.until {
        return CertificatePathError(
          code: .expired, sentence: "the certificate of \(certificate.subject) expired on \(validity.until)",
          evidence: [
            CheckResult.Evidence("notAfter", expected: "\(moment) or later", found: validity.until.description)
          ])
      }
      if moment < validity.from {
        return CertificatePathError(
          code: .notYetValid,
          sentence: "the certificate of \(certificate.subject) is not valid before \(validity.from)",
          evidence: [
            CheckResult.Evidence("notBefore", expected: "\(moment) or earlier", found: validity.from.description)
          ])
      }
    }
    return nil
  }
}

/// What swift-certificates leaves to its callers: those between leaf and anchor must be allowed to sign certificates
/// of the leaf's kind (RFC 5280, 6.1.4 k and n). The profile judges the leaf, trust the anchor; key usages are
/// therefore handled here, and being critical does not make a certificate unreadable.
private struct IntermediatesPolicy: VerifierPolicy {
  let purpose: ASN1ObjectIdentifier?

  var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
    [.X509ExtensionID.extendedKeyUsage, .X509ExtensionID.keyUsage]
  }

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
    for certificate in chain.dropFirst().dropLast() {
      let subject = certificate.subject
      guard certificate.version == .v3, (try? certificate.extensions.keyUsage)?.keyCertSign == true else {
        return .failsToMeetPolicy(reason: "\(subject) may not sign certificates")
      }
      guard certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil, let purpose else { continue }
      let purposes = try? certificate.extensions.extendedKeyUsage
      guard purposes?.contains(ExtendedKeyUsage.Usage(oid: purpose)) == true else {
        return .failsToMeetPolicy(reason: "\(subject) is for another purpose")
      }
    }
    return .meetsPolicy
  }
}

/// Bytes as lower-case hexadecimal digits.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
  let bytes = Array(bytes)
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}
