import SwiftASN1
import X509

/// Takes the sign from a certificate's serial number, as the authorities forget to do whose numbers are random bytes.
enum SerialNumberSign {
  /// The certificate with an octet of zero before its serial number. Its signature no longer verifies.
  static func removed(from der: [UInt8]) throws -> Certificate {
    guard case .constructed(let parts) = try DER.parse(der).content, let signed = parts.first(where: { _ in true }),
      case .constructed(let fields) = signed.content
    else { throw ASN1Error.invalidASN1Object(reason: "no certificate") }
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { whole in
      try whole.appendConstructedNode(identifier: .sequence) { inside in
        for field in fields {
          if field.identifier == .integer, case .primitive(let digits) = field.content {
            try inside.serialize(digits)
          } else {
            inside.serialize(field)
          }
        }
      }
      for part in parts.dropFirst() { whole.serialize(part) }
    }
    return try Certificate(derEncoded: serializer.serializedBytes)
  }
}
