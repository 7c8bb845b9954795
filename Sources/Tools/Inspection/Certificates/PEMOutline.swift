import SwiftASN1

extension Outline {
  /// Writes every block of a PEM file (RFC 7468). Certificates are taken for a chain, leaf first, when each has issued
  /// the one before it.
  mutating func pem(_ text: String) throws(Misfit) {
    let blocks: [PEMDocument]
    guard text.contains("-----BEGIN ") else { throw Misfit("no line starts with -----BEGIN") }
    do {
      blocks = try PEMDocument.parseMultiple(pemString: text)
    } catch {
      // The error may quote the text, which may be a private key.
      throw Misfit("a block does not end, or is not base64 in lines")
    }
    guard !blocks.isEmpty else { throw Misfit("there is no block") }
    line("read as PEM: \(Printed.count(blocks.count, "block"))")
    nested { inside in
      for (position, block) in blocks.enumerated() {
        let next = position + 1 < blocks.count ? blocks[position + 1] : nil
        inside.pemBlock(block, before: next)
      }
    }
  }

  private mutating func pemBlock(_ block: PEMDocument, before next: PEMDocument?) {
    let size = Printed.count(block.derBytes.count, "byte")
    let label = Printed.onOneLine(block.discriminator)
    line("\(label): \(size)")
    nested { inside in
      if block.discriminator.hasSuffix("PRIVATE KEY") {
        return inside.line(PrivateKeyMaterial.notShown(byteCount: block.derBytes.count))
      }
      do throws(Misfit) {
        if block.discriminator == "CERTIFICATE" {
          let certificate = try Self.readCertificate(der: block.derBytes)
          let issuer = try? next.map { (following) throws(Misfit) in try Self.readCertificate(der: following.derBytes) }
          inside.certificate(
            certificate, issuer: issuer?.subject == certificate.issuer ? issuer : nil, for: .unknown)
        } else {
          try inside.content(block.derBytes, accepting: .structures)
        }
      } catch {
        inside.line("cannot be read: \(error.reason)")
      }
    }
  }
}
