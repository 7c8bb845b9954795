import COSE
import Checks
import Primitives
import SwiftASN1
import X509

/// A certificate chain that ends in a trusted certificate and fits its profile. Only ``TrustedCertificates`` makes one.
public struct ValidatedCertificatePath: Sendable {
  /// The certificates from the leaf to the trusted one.
  public let certificates: [Certificate]
  /// Accepted deviations from the profile, and notes on the chain.
  public let findings: [CheckResult]

  /// The leaf certificate.
  public var leaf: Certificate { certificates[0] }
  /// The trusted certificate at the end of the path.
  public var anchor: Certificate { certificates[certificates.count - 1] }
}

/// An error that a certificate chain is not accepted.
///
/// ``place`` tells whether a trusted issuer vouches for the leaf; the code tells what is wrong.
public struct CertificatePathError: CodedError {
  /// The rule that was broken.
  public enum Code: String, Sendable, CaseIterable {
    /// The chain does not lead to a trusted certificate.
    case untrusted = "certificate-path.untrusted"
    /// A trusted certificate has the issuer's name and key identifier, but its key does not verify the signature.
    case signature = "certificate-path.signature"
    /// The list that names the trusted certificate does not trust it for documents of this type.
    case documentType = "certificate-path.document-type"
    /// A certificate on the path has expired.
    case expired = "certificate-path.expired"
    /// A certificate on the path is not yet valid.
    case notYetValid = "certificate-path.not-yet-valid"
    /// A key on the path has a kind that is not allowed or not supported.
    case key = "certificate-path.key"
    /// The leaf is for another purpose, for example a reader certificate in place of a document signer certificate.
    case purpose = "certificate-path.purpose"
    /// The leaf or another certificate on the path breaks another rule of its profile.
    case profile = "certificate-path.profile"
  }

  /// The place of a broken rule.
  public enum Place: Sendable, CaseIterable {
    /// On the path to a trusted certificate, so that trust is not established: no trusted issuer, a wrong signature, or
    /// an issuer that has expired or may not issue.
    case path
    /// In the leaf alone: a path leads from it to a trusted certificate, and every rule of that path holds.
    case leaf
  }

  /// The rule that was broken.
  public let code: Code
  /// The place of the broken rule.
  public let place: Place
  /// A human-readable description of the error.
  public let message: String
  /// The certificates and fields at fault.
  public let fields: [CheckResult.Evidence]
  /// All other findings: the rules of its profile that the leaf breaks, even if no path leads from it.
  public var findings: [CheckResult] = []
}

/// Searches a path from a leaf to a trusted certificate (RFC 5280, 6.1) with `X509.Verifier`, under the rules of
/// ``CertificatePathPolicy``, and determines the error if it finds no path.
///
/// The work is bounded for every input: a chain of ``COSEHeaders/maximumChainLength`` has at most sixteen sequences
/// that begin with the leaf, and the last certificate of each is compared with the rest of the chain and at most
/// ``maximumAnchors``.
struct CertificatePathSearch {
  private let chain: [Certificate]
  private let trusted: TrustedCertificates
  private let anchors: [Certificate]
  private let moment: DateTime
  private let purposes: [ASN1ObjectIdentifier]?

  /// The largest number of trusted certificates that one search considers, those with a matching key identifier first.
  /// Real lists have two or three with the same name.
  static let maximumAnchors = 16

  init(chain: [Certificate], trusted: TrustedCertificates, moment: DateTime, purposes: [ASN1ObjectIdentifier]?) {
    self.chain = Array(chain.prefix(COSEHeaders.maximumChainLength))
    self.trusted = trusted
    self.moment = moment
    self.purposes = purposes
    anchors = Self.anchors(for: self.chain, among: trusted.anchors)
  }

  /// Returns the trusted certificates that a path may end with: the leaf itself, then those with a matching key
  /// identifier, then those with a matching name only.
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

  /// Returns the path, leaf first, or the error of the closest candidate.
  func run() async -> Result<[Certificate], CertificatePathError> {
    reportSignatures()
    let leaf = chain[0]
    if chain.contains(where: { $0.receivedSerialNumber != nil }) { return searched() }
    var verifier = Verifier(rootCertificates: CertificateStore(anchors), policy: policy)
    let intermediates = CertificateStore(chain.dropFirst())
    if case .validCertificate(let path) = await verifier.validate(leaf: leaf, intermediates: intermediates) {
      return .success(Array(path))
    }
    return .failure(closest(verifier.policy.failures))
  }

  /// Returns the error of the closest candidate.
  private func closest(_ failures: [CertificatePathError]) -> CertificatePathError {
    let order: [CertificatePathError.Code] = [.expired, .notYetValid, .key, .profile]
    for code in order {
      if let failure = failures.first(where: { $0.code == code }) { return failure }
    }
    return forged() ?? untrusted(chain[0])
  }

  /// Searches a chain with a serial number that the library does not read: its verifier would check the signature over
  /// other bytes than the received ones.
  private func searched() -> Result<[Certificate], CertificatePathError> {
    let policy = policy()
    var failures: [CertificatePathError] = []
    var partial = [[chain[0]]]
    if anchors.contains(chain[0]) { return .success([chain[0]]) }
    while let path = partial.popLast() {
      let tip = path[path.count - 1]
      for anchor in anchors where anchor.subject == tip.issuer && tip.isValid(signedBy: anchor) {
        guard let failure = policy.failure(of: path + [anchor]) else { return .success(path + [anchor]) }
        failures.append(failure)
      }
      for next in chain.dropFirst()
      where next.subject == tip.issuer && !path.contains(next) && tip.isValid(signedBy: next) {
        partial.append(path + [next])
      }
    }
    return .failure(closest(failures))
  }

  /// A function, not a closure: from a closure the verifier would build a policy whose failures are not accessible.
  private func policy() -> CertificatePathPolicy {
    CertificatePathPolicy(of: chain + anchors, purposes: purposes, moment: moment)
  }

  /// Reports every signature that the verifier may check to the witness: the verifier does not expose which it checked.
  private func reportSignatures() {
    guard VerificationWitness.current != nil else { return }
    for certificate in chain {
      for issuer in (anchors + chain.dropFirst()).uniqued() where issuer.subject == certificate.issuer {
        _ = certificate.isSigned(by: issuer)
      }
    }
  }

  /// Returns an error if a trusted certificate has the name and key identifier of an issuer on the path but did not
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
          message: "the certificate of \(tip.subject) names \(issuer.subject) as its issuer, "
            + "and is not signed with that issuer's key", fields: evidence(for: tip))
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
        message: "the key of the trusted \(anchor.subject) is on \(anchor.key.name), an unsupported curve",
        fields: evidence(for: leaf) + [CheckResult.Evidence("rule", found: CertificateRule.keySupport.name)])
    }
    return CertificatePathError(
      code: .untrusted, place: .path,
      message:
        "no path leads from \(leaf.subject) to a trusted \(trusted.profile.isAuthority ? "" : "root ")certificate",
      fields: evidence(for: leaf))
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
  /// Returns whether another certificate has the name and key identifier of this one's issuer.
  fileprivate func names(_ other: Certificate) -> Bool {
    guard let wanted = authorityKeyIdentifier else { return false }
    return other.subject == issuer && other.subjectKeyIdentifier == wanted
  }
}
