import COSE
import SwiftASN1
import X509

/// Reads certificate chains, as `x5chain` and as PEM files carry them.
public enum CertificateChain {
  /// Why a chain cannot be read.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String
  }

  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``Problem`` naming the first certificate that is too large or malformed.
  public static func read(_ chain: [[UInt8]]) throws(Problem) -> [Certificate] {
    var certificates: [Certificate] = []
    for (position, der) in chain.enumerated() {
      guard der.count <= CertificateLimits.bytes else {
        throw Problem(
          description: "certificate \(position) has \(der.count) bytes, more than \(CertificateLimits.bytes)")
      }
      do {
        certificates.append(try Certificate(derEncoded: der))
      } catch {
        throw Problem(description: "certificate \(position) is malformed: \(error)")
      }
    }
    return certificates
  }

  /// A chain as `application/pem-certificate-chain` (RFC 8555, 9.1): leaf first, each followed by its issuer.
  public static func pem(_ chain: [[UInt8]]) -> [UInt8] {
    let blocks = chain.map { PEMDocument(type: blockType, derBytes: $0).pemString + "\n" }
    return Array(blocks.joined().utf8)
  }

  /// The DER certificates of a chain in PEM, leaf first. Whether they can be read as certificates is not looked at.
  /// - Throws: ``Problem`` when it is no PEM, has a block of another kind or none, or is too large.
  public static func blocks(ofPEM bytes: [UInt8]) throws(Problem) -> [[UInt8]] {
    guard bytes.count <= maximumPEMLength else {
      throw Problem(
        description: "the chain has \(bytes.count) bytes of PEM, more than \(maximumPEMLength)")
    }
    let documents: [PEMDocument]
    do {
      documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Problem(description: "the chain is no PEM: \(error)")
    }
    guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == blockType }) else {
      throw Problem(description: "the chain has no certificate, or a block that is none")
    }
    return documents.map(\.derBytes)
  }

  private static let blockType = "CERTIFICATE"
  /// Longest chain of PEM in bytes: as many certificates as `x5chain` may have, each as large as it may be, in base64
  /// with line ends.
  private static let maximumPEMLength = COSEHeaders.maximumChainLength * CertificateLimits.bytes * 3 / 2
}
