import COSE
import Checks
import Primitives
import X509

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

  /// Trust in the certificates of a list, read with ``CertificateChain/readTrusted(_:)``: those that have no use here keep
  /// nobody from trusting the others.
  /// - Parameter certificates: DER of each.
  /// - Throws: ``CertificateChain/Problem`` naming the first that is too large or malformed.
  public init(
    reading certificates: [[UInt8]], for profile: CertificateProfile
  ) throws(CertificateChain.Problem) {
    let read = try CertificateChain.readTrusted(certificates)
    self.init(read.usable, unusable: read.unusable, for: profile)
  }

  /// How many certificates are trusted, with those that have no use here.
  public var count: Int { anchors.count + unusable.count }

  /// The certificates that are trusted here and there, for what they are trusted here.
  public func adding(_ other: TrustedCertificates) -> TrustedCertificates {
    TrustedCertificates(anchors + other.anchors, unusable: unusable + other.unusable, for: profile)
  }

  /// Validates a chain as received, leaf first (ISO/IEC 18013-5, 9.3.3 and annex B; RFC 5280, 6.1).
  ///
  /// A path is sought from the leaf through what came with it to a trusted certificate, and every signature, date and
  /// constraint on it checked; then the leaf by its dates and the rules of its profile. What is trusted need not be a
  /// root, and neither its own signature nor its profile counts. What every issuer must be it must be too: of version 3
  /// and an authority, with room for the path in its path length, with a key of ECDSA, in date, without a critical
  /// extension that is not understood here, and allowed to sign certificates where it has a key usage. A root that
  /// travels in the chain is never trusted for it.
  ///
  /// A leaf that is trusted itself needs no path. Whoever trusts it has said what it is for, so that what it lacks of
  /// its profile deviates, and so does that its basic constraints make it an authority. The key usage of one, another
  /// role's purpose and every other essential rule that it breaks refuse it all the same.
  ///
  /// - Parameters:
  ///   - chain: as it came, leaf first; of what is longer than ``COSEHeaders/maximumChainLength`` the rest is not
  ///     looked at.
  ///   - moment: the time for which everything on the path must be valid.
  ///   - documentType: what a document signer signed, which decides what purpose its certificate must name.
  /// - Returns: the path, or why there is none, either with everything that was found.
  public func validate(
    _ chain: [Certificate], at moment: DateTime, documentType: String? = nil
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    let result = await validated(chain, at: moment, documentType: documentType)
    VerificationWitness.report(.chain(claim(chain, at: moment, result)))
    return result
  }

  private func validated(
    _ chain: [Certificate], at moment: DateTime, documentType: String?
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    guard let leaf = chain.first else {
      return .failure(
        CertificatePathError(code: .untrusted, place: .path, sentence: "there is no certificate", evidence: []))
    }
    let search = CertificatePathSearch(
      chain: chain, trusted: self, moment: moment, purposes: profile.purposes(signing: documentType)?.accepted)
    let found = await search.run()
    let path = try? found.get()
    // Without a path the next certificate may be the issuer as well as any.
    let issuer = path.map { $0.count > 1 ? $0[1] : nil } ?? chain.dropFirst().first { $0.subject == leaf.issuer }
    var findings = profile.findings(
      in: leaf, issuer: issuer, anchor: path.map { $0[$0.count - 1] }, documentType: documentType)
    if path?.count == 1, !profile.isAuthority { findings = findings.map(Self.asTrustedItself) }
    findings += rootsSent(in: chain, besides: path?.dropLast() ?? [])

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
      if var outdated = leaf.failure(at: moment, place: .leaf) {
        outdated.findings = findings
        return .failure(outdated)
      }
      guard let broken = Self.gravest(of: findings) else {
        return .success(ValidatedCertificatePath(certificates: path, findings: findings))
      }
      return .failure(
        CertificatePathError(
          code: Self.code(for: broken), place: .leaf,
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

  /// A finding for each root that came with the leaf: it is of no use to anybody (ISO/IEC 18013-5, B.1.2). What leads to a
  /// trusted certificate is none, even where it has its issuer's name.
  private func rootsSent(in chain: [Certificate], besides used: [Certificate]) -> [CheckResult] {
    chain.dropFirst().filter { ($0.isSelfIssued || anchors.contains($0)) && !used.contains($0) }.map { root in
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
