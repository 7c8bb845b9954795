import COSE
import Checks
import Crypto
import SwiftASN1
import X509

/// A website's request for a reader certificate: PKCS#10 (RFC 2986) with the domain as its subject alternative name.
public struct ReaderCertificateRequest: Sendable {
  /// The request as DER.
  public let encoded: [UInt8]
  /// The key to certify.
  public let publicKey: Certificate.PublicKey
  /// The SHA-1 of the key's bits as received, by which certificates name the key (RFC 5280, 4.2.1.2).
  public let keyIdentifier: [UInt8]
  /// The organization in the subject, if present.
  public let organization: String?
  /// The requested domain.
  public let domain: String

  /// A refusal of a request by a reader authority.
  public typealias Refusal = CheckFailure<ReaderAuthorityCheck>

  /// Creates and signs a request.
  /// - Throws: An error if a name cannot be encoded or the signer fails.
  public static func make(organization: String, domain: String, signer: some ES256Signer) throws -> [UInt8] {
    let extensions = try Certificate.Extensions { SubjectAlternativeNames([.dnsName(domain)]) }
    let request = try CertificateSigningRequest(
      version: .v1, subject: CertificateName(organization: organization, commonName: domain).distinguishedName(),
      privateKey: Certificate.PrivateKey(CertificateSigningKey(signer: signer)),
      attributes: CertificateSigningRequest.Attributes([
        CertificateSigningRequest.Attribute(ExtensionRequest(extensions: extensions))
      ]),
      signatureAlgorithm: .ecdsaWithSHA256)
    var serializer = DER.Serializer()
    try serializer.serialize(request)
    return serializer.serializedBytes
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
    let encodedKey = der[...].dropHead().dropHead().dropElement().dropElement().element
    keyIdentifier = Insecure.SHA1.hash(data: Certificate.keyBits(ofEncoded: encodedKey)).bytes
    self.domain = domain
    organization = request.subject.firstValue(of: .RDNAttributeType.organizationName)
  }
}
