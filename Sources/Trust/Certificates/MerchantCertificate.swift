import COSE
import Checks
import Crypto
import Primitives
import SwiftASN1
import X509

/// The encryption certificate of a merchant identifier: the developer portal certifies the key that answers to an app's
/// requests are sealed for. Its subject names the organization, the team and the merchant identifier.
///
/// The profile of the real certificate is not public. Here it is a P-256 key with the key usage `keyAgreement`, issued
/// by the portal's root.
public struct MerchantCertificate: Sendable {
  /// The certificate.
  public let certificate: Certificate
  /// The key to seal for.
  public let encryptionKey: P256.KeyAgreement.PublicKey
  /// The merchant identifier: the common name.
  public let merchantIdentifier: String
  /// The team identifier: the organizational unit.
  public let teamIdentifier: String
  /// The name that people read: the organization.
  public let organization: String

  /// Reads a certificate, or returns nil if it is malformed or not that of a merchant.
  public init?(_ der: [UInt8]) {
    guard der.count <= CertificateLimits.bytes, let certificate = try? Certificate(derEncoded: der),
      Certificate.hasWholeSignature(der), let usage = try? certificate.extensions.keyUsage, usage.keyAgreement,
      let key = P256.Signing.PublicKey(certificate.publicKey),
      let encryptionKey = try? P256.KeyAgreement.PublicKey(x963Representation: key.x963Representation),
      let merchant = certificate.commonName,
      let team = certificate.subjectAttribute(.RDNAttributeType.organizationalUnitName),
      let organization = certificate.subjectAttribute(.RDNAttributeType.organizationName)
    else { return nil }
    self.certificate = certificate
    self.encryptionKey = encryptionKey
    merchantIdentifier = merchant
    teamIdentifier = team
    self.organization = organization
  }

  /// Returns whether a root has issued the certificate.
  public func isIssued(by root: Certificate) -> Bool {
    certificate.issuer == root.subject && certificate.isSigned(by: root)
  }
}

/// A request for the encryption certificate of a merchant identifier: PKCS#10 (RFC 2986) with the merchant identifier as
/// its common name.
public struct MerchantCertificateRequest: Sendable {
  /// The key to certify.
  public let publicKey: Certificate.PublicKey
  /// The merchant identifier.
  public let merchantIdentifier: String

  /// A refusal of a request by the portal.
  public typealias Refusal = CheckFailure<PortalCheck>

  /// Creates and signs a request.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public static func make(merchantIdentifier: String, signer: some ES256Signer) throws -> [UInt8] {
    try signer.certificateRequest(subject: CertificateName(commonName: merchantIdentifier), attributes: [])
  }

  /// Reads a request and verifies that it is signed with the key to certify.
  /// - Throws: ``Refusal``.
  public init(_ der: [UInt8]) throws(Refusal) {
    guard der.count <= CertificateLimits.bytes, let request = try? CertificateSigningRequest(derEncoded: der),
      Certificate.hasWholeSignature(der), P256.Signing.PublicKey(request.publicKey) != nil,
      let merchant = request.subject.firstValue(of: .RDNAttributeType.commonName)
    else { throw Refusal(.request, .malformed) }
    guard request.isSigned(encodedAs: der) else { throw Refusal(.request, .signature) }
    publicKey = request.publicKey
    merchantIdentifier = merchant
  }
}

extension CertificateAuthority {
  /// Issues the encryption certificate of a merchant identifier.
  /// - Throws: An error if the name cannot be encoded or the signer fails.
  public func merchant(
    _ request: MerchantCertificateRequest, organization: String, teamIdentifier: String, terms: Terms
  ) throws -> Certificate {
    try issue(
      name: CertificateName(
        organization: organization, organizationalUnit: teamIdentifier, commonName: request.merchantIdentifier),
      publicKey: request.publicKey, terms: terms,
      extensions: Certificate.Extensions {
        Critical(KeyUsage(keyAgreement: true))
        AuthorityKeyIdentifier(keyIdentifier: issuingKeyIdentifier)
        SubjectKeyIdentifier(hash: request.publicKey)
      })
  }
}

/// The checks of the developer portal before it issues an encryption certificate, in the order in which they are made. It
/// stops at the first that fails.
public enum PortalCheck: CheckFamily {
  case request, merchant

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, signature
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .request:
      CheckDefinition(
        "portal.request",
        "the certificate request names a merchant identifier and is signed with the P-256 key that it names",
        clause: "RFC 2986",
        [
          .failure(Reason.malformed, "the certificate request cannot be read, or does not name a merchant identifier"),
          .failure(Reason.signature, "the certificate request is not signed with the key that it names"),
        ])
    case .merchant:
      CheckDefinition(
        "portal.merchant", "the merchant identifier belongs to the requester's account",
        "the merchant identifier does not belong to the requester's account", clause: "own rule")
    }
  }
}
