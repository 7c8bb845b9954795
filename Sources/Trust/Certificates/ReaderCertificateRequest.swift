import COSE
import Checks
import SwiftASN1
import X509

/// A website's request for a reader certificate: PKCS#10 (RFC 2986) with the domain as its subject alternative name.
public struct ReaderCertificateRequest: Sendable {
  /// The request as DER.
  public let encoded: [UInt8]
  /// The key to certify.
  public let publicKey: Certificate.PublicKey
  /// The key as received.
  let key: SubjectKey
  /// The organization in the subject, if present.
  public let organization: String?
  /// The requested domain.
  public let domain: String

  /// A refusal of a request by a reader authority.
  public typealias Refusal = CheckFailure<ReaderAuthorityCheck>

  /// The object identifier of the attribute `extensionRequest` (RFC 2985, 5.4.2), as DER.
  private static let extensionRequest: [UInt8] = [
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e,
  ]

  /// Creates and signs a request.
  /// - Throws: An error if a name cannot be encoded or the signer fails.
  public static func make(organization: String, domain: String, signer: some ES256Signer) throws -> [UInt8] {
    let extensions = try Certificate.Extensions { SubjectAlternativeNames([.dnsName(domain)]) }
    return try signer.certificateRequest(
      subject: CertificateName(organization: organization, commonName: domain),
      attributes: encodedElement(
        .sequence, Self.extensionRequest, encodedElement(.set, extensions.encoded())))
  }

  /// Reads a request and verifies that it is signed with the key to certify.
  /// - Throws: ``Refusal``.
  public init(_ der: [UInt8]) throws(Refusal) {
    guard der.count <= CertificateLimits.bytes, let request = try? CertificateSigningRequest(derEncoded: der),
      Certificate.hasWholeSignature(der)
    else { throw Refusal(.request, .malformed) }
    guard request.isSigned(encodedAs: der) else { throw Refusal(.request, .signature) }
    guard let extensions = try? request.attributes.extensionRequest?.extensions,
      let names = try? extensions.subjectAlternativeNames, names.count == 1, let name = names.first,
      case .dnsName(let domain) = name
    else { throw Refusal(.request, .malformed) }
    encoded = der
    publicKey = request.publicKey
    // After the version and the subject.
    key = SubjectKey(encoded: Array(der[...].dropHead().dropHead().dropElement().dropElement().element))
    self.domain = domain
    organization = request.subject.firstValue(of: .RDNAttributeType.organizationName)
  }
}
