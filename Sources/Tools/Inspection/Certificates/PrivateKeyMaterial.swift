import Crypto
import SwiftASN1

/// Private keys are told apart so that they are not printed.
enum PrivateKeyMaterial {
  /// Whether DER is a private key: PKCS#8 (RFC 5208, RFC 5958) or SEC 1 (RFC 5915), of whatever algorithm, or one of
  /// RSA (RFC 8017). Each is a sequence of a small version number, then something that no certificate has there.
  static func holdsKey(der bytes: [UInt8]) -> Bool {
    guard let root = try? DER.parse(bytes), root.identifier == .sequence,
      case .constructed(let nodes) = root.content
    else { return false }
    var children = nodes.makeIterator()
    guard let version = children.next(), version.identifier == .integer, let second = children.next() else {
      return false
    }
    switch second.identifier {
    case .octetString: return true
    case .sequence: return children.next()?.identifier == .octetString
    case .integer: return children.next()?.identifier == .integer
    default: return false
    }
  }

  /// Whether a text holds a private key in PEM.
  static func mayBeIn(_ text: String) -> Bool { text.contains("PRIVATE KEY-----") }

  /// What is printed in place of a private key.
  static func notShown(byteCount: Int) -> String { "a private key of \(byteCount) bytes, not shown" }
}

extension Outline {
  /// Writes that there is a private key.
  mutating func privateKey(der bytes: [UInt8]) throws(Misfit) {
    guard PrivateKeyMaterial.holdsKey(der: bytes) else { throw Misfit("no private key of PKCS#8, SEC 1 or RSA") }
    line(PrivateKeyMaterial.notShown(byteCount: bytes.count))
  }
}
