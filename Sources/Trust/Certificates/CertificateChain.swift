import COSE
import SwiftASN1
import X509

/// Reads certificate chains, as `x5chain` and as PEM files carry them.
public enum CertificateChain {
  /// Why a chain cannot be read.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What the certificate breaks: malformed, too large, or with a key that cannot be used here.
    public let rule: CertificateRule
    /// What is wrong, for a person to read.
    public let description: String
    /// What the certificate says all the same, when only its key has no use here.
    public let fields: CertificateFields?

    init(_ rule: CertificateRule = .readable, _ description: String, fields: CertificateFields? = nil) {
      self.rule = rule
      self.description = description
      self.fields = fields
    }

    /// Whether the certificate is sound as far as anybody here can say, and of a key or signature without
    /// implementation: nothing can be said of what it signed.
    public var isOfUnknownKind: Bool { rule == .keySupport || rule == .key || rule == .signatureAlgorithm }
  }

  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``Problem`` naming the first certificate that is too large or malformed.
  public static func read(_ chain: [[UInt8]]) throws(Problem) -> [Certificate] {
    var certificates: [Certificate] = []
    for (position, der) in chain.enumerated() { certificates.append(try read(der, at: position)) }
    return certificates
  }

  /// Reads certificates that somebody trusts. Those whose key has no implementation here are told apart: nothing can be
  /// verified with them, and the others are no less trusted for it. One with a negative serial number, which the library
  /// refuses, is read with another: of what is trusted name, key and extensions count, and not its own signature.
  /// - Throws: ``Problem`` naming the first certificate that is too large or malformed.
  public static func readTrusted(
    _ certificates: [[UInt8]]
  ) throws(Problem) -> (usable: [Certificate], unusable: [CertificateFields]) {
    var usable: [Certificate] = []
    var unusable: [CertificateFields] = []
    for (position, der) in certificates.enumerated() {
      do {
        usable.append(try read(der, at: position))
      } catch {
        guard let fields = error.fields else { throw error }
        if error.rule == .serialNumber, let certificate = try? SerialNumberSign.removed(from: der) {
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

  private static func read(_ der: [UInt8], at position: Int) throws(Problem) -> Certificate {
    guard der.count <= CertificateLimits.bytes else {
      throw Problem(.size, "certificate \(position) has \(der.count) bytes, more than \(CertificateLimits.bytes)")
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
        throw Problem(.readable, "certificate \(position) is malformed: \(LibraryError.words(for: error))")
      }
      switch fields.key {
      case .unsupported(let name):
        throw Problem(
          .keySupport, "the key of certificate \(position) is on \(name), which has no implementation here",
          fields: fields)
      case .misencoded(let fault):
        throw Problem(.keyEncoding, "the key of certificate \(position) is \(fault)", fields: fields)
      case .unknown(let name):
        throw Problem(.key, "the key of certificate \(position) is of a kind not allowed: \(name)", fields: fields)
      case .p256, .p384, .p521, .ed25519, .rsa:
        guard !fields.hasNegativeSerialNumber else {
          throw Problem(
            .serialNumber, "the serial number of certificate \(position) is negative, which nothing here reads",
            fields: fields)
        }
        guard !CertificateSignatures.areRead.contains(fields.signatureAlgorithm) else {
          throw Problem(.readable, "certificate \(position) is malformed: \(LibraryError.words(for: error))")
        }
        throw Problem(
          .signatureAlgorithm,
          "certificate \(position) is signed with \(fields.signatureAlgorithm), which has no implementation here",
          fields: fields)
      }
    }
  }

  /// A chain as `application/pem-certificate-chain` (RFC 8555, 9.1): leaf first, each followed by its issuer.
  public static func pem(_ chain: [[UInt8]]) -> [UInt8] {
    let blocks = chain.map { PEMDocument(type: blockType, derBytes: $0).pemString + "\n" }
    return Array(blocks.joined().utf8)
  }

  /// The DER certificates of a chain or a list in PEM, in its order. Whether they can be read as certificates is not looked
  /// at.
  /// - Parameter count: how many there may be; as many as an `x5chain` may have when left out.
  /// - Throws: ``Problem`` when it is no PEM, has a block of another kind or none, or is too large.
  public static func blocks(
    ofPEM bytes: [UInt8], atMost count: Int = COSEHeaders.maximumChainLength
  ) throws(Problem) -> [[UInt8]] {
    // Each as large as it may be, in base64 with line ends.
    let longest = count * CertificateLimits.bytes * 3 / 2
    guard bytes.count <= longest else {
      throw Problem(.size, "the certificates have \(bytes.count) bytes of PEM, more than \(longest)")
    }
    let documents: [PEMDocument]
    do {
      documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Problem(.readable, "the chain is no PEM: \(LibraryError.words(for: error))")
    }
    guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == blockType }) else {
      throw Problem(.readable, "the chain has no certificate, or a block that is none")
    }
    return documents.map(\.derBytes)
  }

  private static let blockType = "CERTIFICATE"
}
