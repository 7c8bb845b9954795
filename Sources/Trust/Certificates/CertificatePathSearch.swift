import COSE
import Checks
import Primitives
import SwiftASN1
import X509

/// Searches a path from a leaf to a trusted certificate (RFC 5280, 6.1; RFC 4158) under the rules of
/// ``CertificatePathPolicy``, and determines the error if it finds no path.
///
/// Paths are tried depth first: each trusted certificate before each received one, and those first whose key identifier
/// the issued certificate names. The work is bounded for every input: a chain of ``COSEHeaders/maximumChainLength`` has
/// at most sixteen sequences that begin with the leaf, and the last certificate of each is compared with the rest of the
/// chain and at most ``maximumAnchors``.
struct CertificatePathSearch {
  /// The received chain, leaf first.
  let chain: [CertificateFields]
  private let trusted: TrustedCertificates
  private let anchors: [CertificateFields]
  private let moment: DateTime
  private let purposes: [ASN1ObjectIdentifier]?

  /// The largest number of trusted certificates that one search considers. Real lists have two or three with the same
  /// name.
  static let maximumAnchors = 16

  init(chain: [CertificateFields], trusted: TrustedCertificates, moment: DateTime, purposes: [ASN1ObjectIdentifier]?) {
    self.chain = Array(chain.prefix(COSEHeaders.maximumChainLength))
    self.trusted = trusted
    self.moment = moment
    self.purposes = purposes
    anchors = Self.anchors(for: self.chain, among: trusted.fields)
  }

  /// Returns the trusted certificates that a path may end with: the leaf itself, and those with the name of an issuer. If
  /// these are too many, those come first that also have its key identifier.
  private static func anchors(
    for chain: [CertificateFields], among trusted: [CertificateFields]
  ) -> [CertificateFields] {
    let leaf = trusted.filter(chain[0].isSame)
    let named = trusted.filter { anchor in
      !anchor.isSame(as: chain[0]) && chain.contains { $0.issuer == anchor.subject }
    }
    var anchors = leaf + named
    if anchors.count > maximumAnchors {
      func isFirst(_ anchor: CertificateFields) -> Bool {
        anchor.isSame(as: chain[0]) || chain.contains { $0.names(anchor) }
      }
      anchors = anchors.filter(isFirst) + anchors.filter { !isFirst($0) }
    }
    return Array(anchors.prefix(maximumAnchors))
  }

  /// Returns the path, leaf first, or the error of the closest candidate.
  func run() -> Result<[CertificateFields], CertificatePathError> {
    if anchors.contains(where: chain[0].isSame) { return .success([chain[0]]) }
    let policy = CertificatePathPolicy(purposes: purposes, moment: moment)
    var failures: [CertificatePathError] = []
    var partial = [[chain[0]]]
    while let path = partial.popLast() {
      let tip = path[path.count - 1]
      for anchor in candidates(after: path, among: anchors) where tip.isSigned(by: anchor) {
        guard let failure = policy.failure(of: path + [anchor]) else { return .success(path + [anchor]) }
        failures.append(failure)
      }
      // The last one is tried next.
      for next in candidates(after: path, among: chain.dropFirst()).reversed() where tip.isSigned(by: next) {
        partial.append(path + [next])
      }
    }
    return .failure(closest(failures))
  }

  /// Returns the certificates that may have issued the last one of a path, the most likely ones first.
  private func candidates(
    after path: [CertificateFields], among certificates: some Sequence<CertificateFields>
  ) -> [CertificateFields] {
    let tip = path[path.count - 1]
    return tip.byKeyIdentifier(
      certificates.filter { issuer in
        issuer.subject == tip.issuer && !path.contains { $0.isSameEntity(as: issuer) }
      })
  }

  /// Returns the error of the closest candidate.
  private func closest(_ failures: [CertificatePathError]) -> CertificatePathError {
    let order: [CertificatePathError.Code] = [.expired, .notYetValid, .key, .profile]
    for code in order {
      if let failure = failures.first(where: { $0.code == code }) { return failure }
    }
    return forged() ?? untrusted(chain[0])
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
        $0.subject == tip.issuer && !reached.contains(where: $0.isSame) && tip.isSigned(by: $0)
      }
    }
    return nil
  }

  private func untrusted(_ leaf: CertificateFields) -> CertificatePathError {
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

  private func evidence(for leaf: CertificateFields) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("issuer", found: leaf.issuer.description),
      CheckResult.Evidence(
        "authority key identifier",
        expected: trusted.anchors.isEmpty
          ? nil : trusted.anchors.compactMap { $0.subjectKeyIdentifier.map(hexadecimal) }.joined(separator: " or "),
        found: leaf.authorityKeyIdentifier.map(hexadecimal)),
    ]
  }
}

extension CertificateFields {
  /// Returns whether another certificate is the same one. Different certificates mostly differ in their numbers.
  func isSame(as other: CertificateFields) -> Bool {
    self === other || serialNumber == other.serialNumber && certificate == other.certificate
  }

  /// Returns whether another certificate has the same name, key and alternative names: a path through both is a loop
  /// (RFC 4158, 5.2).
  fileprivate func isSameEntity(as other: CertificateFields) -> Bool {
    subject == other.subject && key == other.key && keyBits == other.keyBits
      && extensions[oid: .X509ExtensionID.subjectAlternativeName]?.value
        == other.extensions[oid: .X509ExtensionID.subjectAlternativeName]?.value
  }

  /// Sorts possible issuers by their key identifier: the one that this certificate names, none, another one.
  fileprivate func byKeyIdentifier(_ issuers: [CertificateFields]) -> [CertificateFields] {
    guard issuers.count > 1, (try? extensions.authorityKeyIdentifier) != nil else { return issuers }
    let ranks = issuers.map { issuer in issuer.subjectKeyIdentifier.map { $0 == authorityKeyIdentifier ? 0 : 2 } ?? 1 }
    return (0...2).flatMap { rank in zip(issuers, ranks).filter { $0.1 == rank }.map(\.0) }
  }

  /// Returns whether another certificate has the name and key identifier of this one's issuer.
  fileprivate func names(_ other: CertificateFields) -> Bool {
    guard let wanted = authorityKeyIdentifier else { return false }
    return other.subject == issuer && other.subjectKeyIdentifier == wanted
  }
}
