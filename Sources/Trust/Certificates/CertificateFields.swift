import Primitives
import SwiftASN1
import X509

/// The fields of a certificate, including those of a certificate with an unsupported key or signature, which the
/// library does not read.
public struct CertificateFields: Sendable {
  /// Indirect because a certificate is large and its fields are passed on often.
  private indirect enum Source: Sendable {
    case usable(Certificate)
    case unusable(Unusable)
  }

  /// The fields of a certificate with a key or signature that the library does not read.
  fileprivate struct Unusable: Sendable {
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
  }

  private var source: Source

  /// Creates the fields of a certificate that the library reads.
  public init(_ certificate: Certificate) { source = .usable(certificate) }

  /// Reads a certificate (RFC 5280, 4.1).
  /// - Throws: An error if the certificate is malformed.
  public init(derEncoded bytes: [UInt8]) throws {
    if let certificate = try? Certificate(derEncoded: bytes) {
      source = .usable(certificate)
    } else {
      source = .unusable(try Unusable(DER.parse(bytes)))
      if hasNegativeSerialNumber || hasLongSerialNumber,
        let repaired = try? Certificate(derEncoded: RepairedSerialNumber.added(to: bytes))
      {
        source = .usable(repaired)
      }
    }
  }

  /// The certificate, or nil if its key or signature is unsupported.
  public var certificate: Certificate? {
    if case .usable(let certificate) = source { certificate } else { nil }
  }

  /// The version: 1, 2 or 3.
  public var version: Int {
    switch source {
    case .usable(let certificate): certificate.version == .v3 ? 3 : certificate.version == .v1 ? 1 : 2
    case .unusable(let other): other.version
    }
  }

  /// The serial number as a DER integer: two's complement, with a leading zero octet if the first bit is set.
  public var serialNumber: [UInt8] {
    switch source {
    case .usable(let certificate):
      if let received = certificate.receivedSerialNumber { return received }
      let bytes = certificate.serialNumber.bytes.drop { $0 == 0 }
      return (bytes.first.map { $0 < 0x80 } ?? false ? [] : [0]) + bytes
    case .unusable(let other): return other.serialNumber
    }
  }

  /// A Boolean value that indicates whether the serial number is negative.
  public var hasNegativeSerialNumber: Bool { (serialNumber.first ?? 0) >= 0x80 }

  /// A Boolean value that indicates whether the serial number is longer than its shortest form (ITU-T X.690, 8.3.2).
  var hasLongSerialNumber: Bool {
    let octets = serialNumber.prefix(2)
    guard octets.count == 2, let first = octets.first, let second = octets.last else { return false }
    return first == 0 && second < 0x80 || first == 0xff && second >= 0x80
  }

  /// The name of the signature algorithm, or its object identifier.
  public var signatureAlgorithm: String {
    switch source {
    case .usable(let certificate): certificate.signatureAlgorithm.name
    case .unusable(let other): CertificateSignatureAlgorithms.name(of: other.signatureAlgorithm)
    }
  }

  /// A Boolean value that indicates whether the signed part names the signature's algorithm (RFC 5280, 4.1.1.2).
  var signatureAlgorithmsAgree: Bool {
    switch source {
    case .usable(let certificate): certificate.signatureAlgorithm.isNamed(inside: certificate.tbsCertificateBytes)
    case .unusable(let other): other.algorithmsAgree
    }
  }

  /// The issuer's name.
  public var issuer: DistinguishedName {
    switch source {
    case .usable(let certificate): certificate.issuer
    case .unusable(let other): other.issuer
    }
  }

  /// The subject's name.
  public var subject: DistinguishedName {
    switch source {
    case .usable(let certificate): certificate.subject
    case .unusable(let other): other.subject
    }
  }

  /// The start and end of the validity period.
  public var validity: (from: DateTime, until: DateTime) {
    switch source {
    case .usable(let certificate): certificate.validity
    case .unusable(let other): other.validity
    }
  }

  /// The kind of the public key.
  public var key: CertificateKey {
    switch source {
    case .usable(let certificate): CertificateKey(certificate.publicKey)
    case .unusable(let other): other.key
    }
  }

  /// The content of `subjectPublicKey`, from which the key identifier is computed.
  var keyBits: ArraySlice<UInt8> {
    switch source {
    case .usable(let certificate): certificate.keyBits
    case .unusable(let other): other.keyBits
    }
  }

  /// The extensions.
  public var extensions: Certificate.Extensions {
    switch source {
    case .usable(let certificate): certificate.extensions
    case .unusable(let other): other.extensions
    }
  }

  /// `keyIdentifier` of the subject key identifier extension (RFC 5280, 4.2.1.2).
  public var subjectKeyIdentifier: [UInt8]? {
    (try? extensions.subjectKeyIdentifier).flatMap { [UInt8]($0.keyIdentifier) }
  }

  /// `keyIdentifier` of the authority key identifier extension (RFC 5280, 4.2.1.1).
  public var authorityKeyIdentifier: [UInt8]? {
    (try? extensions.authorityKeyIdentifier)?.keyIdentifier.map { [UInt8]($0) }
  }
}

extension CertificateFields.Unusable {
  init(_ root: ASN1Node) throws {
    self = try DER.sequence(root, identifier: .sequence) { nodes in
      guard let signed = nodes.next(), let algorithm = nodes.next(), nodes.next() != nil else {
        throw ASN1Error.invalidASN1Object(reason: "a certificate has three parts")
      }
      let identifier = try DER.sequence(algorithm, identifier: .sequence) { parts in
        let identifier = try ASN1ObjectIdentifier(derEncoded: &parts)
        while parts.next() != nil {}
        return identifier
      }
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
    let serial = try Self.next(&nodes)
    guard serial.identifier == .integer, case .primitive(let digits) = serial.content, !digits.isEmpty else {
      throw ASN1Error.invalidASN1Object(reason: "the serial number is not an integer")
    }
    serialNumber = [UInt8](digits)
    self.signatureAlgorithm = signatureAlgorithm
    algorithmsAgree = try Self.next(&nodes).encodedBytes == algorithm
    issuer = try DistinguishedName(derEncoded: Self.next(&nodes))
    validity = try DER.sequence(Self.next(&nodes), identifier: .sequence) { ends in
      (try DateTime(certificateTime: Self.next(&ends)), try DateTime(certificateTime: Self.next(&ends)))
    }
    subject = try DistinguishedName(derEncoded: Self.next(&nodes))
    let keyNode = try Self.next(&nodes)
    (key, keyBits) = try DER.sequence(keyNode, identifier: .sequence) { parts in
      let (algorithm, parameters) = try DER.sequence(Self.next(&parts), identifier: .sequence) { inner in
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

  private static func next(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
    guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "the certificate ends too early") }
    return node
  }
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
      parts = (time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(repeating: "0", count: max(0, 4 - "\(parts.year)".utf8.count)) + "\(parts.year)"
    let text =
      "\(year)-\(two(parts.month))-\(two(parts.day))T\(two(parts.hours)):\(two(parts.minutes)):\(two(parts.seconds))Z"
    guard let moment = DateTime.parse(text)?.moment else {
      throw ASN1Error.invalidASN1Object(reason: "a time that does not exist")
    }
    self = moment
  }
}
