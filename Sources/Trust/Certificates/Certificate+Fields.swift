import COSE
import Crypto
import Primitives
import SwiftASN1
import X509

extension Certificate {
  /// Returns the certificate's key in a form that verifies COSE signatures.
  /// - Throws: ``COSEError`` with code `cose.curve-unsupported` for RSA, which the standard does not allow, and with
  ///   `cose.key` for a small-order point of Ed25519, with which anyone can make signatures.
  public func verificationKey() throws(COSEError) -> VerificationKey {
    if let key = P256.Signing.PublicKey(publicKey) { return .p256(key) }
    if let key = P384.Signing.PublicKey(publicKey) { return .p384(key) }
    if let key = P521.Signing.PublicKey(publicKey) { return .p521(key) }
    if let key = Curve25519.Signing.PublicKey(publicKey) { return try VerificationKey(checking: key) }
    throw COSEError(.curveUnsupported, "the certificate has an RSA key, which the standard does not allow")
  }

  /// Returns the certificate as DER.
  /// - Throws: An error of the serializer. It does not occur for certificates that were read or built.
  public func derEncoded() throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(self)
    return serializer.serializedBytes
  }

  /// `keyIdentifier` of the subject key identifier extension (RFC 5280, 4.2.1.2).
  public var subjectKeyIdentifier: [UInt8]? {
    (try? extensions.subjectKeyIdentifier).flatMap { [UInt8]($0.keyIdentifier) }
  }

  /// `keyIdentifier` of the authority key identifier extension (RFC 5280, 4.2.1.1).
  public var authorityKeyIdentifier: [UInt8]? {
    (try? extensions.authorityKeyIdentifier)?.keyIdentifier.map { [UInt8]($0) }
  }

  /// A Boolean value that indicates whether the subject and the issuer have the same name.
  public var isSelfIssued: Bool { subject == issuer }

  /// Returns the first value of an attribute of the subject's name, as text.
  func subjectAttribute(_ type: ASN1ObjectIdentifier) -> String? { subject.firstValue(of: type) }

  /// Common name of the subject.
  public var commonName: String? { subjectAttribute(.RDNAttributeType.commonName) }
  /// Common name of the issuer.
  public var issuerCommonName: String? { issuer.firstValue(of: .RDNAttributeType.commonName) }
  /// Country of the subject, two letters.
  public var country: String? { subjectAttribute(.RDNAttributeType.countryName) }
  /// State or province of the subject.
  public var state: String? { subjectAttribute(.RDNAttributeType.stateOrProvinceName) }

  /// Start and end of the certificate's validity.
  public var validity: (from: DateTime, until: DateTime) { (DateTime(notValidBefore), DateTime(notValidAfter)) }

  /// Returns whether the certificate is valid at a time, both ends included.
  public func isValid(at moment: DateTime) -> Bool { validity.from <= moment && moment <= validity.until }
}

extension DistinguishedName {
  func firstValue(of type: ASN1ObjectIdentifier) -> String? {
    for name in self {
      // The description is the fallback for values that are not text. It escapes characters, so text is read directly.
      for attribute in name where attribute.type == type {
        return String(attribute.value) ?? attribute.value.description
      }
    }
    return nil
  }
}
