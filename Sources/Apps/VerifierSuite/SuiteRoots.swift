import Certificates
import CommandSupport
import Crypto
import ExchangeFiles
import Foundation
import InteractiveWorlds
import Primitives
import SimulationKernel
import TrustLists
import Vocabulary
import X509

/// The roots that a server under test has to trust, and the reader with which it may sign its requests.
public enum SuiteRoots {
  /// The roots of the suite's issuing authorities, in PEM. The same seed gives the same keys.
  ///
  /// - Parameter folder: A folder for temporary files.
  /// - Throws: ``InteractiveWorldError``.
  public static func pem(seed: UInt64, folder: URL) throws(InteractiveWorldError) -> [UInt8] {
    try AnswerMaker(origin: "", seed: seed, sandbox: .inProcess, folder: folder).issuerRoots()
  }

  /// The roots as a signed list (VICAL).
  public struct List: Sendable {
    /// The list.
    public let list: [UInt8]
    /// The root of its signer, in PEM.
    public let signerRoot: [UInt8]
  }

  /// A reader that signs requests.
  public struct Reader: Sendable {
    /// The private key, in PEM.
    public let key: [UInt8]
    /// The reader certificate, in PEM.
    public let certificate: [UInt8]
    /// The root of the reader authority, in PEM.
    public let root: [UInt8]
  }

  private static let (rootDays, leafDays, listDays) = (3650, 400, 365)

  /// Signs a list of the suite's issuing authorities.
  ///
  /// - Parameter roots: The roots, in PEM.
  /// - Throws: ``InteractiveWorldError`` if a certificate cannot be made.
  public static func list(of roots: [UInt8], seed: UInt64) throws(InteractiveWorldError) -> List {
    try made {
      let now = DateTime(Date())
      let party = try Party("list", "Suite List", seed: seed, at: now)
      let certificate = try party.authority.listSigner(
        name: CertificateName(country: "US", commonName: "Suite List Signer"),
        publicKey: Certificate.PublicKey(party.key.publicKey), contact: party.contact, terms: party.leafTerms())
      let types = [SuiteWorld.Kind.license, .photoID].map(\.rawValue)
      let blocks = try CertificateChain.blocks(ofFile: roots, atMost: ExchangeLimits.trustedCertificates)
      let entries = try blocks.map { try VICAL.Entry(of: $0, documentTypes: types) }
      let draft = VICALDraft(
        provider: "Suite", date: now, issueID: 1, nextUpdate: now.adding(days: listDays), entries: entries)
      return List(
        list: try draft.signed(by: party.key, chain: [try certificate.derEncoded()]), signerRoot: party.rootPEM)
    }
  }

  /// Creates a reader.
  ///
  /// - Parameter domain: The domain name in its certificate.
  /// - Throws: ``InteractiveWorldError`` if the certificate cannot be made.
  public static func reader(for domain: String, seed: UInt64) throws(InteractiveWorldError) -> Reader {
    try made {
      let party = try Party("reader", "Suite Reader Authority", seed: seed, at: DateTime(Date()))
      let certificate = try party.authority.reader(
        name: CertificateName(organization: "Suite Shop", commonName: domain), domain: domain, brand: nil,
        publicKey: Certificate.PublicKey(party.key.publicKey), terms: party.leafTerms())
      let key = try P256.Signing.PrivateKey(rawRepresentation: party.key.rawRepresentation)
      return Reader(
        key: Array(key.pemRepresentation.utf8), certificate: CertificateChain.pem([try certificate.derEncoded()]),
        root: party.rootPEM)
    }
  }

  private static func made<Value>(_ make: () throws -> Value) throws(InteractiveWorldError) -> Value {
    do { return try make() } catch {
      throw InteractiveWorldError(.world, "the suite's certificates cannot be made", details: ["\(error)"])
    }
  }

  /// An authority with one signer below it.
  private struct Party {
    let authority: CertificateAuthority
    let key: DeterministicSigningKey
    let contact: String
    private let from: DateTime

    init(_ label: String, _ name: String, seed: UInt64, at moment: DateTime) throws {
      var stream = Entropy(seed: seed).stream("verifier-suite/\(label)")
      contact = "https://suite-\(label).example"
      from = moment.adding(days: -1)
      authority = try CertificateAuthority(
        name: CertificateName(country: "US", commonName: "\(name) Root"), contact: contact,
        terms: CertificateAuthority.Terms(
          from: from, until: from.adding(days: rootDays), serialNumber: stream.bytes(16)),
        signer: try DeterministicSigningKey(seededBy: { stream.bytes(32) }))
      key = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
    }

    func leafTerms() -> CertificateAuthority.Terms {
      CertificateAuthority.Terms(from: from, until: from.adding(days: leafDays), serialNumber: SystemBytes.draw(16))
    }

    var rootPEM: [UInt8] { CertificateChain.pem([authority.encodedRoot]) }
  }
}
