import COSE
import SwiftASN1
import X509

/// Seeks a path from a leaf to a trusted certificate (RFC 5280, 6.1), depth first, trusted issuers before those that
/// came with the leaf.
///
/// No two certificates of one name and key are on a path, and a signature verifies with one key only: so however the
/// sender names and signs what it sends, each certificate that came is looked at as an issuer of each other one at most
/// once for each path that leads to it, and of those there are few, because chains are short
/// (``COSEHeaders/maximumChainLength``).
struct CertificatePathSearch {
  private let chain: [Certificate]
  private let trusted: TrustedCertificates
  private let moment: DateTime
  private let purposes: [ASN1ObjectIdentifier]?
  /// What kept candidates from being the path, in the order found.
  private var failures: [CertificatePathError] = []
  private var checksLeft = maximumSignatureChecks

  /// Most signatures that one search checks: sixteen trusted certificates of one name for each of four in a chain. Real
  /// lists have two or three of a name, of which key identifiers pick one.
  static let maximumSignatureChecks = 16 * COSEHeaders.maximumChainLength

  init(chain: [Certificate], trusted: TrustedCertificates, moment: DateTime, purposes: [ASN1ObjectIdentifier]?) {
    self.chain = chain
    self.trusted = trusted
    self.moment = moment
    self.purposes = purposes
  }

  /// The path, leaf first, or what is wrong with the one that came nearest.
  mutating func run() -> Result<[Certificate], CertificatePathError> {
    let leaf = chain[0]
    if trusted.anchors.contains(leaf) {
      if let failure = datesError([leaf]) { return .failure(failure) }
      return .success([leaf])
    }
    if let path = extended([leaf]) { return .success(path) }
    let order: [CertificatePathError.Code] = [.expired, .notYetValid, .key, .profile, .signature]
    for code in order {
      if let failure = failures.first(where: { $0.code == code }) { return .failure(failure) }
    }
    return .failure(untrusted(leaf))
  }

  private mutating func extended(_ path: [Certificate]) -> [Certificate]? {
    let tip = path[path.count - 1]
    let wanted = tip.authorityKeyIdentifier
    // Those with the right key first: a name may have had several.
    let named = trusted.anchors.filter { $0.subject == tip.issuer }
    let matching = named.filter { wanted != nil && $0.subjectKeyIdentifier == wanted }
    for anchor in matching + named.filter({ wanted == nil || $0.subjectKeyIdentifier != wanted }) {
      guard hasIssued(tip, anchor) else {
        if wanted != nil, anchor.subjectKeyIdentifier == wanted { failures.append(forged(tip, anchor)) }
        continue
      }
      let candidate = path + [anchor]
      guard let failure = failure(of: candidate) else { return candidate }
      failures.append(failure)
    }
    for next in chain.dropFirst() where next.subject == tip.issuer {
      guard !path.contains(where: { $0.subject == next.subject && $0.publicKey == next.publicKey }),
        path.count < COSEHeaders.maximumChainLength, hasIssued(tip, next)
      else { continue }
      if let found = extended(path + [next]) { return found }
    }
    return nil
  }

  private mutating func hasIssued(_ certificate: Certificate, _ issuer: Certificate) -> Bool {
    guard checksLeft > 0 else { return false }
    checksLeft -= 1
    return issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
  }

  /// Why a path whose signatures verify does not hold; nil when it does. The leaf itself is left to its profile.
  private func failure(of path: [Certificate]) -> CertificatePathError? {
    if let error = datesError(path) { return error }
    // How many authorities that are not their own issuers stand between the leaf and this one.
    var between = 0
    for (position, certificate) in path.enumerated().dropFirst() {
      let fields = CertificateFields(certificate)
      if fields.key == .rsa { return error(.key, .keyKind, certificate, found: fields.key.name) }
      let isAnchor = position == path.count - 1
      if let unknown = certificate.extensions.first(where: {
        $0.critical && !CertificateOID.understoodExtensions.contains($0.oid)
      }) {
        return error(.profile, .criticalExtension, certificate, found: unknown.oid.description)
      }
      guard let constraints = fields.constraints, constraints.isAuthority, certificate.version == .v3 else {
        return error(
          .profile, .basicConstraints, certificate, expected: "an authority",
          found: fields.constraints?.shown ?? "none")
      }
      if let length = constraints.pathLength, length < between {
        return error(
          .profile, .basicConstraints, certificate, expected: "at most \(length) authorities below it",
          found: "\(between)")
      }
      if !isAnchor, let failure = intermediateFailure(certificate) { return failure }
      if !certificate.isSelfIssued { between += 1 }
    }
    return nil
  }

  /// Those between leaf and anchor must be allowed to sign certificates of the leaf's kind (RFC 5280, 6.1.4 k and n).
  private func intermediateFailure(_ certificate: Certificate) -> CertificatePathError? {
    let usage = CertificateFields(certificate).usage?.usage
    guard usage?.keyCertSign == true else {
      return error(.profile, .keyUsage, certificate, expected: "keyCertSign", found: usage?.names ?? "none")
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

  private func error(
    _ code: CertificatePathError.Code, _ rule: CertificateRule, _ certificate: Certificate, expected: String? = nil,
    found: String
  ) -> CertificatePathError {
    CertificatePathError(
      code: code, sentence: "the certificate path is not valid, at \(certificate.subject): \(rule.sentence)",
      evidence: [
        CheckResult.Evidence("issuing certificate", expected: expected, found: found),
        CheckResult.Evidence("rule", found: rule.rawValue),
      ])
  }

  private func forged(_ certificate: Certificate, _ issuer: Certificate) -> CertificatePathError {
    CertificatePathError(
      code: .signature,
      sentence: "the certificate of \(certificate.subject) is not signed with the key of \(issuer.subject), "
        + "which it names as its issuer", evidence: evidence(for: certificate))
  }

  private func untrusted(_ leaf: Certificate) -> CertificatePathError {
    if let anchor = trusted.unusable.first(where: { anchor in chain.contains { $0.issuer == anchor.subject } }) {
      return CertificatePathError(
        code: .key,
        sentence: "the key of the trusted \(anchor.subject) is on \(anchor.key.name), which has no implementation here",
        evidence: evidence(for: leaf) + [CheckResult.Evidence("rule", found: CertificateRule.keySupport.rawValue)])
    }
    return CertificatePathError(
      code: .untrusted,
      sentence:
        "no path leads from \(leaf.subject) to a trusted \(trusted.profile.isAuthority ? "" : "root ")certificate",
      evidence: evidence(for: leaf))
  }

  private func evidence(for leaf: Certificate) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("issuer", found: leaf.issuer.description),
      CheckResult.Evidence(
        "authority key identifier",
        expected: trusted.anchors.compactMap { $0.subjectKeyIdentifier.map(hexadecimal) }.joined(separator: " or "),
        found: leaf.authorityKeyIdentifier.map(hexadecimal)),
    ]
  }

  private func datesError(_ path: [Certificate]) -> CertificatePathError? {
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
