import COSE
import Certificates
import MobileDocument
import Primitives
import SDJWT

/// An issuing authority that issues documents with a fault. Its keys and its root are the real ones.
public struct FaultyIssuer: Sendable {
  /// The authority, which certifies signers.
  public let authority: CertificateAuthority
  /// Another authority of the same name, which is not trusted.
  public let otherAuthority: CertificateAuthority
  /// Key of the document signer.
  public let signer: any ES256Signer
  /// DER of the document signer's certificate.
  public let certificate: [UInt8]
  /// Name in the document signer's certificate.
  public let name: CertificateName
  /// URI at which the authority can be reached.
  public let contact: String
  /// The time of issue.
  public let moment: DateTime
  /// Serial number of a certificate that a fault needs.
  public let serialNumber: [UInt8]

  /// Creates an issuer.
  public init(
    authority: CertificateAuthority, otherAuthority: CertificateAuthority, signer: some ES256Signer,
    certificate: [UInt8],
    name: CertificateName, contact: String, moment: DateTime, serialNumber: [UInt8]
  ) {
    self.authority = authority
    self.otherAuthority = otherAuthority
    self.signer = signer
    self.certificate = certificate
    self.name = name
    self.contact = contact
    self.moment = moment
    self.serialNumber = serialNumber
  }

  /// Issues a document with faults.
  /// - Returns: The encoded `IssuerSigned`.
  /// - Throws: `SimulationError`, what the signer throws, or what is wrong with the draft.
  package func issued(
    _ draft: DocumentDraft, with change: DocumentChange?, _ statusEntry: StatusEntryChange? = nil,
    randomness: inout some DocumentDraft.Randomness
  ) throws -> [UInt8] {
    let issued = try draft.issued(by: signer, chain: [certificate], randomness: &randomness)
    var parts = try DocumentParts(issued, of: draft, by: self)
    try change?.apply(&parts)
    try statusEntry?.apply(to: &parts)
    return try parts.encoded()
  }

  /// Issues an SD-JWT credential with a fault.
  /// - Returns: The compact serialization in UTF-8.
  /// - Throws: `SimulationError`, what the signer throws, or what is wrong with the draft.
  package func issued(
    _ draft: SDJWTDraft, with change: CredentialChange, randomBytes: (Int) -> [UInt8]
  ) throws -> [UInt8] {
    let issued = try draft.issued(by: signer, chain: [certificate], randomBytes: randomBytes)
    var parts = try CredentialParts(issued, by: self)
    try change.apply(&parts)
    return try parts.encoded()
  }

  /// The neutral point of Ed25519 (RFC 8032, 5.1.2): a signature of the same bytes and zeros fits every message.
  static let pointOfOrderOne: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
}
