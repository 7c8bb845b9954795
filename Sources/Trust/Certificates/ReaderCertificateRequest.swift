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
    self.domain = domain
    organization = request.subject.firstValue(of: .RDNAttributeType.organizationName)
  }
}

extension ReaderCertificateRequest {
  /// Checks that the request is for a requester's own domain and organization.
  /// - Parameters:
  ///   - domain: The domain that the requester has proven to own, or nil for an unknown requester.
  ///   - organization: The organization of the requester.
  ///   - brand: The approved brand of the organization, if any.
  /// - Returns: The brand.
  /// - Throws: ``Refusal``.
  public func approvedBrand(
    domain: String?, organization: String, brand: BrandIdentity?
  ) throws(Refusal) -> BrandIdentity {
    guard self.domain == domain else { throw Refusal(.domain) }
    guard let brand, self.organization == organization else { throw Refusal(.brand) }
    return brand
  }
}

/// The brand that a consent sheet shows for a requester.
///
/// The real encoding of a brand's name and icon in certificates is not public. This model uses a
/// non-critical extension of the reader certificate with the identifier 1.3.6.1.4.1.32473.18013.1 (in the arc that RFC
/// 5612 reserves for examples) and the syntax `BrandIdentity ::= SEQUENCE { name UTF8String, icon UTF8String }`, where
/// `icon` names a picture in the authority's register.
public struct BrandIdentity: Sendable, Equatable {
  /// Name as shown to people.
  public let name: String
  /// Name of the icon in the authority's register.
  public let icon: String

  /// The longest name or icon name that is read, in bytes: one line of a consent sheet.
  public static let maximumLength = 128

  static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 32473, 18013, 1]

  /// Creates a brand.
  public init(name: String, icon: String) {
    self.name = name
    self.icon = icon
  }

  /// Reads the brand in a certificate, or returns nil if it has no readable one.
  public init?(in certificate: Certificate) {
    guard let found = certificate.extensions[oid: Self.identifier],
      let brand = try? Self(derEncoded: found.value),
      brand.name.utf8.count <= Self.maximumLength, brand.icon.utf8.count <= Self.maximumLength
    else { return nil }
    self = brand
  }

  private init(derEncoded bytes: ArraySlice<UInt8>) throws {
    let node = try DER.parse(bytes)
    self = try DER.sequence(node, identifier: .sequence) { nodes in
      BrandIdentity(name: try Self.text(from: &nodes), icon: try Self.text(from: &nodes))
    }
  }

  /// Reads a text that is valid UTF-8. The library would replace invalid bytes.
  private static func text(from nodes: inout ASN1NodeCollection.Iterator) throws -> String {
    guard let text = String(validating: try ASN1UTF8String(derEncoded: &nodes).bytes, as: UTF8.self) else {
      throw ASN1Error.invalidStringRepresentation(reason: "not UTF-8")
    }
    return text
  }

  func certificateExtension() throws -> Certificate.Extension {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(ASN1UTF8String(name))
      try coder.serialize(ASN1UTF8String(icon))
    }
    return Certificate.Extension(
      oid: Self.identifier, critical: false, value: ArraySlice(serializer.serializedBytes))
  }
}

/// The checks of a reader authority before it issues a reader certificate, in the order in which they are made. It stops
/// at the first that fails.
public enum ReaderAuthorityCheck: CheckFamily {
  case request, domain, brand

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, signature
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .request:
      CheckDefinition(
        "reader-authority.request", "the certificate request names one domain and is signed with the key that it names",
        clause: "RFC 2986",
        [
          .failure(Reason.malformed, "the certificate request cannot be read, or does not name exactly one domain"),
          .failure(Reason.signature, "the certificate request is not signed with the key that it names"),
        ])
    case .domain:
      CheckDefinition(
        "reader-authority.domain", "the requester has proven that it owns the domain in the certificate request",
        "the requester has not proven that it owns the domain in the certificate request", clause: "own rule")
    case .brand:
      CheckDefinition(
        "reader-authority.brand", "a brand is approved for the organization in the certificate request",
        "no brand is approved for the organization in the certificate request", clause: "own rule")
    }
  }
}
