import Certificates
import SwiftASN1
import X509

/// A certificate encoded again with fields that the library does not write.
package enum Rewritten {
  /// Replaces nodes of the signed part with other DER, by position. Position 1 is the serial number, 2 the algorithm,
  /// 6 the key.
  package static func certificate(
    _ original: Certificate, _ changes: [Int: [UInt8]], algorithm: [UInt8]? = nil
  ) throws -> [UInt8] {
    guard case .constructed(let parts) = try DER.parse(original.derEncoded()).content else { throw Unreadable() }
    let nodes = Array(parts)
    guard case .constructed(let fields) = nodes[0].content else { throw Unreadable() }
    let changed = fields.enumerated().flatMap { changes[$0] ?? Array($1.encodedBytes) }
    return sequence(
      sequence(changed) + (algorithm ?? Array(nodes[1].encodedBytes)) + Array(nodes[2].encodedBytes))
  }

  package struct Unreadable: Error {}

  package static func sequence(_ content: [UInt8]) -> [UInt8] { node(0x30, content) }

  package static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 0x80
      ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]
    return [tag] + length + content
  }

  /// Returns a `SubjectPublicKeyInfo` with the identifiers of algorithm and curve and the bits.
  package static func key(_ algorithm: ASN1ObjectIdentifier, _ parameters: [UInt8], bits: [UInt8]) throws -> [UInt8] {
    sequence(sequence(try identifier(algorithm) + parameters) + node(0x03, [0] + bits))
  }

  package static func identifier(_ identifier: ASN1ObjectIdentifier) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(identifier)
    return serializer.serializedBytes
  }
}
