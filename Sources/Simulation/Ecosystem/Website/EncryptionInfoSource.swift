import Crypto
import RelyingParty
import SimulationKernel
import WebPresentment

/// Makes the encryption information of a verifier server's new sessions.
package protocol EncryptionInfoSource: Sendable {
  /// Returns the encryption information of a new session.
  /// - Parameters:
  ///   - key: the recipient's public key.
  ///   - nonces: the server's stream of nonces.
  func encryptionInfo(for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream) -> EncryptionInfo
}

/// The source of a world without faults.
package struct StandardEncryptionInfoSource: EncryptionInfoSource {
  /// The standard one.
  package init() {}

  /// Returns encryption information with a new nonce.
  package func encryptionInfo(
    for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream
  ) -> EncryptionInfo {
    EncryptionInfo(nonce: nonces.bytes(VerifierSession.nonceLength), recipientPublicKey: key)
  }
}
