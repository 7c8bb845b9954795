import Certificates
import Primitives
import SwiftASN1

extension Outline {
  /// Writes every block of a PEM file (RFC 7468). Certificates count as a chain, leaf first, if each issued the one before.
  mutating func pem(_ text: String) throws(InspectionFailure) {
    guard text.contains("-----BEGIN ") else { throw InspectionFailure("no line starts with -----BEGIN") }
    guard let blocks = PEMText(text)?.blocks else {
      throw InspectionFailure("a block has no end line, or is not base64 in lines")
    }
    guard !blocks.isEmpty else { throw InspectionFailure("the text has no block") }
    under("read as PEM: \(blocks.count.counted("block"))") { inside in
      for (position, block) in blocks.enumerated() {
        let next = position + 1 < blocks.count ? blocks[position + 1] : nil
        inside.pemBlock(block, before: next)
      }
    }
  }

  private mutating func pemBlock(_ block: PEMText.Block, before next: PEMText.Block?) {
    under("\(Printed.onOneLine(block.label)): \(block.bytes.count.counted("byte"))") { inside in
      if block.label.hasSuffix("PRIVATE KEY") {
        return inside.line(PrivateKeyMaterial.notShown(byteCount: block.bytes.count))
      }
      do throws(InspectionFailure) {
        if block.label == "CERTIFICATE" {
          let certificate = try Self.readCertificate(der: block.bytes)
          let issuer = try? next.map { (following) throws(InspectionFailure) in
            try Self.readCertificate(der: following.bytes)
          }
          inside.certificate(certificate, issuer: issuer?.subject == certificate.issuer ? issuer : nil, for: .unknown)
        } else {
          try inside.content(block.bytes, accepting: .structures)
        }
      } catch {
        inside.line("cannot be read: \(error.message)")
      }
    }
  }
}

/// Recognizes private keys, so that they are not printed.
enum PrivateKeyMaterial {
  /// Returns whether DER is a private key: PKCS#8 (RFC 5208, RFC 5958) or SEC 1 (RFC 5915) of any algorithm, or RSA
  /// (RFC 8017). Each is a sequence of a small version number and an element that certificates do not have there.
  static func holdsKey(der bytes: [UInt8]) -> Bool {
    guard let root = try? DER.parse(bytes), root.identifier == .sequence else { return false }
    let found = root.children.prefix(3).map(\.identifier)
    let forms: [[ASN1Identifier]] = [
      [.integer, .octetString], [.integer, .sequence, .octetString], [.integer, .integer, .integer],
    ]
    return forms.contains { found.starts(with: $0) }
  }

  /// Returns whether a text contains a private key in PEM.
  static func mayBeIn(_ text: String) -> Bool { text.contains("PRIVATE KEY-----") }

  /// Returns the text that replaces a private key.
  static func notShown(byteCount: Int) -> String { "a private key of \(byteCount) bytes, not shown" }
}

extension Outline {
  /// Writes that the bytes are a private key.
  mutating func privateKey(der bytes: [UInt8]) throws(InspectionFailure) {
    guard PrivateKeyMaterial.holdsKey(der: bytes) else {
      throw InspectionFailure("not a private key of PKCS#8, SEC 1 or RSA")
    }
    line(PrivateKeyMaterial.notShown(byteCount: bytes.count))
  }
}
