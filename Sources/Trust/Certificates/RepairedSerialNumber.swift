import SwiftASN1
import X509

/// Certificates whose serial number the library does not read: negative ones, which some authorities draw from random
/// bytes, and numbers that are not in their shortest form.
///
/// Such a certificate is read with a mark before the number. The mark makes the received bytes recoverable: signatures are
/// verified over them, and ``Certificate/derEncoded()`` and ``CertificateFields/serialNumber`` return the received ones.
enum RepairedSerialNumber {
  /// The mark. With it a number has more than the 20 octets that RFC 5280, 4.1.2.2 allows, so no serial number in use
  /// begins with it.
  static let mark = Array("Serial number as received: ".utf8)

  /// Returns the encoded certificate with the mark before its serial number.
  /// - Throws: An error if it is not a certificate, or has the mark already.
  static func added(to der: [UInt8]) throws -> [UInt8] {
    try rewritten(der) { digits in
      guard !digits.starts(with: mark) else { throw ASN1Error.invalidASN1Object(reason: "a reserved serial number") }
      return mark + digits
    }
  }

  /// Returns the encoded certificate without the mark.
  static func removed(from der: [UInt8]) throws -> [UInt8] { try rewritten(der) { Array($0.dropFirst(mark.count)) } }

  private static func rewritten(_ der: [UInt8], _ change: (ArraySlice<UInt8>) throws -> [UInt8]) throws -> [UInt8] {
    guard case .constructed(let parts) = try DER.parse(der).content, let signed = parts.first(where: { _ in true }),
      case .constructed(let fields) = signed.content
    else { throw ASN1Error.invalidASN1Object(reason: "not a certificate") }
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { whole in
      try whole.appendConstructedNode(identifier: .sequence) { inside in
        for field in fields {
          if field.identifier == .integer, case .primitive(let digits) = field.content {
            let changed = try change(digits)
            inside.appendPrimitiveNode(identifier: .integer) { $0 += changed }
          } else {
            inside.serialize(field)
          }
        }
      }
      for part in parts.dropFirst() { whole.serialize(part) }
    }
    return serializer.serializedBytes
  }
}

extension Certificate {
  /// The octets of the serial number as received, where the library does not read them; nil for every other certificate.
  var receivedSerialNumber: [UInt8]? {
    let octets = serialNumber.bytes
    return octets.starts(with: RepairedSerialNumber.mark)
      ? Array(octets.dropFirst(RepairedSerialNumber.mark.count)) : nil
  }
}
