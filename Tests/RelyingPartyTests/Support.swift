import Checks
import Crypto
import RelyingParty
import WebPresentment

/// A private key that is the same in every run.
func agreementKey(_ number: UInt8 = 1) throws -> P256.KeyAgreement.PrivateKey {
  try P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32))
}

extension [CheckResult] {
  /// The names of the failed checks, in order.
  var failed: [String] { filter { $0.status == .failed }.map(\.name) }
  /// The names of the deviating checks, in order.
  var deviating: [String] { filter { $0.status == .deviates }.map(\.name) }
}

/// Inputs that allow every variant of a transcript, except a missing slash.
func richInputs(origin: String = "https://xn--bcher-kva.example:8443") throws -> TranscriptInputs {
  let info = EncryptionInfo(nonce: Array(0..<32), recipientPublicKey: try agreementKey(1).publicKey)
  let other = EncryptionInfo(nonce: Array(1..<33), recipientPublicKey: try agreementKey(3).publicKey)
  return TranscriptInputs(
    encryptionInfoText: info.text, origin: origin,
    surroundings: TranscriptInputs.Surroundings(
      frameOrigins: ["https://frame.example"], topLevelOrigins: ["https://top.example"],
      addresses: ["https://xn--bcher-kva.example:8443/rent?id=7"]),
    otherSessions: [
      TranscriptInputs.OtherSession(identifier: "other", encryptionInfoText: other.text, origin: origin)
    ])
}
