import COSE
import Crypto
import SecondOpinionTrait
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import MobileDocument

@Suite("Certificate paths", .secondOpinion)
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
    let roots = [port.otherReaders.root, port.readers.root]
    #expect(try await outcome([port.reader], roots).get() == [port.reader, port.readers.root])
    #expect(try await code([port.reader], [port.otherReaders.root]) == .untrusted)
    #expect(try await code([port.reader], []) == .untrusted)
    #expect(try await code([], roots) == .untrusted)
  }

  @Test("a root that travels in the chain is not trusted for being sent")
  func rootSent() async throws {
    let port = try Spaceport.shared
    #expect(try await code([port.reader, port.readers.root], []) == .untrusted)
    #expect(try await code([port.reader, port.readers.root], [port.otherReaders.root]) == .untrusted)
    #expect(try await code([port.reader, port.readers.root], [port.readers.root]) == nil)
    #expect(try await code([port.reader, port.otherReaders.root], [port.readers.root]) == nil)
  }

  @Test("dates count for leaf and root, both ends included")
  func dates() async throws {
    let port = try Spaceport.shared
    let validity = port.reader.validity
    let root = [port.readers.root]
    #expect(try await code([port.reader], root, at: validity.from.adding(seconds: -1)) == .notYetValid)
    #expect(try await code([port.reader], root, at: validity.from) == nil)
    #expect(try await code([port.reader], root, at: validity.until) == nil)
    #expect(try await code([port.reader], root, at: validity.until.adding(seconds: 1)) == .expired)
    let long = try Spaceport.reader(of: port.readers, key: port.readerKey, terms: Spaceport.terms(port.now, days: 9000))
    #expect(try await code([long], root, at: port.readers.root.validity.until) == nil)
    #expect(try await code([long], root, at: port.readers.root.validity.until.adding(seconds: 1)) == .expired)
    #expect(try await code([long], root, at: port.readers.root.validity.from.adding(seconds: -1)) == .notYetValid)
  }

  @Test("a leaf must fit its profile")
  func profile() async throws {
    let port = try Spaceport.shared
    #expect(try await code([port.signer], [port.issuer.root], as: .documentSigner) == nil)
    #expect(try await code([port.signer], [port.issuer.root], as: .reader) == .profile)
    #expect(try await code([port.reader], [port.readers.root], as: .documentSigner) == .profile)
    #expect(try await code([port.readers.root], [port.readers.root], as: .reader) == .profile)
  }

  @Test("findings of the profile come with the path")
  func findings() async throws {
    let port = try Spaceport.shared
    let long = try Spaceport.reader(of: port.readers, key: port.readerKey, terms: Spaceport.terms(port.now, days: 2000))
    let path = try await TrustedCertificates([port.readers.root], for: .reader).validate([long], at: port.now).get()
    #expect(path.findings.map(\.code) == ["certificate.validity-period"])
    #expect(path.leaf == long && path.anchor == port.readers.root)
  }

  /// A root with a path length, an intermediate under it that may be anything, and a leaf under that.
  private func path(
    rootLength: Int?, usage: KeyUsage? = KeyUsage(keyCertSign: true), purpose: ASN1ObjectIdentifier? = nil
  ) throws -> (leaf: Certificate, between: Certificate, root: Certificate) {
    let port = try Spaceport.shared
    let terms = Spaceport.terms(port.now, days: 100)
    let middle = try CertificateAuthority(
      profile: .readerRoot, name: CertificateName(commonName: "Middle"), contact: "https://middle.example",
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
    "an intermediate leads to the root where the root's path length lets it, in whatever order it comes",
    arguments: [(1, nil), (nil, nil), (0, .profile)] as [(Int?, CertificatePathError.Code?)])
  func intermediate(rootLength: Int?, expected: CertificatePathError.Code?) async throws {
    let (leaf, between, root) = try path(rootLength: rootLength)
    #expect(try await code([leaf, between], [root]) == expected)
    #expect(try await code([leaf, root, between], [root]) == expected)
    #expect(try await code([leaf], [root]) == .untrusted)
  }

  @Test("an authority that issues through an intermediate gives a chain that leads to its root")
  func issuedThroughIntermediate() async throws {
    let port = try Spaceport.shared
    let authority = try Spaceport.readersWithIntermediate()
    let leaf = try Spaceport.reader(of: authority, key: port.readerKey, terms: Spaceport.terms(port.now, days: 100))
    let chain = [leaf] + authority.intermediates
    #expect(try await outcome(chain, [authority.root]).get() == [leaf, authority.issuing, authority.root])
    #expect(try await outcome([leaf], [authority.issuing]).get() == [leaf, authority.issuing])
    #expect(try await code([leaf], [authority.root]) == .untrusted)
    #expect(try await code(chain, [port.readers.root]) == .untrusted)
    #expect(leaf.authorityKeyIdentifier == authority.issuing.subjectKeyIdentifier)
    #expect(authority.issuing.authorityKeyIdentifier == authority.keyIdentifier)
    #expect(authority.issuing.subjectKeyIdentifier != authority.keyIdentifier)
    #expect(try await code([authority.issuing], [authority.root], as: .readerIntermediate) == nil)
    #expect(try await code([authority.issuing], [port.readers.root], as: .readerIntermediate) == .untrusted)
    #expect(try await code([leaf, authority.issuing], [authority.root], as: .readerIntermediate) == .profile)
  }

  @Test("a path length constraint of 0 leaves no room for an intermediate")
  func noRoom() throws {
    let port = try Spaceport.shared
    let terms = Spaceport.terms(port.now, days: 100)
    for authority in [port.readers, try Spaceport.readersWithIntermediate()] {
      #expect(throws: CertificateAuthority.NoRoomForIntermediate.self) {
        try authority.intermediate(
          name: CertificateName(commonName: "Below"), terms: terms, signer: fixedKey(32))
      }
    }
  }

  @Test("a chain in PEM is read as it was written, and nothing else is")
  func pem() throws {
    let authority = try Spaceport.readersWithIntermediate()
    let chain = try [authority.issuing, authority.root].map { try $0.derEncoded() }
    let text = CertificateChain.pem(chain)
    #expect(try CertificateChain.blocks(ofPEM: text) == chain)
    #expect(try CertificateChain.read(CertificateChain.blocks(ofPEM: text)) == [authority.issuing, authority.root])
    let written = String(decoding: text, as: UTF8.self)
    let large = Array(repeating: UInt8(ascii: " "), count: 1 << 20)
    for wrong in [
      [], Array("no PEM".utf8), chain[0], Array(text.dropLast(30)),
      Array(written.replacing("CERTIFICATE", with: "CERTIFICATE REQUEST").utf8), text + large,
    ] {
      #expect(throws: CertificateChain.Problem.self) { try CertificateChain.blocks(ofPEM: wrong) }
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

  @Test("a chain is read whole or refused")
  func reading() throws {
    let port = try Spaceport.shared
    let leaf = try port.reader.derEncoded()
    let root = try port.readers.root.derEncoded()
    #expect(try CertificateChain.read([leaf, root]) == [port.reader, port.readers.root])
    #expect(try CertificateChain.read([]).isEmpty)
    let large = [UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1)
    for chain in [[[]], [leaf, []], [leaf, [0x30, 0x00]], [leaf + [0]], [large]] as [[[UInt8]]] {
      #expect(throws: CertificateChain.Problem.self) { try CertificateChain.read(chain) }
    }
  }

  @Test("damaged certificates are refused, or lead to no root")
  func damage() async throws {
    let port = try Spaceport.shared
    let whole = try port.reader.derEncoded()
    for bytes in Damage.truncations(of: whole) {
      #expect(throws: CertificateChain.Problem.self) { try CertificateChain.read([bytes]) }
    }
    for bytes in Damage.sample(of: whole, seed: 13).dropFirst(whole.count) {
      guard let chain = try? CertificateChain.read([bytes]) else { continue }
      #expect(try await code(chain, [port.readers.root]) != nil)
    }
  }
}

@Suite("Reader certificate requests", .secondOpinion)
struct ReaderCertificateRequestTests {
  private static let domain = "rentals.example"

  private func refusal(_ der: [UInt8]) -> ReaderCertificateRequest.Refusal? {
    do throws(ReaderCertificateRequest.Refusal) {
      _ = try ReaderCertificateRequest(der)
      return nil
    } catch {
      return error
    }
  }

  private func request(names: [GeneralName]?, organization: String? = "Rentals") throws -> [UInt8] {
    var attributes: [CertificateSigningRequest.Attribute] = []
    if let names {
      let extensions = try Certificate.Extensions { SubjectAlternativeNames(names) }
      attributes.append(try CertificateSigningRequest.Attribute(ExtensionRequest(extensions: extensions)))
    }
    let request = try CertificateSigningRequest(
      version: .v1, subject: CertificateName(organization: organization, commonName: Self.domain).distinguishedName(),
      privateKey: Certificate.PrivateKey(fixedKey(14)), attributes: CertificateSigningRequest.Attributes(attributes),
      signatureAlgorithm: .ecdsaWithSHA256)
    var serializer = DER.Serializer()
    try serializer.serialize(request)
    return serializer.serializedBytes
  }

  @Test("what was made is read: key, domain and organization")
  func roundTrip() throws {
    let der = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    let request = try ReaderCertificateRequest(der)
    #expect(request.encoded == der && request.domain == Self.domain && request.organization == "Rentals")
    #expect(request.publicKey == Certificate.PublicKey(try fixedKey(14).publicKey))
  }

  @Test("an organization may be missing, exactly one domain may not")
  func domains() throws {
    let domain = GeneralName.dnsName(Self.domain)
    #expect(try ReaderCertificateRequest(request(names: [domain], organization: nil)).organization == nil)
    let refused: [[GeneralName]?] = [
      nil, [], [domain, .dnsName("other.example")], [domain, domain], [.rfc822Name("a@rentals.example")],
      [.uniformResourceIdentifier("https://rentals.example")],
    ]
    for names in refused { #expect(refusal(try request(names: names)) == .malformed) }
  }

  @Test("a request that is not signed with its own key is refused")
  func signature() throws {
    var der = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    let name = Array("Rentals".utf8)
    let start = try #require(der.indices.first { der[$0...].starts(with: name) })
    der[start] = UInt8(ascii: "D")
    #expect(refusal(der) == .signature)
  }

  @Test("damaged requests are refused")
  func damage() throws {
    let whole = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    for bytes in Damage.sample(of: whole, seed: 15) { #expect([.malformed, .signature].contains(refusal(bytes))) }
    #expect(refusal([UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1)) == .malformed)
  }
}

@Suite("Brand identity")
struct BrandIdentityTests {
  private func certificate(_ change: (inout Certificate.Extensions) throws -> Void) throws -> Certificate {
    let key = Certificate.PrivateKey(try fixedKey(16))
    let name = try CertificateName(commonName: "rentals.example").distinguishedName()
    var extensions = Certificate.Extensions()
    try change(&extensions)
    let now = try Spaceport.shared.now
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: now.date,
      notValidAfter: now.adding(days: 1).date, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: key)
  }

  @Test("travels in a reader's certificate", arguments: ["Spaceship Rentals", "Ünïcödé 🚀", ""])
  func roundTrip(name: String) throws {
    let port = try Spaceport.shared
    let brand = BrandIdentity(name: name, icon: "spaceship.svg")
    let made = try Spaceport.reader(
      of: port.readers, key: port.readerKey, brand: brand, terms: Spaceport.terms(port.now, days: 9))
    let read = try Certificate(derEncoded: made.derEncoded())
    #expect(BrandIdentity(in: read) == brand)
    #expect(CertificateProfile.reader.check(read, issuer: port.readers.root).allSatisfy { $0.outcome == .passed })
  }

  @Test("is absent where there is none")
  func absent() throws {
    #expect(BrandIdentity(in: try Spaceport.shared.reader) == nil)
  }

  @Test("is absent where it cannot be read")
  func malformed() throws {
    let good = Hex.bytes("30060c01410c0142")
    let values = [
      [], [0x30], [0x30, 0x00], Hex.bytes("0c0141"), Hex.bytes("30030c0141"), Hex.bytes("30090c01410c01420c0143"),
      Hex.bytes("300613014113 0142"), Hex.bytes("30060c01ff0c0142"), good + [0], Hex.bytes("30800c01410c01420000"),
    ]
    let whole = try certificate {
      try $0.append(Certificate.Extension(oid: BrandIdentity.identifier, critical: false, value: ArraySlice(good)))
    }
    #expect(BrandIdentity(in: whole) == BrandIdentity(name: "A", icon: "B"))
    for value in values {
      let damaged = try certificate {
        try $0.append(Certificate.Extension(oid: BrandIdentity.identifier, critical: false, value: ArraySlice(value)))
      }
      #expect(BrandIdentity(in: damaged) == nil, "\(hexadecimal(value))")
    }
  }

  @Test("is absent where it is longer than a consent sheet shows")
  func tooLong() throws {
    let longest = String(repeating: "a", count: BrandIdentity.maximumLength)
    for (brand, isRead) in [
      (BrandIdentity(name: longest, icon: longest), true), (BrandIdentity(name: longest + "a", icon: "b"), false),
      (BrandIdentity(name: "a", icon: longest + "a"), false),
    ] {
      let read = BrandIdentity(in: try certificate { try $0.append(brand.certificateExtension()) })
      #expect((read == brand) == isRead && (read == nil) != isRead)
    }
  }
}
