import CBOR
import COSE
import Certificates
import Crypto
import MobileDocument
import Primitives
import SimulationKernel
import Vocabulary
import X509

/// The authorities around a wallet under test: one that issues its documents, one whose readers it trusts, and one that
/// it does not know. The same seed and moment give the same keys and certificates.
struct WalletAuthorities: Sendable {
  /// The moment around which certificates and documents are valid.
  let moment: DateTime
  private let entropy: Entropy
  private let issuer: CertificateAuthority
  private let signer: DeterministicSigningKey
  private let signerChain: [[UInt8]]
  private let readers: CertificateAuthority
  private let strangers: CertificateAuthority

  private static let contact = "https://suite.example"
  /// Roots are valid long before and after the certificates below them, of which some have expired.
  private static let rootDays = 800
  private static let signerDays = 400
  private static let documentDays = 100

  init(seed: UInt64, moment: DateTime) throws {
    self.moment = moment
    entropy = Entropy(seed: seed)
    func authority(_ label: String, _ name: CertificateName, pathLength: Int = 0) throws -> CertificateAuthority {
      var stream = Entropy(seed: seed).stream("wallet-suite/\(label)")
      let key = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
      return try CertificateAuthority(
        pathLength: pathLength, name: name, contact: Self.contact,
        terms: Self.terms(&stream, moment.adding(days: -Self.rootDays), moment.adding(days: Self.rootDays)),
        signer: key)
    }
    issuer = try authority("issuer", CertificateName(country: "US", state: "US-CA", commonName: "Suite Motor Vehicles"))
    readers = try authority("readers", CertificateName(commonName: "Suite Reader Authority"), pathLength: 1)
    strangers = try authority("strangers", CertificateName(commonName: "Unknown Reader Authority"), pathLength: 1)
    var stream = entropy.stream("wallet-suite/signer")
    signer = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
    signerChain = [
      try issuer.encodedDocumentSigner(
        name: CertificateName(country: "US", state: "US-CA", commonName: "Suite Document Signer"),
        publicKey: Certificate.PublicKey(signer.publicKey), contact: Self.contact,
        revocationList: Self.contact + "/crl",
        terms: Self.terms(&stream, moment.adding(days: -2), moment.adding(days: Self.signerDays)))
    ]
  }

  private static func terms(
    _ stream: inout EntropyStream, _ from: DateTime, _ until: DateTime
  ) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(from: from, until: until, serialNumber: stream.bytes(16))
  }

  /// The root of the issuing authority, which the suite's own verifier trusts.
  var issuerRoot: [UInt8] { issuer.encodedRoot }
  /// The root of the reader authority, which the wallet has to trust.
  var readerRoot: [UInt8] { readers.encodedRoot }

  /// The reader authority's list of revoked certificates.
  var revocationList: [UInt8] {
    get throws {
      let entry = CertificateAuthority.Revocation(
        serialNumber: CertificateAuthority.Terms(from: moment, until: moment, serialNumber: revokedSerial).serial,
        date: moment.adding(days: -1))
      return try readers.revocationList(
        [entry], number: 1, from: moment.adding(days: -1), until: moment.adding(days: Self.listDays))
    }
  }

  /// As long as certificates of readers are valid.
  private static let listDays = 30

  /// The serial number of the revoked certificate.
  private var revokedSerial: [UInt8] {
    var stream = stream("revoked reader")
    return stream.bytes(16)
  }

  /// A stream of bytes for one purpose.
  func stream(_ label: String) -> EntropyStream { entropy.stream("wallet-suite/\(label)") }

  /// Issues a document for the wallet's device key.
  ///
  /// - Parameter label: Distinguishes it from other documents of the run.
  /// - Returns: The encoded `IssuerSigned`.
  func issued(_ document: SuiteDocument, for key: P256.Signing.PublicKey, label: String) throws -> [UInt8] {
    let from = moment.adding(days: -1)
    let draft = DocumentDraft(
      documentType: document.type, nameSpaces: document.nameSpaces, deviceKey: COSEKey(key),
      validity: MobileSecurityObject.Validity(
        signed: from, validFrom: from, validUntil: moment.adding(days: Self.documentDays)))
    var randomness = stream("document/\(label)")
    return try draft.issued(by: signer, chain: signerChain, randomness: &randomness)
  }

  /// The reader of a website.
  /// - Parameter host: The host of the website.
  func reader(_ kind: ReaderKind, host: String) throws -> DeviceRequestDraft.Reader {
    var stream = stream("reader/\(kind)/\(host)")
    let key = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
    let (from, until) = kind.validity(at: moment)
    var terms = Self.terms(&stream, from, until)
    if kind == .revoked { terms.serialNumber = revokedSerial }
    let name = CertificateName(organization: "Suite Shop", commonName: host)
    func certified(by authority: CertificateAuthority, for domain: String = host) throws -> [[UInt8]] {
      try [
        authority.reader(
          name: name, domain: domain, brand: nil, publicKey: Certificate.PublicKey(key.publicKey), terms: terms
        ).derEncoded()
      ] + authority.encodedIntermediates
    }
    let chain: [[UInt8]]
    switch kind {
    case .certified, .expired, .notYetValid, .revoked: chain = try certified(by: readers)
    case .belowIntermediate:
      let subordinate = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
      chain = try certified(
        by: readers.intermediate(
          name: CertificateName(commonName: "Suite Reader Authority 2"),
          terms: Self.terms(&stream, moment.adding(days: -30), moment.adding(days: Self.signerDays)),
          signer: subordinate))
    case .untrusted: chain = try certified(by: strangers)
    case .untrustedWithRoot: chain = try certified(by: strangers) + [strangers.encodedRoot]
    case .ofAnotherHost: chain = try certified(by: readers, for: "other.example")
    case .selfMade:
      let genuine = try Certificate(derEncoded: certified(by: readers)[0])
      chain = [try genuine.copied(signedBy: key).derEncoded()]
    case .documentSigner:
      chain = [
        try readers.encodedDocumentSigner(
          name: name, publicKey: Certificate.PublicKey(key.publicKey), contact: Self.contact,
          revocationList: Self.contact + "/crl", terms: terms)
      ]
    }
    return DeviceRequestDraft.Reader(signer: key, chain: chain)
  }
}

/// A reader that signs a request.
enum ReaderKind: Sendable, CaseIterable {
  /// One that the trusted authority has certified for the website.
  case certified
  /// The same, below an intermediate certificate.
  case belowIntermediate
  /// One of an authority that the wallet does not know, without and with its root in the chain.
  case untrusted, untrustedWithRoot
  /// A certificate with the trusted authority's name and key identifier that the reader signed itself.
  case selfMade
  case expired, notYetValid
  /// One that the trusted authority has revoked.
  case revoked
  /// One that is certified for another website.
  case ofAnotherHost
  /// A certificate of the trusted authority for signing documents.
  case documentSigner

  fileprivate func validity(at moment: DateTime) -> (from: DateTime, until: DateTime) {
    switch self {
    case .expired: (moment.adding(days: -60), moment.adding(days: -1))
    case .notYetValid: (moment.adding(days: 1), moment.adding(days: 60))
    default: (moment.adding(days: -1), moment.adding(days: 30))
    }
  }
}

/// A document of the suite: a driver's license or a photo ID of one invented person.
enum SuiteDocument: CaseIterable, Sendable {
  case license, photoID

  /// The document's type.
  var type: String {
    switch self {
    case .license: "org.iso.18013.5.1.mDL"
    case .photoID: "org.iso.23220.photoid.1"
    }
  }

  /// The name space of its elements.
  var nameSpace: String {
    switch self {
    case .license: "org.iso.18013.5.1"
    case .photoID: "org.iso.23220.1"
    }
  }

  private static func date(_ text: String) -> CBORValue { .tagged(1004, .text(text)) }

  /// The elements.
  var nameSpaces: [DocumentDraft.NameSpace] {
    let portrait: CBORValue = .bytes([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x5A, count: 700))
    var elements: [(String, CBORValue)] = [
      ("family_name", .text("Rover-Suite")), ("given_name", .text("Kelly")), ("portrait", portrait),
      ("issue_date", Self.date("2024-03-01")), ("expiry_date", Self.date("2034-03-01")),
      ("issuing_country", .text("US")), ("document_number", .text("S0451-7000001")), ("sex", .unsigned(2)),
      ("resident_city", .text("Mojave")), ("nationality", .text("US")),
    ]
    if self == .license {
      elements += [
        ("birth_date", Self.date("1990-07-14")), ("issuing_authority", .text("Suite Motor Vehicles")),
        ("un_distinguishing_sign", .text("USA")), ("height", .unsigned(172)), ("age_over_18", .boolean(true)),
        ("age_over_21", .boolean(true)),
        ("driving_privileges", .array([.map([.init(.text("vehicle_category_code"), .text("B"))])])),
      ]
    }
    return [DocumentDraft.NameSpace(nameSpace, elements.map { DocumentDraft.Element($0.0, $0.1) })]
  }

  /// Returns whether the document has an element.
  func has(_ nameSpace: String, _ element: String) -> Bool {
    nameSpaces.contains { $0.name == nameSpace && $0.elements.contains { $0.identifier == element } }
  }

  /// A request for some of its elements.
  func asking(_ elements: [String], retaining retained: Bool = false) -> ItemsRequest {
    ItemsRequest(
      documentType: type,
      nameSpaces: [
        ItemsRequest.NameSpace(nameSpace, elements.map { ItemsRequest.Element($0, intentToRetain: retained) })
      ])
  }

  /// A request for all of its elements.
  var askingAll: ItemsRequest { asking(nameSpaces.flatMap(\.elements).map(\.identifier)) }
}
