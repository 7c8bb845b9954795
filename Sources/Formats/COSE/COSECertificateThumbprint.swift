import CBOR
import Crypto

/// `COSE_CertHash`: the digest of a certificate, by which a signer says which one is its own (RFC 9360, 2).
public struct COSECertificateThumbprint: Sendable, Equatable {
  /// Identifier of the digest algorithm in the IANA registry "COSE Algorithms"; nil when it is a text.
  public let algorithm: Int?
  /// The digest as received.
  public let digest: [UInt8]

  /// Identifier of SHA-256 (RFC 9054, 2.1).
  package static let sha256 = -16

  init(_ item: CBORItem) throws(COSEError) {
    do {
      let parts = try item.array(count: 2)
      algorithm = try? parts.at(0).integer()
      digest = try parts.at(1).bytes()
    } catch {
      throw COSEError(.structure, "the thumbprint of the certificate is malformed: \(error.sentence)")
    }
  }

  /// Whether it is the thumbprint of a certificate; nil when nothing here computes its digest.
  /// - Parameter certificate: DER of the certificate, as received.
  public func isOf(_ certificate: [UInt8]) -> Bool? {
    switch algorithm {
    case Self.sha256: digest == Array(SHA256.hash(data: certificate))
    case -15: digest == Array(SHA256.hash(data: certificate).prefix(8))
    case -43: digest == Array(SHA384.hash(data: certificate))
    case -44: digest == Array(SHA512.hash(data: certificate))
    default: nil
    }
  }
}
