import Crypto
import MobileDocument
import TestSupport

@testable import TranscriptDiagnosis
@testable import WebPresentment

/// Inputs that allow every variant of a transcript except a missing slash.
func richInputs(origin: String = "https://xn--bcher-kva.example:8443") throws -> TranscriptInputs {
  let info = EncryptionInfo(nonce: Array(0..<32), recipientPublicKey: try fixedAgreementKey(1).publicKey)
  let other = EncryptionInfo(nonce: Array(1..<33), recipientPublicKey: try fixedAgreementKey(3).publicKey)
  return TranscriptInputs(
    encryptionInfoText: info.text, origin: origin,
    surroundings: TranscriptInputs.Surroundings(
      frameOrigins: ["https://frame.example"], topLevelOrigins: ["https://top.example"],
      addresses: ["https://xn--bcher-kva.example:8443/rent?id=7"]),
    otherSessions: [
      TranscriptInputs.OtherSession(identifier: "other", encryptionInfoText: other.text, origin: origin)
    ])
}

/// The variants that an origin with a port and without a trailing slash does not allow.
let impossibleMistakes: Set<TranscriptVariant> = [.originSlashMissing, .originDefaultPort]
