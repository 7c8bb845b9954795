import COSE
import Certificates
import CommandSupport
import Crypto
import Foundation
import InteractiveWorlds
import LocatedYAML
import MobileDocument
import Primitives
import ScenarioFiles
import SimulationKernel

/// How a license is issued outside the world of the phone.
struct OutsideIssuance: Sendable {
  /// The issuing authority.
  var authority = Authority.everyAlgorithm
  /// The issuer's signature.
  var signature = COSEAlgorithm.es256
  /// The digests of elements.
  var digest = MobileSecurityObject.DigestAlgorithm.sha256

  /// The authorities, by their names in the world. One in a world signs with ES256, digests with SHA-256, and has a root
  /// that is valid.
  enum Authority: String, Sendable, CaseIterable {
    case everyAlgorithm = "suite-algorithms"
    case rootExpired = "suite-expired-root"
    case rootNotYetValid = "suite-later-root"

    /// The days of a root's validity, from the moment of the issue on.
    fileprivate var rootDays: (from: Int, until: Int) {
      switch self {
      case .everyAlgorithm: (-1, 3650)
      case .rootExpired: (-3650, -1)
      case .rootNotYetValid: (1, 3650)
      }
    }
  }
}

/// An issuing authority outside the world of the phone, and the license that it issues.
struct OutsideLicense {
  private let moment: DateTime
  private let authority: CertificateAuthority
  private let name: String
  private var contact: String { "https://\(name).example" }
  private static let (signerDays, documentDays) = (400, 30)

  /// Creates an authority. The same seed gives the same root key.
  /// - Throws: ``InteractiveWorldError`` if a certificate cannot be made.
  init(of authority: OutsideIssuance.Authority, seed: UInt64, at moment: DateTime) throws(InteractiveWorldError) {
    self.moment = moment
    name = authority.rawValue
    var stream = Entropy(seed: seed).stream("verifier-suite/\(name)")
    do {
      let key = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
      let (from, until) = authority.rootDays
      self.authority = try CertificateAuthority(
        name: Self.name(name, "Root"), contact: "https://\(name).example",
        terms: CertificateAuthority.Terms(
          from: moment.adding(days: from), until: moment.adding(days: until), serialNumber: stream.bytes(16)),
        signer: key)
    } catch {
      throw InteractiveWorldError(.world, "the suite's certificates cannot be made", details: ["\(error)"])
    }
  }

  private static func name(_ authority: String, _ role: String) -> CertificateName {
    CertificateName(country: "US", state: "US-CA", commonName: "\(authority) \(role)")
  }

  /// The root in PEM.
  var rootPEM: [UInt8] { CertificateChain.pem([authority.encodedRoot]) }

  static func file(of device: String) -> String { "\(device)-license.cbor" }
  static func keyFile(of device: String) -> String { "\(device)-key.pem" }
  static func rootFile(of device: String) -> String { "\(device)-root.pem" }

  /// Issues the license of a phone, and writes the files that its world names.
  /// - Throws: ``InteractiveWorldError``.
  func write(for world: SuiteWorld, _ issuance: OutsideIssuance, to folder: URL) throws(InteractiveWorldError) {
    let key = P256.Signing.PrivateKey()
    do {
      let issued = try issued(world.issuable(.license), to: COSEKey(key.publicKey), issuance, folder)
      for (name, bytes) in [
        (Self.file(of: world.device), issued), (Self.keyFile(of: world.device), Array(key.pemRepresentation.utf8)),
        (Self.rootFile(of: world.device), rootPEM),
      ] {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
      }
    } catch let error as InteractiveWorldError {
      throw error
    } catch {
      throw InteractiveWorldError(.world, "the license cannot be issued", details: ["\(error)"])
    }
  }

  /// Removes the files of a phone.
  static func remove(from folder: URL, device: String) {
    for name in [file(of: device), keyFile(of: device), rootFile(of: device)] {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Issues a document for a device key.
  ///
  /// - Parameters:
  ///   - text: The document as a file for an issuer.
  ///   - folder: A folder for temporary files.
  /// - Returns: The encoded `IssuerSigned`.
  /// - Throws: ``InteractiveWorldError`` for a document that cannot be read, or what is wrong with the draft.
  func issued(_ text: String, to key: COSEKey, _ issuance: OutsideIssuance, _ folder: URL) throws -> [UInt8] {
    let source = folder.appendingPathComponent("\(UUID().uuidString).yaml")
    try Data(text.utf8).write(to: source)
    defer { try? FileManager.default.removeItem(at: source) }
    let problems = ProblemCollector()
    guard let document = DocumentSource.read(source.path, problems) else {
      throw InteractiveWorldError(.world, "the document cannot be read", details: [problems.rendered()])
    }
    let signer = AlgorithmKey(issuance.signature)
    let from = moment.adding(days: -1)
    let certificate = try authority.encodedDocumentSigner(
      name: Self.name(name, "Document Signer"), publicKey: signer.certified, contact: contact,
      revocationList: "\(contact)/crl",
      terms: CertificateAuthority.Terms(
        from: from, until: from.adding(days: Self.signerDays), serialNumber: SystemBytes.draw(16)))
    var draft = DocumentDraft(
      documentType: document.documentType, nameSpaces: document.nameSpaces, deviceKey: key,
      validity: MobileSecurityObject.Validity(
        signed: moment, validFrom: moment, validUntil: moment.adding(days: Self.documentDays)))
    draft.digestAlgorithm = issuance.digest
    var randomness = SystemIssuanceRandomness()
    return try draft.issued(randomness: &randomness) { payload in
      try COSESign1.sign(
        payload: payload, algorithm: issuance.signature, x5chain: [certificate], signature: signer.signature)
    }
  }
}
