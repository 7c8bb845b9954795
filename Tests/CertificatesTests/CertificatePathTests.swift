import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Certificate paths", .crossChecked)
struct CertificatePathTests {
  private func outcome(
    _ chain: [Certificate], _ anchors: [Certificate], as profile: CertificateProfile = .reader, at time: DateTime? = nil
  ) async throws -> Result<[Certificate], CertificatePathError> {
    let moment = try time ?? Spaceport.shared.now
    return await TrustedCertificates(anchors, for: profile).validate(chain, at: moment).map(\.certificates)
  }

  private func code(
    _ chain: [Certificate], _ anchors: [Certificate], as profile: CertificateProfile = .reader, at time: DateTime? = nil
  ) async throws -> CertificatePathError.Code? {
    switch try await outcome(chain, anchors, as: profile, at: time) {
    case .success: nil
    case .failure(let error): error.code
    }
  }

  @Test("a leaf leads to its root and not to another")
  func path() async throws {
    let port = try Spaceport.shared
    let roots = [try port.otherReaders.root, try port.readers.root]
    #expect(try await outcome([port.reader], roots).get() == [port.reader, port.readers.root])
    #expect(try await code([port.reader], [port.otherReaders.root]) == .untrusted)
    #expect(try await code([port.reader], []) == .untrusted)
    #expect(try await code([], roots) == .untrusted)
  }

  @Test("an issuer is found among more trusted certificates with its name than are considered")
  func manyAnchors() async throws {
    let port = try Spaceport.shared
    let authorities = try (0...CertificatePathSearch.maximumAnchors).map { _ in
      try CertificateAuthority(
        name: CertificateName(commonName: "Readers"), contact: "https://readers.example",
        terms: Spaceport.terms(port.now, days: 900), signer: P256.Signing.PrivateKey())
    }
    let issuer = try #require(authorities.last)
    let leaf = try Spaceport.reader(of: issuer, key: port.readerKey, terms: Spaceport.terms(port.now, days: 10))
    #expect(try await outcome([leaf], authorities.map { try $0.root }).get() == [leaf, issuer.root])
  }

  @Test("a root in the received chain is not trusted")
  func rootSent() async throws {
    let port = try Spaceport.shared
    #expect(try await code([port.reader, port.readers.root], []) == .untrusted)
    #expect(try await code([port.reader, port.readers.root], [port.otherReaders.root]) == .untrusted)
    #expect(try await code([port.reader, port.readers.root], [port.readers.root]) == nil)
    #expect(try await code([port.reader, port.otherReaders.root], [port.readers.root]) == nil)
  }

  @Test("leaf and root must be valid, both ends included")
  func dates() async throws {
    let port = try Spaceport.shared
    let validity = port.reader.validity
    let root = [try port.readers.root]
    #expect(try await code([port.reader], root, at: validity.from.adding(seconds: -1)) == .notYetValid)
    #expect(try await code([port.reader], root, at: validity.from) == nil)
    #expect(try await code([port.reader], root, at: validity.until) == nil)
    #expect(try await code([port.reader], root, at: validity.until.adding(seconds: 1)) == .expired)
    let long = try Spaceport.reader(of: port.readers, key: port.readerKey, terms: Spaceport.terms(port.now, days: 9000))
    #expect(try await code([long], root, at: port.readers.root.validity.until) == nil)
    #expect(try await code([long], root, at: port.readers.root.validity.until.adding(seconds: 1)) == .expired)
    #expect(try await code([long], root, at: port.readers.root.validity.from.adding(seconds: -1)) == .notYetValid)
  }

  @Test("a leaf that does not fit its profile is refused")
  func profile() async throws {
    let port = try Spaceport.shared
    #expect(try await code([port.signer], [port.issuer.root], as: .documentSigner) == nil)
    #expect(try await code([port.signer], [port.issuer.root], as: .reader) == .purpose)
    #expect(try await code([port.reader], [port.readers.root], as: .documentSigner) == .purpose)
    #expect(try await code([port.readers.root], [port.readers.root], as: .reader) == .profile)
  }

  @Test("findings of the profile come with the path")
  func findings() async throws {
    let port = try Spaceport.shared
    let long = try Spaceport.reader(of: port.readers, key: port.readerKey, terms: Spaceport.terms(port.now, days: 2000))
    let path = try await TrustedCertificates([port.readers.root], for: .reader).validate([long], at: port.now).get()
    #expect(path.findings.map(\.name) == ["reader.certificate.profile/validity-period"])
    #expect(try path.leaf == long && path.anchor == port.readers.root)
  }

  private func error(
    _ chain: [Certificate], _ anchors: [Certificate], as profile: CertificateProfile = .documentSigner
  ) async throws -> CertificatePathError? {
    if case .failure(let error) = try await outcome(chain, anchors, as: profile) { return error }
    return nil
  }

  @Test("a reader certificate is reported as one, and the leaf's findings are reported without a path too")
  func findingsWithoutPath() async throws {
    let port = try Spaceport.shared
    let purpose = try #require(try await error([port.reader], [port.readers.root]))
    #expect(purpose.code == .purpose && purpose.message.contains("mDL reader authentication"))
    let untrusted = try #require(try await error([port.reader], [port.issuer.root]))
    #expect(untrusted.code == .untrusted)
    #expect(untrusted.findings.contains { $0.name == "certificate.profile/extended-key-usage" && $0.status == .failed })
  }

  @Test("a certificate that names a trusted issuer but is not signed by it is refused")
  func forgedSignature() async throws {
    let port = try Spaceport.shared
    var forged = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    let leaf = try forged.made(by: port.issuer.root, key: fixedKey(99))
    #expect(try await code([leaf], [port.issuer.root], as: .documentSigner) == .signature)
    // With another key than the trusted one it is an unrelated certificate.
    forged.authorityKey = port.otherIssuer.keyIdentifier
    let other = try forged.made(by: port.issuer.root, key: fixedKey(99))
    #expect(try await code([other], [port.issuer.root], as: .documentSigner) == .untrusted)
  }

  @Test("a root in the received chain is a finding, even if it is the trusted one")
  func rootFindings() async throws {
    let port = try Spaceport.shared
    for sent in [try port.issuer.root, try port.otherIssuer.root] {
      let path = try await TrustedCertificates([port.issuer.root], for: .documentSigner)
        .validate([port.signer, sent], at: port.now).get()
      #expect(try path.certificates == [port.signer, port.issuer.root])
      #expect(path.findings.map(\.name) == ["certificate.profile/root-in-chain"])
      #expect(path.findings.map(\.status) == [.deviates])
    }
  }

  @Test("a self-issued authority that the path needs is not reported as a sent root")
  func selfIssued() async throws {
    let port = try Spaceport.shared
    var between = try CertificateBlueprint(.issuingAuthorityLink, issuer: port.issuer)
    between.distinguishedName = try port.issuer.root.subject
    between.isSelfIssued = true
    let link = try between.made(by: port.issuer.root, key: fixedKey(1))
    try #require(link.isSelfIssued)
    var signer = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
    signer.subjectPublicKey = Certificate.PublicKey(try fixedKey(21).publicKey)
    signer.authorityKey = link.subjectKeyIdentifier
    let leaf = try signer.made(by: link, key: fixedKey(20))
    let path = try await TrustedCertificates([port.issuer.root], for: .documentSigner)
      .validate([leaf, link, port.issuer.root], at: port.now).get()
    #expect(try path.certificates == [leaf, link, port.issuer.root])
    #expect(path.findings.filter { $0.name == "certificate.profile/root-in-chain" }.count == 1)
  }

  @Test("a signer that is trusted itself may lack properties of its profile, but not have those of another")
  func trustedItself() async throws {
    let port = try Spaceport.shared
    func found(_ change: (inout CertificateBlueprint) throws -> Void) async throws -> Set<String>? {
      var blueprint = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
      try change(&blueprint)
      let leaf = try blueprint.made(by: port.issuer.root, key: fixedKey(1))
      let result = await TrustedCertificates([leaf], for: .documentSigner).validate([leaf], at: port.now)
      return (try? result.get()).map { Set($0.findings.compactMap(\.reason)) }
    }
    let itself = CertificateRule.trustedItself.rawValue
    #expect(try await found { _ in } == [itself])
    #expect(
      try await found { ($0.usage, $0.purposes) = (nil, []) } == [
        itself, CertificateRule.keyUsage.rawValue, CertificateRule.extendedKeyUsage.rawValue,
      ])
    #expect(try await found { $0.purposes = [CertificateOID.readerKeyPurpose] } == nil)
    #expect(try await found { $0.usage = KeyUsage(keyCertSign: true) } == nil)
    #expect(
      try await found { ($0.isAuthority, $0.hasBasicConstraints) = (true, true) } == [
        itself, CertificateRule.basicConstraints.rawValue,
      ])
    #expect(try await found { $0.days = -1 } == nil)
    #expect(try await code([port.issuer.root], [port.issuer.root], as: .documentSigner) == .profile)
  }

  @Test("the number of checks is bounded for certificates that form circles")
  func circles() async throws {
    let port = try Spaceport.shared
    let name = try CertificateName(commonName: "Everybody").distinguishedName()
    let key = Certificate.PrivateKey(try fixedKey(40))
    // All with one name and one key, so that each has issued each.
    let circle = try (0..<4).map { number in
      try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1, UInt8(number)]), publicKey: key.publicKey,
        notValidBefore: port.now.date, notValidAfter: port.now.adding(days: 1).date, issuer: name, subject: name,
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          Critical(KeyUsage(keyCertSign: true))
          SubjectAlternativeNames([.dnsName("\(number).example")])
        }, issuerPrivateKey: key)
    }
    #expect(try await code(circle, [port.readers.root]) == .untrusted)
  }

  /// A root with a path length, an intermediate with any fields, and a leaf.
  private func path(
    rootLength: Int?, usage: KeyUsage? = KeyUsage(keyCertSign: true), purpose: ASN1ObjectIdentifier? = nil
  ) throws -> (leaf: Certificate, between: Certificate, root: Certificate) {
    let port = try Spaceport.shared
    let terms = Spaceport.terms(port.now, days: 100)
    let middle = try CertificateAuthority(
      name: CertificateName(commonName: "Middle"), contact: "https://middle.example",
      terms: terms, signer: fixedKey(11))
    func certificate(
      subject: DistinguishedName, key: Certificate.PublicKey, pathLength: Int?, issuer: Certificate? = nil
    ) throws -> Certificate {
      var extensions = try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
        SubjectKeyIdentifier(hash: key)
      }
      if let usage { try extensions.append(Certificate.Extension(usage, critical: true)) }
      if let purpose {
        let usages = try ExtendedKeyUsage([ExtendedKeyUsage.Usage(oid: purpose)])
        try extensions.append(Certificate.Extension(usages, critical: true))
      }
      return try Certificate(
        version: .v3, serialNumber: terms.serial, publicKey: key, notValidBefore: terms.from.date,
        notValidAfter: terms.until.date, issuer: issuer?.subject ?? subject, subject: subject,
        signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
        issuerPrivateKey: Certificate.PrivateKey(fixedKey(12)))
    }
    let root = try certificate(
      subject: CertificateName(commonName: "Top").distinguishedName(),
      key: Certificate.PublicKey(fixedKey(12).publicKey), pathLength: rootLength)
    return (
      try Spaceport.reader(of: middle, key: port.readerKey, terms: Spaceport.terms(port.now, days: 50)),
      try certificate(subject: middle.root.subject, key: middle.root.publicKey, pathLength: 0, issuer: root), root
    )
  }

  @Test(
    "an intermediate leads to the root in any order, if the root's path length allows it",
    arguments: [(1, nil), (nil, nil), (0, .profile)] as [(Int?, CertificatePathError.Code?)])
  func intermediate(rootLength: Int?, expected: CertificatePathError.Code?) async throws {
    let (leaf, between, root) = try path(rootLength: rootLength)
    #expect(try await code([leaf, between], [root]) == expected)
    #expect(try await code([leaf, root, between], [root]) == expected)
    #expect(try await code([leaf], [root]) == .untrusted)
  }

  @Test("a chain through an intermediate leads to the authority's root")
  func issuedThroughIntermediate() async throws {
    let port = try Spaceport.shared
    let authority = try Spaceport.readersWithIntermediate()
    let leaf = try Spaceport.reader(of: authority, key: port.readerKey, terms: Spaceport.terms(port.now, days: 100))
    let chain = [leaf] + (try authority.intermediates)
    #expect(try await outcome(chain, [authority.root]).get() == [leaf, authority.issuing, authority.root])
    #expect(try await outcome([leaf], [authority.issuing]).get() == [leaf, authority.issuing])
    #expect(try await code([leaf], [authority.root]) == .untrusted)
    #expect(try await code(chain, [port.readers.root]) == .untrusted)
    #expect(try leaf.authorityKeyIdentifier == authority.issuing.subjectKeyIdentifier)
    #expect(try authority.issuing.authorityKeyIdentifier == authority.keyIdentifier)
    #expect(try authority.issuing.subjectKeyIdentifier != authority.keyIdentifier)
    #expect(try await code([authority.issuing], [authority.root], as: .readerIntermediate) == nil)
    #expect(try await code([authority.issuing], [port.readers.root], as: .readerIntermediate) == .untrusted)
    #expect(try await code([leaf, authority.issuing], [authority.root], as: .readerIntermediate) == .profile)
  }

  @Test("a path length constraint of 0 leaves no room for an intermediate")
  func noRoom() throws {
    let port = try Spaceport.shared
    let terms = Spaceport.terms(port.now, days: 100)
    for authority in [port.readers, try Spaceport.readersWithIntermediate()] {
      let error = #expect(throws: CertificateRuleError.self) {
        try authority.intermediate(
          name: CertificateName(commonName: "Below"), terms: terms, signer: fixedKey(32))
      }
      #expect(error?.code == .pathLength)
    }
  }

  @Test("a PEM chain is read in its order, and other PEM is refused")
  func pem() throws {
    let authority = try Spaceport.readersWithIntermediate()
    let chain = try [authority.issuing, authority.root].map { try $0.derEncoded() }
    let text = CertificateChain.pem(chain)
    #expect(try CertificateChain.blocks(ofFile: text) == chain)
    #expect(try CertificateChain.read(CertificateChain.blocks(ofFile: text)) == [authority.issuing, authority.root])
    let written = String(decoding: text, as: UTF8.self)
    let large = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
    for wrong in [
      [], Array("no PEM".utf8), Array(chain[0].dropLast()), Array(text.dropLast(30)),
      Array(written.replacing("CERTIFICATE", with: "CERTIFICATE REQUEST").utf8), text + large,
    ] {
      #expect(throws: CertificateRuleError.self) { try CertificateChain.blocks(ofFile: wrong) }
    }
  }

  @Test("a chain is read as files have it: lines of any width, indented, with text between, in DER, in base64")
  func forms() throws {
    let authority = try Spaceport.readersWithIntermediate()
    let chain = try [authority.issuing, authority.root].map { try $0.derEncoded() }
    let written = String(decoding: CertificateChain.pem(chain), as: UTF8.self)
    func block(_ content: String) -> String {
      "-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----"
    }
    let base64 = chain.map { Data($0).base64EncodedString() }
    func lines(_ text: String, of width: Int) -> String {
      stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
        .joined(separator: "\r\n")
    }
    let forms: [String] = [
      base64.map { block(lines($0, of: 76)) }.joined(separator: "\n"), base64.map(block).joined(separator: "\n"),
      written.split(separator: "\n").map { "    \($0)  " }.joined(separator: "\n\n"),
      "Bag Attributes: none\nsubject=CN=a\n" + written,
    ]
    for form in forms { #expect(try CertificateChain.blocks(ofFile: Array(form.utf8)) == chain, "\(form)") }
    #expect(try CertificateChain.blocks(ofFile: chain[0] + chain[1]) == chain)
    #expect(try CertificateChain.blocks(ofFile: Array(base64[0].utf8)) == [chain[0]])
    #expect(try CertificateChain.blocks(ofFile: Array(Base64URL.encode(chain[0]).utf8)) == [chain[0]])
  }

  @Test("a file of another kind is named")
  func otherFiles() throws {
    let key = try fixedKey(1)
    let others: [([UInt8], String)] = [
      (Array("{}".utf8), "JSON"), (Array("<html>".utf8), "HTML or XML"), ([], "an empty file"),
      (Array(key.pemRepresentation.utf8), "the PEM block PRIVATE KEY"),
      ([UInt8](key.derRepresentation), "a private key in DER"),
      ([UInt8](key.publicKey.derRepresentation), "a public key in DER"), ([0xd2, 0x84, 0x41, 0xa0], "COSE_Sign1"),
    ]
    for (bytes, name) in others {
      let error = #expect(throws: CertificateRuleError.self) { try CertificateChain.blocks(ofFile: bytes) }
      #expect(error?.message.contains(name) == true, "\(error?.message ?? "none")")
    }
  }

  @Test("an intermediate must be allowed to sign certificates, and those of this purpose")
  func intermediateUsage() async throws {
    for (usage, purpose, expected) in [
      (KeyUsage(keyCertSign: true), CertificateOID.readerKeyPurpose, nil),
      (KeyUsage(keyCertSign: true), CertificateOID.documentSignerKeyPurpose, .profile),
      (KeyUsage(digitalSignature: true), nil, .profile), (nil, nil, .profile),
    ] as [(KeyUsage?, ASN1ObjectIdentifier?, CertificatePathError.Code?)] {
      let (leaf, between, root) = try path(rootLength: 1, usage: usage, purpose: purpose)
      #expect(try await code([leaf, between], [root]) == expected)
    }
  }

  @Test("a chain is read completely or refused")
  func reading() throws {
    let port = try Spaceport.shared
    let leaf = try port.reader.derEncoded()
    let root = try port.readers.root.derEncoded()
    #expect(try CertificateChain.read([leaf, root]) == [port.reader, port.readers.root])
    #expect(try CertificateChain.read([]).isEmpty)
    let large = [UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1)
    for chain in [[[]], [leaf, []], [leaf, [0x30, 0x00]], [leaf + [0]], [large]] as [[[UInt8]]] {
      #expect(throws: CertificateRuleError.self) { try CertificateChain.read(chain) }
    }
  }

  @Test("damaged certificates are refused, or lead to no root")
  func damage() async throws {
    let port = try Spaceport.shared
    let whole = try port.reader.derEncoded()
    for bytes in Damage.truncations(of: whole) {
      #expect(throws: CertificateRuleError.self) { try CertificateChain.read([bytes]) }
    }
    for bytes in Damage.sample(of: whole, seed: 13).dropFirst(whole.count) {
      guard let chain = try? CertificateChain.read([bytes]) else { continue }
      #expect(try await code(chain, [port.readers.root]) != nil)
    }
  }
}
