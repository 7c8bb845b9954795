import COSE
import SwiftASN1
import X509

/// Reads certificate chains from `x5chain` headers and PEM files.
public enum CertificateChain {
  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public static func read(_ chain: [[UInt8]]) throws(CertificateRuleError) -> [Certificate] {
    var certificates: [Certificate] = []
    for (position, der) in chain.enumerated() { certificates.append(try read(der, at: position)) }
    return certificates
  }

  /// Reads trusted certificates. Those with an unsupported key are returned separately: nothing can be verified with
  /// them, and the others remain trusted. The library rejects negative serial numbers, so such a certificate is read
  /// with a repaired one: the name, key and extensions of a trusted certificate count, and its own signature does not.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public static func readTrusted(
    _ certificates: [[UInt8]]
  ) throws(CertificateRuleError) -> (usable: [Certificate], unusable: [CertificateFields]) {
    var usable: [Certificate] = []
    var unusable: [CertificateFields] = []
    for (position, der) in certificates.enumerated() {
      do {
        usable.append(try read(der, at: position))
      } catch {
        guard let fields = error.certificate else { throw error }
        if error.rule == .serialNumber, let certificate = try? Certificate(derEncoded: der, repairingNegativeSerial: ())
        {
          usable.append(certificate)
        } else if error.isOfUnknownKind {
          unusable.append(fields)
        } else {
          throw error
        }
      }
    }
    return (usable, unusable)
  }

  private static func read(_ der: [UInt8], at position: Int) throws(CertificateRuleError) -> Certificate {
    guard der.count <= CertificateLimits.bytes else {
      throw CertificateRuleError(
        .unreadable, .size, "certificate \(position) has \(der.count) bytes, more than \(CertificateLimits.bytes)")
    }
    do {
      let certificate = try Certificate(derEncoded: der)
      guard Certificate.hasWholeSignature(der) else {
        throw ASN1Error.invalidASN1Object(reason: "the signature has unused bits")
      }
      if let fault = Certificate.textFault(in: der) { throw ASN1Error.invalidASN1Object(reason: fault) }
      return certificate
    } catch {
      guard let fields = try? CertificateFields(derEncoded: der) else {
        throw CertificateRuleError(
          .unreadable, .readable, "certificate \(position) is malformed: \(describeX509Error(error))")
      }
      switch fields.key {
      case .unsupported(let name):
        throw CertificateRuleError(
          .unreadable, .keySupport, "the key of certificate \(position) is on \(name), an unsupported curve",
          certificate: fields)
      case .misencoded(let fault):
        throw CertificateRuleError(
          .unreadable, .keyEncoding, "the key of certificate \(position) is \(fault)", certificate: fields)
      case .unknown(let name):
        throw CertificateRuleError(
          .unreadable, .key, "the key of certificate \(position) has a kind that is not allowed: \(name)",
          certificate: fields)
      case .p256, .p384, .p521, .ed25519, .rsa:
        guard !fields.hasNegativeSerialNumber else {
          throw CertificateRuleError(
            .unreadable, .serialNumber,
            "the serial number of certificate \(position) is negative, which is not supported",
            certificate: fields)
        }
        guard !CertificateSignatureAlgorithms.supported.contains(fields.signatureAlgorithm) else {
          throw CertificateRuleError(
            .unreadable, .readable, "certificate \(position) is malformed: \(describeX509Error(error))")
        }
        throw CertificateRuleError(
          .unreadable, .signatureAlgorithm,
          "certificate \(position) is signed with \(fields.signatureAlgorithm), an unsupported algorithm",
          certificate: fields)
      }
    }
  }

  /// Returns a chain as `application/pem-certificate-chain` (RFC 8555, 9.1): leaf first, each followed by its issuer.
  public static func pem(_ chain: [[UInt8]]) -> [UInt8] {
    let blocks = chain.map { PEMDocument(type: blockType, derBytes: $0).pemString + "\n" }
    return Array(blocks.joined().utf8)
  }

  /// Returns the DER certificates of a chain or a list in PEM, in its order, without reading the certificates.
  /// - Parameter count: The largest number of certificates; by default that of an `x5chain`.
  /// - Throws: ``CertificateRuleError`` if the bytes are not PEM, have no block or a block of another kind, or are too large.
  public static func blocks(
    ofPEM bytes: [UInt8], atMost count: Int = COSEHeaders.maximumChainLength
  ) throws(CertificateRuleError) -> [[UInt8]] {
    // Every certificate at its largest size, in base64 with line ends.
    let longest = count * CertificateLimits.bytes * 3 / 2
    guard bytes.count <= longest else {
      throw CertificateRuleError(
        .unreadable, .size, "the certificates have \(bytes.count) bytes of PEM, more than \(longest)")
    }
    let documents: [PEMDocument]
    do {
      documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CertificateRuleError(
        .unreadable, .readable, "the chain is not PEM: \(describeX509Error(error))")
    }
    guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == blockType }) else {
      throw CertificateRuleError(
        .unreadable, .readable, "the chain has no certificate, or a block of another kind")
    }
    return documents.map(\.derBytes)
  }

  private static let blockType = "CERTIFICATE"
}
