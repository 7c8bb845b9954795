import COSE
import Primitives
import SwiftASN1
import X509

extension Certificate {
  /// Verifies that the certificate is signed with the private key of another one, and reports it to the witness.
  public func isSigned(by issuer: Certificate) -> Bool {
    VerificationWitness.reporting(
      isValid(signedBy: issuer), .certificate(witnessedBytes, issuer: issuer.witnessedBytes))
  }

  /// Returns whether another certificate's key verifies the signature over the received bytes.
  func isValid(signedBy issuer: Certificate) -> Bool {
    guard receivedSerialNumber != nil else { return issuer.publicKey.isValidSignature(signature, for: self) }
    guard let der = try? derEncoded(), let parts = try? DER.parse(der).children, parts.count == 3,
      let bits = try? ASN1BitString(derEncoded: parts[2])
    else { return false }
    return issuer.publicKey.isValidSignature(
      Array(bits.bytes), for: Array(parts[0].encodedBytes), signatureAlgorithm: signatureAlgorithm)
  }

  /// Verifies that a certificate revocation list is signed with the certificate's private key, and reports it to the
  /// witness.
  ///
  /// - Parameters:
  ///   - signed: What is signed of the list.
  ///   - list: The DER that the list was read from.
  func hasSigned(
    _ signed: [UInt8], as signature: [UInt8], _ algorithm: Certificate.SignatureAlgorithm, list: [UInt8]
  ) -> Bool {
    VerificationWitness.reporting(
      publicKey.isValidSignature(signature, for: signed, signatureAlgorithm: algorithm),
      .revocationList(list, issuer: witnessedBytes))
  }

  /// The certificate as DER, or no bytes if it cannot be encoded: the cross-check then reports that it cannot read it.
  fileprivate var witnessedBytes: [UInt8] { (try? derEncoded()) ?? [] }
}

extension CertificateSigningRequest {
  /// Verifies that the request is signed with the private key of its public key, and reports it to the witness.
  ///
  /// - Parameter encoded: The DER that the request was read from.
  public func isSigned(encodedAs encoded: [UInt8]) -> Bool {
    VerificationWitness.reporting(publicKey.isValidSignature(signature, for: self), .certificateRequest(encoded))
  }
}

extension TrustedCertificates {
  /// Reports the validation of a chain to the witness.
  func claim(
    _ chain: [Certificate], at moment: DateTime, _ result: Result<ValidatedCertificatePath, CertificatePathError>
  ) -> CertificateChainClaim {
    let outcome: CertificateChainClaim.Outcome =
      switch result {
      case .success(let path): .path(path.certificates.map(\.witnessedBytes))
      case .failure(let error):
        switch error.code {
        case .untrusted, .signature: .untrusted
        case .expired, .notYetValid: .outdated
        case .key, .purpose, .profile, .documentType: .forbidden
        }
      }
    return CertificateChainClaim(
      received: chain.map(\.witnessedBytes), anchors: anchors.map(\.witnessedBytes),
      secondsSince1970: moment.secondsSince1970, outcome: outcome)
  }
}
