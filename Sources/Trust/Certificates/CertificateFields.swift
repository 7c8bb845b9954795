import Primitives
import SwiftASN1
import Synchronization
import X509

/// The fields of a certificate, decoded once, including those of a certificate with an unsupported key or signature,
/// which the library does not read. An object, because the fields are many and are passed on often.
public final class CertificateFields: Sendable {
  /// The certificate, or nil if its key or signature is unsupported.
  public let certificate: Certificate?
  /// The version: 1, 2 or 3.
  public let version: Int
  /// The serial number as a DER integer: two's complement, with a leading zero octet if the first bit is set.
  public let serialNumber: [UInt8]
  /// The name of the signature algorithm, or its object identifier.
  public let signatureAlgorithm: String
  /// A Boolean value that indicates whether the signed part names the signature's algorithm (RFC 5280, 4.1.1.2).
  let signatureAlgorithmsAgree: Bool
  /// The issuer's name.
  public let issuer: DistinguishedName
  /// The start and end of the validity period.
  public let validity: (from: DateTime, until: DateTime)
  /// The subject's name.
  public let subject: DistinguishedName
  /// The kind of the public key.
  public let key: CertificateKey
  /// The content of `subjectPublicKey` as received, from which the key identifier is computed.
  let keyBits: ArraySlice<UInt8>
  /// The extensions.
  public let extensions: Certificate.Extensions
  /// The names of the extensions that annex B forbids.
  let forbiddenExtensions: [String]
  /// The critical extensions that are not processed (RFC 5280, 4.2).
  let unknownCriticalExtensions: [ASN1ObjectIdentifier]
  /// The basic constraints (RFC 5280, 4.2.1.9), or nil if they are missing or unreadable.
  public let constraints: ReadConstraints?
  /// The key usage (RFC 5280, 4.2.1.3), or nil if it is missing or unreadable.
  let usage: ReadUsage?
  /// The extended key usage (RFC 5280, 4.2.1.12), or nil if it is missing or unreadable.
  package let extendedKeyUsage: ExtendedKeyUsage?
  /// `keyIdentifier` of the subject key identifier extension (RFC 5280, 4.2.1.2).
  public let subjectKeyIdentifier: [UInt8]?
  /// `keyIdentifier` of the authority key identifier extension (RFC 5280, 4.2.1.1).
  public let authorityKeyIdentifier: [UInt8]?
  /// The key that verified the signature last. Nothing but the certificate's bytes and this key decides the result.
  private let issuerKey = Mutex<(kind: CertificateKey, bits: ArraySlice<UInt8>)?>(nil)

  /// Creates the fields of a certificate that the library reads.
  public init(_ certificate: Certificate) {
    self.certificate = certificate
    version = certificate.version == .v3 ? 3 : certificate.version == .v1 ? 1 : 2
    serialNumber = certificate.serialNumberOctets
    signatureAlgorithm = certificate.signatureAlgorithm.name
    signatureAlgorithmsAgree = certificate.signatureAlgorithm.isNamed(inside: certificate.tbsCertificateBytes)
    issuer = certificate.issuer
    validity = certificate.validity
    subject = certificate.subject
    key = CertificateKey(certificate.publicKey)
    keyBits = certificate.keyBits
    extensions = certificate.extensions
    forbiddenExtensions = CertificateOID.forbiddenExtensions(in: extensions)
    unknownCriticalExtensions = CertificateOID.unknownCriticalExtensions(in: extensions)
    constraints = ReadConstraints(in: extensions)
    usage = ReadUsage(in: extensions)
    extendedKeyUsage = try? extensions.extendedKeyUsage
    subjectKeyIdentifier = certificate.subjectKeyIdentifier
    authorityKeyIdentifier = certificate.authorityKeyIdentifier
  }

  /// Returns whether the certificate is signed with the private key of another one. A signature that the same key has
  /// verified is not verified again; another key, or one that did not verify it, is always tried.
  func isSigned(by issuer: CertificateFields) -> Bool {
    guard let certificate, let authority = issuer.certificate else { return false }
    if issuerKey.withLock({ $0.map { $0.kind == issuer.key && $0.bits == issuer.keyBits } }) == true { return true }
    guard certificate.isSigned(by: authority) else { return false }
    issuerKey.withLock { $0 = (issuer.key, issuer.keyBits) }
    return true
  }

  private init(_ other: UnusableCertificate) {
    certificate = nil
    version = other.version
    serialNumber = other.serialNumber
    signatureAlgorithm = CertificateSignatureAlgorithms.name(of: other.signatureAlgorithm)
    signatureAlgorithmsAgree = other.algorithmsAgree
    issuer = other.issuer
    validity = other.validity
    subject = other.subject
    key = other.key
    keyBits = other.keyBits
    extensions = other.extensions
    forbiddenExtensions = CertificateOID.forbiddenExtensions(in: extensions)
    unknownCriticalExtensions = CertificateOID.unknownCriticalExtensions(in: extensions)
    constraints = ReadConstraints(in: extensions)
    usage = ReadUsage(in: extensions)
    extendedKeyUsage = try? extensions.extendedKeyUsage
    subjectKeyIdentifier = extensions.subjectKey
    authorityKeyIdentifier = extensions.authorityKey
  }

  /// Reads a certificate (RFC 5280, 4.1).
  /// - Throws: An error if the certificate is malformed.
  public convenience init(derEncoded bytes: [UInt8]) throws {
    if let certificate = try? Certificate(derEncoded: bytes) {
      self.init(certificate)
      return
    }
    let other = try UnusableCertificate(DER.parse(bytes))
    if Self.isNegative(other.serialNumber) || Self.isLong(other.serialNumber),
      let repaired = try? Certificate(derEncoded: RepairedSerialNumber.added(to: bytes))
    {
      self.init(repaired)
    } else {
      self.init(other)
    }
  }

  /// A Boolean value that indicates whether the subject and the issuer have the same name.
  var isSelfIssued: Bool { subject == issuer }

  /// Returns whether the certificate is valid at a time, both ends included.
  package func isValid(at moment: DateTime) -> Bool { validity.from <= moment && moment <= validity.until }

  /// A Boolean value that indicates whether the serial number is negative.
  public var hasNegativeSerialNumber: Bool { Self.isNegative(serialNumber) }

  /// A Boolean value that indicates whether the serial number is longer than its shortest form (ITU-T X.690, 8.3.2).
  var hasLongSerialNumber: Bool { Self.isLong(serialNumber) }

  /// Reads `Validity` (RFC 5280, 4.1.2.5).
  /// - Throws: An error if it does not consist of two times.
  static func validity(_ node: ASN1Node) throws -> (from: DateTime, until: DateTime) {
    try DER.sequence(node, identifier: .sequence) { ends in
      (try DateTime(certificateTime: ends.required()), try DateTime(certificateTime: ends.required()))
    }
  }

  private static func isNegative(_ number: [UInt8]) -> Bool { (number.first ?? 0) >= 0x80 }

  private static func isLong(_ number: [UInt8]) -> Bool {
    let octets = number.prefix(2)
    guard octets.count == 2, let first = octets.first, let second = octets.last else { return false }
    return first == 0 && second < 0x80 || first == 0xff && second >= 0x80
  }
}

/// The fields of a certificate with a key or signature that the library does not read.
private struct UnusableCertificate {
  let version: Int
  let serialNumber: [UInt8]
  let signatureAlgorithm: ASN1ObjectIdentifier
  let algorithmsAgree: Bool
  let issuer: DistinguishedName
  let validity: (from: DateTime, until: DateTime)
  let subject: DistinguishedName
  let key: CertificateKey
  let keyBits: ArraySlice<UInt8>
  let extensions: Certificate.Extensions

  init(_ root: ASN1Node) throws {
    self = try DER.sequence(root, identifier: .sequence) { nodes in
      guard let signed = nodes.next(), let algorithm = nodes.next(), nodes.next() != nil else {
        throw ASN1Error.invalidASN1Object(reason: "a certificate has three parts")
      }
      let identifier = try ASN1ObjectIdentifier(ofAlgorithm: algorithm)
      return try DER.sequence(signed, identifier: .sequence) { fields in
        try Self(&fields, signatureAlgorithm: identifier, algorithm: algorithm.encodedBytes)
      }
    }
  }

  private init(
    _ nodes: inout ASN1NodeCollection.Iterator, signatureAlgorithm: ASN1ObjectIdentifier, algorithm: ArraySlice<UInt8>
  ) throws {
    let number = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
      try Int(derEncoded: $0)
    }
    guard (0...2).contains(number ?? 0) else { throw ASN1Error.invalidASN1Object(reason: "an unknown version") }
    version = 1 + (number ?? 0)
    let serial = try nodes.required()
    guard serial.identifier == .integer, case .primitive(let digits) = serial.content, !digits.isEmpty else {
      throw ASN1Error.invalidASN1Object(reason: "the serial number is not an integer")
    }
    serialNumber = [UInt8](digits)
    self.signatureAlgorithm = signatureAlgorithm
    algorithmsAgree = try nodes.required().encodedBytes == algorithm
    issuer = try DistinguishedName(derEncoded: nodes.required())
    validity = try CertificateFields.validity(nodes.required())
    subject = try DistinguishedName(derEncoded: nodes.required())
    let keyNode = try nodes.required()
    (key, keyBits) = try DER.sequence(keyNode, identifier: .sequence) { parts in
      let (algorithm, parameters) = try DER.sequence(parts.required(), identifier: .sequence) { inner in
        (try ASN1ObjectIdentifier(derEncoded: &inner), inner.next())
      }
      let bits = try ASN1BitString(derEncoded: &parts).bytes
      if let known = try? Certificate.PublicKey(derEncoded: Array(keyNode.encodedBytes)) {
        return (CertificateKey(known), bits)
      }
      return (CertificateKey(algorithm: algorithm, parameters: parameters, bits: bits), bits)
    }
    for tag in [UInt(1), 2] {
      _ = DER.optionalImplicitlyTagged(&nodes, tagNumber: tag, tagClass: .contextSpecific) { $0.encodedBytes.count }
    }
    let found = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 3, tagClass: .contextSpecific) {
      try DER.sequence(of: Certificate.Extension.self, identifier: .sequence, rootNode: $0)
    }
    extensions = try Certificate.Extensions(found ?? [])
  }
}

extension ASN1NodeCollection.Iterator {
  /// Returns the next field of a certificate.
  fileprivate mutating func required() throws -> ASN1Node {
    guard let node = next() else { throw ASN1Error.invalidASN1Object(reason: "the certificate ends too early") }
    return node
  }
}

extension ASN1ObjectIdentifier {
  /// Reads the algorithm of an `AlgorithmIdentifier` (RFC 5280, 4.1.1.2), without its parameters.
  init(ofAlgorithm node: ASN1Node) throws {
    self = try DER.sequence(node, identifier: .sequence) { parts in
      let identifier = try ASN1ObjectIdentifier(derEncoded: &parts)
      while parts.next() != nil {}
      return identifier
    }
  }
}

extension ASN1Node {
  /// The nodes inside; none of a primitive node.
  package var children: [ASN1Node] { if case .constructed(let nodes) = content { Array(nodes) } else { [] } }
}

extension DateTime {
  /// Reads a `Time` (RFC 5280, 4.1.2.5).
  /// - Throws: An error if it is neither a UTCTime nor a GeneralizedTime of whole seconds.
  init(certificateTime node: ASN1Node) throws {
    let parts: (year: Int, month: Int, day: Int, hours: Int, minutes: Int, seconds: Int)
    if node.identifier == .utcTime {
      let time = try UTCTime(derEncoded: node)
      parts = (time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    } else {
      let time = try GeneralizedTime(derEncoded: node)
      guard time.fractionalSeconds == 0 else { throw ASN1Error.invalidASN1Object(reason: "a fraction of a second") }
      parts = (time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }
    guard let day = FullDate(year: parts.year, month: parts.month, day: parts.day),
      let moment = DateTime(day, hour: parts.hours, minute: parts.minutes, second: parts.seconds)
    else { throw ASN1Error.invalidASN1Object(reason: "a time that does not exist") }
    self = moment
  }
}
