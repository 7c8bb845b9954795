import COSE
import Checks
import Primitives
import SwiftASN1
import X509

/// Seeks a path from a leaf to a trusted certificate (RFC 5280, 6.1) with `X509.Verifier`, under the rules of
/// ``CertificatePathPolicy``, and says what is wrong where there is none.
///
/// However the sender names and signs what it sends, the work is bounded: of a chain of
/// ``COSEHeaders/maximumChainLength`` at most sixteen sequences begin with the leaf, and the last of each is held against
/// the rest of the chain and at most ``maximumAnchors``.
struct CertificatePathSearch {
  private let chain: [Certificate]
  private let trusted: TrustedCertificates
  private let anchors: [Certificate]
  private let moment: DateTime
  private let purposes: [ASN1ObjectIdentifier]?

  /// Most trusted certificates that one search looks at, those first that key identifiers name. Real lists have two or
  /// three of a name.
  static let maximumAnchors = 16

  init(chain: [Certificate], trusted: TrustedCertificates, moment: DateTime, purposes: [ASN1ObjectIdentifier]?) {
    self.chain = Array(chain.prefix(COSEHeaders.maximumChainLength))
    self.trusted = trusted
    self.moment = moment
    self.purposes = purposes
    anchors = Self.anchors(for: self.chain, among: trusted.anchors)
  }

  /// The trusted certificates that a path may end with: the leaf itself, then those that key identifiers name, then those
  /// of the names alone.
  private static func anchors(for chain: [Certificate], among trusted: [Certificate]) -> [Certificate] {
    let named = chain.flatMap { tip in
      trusted.indices.filter { trusted[$0].subject == tip.issuer }
        .map { (position: $0, isMatching: tip.names(trusted[$0])) }
    }
    let positions =
      trusted.indices.filter { trusted[$0] == chain.first } + named.filter(\.isMatching).map(\.position)
      + named.map(\.position)
    var anchors: [Certificate] = []
    for position in positions.uniqued() where !anchors.contains(trusted[position]) {
      anchors.append(trusted[position])
      if anchors.count == maximumAnchors { break }
    }
    return anchors
  }

  /// The path, leaf first, or what is wrong with the one that came nearest.
  func run() async -> Result<[Certificate], CertificatePathError> {
    reportSignatures()
    let leaf = chain[0]
    var verifier = Verifier(rootCertificates: CertificateStore(anchors), policy: policy)
    let intermediates = CertificateStore(chain.dropFirst())
    if case .validCertificate(let path) = await verifier.validate(leaf: leaf, intermediates: intermediates) {
      return .success(Array(path))
    }
    let order: [CertificatePathError.Code] = [.expired, .notYetValid, .key, .profile]
    for code in order {
      if let failure = verifier.policy.failures.first(where: { $0.code == code }) { return .failure(failure) }
    }
    return .failure(forged() ?? untrusted(leaf))
  }

  /// A function and no closure, of which the verifier would make a policy whose failures cannot be asked for.
  private func policy() -> CertificatePathPolicy {
    CertificatePathPolicy(of: chain + anchors, purposes: purposes, moment: moment)
  }

  /// Tells the witness of every signature that the verifier may check: it does not say itself which it checked.
  private func reportSignatures() {
    guard VerificationWitness.current != nil else { return }
    for certificate in chain {
      for issuer in (anchors + chain.dropFirst()).uniqued() where issuer.subject == certificate.issuer {
        _ = certificate.isSigned(by: issuer)
      }
    }
  }

  /// That a trusted certificate has name and key identifier of an issuer, of the leaf or of what issued it, and did not
  /// sign.
  private func forged() -> CertificatePathError? {
    var reached = [chain[0]]
    var position = 0
    while position < reached.count {
      let tip = reached[position]
      position += 1
      if let issuer = anchors.first(where: { tip.names($0) && !tip.isSigned(by: $0) }) {
        return CertificatePathError(
          code: .signature, place: .path,
          sentence: "the certificate of \(tip.subject) is not signed with the key of \(issuer.subject), "
            + "which it names as its issuer", evidence: evidence(for: tip))
      }
      reached += chain.dropFirst().filter {
        $0.subject == tip.issuer && !reached.contains($0) && tip.isSigned(by: $0)
      }
    }
    return nil
  }

  private func untrusted(_ leaf: Certificate) -> CertificatePathError {
    if let anchor = trusted.unusable.first(where: { anchor in chain.contains { $0.issuer == anchor.subject } }) {
      return CertificatePathError(
        code: .key, place: .path,
        sentence: "the key of the trusted \(anchor.subject) is on \(anchor.key.name), which has no implementation here",
        evidence: evidence(for: leaf) + [CheckResult.Evidence("rule", found: CertificateRule.keySupport.rawValue)])
    }
    return CertificatePathError(
      code: .untrusted, place: .path,
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
}

extension Certificate {
  /// Whether name and key identifier of another certificate are those of this one's issuer.
  fileprivate func names(_ other: Certificate) -> Bool {
    guard let wanted = authorityKeyIdentifier else { return false }
    return other.subject == issuer && other.subjectKeyIdentifier == wanted
  }
}
