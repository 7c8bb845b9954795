import COSE
import Checks
import SwiftASN1
import X509

/// A website's request for a reader certificate: PKCS#10 (RFC 2986) with its domain as subject alternative name.
public struct ReaderCertificateRequest: Sendable {
  /// The request as DER.
  public let encoded: [UInt8]
  /// Key for which a certificate is asked.
  public let publicKey: Certificate.PublicKey
  /// Organization in the subject, when there is one.
  public let organization: String?
  /// The one domain that the request names.
  public let domain: String

  /// Why a request was refused.
  public enum Refusal: String, Error, CheckCode {
    case malformed = "reader-authority.malformed-request"
    case signature = "reader-authority.request-signature"
    case domain = "reader-authority.domain-not-proven"
    case brand = "reader-authority.brand-not-approved"

    /// What it means when this fails, for a person to read.
    public var sentence: String {
      switch self {
      case .malformed: "the certificate request cannot be read, or does not name exactly one domain"
      case .signature: "the certificate request is not signed with the key that it names"
      case .domain: "the domain in the certificate request is not one that the requester has proven to own"
      case .brand: "no brand is approved for the organization in the certificate request"
      }
    }
  }

  /// Makes and signs a request.
  /// - Throws: when a name cannot be written or the signer cannot sign.
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

  /// Reads a request and checks that its sender holds the key.
  /// - Throws: ``Refusal``.
  public init(_ der: [UInt8]) throws(Refusal) {
    guard der.count <= CertificateLimits.bytes, let request = try? CertificateSigningRequest(derEncoded: der),
      Certificate.hasWholeSignature(der)
    else { throw .malformed }
    guard request.isSigned(encodedAs: der) else { throw .signature }
    guard let extensions = try? request.attributes.extensionRequest?.extensions,
      let names = try? extensions.subjectAlternativeNames, names.count == 1, let name = names.first,
      case .dnsName(let domain) = name
    else { throw .malformed }
    encoded = der
    publicKey = request.publicKey
    self.domain = domain
    organization = request.subject.firstValue(of: .RDNAttributeType.organizationName)
  }
}
