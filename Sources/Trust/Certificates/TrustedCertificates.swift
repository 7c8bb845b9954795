import COSE
import Checks
import Primitives
import X509

/// Trusted certificates for one purpose.
public struct TrustedCertificates: Sendable {
  /// The trusted certificates. They need not be self-signed.
  public let anchors: [Certificate]
  /// Trusted certificates with an unsupported key, to which no path can lead.
  public let unusable: [CertificateFields]
  /// The profile of the leaf certificates.
  public let profile: CertificateProfile
  /// The types of documents that a certificate is trusted for, where a list limits them.
  public let documentTypes: [Certificate: [String]]
  /// The fields of the trusted certificates, each once: decoded here, not at each search.
  let fields: [CertificateFields]

  /// Creates a set of trusted certificates.
  /// - Parameter documentTypes: The types of documents that a certificate is trusted for. A certificate without an entry is
  ///   trusted for every type.
  public init(
    _ anchors: [Certificate], unusable: [CertificateFields] = [], for profile: CertificateProfile,
    documentTypes: [Certificate: [String]] = [:]
  ) {
    self.init(
      anchors, fields: anchors.uniqued().map(CertificateFields.init), unusable: unusable, for: profile,
      documentTypes: documentTypes)
  }

  private init(
    _ anchors: [Certificate], fields: [CertificateFields], unusable: [CertificateFields],
    for profile: CertificateProfile, documentTypes: [Certificate: [String]]
  ) {
    self.anchors = anchors
    self.fields = fields
    self.unusable = unusable
    self.profile = profile
    self.documentTypes = documentTypes
  }

  /// Creates a set of trusted certificates from DER with ``CertificateChain/readTrusted(_:)``. Unsupported certificates
  /// do not keep the others from being trusted.
  /// - Parameter certificates: The DER of each certificate.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public init(reading certificates: [[UInt8]], for profile: CertificateProfile) throws(CertificateRuleError) {
    let read = try CertificateChain.readTrusted(certificates)
    self.init(read.usable, unusable: read.unusable, for: profile)
  }

  /// The number of trusted certificates, including unsupported ones.
  public var count: Int { anchors.count + unusable.count }

  /// Returns the union with another set, for this set's profile. A certificate is limited to some types of documents only
  /// if both sets limit it, or one set does not have it.
  public func adding(_ other: TrustedCertificates) -> TrustedCertificates {
    let (own, others) = (HandfulSet(anchors), HandfulSet(other.anchors))
    var limits: [Certificate: [String]] = [:]
    // Only a certificate that a set limits can be limited.
    for certificate in (documentTypes.isEmpty && other.documentTypes.isEmpty ? [] : anchors + other.anchors)
    where limits[certificate] == nil {
      let sets = [(self, own), (other, others)].filter { $0.1.contains(certificate) }.map {
        $0.0.documentTypes[certificate]
      }
      guard !sets.contains(nil) else { continue }
      limits[certificate] = sets.flatMap { $0 ?? [] }.uniqued()
    }
    let added = other.fields.filter { fields in fields.certificate.map { !own.contains($0) } ?? true }
    return TrustedCertificates(
      anchors + other.anchors, fields: fields + added, unusable: unusable + other.unusable, for: profile,
      documentTypes: limits)
  }

  /// Returns an error if the list that names the end of a path does not trust it for a type of documents.
  package func failure(of path: [Certificate], signing documentType: String?) -> CertificatePathError? {
    guard let documentType, let anchor = path.last, let types = documentTypes[anchor],
      !types.contains(where: { $0.isExactly(documentType) })
    else { return nil }
    return CertificatePathError(
      code: .documentType, place: .path,
      message: "the list that names \(anchor.subject) does not trust it for documents of type \(documentType)",
      fields: .field("docType", expected: types.joined(separator: " or "), found: documentType))
  }

  /// Returns the set without the certificates that a list limits to other types of documents.
  package func trusting(_ documentType: String) -> TrustedCertificates {
    guard !documentTypes.isEmpty else { return self }
    func isTrusted(_ certificate: Certificate) -> Bool { failure(of: [certificate], signing: documentType) == nil }
    return TrustedCertificates(
      anchors.filter(isTrusted), fields: fields.filter { $0.certificate.map(isTrusted) ?? true }, unusable: unusable,
      for: profile, documentTypes: documentTypes)
  }

  /// Validates a chain as received, leaf first (ISO/IEC 18013-5, 9.3.3 and annex B; RFC 5280, 6.1).
  ///
  /// Searches a path from the leaf through the rest of the chain to a trusted certificate, and checks every signature,
  /// date and constraint on it. Then checks the dates of the leaf and the rules of its profile. A trusted certificate
  /// need not be a root; its own signature and profile are not checked. The rules for every issuer apply to it too:
  /// version 3, an authority with a sufficient path length, an ECDSA key, in date, no unsupported critical extension,
  /// and, if it has a key usage, the right to sign certificates. A root inside the chain is never trusted because it
  /// was sent.
  ///
  /// A leaf that is trusted itself needs no path. Because its purpose is known from the configuration, missing
  /// properties of its profile deviate, and so do basic constraints of an authority. The key usage of an authority, the
  /// extended key usage of another role and every other broken essential rule still fail.
  ///
  /// - Parameters:
  ///   - chain: The received chain, leaf first. Certificates beyond ``COSEHeaders/maximumChainLength`` are ignored.
  ///   - moment: The time at which everything on the path must be valid.
  ///   - documentType: The type of the signed document, which determines the required extended key usage.
  ///   - policy: The policy for departures of the leaf that real issuers show.
  /// - Returns: The path or the error, each with all findings.
  public func validate(
    _ chain: [Certificate], at moment: DateTime, documentType: String? = nil, policy: VerificationPolicy = .standard
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    await validate(chain.map(CertificateFields.init), at: moment, documentType: documentType, policy: policy)
  }

  /// Validates a chain whose certificates are decoded already.
  package func validate(
    _ chain: [CertificateFields], at moment: DateTime, documentType: String? = nil,
    policy: VerificationPolicy = .standard
  ) async -> Result<ValidatedCertificatePath, CertificatePathError> {
    let result = validated(chain, at: moment, documentType: documentType, policy: policy)
    VerificationWitness.report(.chain(claim(chain.compactMap(\.certificate), at: moment, result)))
    return result
  }

  private func validated(
    _ chain: [CertificateFields], at moment: DateTime, documentType: String?, policy: VerificationPolicy
  ) -> Result<ValidatedCertificatePath, CertificatePathError> {
    guard !chain.isEmpty else {
      return .failure(
        CertificatePathError(code: .untrusted, place: .path, message: "the certificate chain is empty", fields: []))
    }
    let search = CertificatePathSearch(
      chain: chain, trusted: self, moment: moment, purposes: profile.purposes(signing: documentType)?.accepted)
    let leaf = search.chain[0]
    switch search.run() {
    case .failure(let error):
      return .failure(
        error.with(findings(in: chain, read: search.chain, path: nil, documentType: documentType, policy: policy)))
    case .success(let fields):
      let path = fields.compactMap(\.certificate)
      let received = self.findings(
        in: chain, read: search.chain, path: fields, documentType: documentType, policy: policy)
      if let documentType, let other = failure(of: path, signing: documentType) {
        // An authority may have several certificates with the same name and key, each listed for some types.
        let result = trusting(documentType).validated(chain, at: moment, documentType: documentType, policy: policy)
        if case .success = result { return result }
        return .failure(other.with(received))
      }
      let findings = received + trustedItself(path: fields)
      if let outdated = leaf.failure(at: moment, place: .leaf) { return .failure(outdated.with(findings)) }
      guard let broken = Self.gravest(of: findings) else {
        return .success(ValidatedCertificatePath(certificates: path, findings: findings))
      }
      return .failure(
        CertificatePathError(
          code: Self.code(for: broken), place: .leaf,
          message: "the \(profile.rawValue) certificate does not fit its profile: \(broken.message)",
          fields: broken.evidence + [CheckResult.Evidence("rule", found: broken.name)]
        ).with(findings))
    }
  }

  /// Returns the findings about the leaf of a received chain, and about roots in it.
  /// - Parameters:
  ///   - read: The fields of the certificates that a path may have.
  ///   - path: The path to a trusted certificate; nil without one.
  private func findings(
    in chain: [CertificateFields], read: [CertificateFields], path: [CertificateFields]?, documentType: String?,
    policy: VerificationPolicy
  ) -> [CheckResult] {
    let leaf = read[0]
    // Without a path, take the first certificate of the chain with the issuer's name.
    let issuer = path.map { $0.count > 1 ? $0[1] : nil } ?? read.dropFirst().first { $0.subject == leaf.issuer }
    var findings = profile.findings(
      in: leaf, issuer: issuer, anchor: path?.last, documentType: documentType, policy: policy)
    if path?.count == 1, !profile.isAuthority { findings = findings.map(Self.asTrustedItself) }
    return findings + rootsSent(in: chain, besides: path?.dropLast() ?? [])
  }

  /// Returns a finding if a leaf is trusted itself.
  private func trustedItself(path: [CertificateFields]) -> [CheckResult] {
    guard path.count == 1, !profile.isAuthority else { return [] }
    return [
      profile.result(of: .trustedItself, .deviates, evidence: .field("certificate", found: path[0].subject.description))
    ]
  }

  /// Returns the finding that a failure names. The key and the purpose come first: they tell what kind of certificate
  /// it is.
  private static func gravest(of findings: [CheckResult]) -> CheckResult? {
    let failed = findings.filter { $0.status == .failed }
    return failed.first { code(for: $0) == .key } ?? failed.first { code(for: $0) == .purpose } ?? failed.first
  }

  private static func code(for broken: CheckResult) -> CertificatePathError.Code {
    switch broken.reason.flatMap(CertificateRule.init(rawValue:)) {
    case .extendedKeyUsage?: .purpose
    case .key?, .keyKind?, .keyEncoding?, .keySupport?: .key
    default: .profile
    }
  }

  /// Turns failures of a leaf that is trusted itself into deviations: missing extensions, and basic constraints of an
  /// authority, which test certificates of common tools have. A real authority is recognized by its key usage, which
  /// still fails, as does the extended key usage of another role.
  private static func asTrustedItself(_ finding: CheckResult) -> CheckResult {
    guard finding.status == .failed, let rule = finding.reason.flatMap(CertificateRule.init(rawValue:)) else {
      return finding
    }
    switch rule {
    case .keyUsage, .extendedKeyUsage: guard finding.evidence.contains(where: \.isLacking) else { return finding }
    case .basicConstraints: break
    default: return finding
    }
    return CheckResult(
      finding.check, reason: finding.reason, subject: finding.subject, .deviates, message: finding.message,
      evidence: finding.evidence)
  }

  /// Returns a finding for each root that was sent with the leaf, which is useless (ISO/IEC 18013-5, B.1.2). A
  /// self-issued certificate that is part of the path is not reported.
  private func rootsSent(in chain: [CertificateFields], besides used: ArraySlice<CertificateFields>) -> [CheckResult] {
    chain.dropFirst().filter { sent in
      (sent.isSelfIssued || fields.contains(where: sent.isSame)) && !used.contains(where: sent.isSame)
    }.map { root in
      profile.result(of: .rootInChain, .deviates, evidence: .field("certificate", found: root.subject.description))
    }
  }
}

extension CheckResult.Evidence {
  fileprivate var isLacking: Bool { expected != nil && found == "none" }
}
