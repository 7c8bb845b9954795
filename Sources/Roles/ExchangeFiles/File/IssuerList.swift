import Certificates
import Checks
import Primitives
import TrustLists
import X509

/// A list of issuing authorities (VICAL) with the certificates that its signer must lead to. It is trusted only after its
/// verification.
public struct IssuerList: Sendable {
  /// The list's file or member, for reports.
  public let name: String
  /// The trusted certificates of the list's signer or of its provider.
  public let signers: TrustedCertificates
  /// The list, not verified.
  public let list: UnverifiedVICAL

  /// Creates a list.
  public init(name: String, bytes: [UInt8], signers: TrustedCertificates) {
    self.name = name
    self.signers = signers
    list = UnverifiedVICAL(bytes)
  }

  /// Reads `{"vical", "signer"}`: the list as a file or in base64, and the signer's certificates as a file or in PEM.
  init(_ element: JSONField, reading read: FileReading) throws(ExchangeFileError) {
    let member = try element.required("vical")
    let text = try member.text()
    let bytes: [UInt8]
    if let decoded = PastedBase64.decode(text), Self.isList(decoded) {
      bytes = decoded
    } else {
      bytes = try CertificateFile.bytes(member, reading: read)
    }
    guard Self.isList(bytes) else {
      throw ExchangeFileError(
        .content, member.path, "not a signed list (VICAL), but \(FoundContent.description(of: bytes))")
    }
    let signer = try element.required("signer")
    let signers = try CertificateFile.trusted(
      CertificateFile.bytes(signer, reading: read), for: .listSigner, name: signer.path)
    self.init(name: text.utf8.count <= Self.longestName ? text : element.path ?? "", bytes: bytes, signers: signers)
  }

  /// Returns whether bytes look like a list: a signed message in CBOR, an array of four, with or without its tag.
  public static func isList(_ bytes: [UInt8]) -> Bool { bytes.first == 0x84 || bytes.starts(with: [0xd2, 0x84]) }

  /// The longest member that is shown as the list's name: a file name, and not the list itself.
  private static let longestName = 255

  /// Verifies the list.
  func verified(at moment: DateTime, policy: VerificationPolicy) async -> UnverifiedVICAL.Report {
    await list.verified(trusting: signers, at: moment, policy: policy)
  }
}
