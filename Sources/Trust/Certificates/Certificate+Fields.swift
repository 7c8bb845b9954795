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
    let encoded = try DER.encode { try $0.serialize(self) }
    return receivedSerialNumber == nil ? encoded : try RepairedSerialNumber.removed(from: encoded)
  }

  /// `keyIdentifier` of the subject key identifier extension (RFC 5280, 4.2.1.2).
  public var subjectKeyIdentifier: [UInt8]? { extensions.subjectKey }

  /// `keyIdentifier` of the authority key identifier extension (RFC 5280, 4.2.1.1).
  public var authorityKeyIdentifier: [UInt8]? { extensions.authorityKey }
  /// True if the certificate names purposes of its key (extended key usage; RFC 5280, 4.2.1.12).
  package var hasPurposes: Bool { extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil }

  /// The fields of `TBSCertificate` as received, from the serial number on (RFC 5280, 4.1).
  private var fieldsFromSerialNumber: ArraySlice<UInt8> { Self.fieldsFromSerialNumber(of: tbsCertificateBytes) }

  private static func fieldsFromSerialNumber(of signed: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let fields = signed.dropHead()
    return fields.first == 0xa0 ? fields.dropElement() : fields
  }

  /// Returns the validity of a certificate as DER, whose other fields are not read.
  /// - Throws: An error if the validity is malformed or missing.
  public static func validity(ofEncoded der: [UInt8]) throws -> (from: DateTime, until: DateTime) {
    // After the serial number, the algorithm and the issuer.
    let validity = fieldsFromSerialNumber(of: der[...].dropHead()).dropElement().dropElement().dropElement().element
    return try CertificateFields.validity(DER.parse(validity))
  }

  /// The serial number as a DER integer, as received.
  var serialNumberOctets: [UInt8] { receivedSerialNumber ?? [UInt8](fieldsFromSerialNumber.element.dropHead()) }

  /// `SubjectPublicKeyInfo` as received (RFC 5280, 4.1.2.7).
  var encodedPublicKey: ArraySlice<UInt8> {
    // After the serial number, the algorithm, the issuer, the validity and the subject.
    fieldsFromSerialNumber.dropElement().dropElement().dropElement().dropElement().dropElement().element
  }

  /// The content of `subjectPublicKey` as received, from which the key identifier is computed.
  var keyBits: ArraySlice<UInt8> { Self.keyBits(ofEncoded: encodedPublicKey) }

  /// Returns the content of `subjectPublicKey` in a `SubjectPublicKeyInfo` that has been read already.
  static func keyBits(ofEncoded publicKey: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // After the algorithm, the header of the bit string and the number of unused bits.
    publicKey.dropHead().dropElement().dropHead().dropFirst()
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

extension Certificate {
  /// Returns whether the signature of a certificate or certificate request consists of whole octets. The library
  /// accepts signatures with unused bits and uses these bits. The DER has been read already.
  static func hasWholeSignature(_ der: [UInt8]) -> Bool {
    // Skip the header of the certificate, the signed part, the algorithm and the header of the signature.
    der[...].dropHead().dropElement().dropElement().dropHead().first == 0
  }

  /// Returns what is wrong with the names or times of a certificate, or nil. The library replaces invalid UTF-8 and
  /// ignores fractions of a second. The DER has been read already.
  static func textFault(in der: [UInt8]) -> String? {
    var fields = der[...].dropHead().dropHead()
    if fields.first == 0xa0 { fields = fields.dropElement() }
    // After the serial number and the algorithm.
    let issuer = fields.dropElement().dropElement()
    let validity = issuer.dropElement()
    for name in [issuer, validity.dropElement()] where !name.hasReadableText { return "a part of a name is not UTF-8" }
    // `YYYYMMDDHHMMSSZ` (RFC 5280, 4.1.2.5.2). The library itself rejects other forms of UTCTime.
    let isWhole = validity.hasOnlyChildren { $0.first != generalizedTime || $0.dropHead().count == 15 }
    return isWhole ? nil : "a time is not in whole seconds"
  }

  private static let generalizedTime: UInt8 = 0x18
}

extension ArraySlice<UInt8> {
  /// The lengths of the header and the content of the element at the start. Invalid bytes count as a header.
  private var sizes: (head: Int, content: Int) {
    guard count >= 2 else { return (count, 0) }
    let first = Int(self[startIndex + 1])
    if first < 0x80 { return (2, first) }
    let digits = self[(startIndex + 2)...].prefix(first & 0x7f)
    guard digits.count == first & 0x7f, digits.count <= 3 else { return (count, 0) }
    return (2 + digits.count, digits.reduce(0) { $0 << 8 | Int($1) })
  }

  func dropHead() -> Self { dropFirst(sizes.head) }
  func dropElement() -> Self { dropFirst(sizes.head + sizes.content) }
  /// The element at the start.
  var element: Self { prefix(sizes.head + sizes.content) }

  /// Returns whether every child element of the element at the start satisfies a condition.
  fileprivate func hasOnlyChildren(_ condition: (Self) -> Bool) -> Bool {
    var rest = element.dropHead()
    while !rest.isEmpty {
      guard condition(rest.element) else { return false }
      rest = rest.dropElement()
    }
    return true
  }

  /// A Boolean value that indicates whether every UTF8String of the name at the start is UTF-8 (RFC 5280, 4.1.2.4).
  fileprivate var hasReadableText: Bool {
    hasOnlyChildren { part in
      part.hasOnlyChildren { attribute in
        let value = attribute.dropHead().dropElement()
        return value.first != Self.utf8String || (try? UTF8Span(validating: value.dropHead().span)) != nil
      }
    }
  }

  private static var utf8String: UInt8 { 0x0c }
}

/// Returns the reason in an error of the X.509 and ASN.1 libraries, without its type and its source position: the
/// libraries describe their errors as `Type.code: reason Module/File.swift:1`. Any other error keeps its description.
func describeX509Error(_ error: any Error) -> String {
  var words = "\(error)".split(separator: " ", omittingEmptySubsequences: false)
  guard words.count > 1, let first = words.first, first.hasSuffix(":"), first.contains("Error.") else {
    return "\(error)"
  }
  if let last = words.last, last.contains(".swift:") { words.removeLast() }
  let reason = words.dropFirst().joined(separator: " ")
  // Some errors have a code and no reason, for example `truncatedASN1Field`.
  return reason.isEmpty ? String(first.dropLast().split(separator: ".").last ?? first) : reason
}
