import SwiftASN1
import X509

/// A certificate chain that ends in a trusted certificate and fits its profile. Only ``TrustedCertificates`` makes one.
public struct ValidatedCertificatePath: Sendable {
  /// Certificates from the leaf to the trusted one.
  public let certificates: [Certificate]
  /// Departures from the profile that were let pass, and what else there is to say about the chain.
  public let findings: [CheckResult]

  /// The certificate at the start.
  public var leaf: Certificate { certificates[0] }
  /// The trusted certificate at the end.
  public var anchor: Certificate { certificates[certificates.count - 1] }
}

/// Why a certificate chain was not accepted.
public struct CertificatePathError: Error, Sendable {
  /// The rule that was broken.
  public enum Code: Sendable, CaseIterable {
    /// No path leads to a trusted certificate.
    case untrusted
    /// A trusted certificate has the issuer's name and key identifier, and its key did not make the signature.
    case signature
    /// A certificate on the path is past its end.
    case expired
    /// A certificate on the path is before its start.
    case notYetValid
    /// A key on the path is of a kind that is not allowed, or that has no implementation here.
    case key
    /// The leaf is for another purpose: a reader's certificate where a document signer's belongs.
    case purpose
    /// The leaf or another certificate on the path is in another way not of the profile that its use demands.
    case profile
  }

  /// The rule that was broken.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]
  /// Everything else that was found: what the leaf breaks of its profile, also when no path leads from it anywhere.
  public var findings: [CheckResult] = []
}

/// Certificates that somebody trusts, for one purpose.
public struct TrustedCertificates: Sendable {
  /// The trusted certificates. They need not be self-signed.
  public let anchors: [Certificate]
  /// Trusted certificates whose key has no implementation here, so that no path can lead to them.
  public let unusable: [CertificateFields]
  /// The profile that leaves must fit.
  public let profile: CertificateProfile

  /// Trust in some certificates.
  public init(_ anchors: [Certificate], unusable: [CertificateFields] = [], for profile: CertificateProfile) {
    self.anchors = anchors
    self.unusable = unusable
    self.profile = profile
  }

  /// Validates a chain as received, leaf first (ISO/IEC 18013-5, 9.3.3 and annex B; RFC 5280, 6.1).
  ///
  /// A path is sought from the leaf through what came with it to a trusted certificate, and every signature, date and
  /// constraint on it checked; then the leaf by the rules of its profile. What is trusted is taken as it is: it need not
  /// be a root, its own signature counts for nothing, and neither does its profile. A root that travels in the chain is
  /// never trusted for it.
  ///
  /// A leaf that is trusted itself needs no path. Whoever trusts it has said what it is for, so that what it lacks of
  /// its profile deviates; one that is plainly something else, an authority or another role's, is refused all the same.
  ///
  /// - Parameters:
  ///   - chain: as it came, leaf first.
  ///   - moment: the time for which everything on the path must be valid.
  ///   - documentType: what a document signer signed, which decides what purpose its certificate must name.
  /// - Returns: the path, or why there is none, either with everything that was found.
  public func validate(
    _ chain: [Certificate], at moment: DateTime, documentType: String? = nil
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    guard let leaf = chain.first else {
      return .failure(CertificatePathError(code: .untrusted, sentence: "there is no certificate", evidence: []))
    }
    var search = CertificatePathSearch(
      chain: chain, trusted: self, moment: moment, purposes: profile.purposes(signing: documentType)?.accepted)
    let found = search.run()
    let path = try? found.get()
    // Without a path the next certificate may be the issuer as well as any.
    let issuer = path.map { $0.count > 1 ? $0[1] : nil } ?? chain.dropFirst().first { $0.subject == leaf.issuer }
    var findings = profile.findings(
      in: leaf, issuer: issuer, anchor: path.map { $0[$0.count - 1] }, documentType: documentType)
    if path?.count == 1, !profile.isAuthority { findings = findings.map(Self.asTrustedItself) }
    findings += rootsSent(in: chain)

    switch found {
    case .failure(var error):
      error.findings = findings
      return .failure(error)
    case .success(let path):
      if path.count == 1, !profile.isAuthority {
        findings.append(
          CheckResult(
            CertificateRule.trustedItself, subject: profile.rawValue, .deviates,
            sentence: CertificateRule.trustedItself.sentence,
            evidence: [CheckResult.Evidence("certificate", found: leaf.subject.description)]))
      }
      guard let broken = Self.gravest(of: findings) else {
        return .success(ValidatedCertificatePath(certificates: path, findings: findings))
      }
      return .failure(
        CertificatePathError(
          code: Self.code(for: broken),
          sentence: "the \(profile.rawValue) certificate does not fit its profile: \(broken.sentence)",
          evidence: broken.evidence + [CheckResult.Evidence("rule", found: broken.code)], findings: findings))
    }
  }

  /// The finding that a failure names: the purpose before the rest, since it says what the certificate is instead.
  private static func gravest(of findings: [CheckResult]) -> CheckResult? {
    let failed = findings.filter { $0.outcome == .failed }
    return failed.first { code(for: $0) == .key } ?? failed.first { code(for: $0) == .purpose } ?? failed.first
  }

  private static func code(for broken: CheckResult) -> CertificatePathError.Code {
    switch CertificateRule(rawValue: broken.code) {
    case .extendedKeyUsage?: .purpose
    case .key?, .keyKind?, .keyEncoding?, .keySupport?: .key
    default: .profile
    }
  }

  /// What a leaf that is trusted itself lacks deviates, and so does that it may issue others, as the certificates that
  /// tools make for trying things out may. A real authority's is known by its key usage, which still fails, as does a
  /// purpose that is another one.
  private static func asTrustedItself(_ finding: CheckResult) -> CheckResult {
    guard finding.outcome == .failed, let rule = CertificateRule(rawValue: finding.code) else { return finding }
    switch rule {
    case .keyUsage, .extendedKeyUsage: guard finding.evidence.contains(where: \.isLacking) else { return finding }
    case .basicConstraints: break
    default: return finding
    }
    return CheckResult(
      rule, subject: finding.subject, .deviates, sentence: finding.sentence, evidence: finding.evidence)
  }

  /// A finding for each root that came with the leaf: it is of no use to anybody (ISO/IEC 18013-5, B.1.2).
  private func rootsSent(in chain: [Certificate]) -> [CheckResult] {
    chain.dropFirst().filter { $0.isSelfIssued || anchors.contains($0) }.map { root in
      CheckResult(
        CertificateRule.rootInChain, subject: profile.rawValue, .deviates,
        sentence: CertificateRule.rootInChain.sentence,
        evidence: [CheckResult.Evidence("certificate", found: root.subject.description)])
    }
  }
}

extension CheckResult.Evidence {
  fileprivate var isLacking: Bool { expected != nil && found == "none" }
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
