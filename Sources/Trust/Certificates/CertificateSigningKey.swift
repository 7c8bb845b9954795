import COSE
import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Lets any ES256 signer sign certificates and requests for them, so that a world's certificates come out the same
/// byte for byte.
struct CertificateSigningKey: CustomPrivateKey {
  let signer: any ES256Signer

  struct CannotExport: Error {}

  static func == (left: CertificateSigningKey, right: CertificateSigningKey) -> Bool {
    left.signer.publicKey.rawRepresentation == right.signer.publicKey.rawRepresentation
  }

  func hash(into hasher: inout Hasher) { hasher.combine(signer.publicKey.rawRepresentation) }

  var publicKey: Certificate.PublicKey { Certificate.PublicKey(signer.publicKey) }
  var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA256 }
  var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [.ecdsaWithSHA256] }

  func signSynchronously(
    bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
  ) throws -> Certificate.Signature {
    let raw = try signer.signature(for: [UInt8](bytes))
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
    return try Certificate.Signature(
      signatureAlgorithm: signatureAlgorithm,
      signatureBytes: ASN1BitString(bytes: ArraySlice(signature.derRepresentation)))
  }

  static let defaultPEMDiscriminator = "PRIVATE KEY"

  /// Keys do not leave their holder.
  func serialize(into coder: inout DER.Serializer) throws { throw CannotExport() }
}
