import CBOR
import COSE
import Certificates
import Checks
import Crypto
import MobileDocument
import Primitives
import StatusLists
import TestSupport
import Testing
import X509

/// Authorities, a device and a document for tests, created once.
package struct Spaceport: Sendable {
  private static let made = Result { try Spaceport() }

  package static var shared: Spaceport { get throws { try made.get() } }

  package let issuer: CertificateAuthority
  private let issuerRoot: Certificate
  package let otherIssuer: CertificateAuthority
  package let signerKey: P256.Signing.PrivateKey
  package let signer: Certificate
  package let readers: CertificateAuthority
  package let otherReaders: CertificateAuthority
  package let readerKey: P256.Signing.PrivateKey
  package let reader: Certificate
  package let otherReader: Certificate
  package let deviceKey: P256.Signing.PrivateKey
  package let now: DateTime
  package let transcript = SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0x82, 0x61, 0x61, 0x41, 0x01])
  package let otherTranscript = SessionTranscript(encoded: [0x83, 0xf6, 0xf6, 0x82, 0x61, 0x61, 0x41, 0x02])

  private init() throws {
    let now = try moment("2025-09-15T17:00:00Z")
    self.now = now
    func authority(_ name: String, key: UInt8) throws -> CertificateAuthority {
      try CertificateAuthority(
        name: CertificateName(country: "US", state: "US-CA", commonName: name),
        contact: "https://\(name.lowercased()).example", terms: Self.terms(now, days: 3650), signer: fixedKey(key))
    }
    issuer = try authority("Spaceport", key: 1)
    issuerRoot = try issuer.root
    otherIssuer = try authority("Elsewhere", key: 2)
    signerKey = try fixedKey(3)
    signer = try Self.documentSigner(of: issuer, key: signerKey, terms: Self.terms(now, days: 400))
    readers = try authority("Readers", key: 4)
    otherReaders = try authority("Others", key: 5)
    readerKey = try fixedKey(6)
    reader = try Self.reader(of: readers, key: readerKey, terms: Self.terms(now, days: 365))
    otherReader = try Self.reader(of: otherReaders, key: readerKey, terms: Self.terms(now, days: 365))
    deviceKey = try fixedKey(7)
  }

  /// A reader authority that issues through an intermediate.
  package static func readersWithIntermediate() throws -> CertificateAuthority {
    let terms = Self.terms(try shared.now, days: 3650)
    return try CertificateAuthority(
      pathLength: 1, name: CertificateName(commonName: "Through"),
      contact: "https://through.example", terms: terms, signer: fixedKey(30)
    ).intermediate(name: CertificateName(commonName: "Between"), terms: terms, signer: fixedKey(31))
  }

  /// Validity periods around a time: half of the days before it, half after.
  package static func terms(_ now: DateTime, days: Int, serial: [UInt8] = [UInt8](repeating: 0x55, count: 16))
    -> CertificateAuthority.Terms
  {
    CertificateAuthority.Terms(
      from: now.adding(days: -days / 2), until: now.adding(days: days / 2), serialNumber: serial)
  }

  package static func documentSigner(
    of authority: CertificateAuthority, key: P256.Signing.PrivateKey, country: String? = "US", state: String? = "US-CA",
    terms: CertificateAuthority.Terms
  ) throws -> Certificate {
    try authority.documentSigner(
      name: CertificateName(country: country, state: state, commonName: "Signer"),
      publicKey: Certificate.PublicKey(key.publicKey), contact: "https://spaceport.example",
      revocationList: "https://spaceport.example/crl", terms: terms)
  }

  package static func reader(
    of authority: CertificateAuthority, key: P256.Signing.PrivateKey, brand: BrandIdentity? = nil,
    terms: CertificateAuthority.Terms
  ) throws -> Certificate {
    try authority.reader(
      name: CertificateName(organization: "Rentals", commonName: "rentals.example"), domain: "rentals.example",
      brand: brand, publicKey: Certificate.PublicKey(key.publicKey), terms: terms)
  }

  package var validity: MobileSecurityObject.Validity {
    MobileSecurityObject.Validity(
      signed: now.adding(days: -2), validFrom: now.adding(days: -1), validUntil: now.adding(days: 30))
  }

  package static let nameSpace = "org.iso.18013.5.1"
  package static let documentType = "org.iso.18013.5.1.mDL"

  /// The elements of the document, replaced or extended with `rest`.
  package static func elements(_ rest: [(String, CBORValue)] = []) -> [DocumentDraft.Element] {
    let usual: [(String, CBORValue)] = [
      ("family_name", .text("Garcia")), ("given_name", .text("Kelly")),
      ("birth_date", .tagged(1004, .text("1990-01-31"))), ("issuing_country", .text("US")),
      ("portrait", .bytes([0xff, 0xd8, 0xff, 0xe0])), ("age_over_18", .boolean(true)),
      ("age_over_21", .boolean(true)), ("age_over_65", .boolean(false)), ("sex", .unsigned(2)),
    ]
    return usual.map { pair in DocumentDraft.Element(pair.0, rest.first { $0.0 == pair.0 }?.1 ?? pair.1) }
      + rest.filter { more in !usual.contains { $0.0 == more.0 } }.map { DocumentDraft.Element($0.0, $0.1) }
  }

  package func draft(
    elements: [DocumentDraft.Element] = elements(), validity: MobileSecurityObject.Validity? = nil
  ) throws -> DocumentDraft {
    DocumentDraft(
      documentType: Self.documentType,
      nameSpaces: [
        DocumentDraft.NameSpace(Self.nameSpace, elements),
        DocumentDraft.NameSpace("org.example", [DocumentDraft.Element("level", .unsigned(3))]),
      ], deviceKey: COSEKey(deviceKey.publicKey), validity: validity ?? self.validity)
  }

  /// An issued document in a wallet.
  package func held(
    _ draft: DocumentDraft? = nil, chain: [Certificate]? = nil, signedBy key: P256.Signing.PrivateKey? = nil,
    saltLength: Int? = nil
  ) throws -> HeldDocument {
    var randomness = DrawnRandomness(seed: 1, length: saltLength)
    let issued = try (draft ?? self.draft()).issued(
      by: key ?? signerKey, chain: (chain ?? [signer]).map { try $0.derEncoded() }, randomness: &randomness)
    return try HeldDocument(issued: issued, deviceKey: COSEKey(deviceKey.publicKey))
  }

  /// A request for elements of the document.
  package static func request(
    _ elements: [String], documentType: String = documentType, issuers: [[UInt8]] = []
  ) -> ItemsRequest {
    ItemsRequest(
      documentType: documentType,
      nameSpaces: [ItemsRequest.NameSpace(nameSpace, elements.map { ItemsRequest.Element($0, intentToRetain: false) })],
      issuerIdentifiers: issuers)
  }

  package func verify(
    _ response: [UInt8], over transcript: SessionTranscript? = nil, requests: [ItemsRequest]? = nil,
    trusting roots: [Certificate]? = nil, at time: DateTime? = nil
  ) async -> VerificationReport {
    await DeviceResponseVerifier(trustedIssuers: roots ?? [issuerRoot])
      .verify(response, over: transcript ?? self.transcript, requests: requests, at: time ?? now)
  }
}

/// Randomness from a seed.
package struct DrawnRandomness: DocumentDraft.Randomness {
  package var generator: SeededGenerator
  /// The length of returned bytes, independent of the requested count.
  package let length: Int?

  package init(seed: UInt64, length: Int? = nil) {
    generator = SeededGenerator(seed: seed)
    self.length = length
  }

  package mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(length ?? count) }
  package mutating func permutation(_ count: Int) -> [Int] { (0..<count).shuffled(using: &generator) }
}
