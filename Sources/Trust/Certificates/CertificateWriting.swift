import COSE
import Crypto
import Primitives
import SwiftASN1
import X509

/// The content of a certificate, which its issuer signs.
struct CertificateContent {
  var issuer: [UInt8]
  var subject: [UInt8]
  var key: SubjectKey
  var terms: CertificateAuthority.Terms
  var extensions: Certificate.Extensions

  /// Returns `TBSCertificate` (RFC 5280, 4.1) of version 3, to be signed with ECDSA and SHA-256.
  func encoded() throws -> [UInt8] {
    let list = extensions.isEmpty ? [] : encodedElement(.tagged(3), try extensions.encoded())
    return encodedElement(
      .sequence, Self.version, encodedInteger(terms.serial.bytes), ecdsaWithSHA256, issuer,
      encodedElement(.sequence, try terms.from.encodedTime(), try terms.until.encodedTime()), subject, key.encoded, list
    )
  }

  /// `[0] INTEGER`: 2 for version 3.
  private static let version: [UInt8] = [0xa0, 0x03, 0x02, 0x01, 0x02]
}

/// A public key to certify.
struct SubjectKey {
  /// `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
  let encoded: [UInt8]
  /// The SHA-1 of the key's bits (RFC 5280, 4.2.1.2).
  let identifier: SubjectKeyIdentifier

  init(_ key: Certificate.PublicKey) throws { self.init(encoded: try DER.encode { try $0.serialize(key) }) }

  /// Creates a key from an encoded key that has been read already.
  init(encoded: [UInt8]) {
    self.encoded = encoded
    let digest = Insecure.SHA1.hash(data: Certificate.keyBits(ofEncoded: encoded[...]))
    identifier = SubjectKeyIdentifier(keyIdentifier: digest.bytes[...])
  }
}

/// The first byte of a DER element.
struct ElementIdentifier {
  let byte: UInt8

  static let integer = ElementIdentifier(byte: 0x02)
  static let bitString = ElementIdentifier(byte: 0x03)
  static let sequence = ElementIdentifier(byte: 0x30)
  static let set = ElementIdentifier(byte: 0x31)

  /// A context-specific tag of a constructed element.
  static func tagged(_ number: UInt8) -> ElementIdentifier { ElementIdentifier(byte: 0xa0 | number) }
}

/// Returns a DER element with the parts as its content.
///
/// Its length is known when it is written. The library's serializer writes a content first, and moves each that is longer
/// than 127 bytes to make room for the length.
func encodedElement(_ identifier: ElementIdentifier, _ parts: [UInt8]...) -> [UInt8] {
  let count = parts.reduce(0) { $0 + $1.count }
  var element: [UInt8] = []
  element.reserveCapacity(count + 4)
  element.append(identifier.byte)
  if count < 0x80 {
    element.append(UInt8(count))
  } else {
    let size = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
    element.append(0x80 | UInt8(size))
    for place in (0..<size).reversed() { element.append(UInt8(truncatingIfNeeded: count >> (8 * place))) }
  }
  for part in parts { element += part }
  return element
}

/// Returns a DER integer of a positive number in octets, most significant first.
func encodedInteger(_ octets: ArraySlice<UInt8>) -> [UInt8] {
  let digits = octets.drop { $0 == 0 }
  return encodedElement(.integer, (digits.first ?? 0x80) < 0x80 ? [] : [0], Array(digits))
}

/// `AlgorithmIdentifier` of ECDSA with SHA-256 (RFC 5758, 3.2).
let ecdsaWithSHA256: [UInt8] = [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]

extension DER {
  /// Returns the bytes that `write` writes.
  static func encode(_ write: (inout Serializer) throws -> Void) rethrows -> [UInt8] {
    var serializer = Serializer()
    try write(&serializer)
    return serializer.serializedBytes
  }
}

extension CertificateName {
  func encoded() throws -> [UInt8] { try DER.encode { try $0.serialize(distinguishedName()) } }
}

extension Certificate.Extension {
  /// Creates an extension that is not critical, with the value that `write` writes.
  init(_ identifier: ASN1ObjectIdentifier, _ write: (inout DER.Serializer) throws -> Void) rethrows {
    self.init(oid: identifier, critical: false, value: ArraySlice(try DER.encode(write)))
  }
}

extension Certificate.Extensions {
  /// Returns `Extensions` (RFC 5280, 4.1).
  func encoded() throws -> [UInt8] {
    encodedElement(.sequence, try DER.encode { list in for member in self { try list.serialize(member) } })
  }
}

extension DateTime {
  /// Returns `Time`: a UTCTime from 1950 to 2049, otherwise a GeneralizedTime (RFC 5280, 4.1.2.5).
  func encodedTime() throws -> [UInt8] {
    let day = day
    let second = Int((secondsSince1970 % 86_400 + 86_400) % 86_400)
    let (hours, minutes, seconds) = (second / 3_600, second / 60 % 60, second % 60)
    var serializer = DER.Serializer()
    if (1950..<2050).contains(day.year) {
      try serializer.serialize(
        UTCTime(year: day.year, month: day.month, day: day.day, hours: hours, minutes: minutes, seconds: seconds))
    } else {
      try serializer.serialize(
        GeneralizedTime(
          year: day.year, month: day.month, day: day.day, hours: hours, minutes: minutes, seconds: seconds,
          fractionalSeconds: 0))
    }
    return serializer.serializedBytes
  }
}

extension ES256Signer {
  /// Signs a content and returns it with its signature, in the form of certificates, their requests and lists of revoked
  /// ones (RFC 5280, 4.1.1; RFC 2986, 4.2).
  /// - Throws: An error if the key cannot sign.
  func signed(_ content: [UInt8]) throws -> [UInt8] {
    let raw = try signature(for: content)
    // `Ecdsa-Sig-Value` (RFC 3279, 2.2.3).
    let numbers = encodedElement(
      .sequence, encodedInteger(raw.prefix(raw.count / 2)), encodedInteger(raw.suffix(raw.count / 2)))
    return encodedElement(.sequence, content, ecdsaWithSHA256, encodedElement(.bitString, [0], numbers))
  }

  /// Returns a signed certificate request (RFC 2986).
  /// - Parameter attributes: The encoded attributes, one after the other.
  /// - Throws: An error if a name cannot be encoded or the key cannot sign.
  func certificateRequest(subject: CertificateName, attributes: [UInt8]) throws -> [UInt8] {
    let key = try SubjectKey(Certificate.PublicKey(publicKey))
    return try signed(
      encodedElement(
        .sequence, encodedInteger([0]), subject.encoded(), key.encoded, encodedElement(.tagged(0), attributes)))
  }
}
