import COSE
import CrossCheck
import Crypto
import DocumentFixtures
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import Primitives

/// Compares path building with the library's, which builds paths in its own way and follows the same rules here.
@Suite("Paths through drawn authorities")
struct DrawnChainTests {
  private static let moment = DateTime(secondsSince1970: 1_757_955_600)

  /// Authorities that certify each other at random, and a leaf: few names and keys, so that many certificates have one
  /// in common.
  private struct DrawnAuthorities {
    private var draw: SeededGenerator
    private var certificates: [Certificate] = []
    private let leaf: Certificate

    private static let names = ["A", "B", "C", "D"]
    private static let keys = (60..<64).compactMap { try? fixedKey($0) }

    init(seed: UInt64) throws {
      draw = SeededGenerator(seed: seed)
      let count = 4 + draw.below(4)
      for _ in 0..<count { certificates.append(try Self.authority(&draw)) }
      let issuer = draw.below(4)
      leaf = try Self.certificate(
        "Leaf", Self.keys[0], isAuthority: false, issuer: Self.names[issuer],
        issuerKey: Self.keys[Self.key(of: issuer, &draw)], &draw)
    }

    /// Draws the key for a name: mostly the same one.
    private static func key(of name: Int, _ draw: inout SeededGenerator) -> Int {
      draw.chance(85) ? name : draw.below(4)
    }

    private static func authority(_ draw: inout SeededGenerator) throws -> Certificate {
      let subject = draw.below(4)
      let key = key(of: subject, &draw)
      let issuer = draw.chance(20) ? subject : draw.below(4)
      let issuerKey = issuer == subject && draw.chance(80) ? key : Self.key(of: issuer, &draw)
      return try certificate(
        names[subject], keys[key], isAuthority: draw.chance(97), issuer: names[issuer], issuerKey: keys[issuerKey],
        &draw)
    }

    /// Draws the rest: dates, constraints, usages, key identifiers, alternative names and a wrong signature.
    private static func certificate(
      _ subject: String, _ key: P256.Signing.PrivateKey, isAuthority: Bool, issuer: String,
      issuerKey: P256.Signing.PrivateKey, _ draw: inout SeededGenerator
    ) throws -> Certificate {
      var extensions: [Certificate.Extension] = []
      if isAuthority {
        let length = draw.chance(25) ? draw.below(3) : nil
        extensions.append(
          try Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: length), critical: true))
      }
      if draw.chance(90) {
        let usage = KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority && draw.chance(97))
        extensions.append(try Certificate.Extension(usage, critical: true))
      }
      if !isAuthority {
        let usage = try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: CertificateOID.readerKeyPurpose)])
        extensions.append(try Certificate.Extension(usage, critical: true))
      }
      if draw.chance(80) {
        let identified = draw.chance(90) ? key : keys[draw.below(4)]
        extensions.append(
          try Certificate.Extension(
            SubjectKeyIdentifier(hash: Certificate.PublicKey(identified.publicKey)), critical: false))
      }
      if draw.chance(80) {
        let identified = draw.chance(80) ? issuerKey : keys[draw.below(4)]
        let identifier = SubjectKeyIdentifier(hash: Certificate.PublicKey(identified.publicKey)).keyIdentifier
        extensions.append(
          try Certificate.Extension(
            AuthorityKeyIdentifier(keyIdentifier: draw.chance(95) ? identifier : nil), critical: false))
      }
      if draw.chance(10) {
        extensions.append(
          try Certificate.Extension(SubjectAlternativeNames([.dnsName("\(draw.below(2)).example")]), critical: false))
      }
      if draw.chance(3) {
        extensions.append(Certificate.Extension(oid: [1, 2, 3, 4], critical: draw.chance(50), value: [5, 0]))
      }
      let signingKey = draw.chance(95) ? issuerKey : keys[draw.below(4)]
      let (from, until) = draw.chance(93) ? (-100, 100) : draw.chance(50) ? (-100, -1) : (1, 100)
      return try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(bytes: [0x55] + draw.bytes(15)),
        publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: moment.adding(days: from).date,
        notValidAfter: moment.adding(days: until).date,
        issuer: CertificateName(commonName: issuer).distinguishedName(),
        subject: CertificateName(commonName: subject).distinguishedName(), signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions(extensions), issuerPrivateKey: Certificate.PrivateKey(signingKey))
    }

    /// A received chain and trusted certificates: in any order, with repetitions, with trusted certificates in the chain,
    /// and at times with the leaf among the trusted ones.
    mutating func drawnChain() -> (chain: [Certificate], anchors: [Certificate]) {
      var sent: [Certificate] = []
      for _ in 0..<(draw.chance(70) ? COSEHeaders.maximumChainLength - 1 : draw.below(3)) {
        sent.append(draw.chance(5) ? leaf : certificates[draw.below(certificates.count)])
      }
      var anchors: [Certificate] = []
      for _ in 0..<(draw.chance(60) ? 1 : 2) { anchors.append(certificates[draw.below(certificates.count)]) }
      if draw.chance(3) { anchors.append(leaf) }
      return ([leaf] + sent, anchors)
    }
  }

  /// The rules as a policy of the library.
  private struct LibraryPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]
    let policy: CertificatePathPolicy
    private(set) var failures: [CertificatePathError] = []

    init(_ policy: CertificatePathPolicy, of certificates: [Certificate]) {
      self.policy = policy
      verifyingCriticalExtensions = certificates.flatMap { $0.extensions.filter(\.critical).map(\.oid) }.uniqued()
    }

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
      guard let failure = policy.failure(of: chain.map(CertificateFields.init)) else { return .meetsPolicy }
      failures.append(failure)
      return .failsToMeetPolicy(reason: failure.message)
    }
  }

  private static let policy = CertificatePathPolicy(purposes: [CertificateOID.readerKeyPurpose], moment: moment)

  /// The library's path, or the codes of the rules that its candidates break.
  private func libraryResult(
    _ chain: [Certificate], _ anchors: [Certificate]
  ) async -> (path: [Certificate]?, failures: Set<CertificatePathError.Code>) {
    func policy() -> LibraryPolicy { LibraryPolicy(Self.policy, of: chain + anchors) }
    var verifier = Verifier(rootCertificates: CertificateStore(anchors), policy: policy)
    let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore(chain.dropFirst()))
    let failures = Set(verifier.policy.failures.map(\.code))
    if case .validCertificate(let path) = result { return (Array(path), failures) }
    return (nil, failures)
  }

  @Test("have the same verdict, path and failure as the library's", arguments: 0..<80)
  func drawn(seed: Int) async throws {
    var authorities = try DrawnAuthorities(seed: UInt64(seed))
    for _ in 0..<20 {
      let (chain, anchors) = authorities.drawnChain()
      let search = CertificatePathSearch(
        chain: chain.map(CertificateFields.init), trusted: TrustedCertificates(anchors, for: .reader),
        moment: Self.moment, purposes: Self.policy.purposes)
      let expected = await libraryResult(chain, anchors)
      switch search.run() {
      case .success(let path): #expect(path.compactMap(\.certificate) == expected.path)
      case .failure(let error):
        #expect(expected.path == nil)
        let order: [CertificatePathError.Code] = [.expired, .notYetValid, .key, .profile]
        if let code = order.first(where: expected.failures.contains) {
          #expect(error.code == code)
        } else {
          #expect(error.code == .untrusted || error.code == .signature)
        }
      }
      let agreement = await self.agreement(chain, anchors)
      #expect(agreement.status != .failed, "\(agreement.evidence)")
    }
  }

  /// Compares the whole verdict with libcrypto's. libcrypto tries one issuer of several with the same name, so a path
  /// that is found is compared by itself.
  private func agreement(_ chain: [Certificate], _ anchors: [Certificate]) async -> CheckResult {
    let trusted = TrustedCertificates(anchors, for: .reader)
    let result = await trusted.validate(chain, at: Self.moment)
    guard case .success(let path) = result else {
      return CrossChecker.check(.chain(trusted.claim(chain, at: Self.moment, result)))
    }
    let alone = TrustedCertificates([path.anchor], for: .reader)
    return CrossChecker.check(.chain(alone.claim(path.certificates, at: Self.moment, result)))
  }

  @Test("have the same result with certificates whose signatures were verified before, by other authorities too")
  func remembered() throws {
    for seed in UInt64(0)..<30 {
      var authorities = try DrawnAuthorities(seed: seed)
      var memory = CertificateMemory()
      for _ in 0..<20 {
        let (chain, anchors) = authorities.drawnChain()
        let trusted = TrustedCertificates(anchors, for: .reader)
        func result(_ chain: [CertificateFields]) -> Result<[Certificate?], CertificatePathError> {
          CertificatePathSearch(
            chain: chain, trusted: trusted, moment: Self.moment, purposes: Self.policy.purposes
          ).run().map { $0.map(\.certificate) }
        }
        let fresh = result(chain.map(CertificateFields.init))
        let known = try memory.fields(of: chain.map { try $0.derEncoded() })
        for _ in 0..<2 {
          switch (fresh, result(known)) {
          case (.success(let expected), .success(let path)): #expect(path == expected)
          case (.failure(let expected), .failure(let error)):
            #expect(error.code == expected.code && error.message == expected.message)
          case (_, let other): Issue.record("\(fresh) and \(other) of the same chain")
          }
        }
      }
    }
  }

  @Test("are accepted and refused for every reason")
  func outcomes() throws {
    var lengths: Set<Int> = []
    var codes: Set<CertificatePathError.Code> = []
    for seed in UInt64(0)..<60 {
      var authorities = try DrawnAuthorities(seed: seed)
      for _ in 0..<20 {
        let (chain, anchors) = authorities.drawnChain()
        let search = CertificatePathSearch(
          chain: chain.map(CertificateFields.init), trusted: TrustedCertificates(anchors, for: .reader),
          moment: Self.moment, purposes: Self.policy.purposes)
        switch search.run() {
        case .success(let path): lengths.insert(path.count)
        case .failure(let error): codes.insert(error.code)
        }
      }
    }
    #expect(lengths.isSuperset(of: [1, 2, 3, 4]))
    #expect(codes == [.untrusted, .signature, .expired, .notYetValid, .profile])
  }
}
