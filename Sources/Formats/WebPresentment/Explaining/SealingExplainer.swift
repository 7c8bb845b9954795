import Checks
import Crypto
import FoundationEssentials
import MobileDocument

/// Says why a sealed response does not open, by trying to open it otherwise.
struct SealingExplainer {
  let inputs: TranscriptInputs
  let recipientKey: P256.KeyAgreement.PrivateKey
  /// Other sessions of the same server whose keys are tried.
  let others: [VerifierSession]

  /// Why a response does not open.
  struct Finding {
    /// The check that fails.
    let check: ExchangeCheck
    /// The mistake; nil when it is known only that the key is none.
    let explanation: Explanation?
  }

  /// What was done wrong; nil when nothing that was tried fits.
  func finding(for sealed: EncryptedResponse) -> Finding? {
    let key = sealed.encapsulatedKey
    guard (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil, key.count == 65, key.first == 4 else {
      return Finding(check: .encapsulatedKey, explanation: keyExplanation(key))
    }
    guard sealed.cipherText.count <= TranscriptExplainer.maximumSealedLength,
      inputs.origin.utf8.count <= TranscriptExplainer.maximumOriginLength
    else { return nil }
    var attempts = 0
    func opens(_ attempt: () throws -> Void) -> Bool {
      guard attempts < TranscriptExplainer.maximumAttempts else { return false }
      attempts += 1
      do { try attempt() } catch { return false }
      return true
    }
    func opens(info: [UInt8], aad: [UInt8] = []) -> Bool {
      opens {
        _ = try ResponseEncryption.open(
          sealed.cipherText, encapsulatedKey: key, with: recipientKey, info: info, aad: aad)
      }
    }
    for transcript in TranscriptMistake.all(from: inputs) where opens(info: transcript.info) {
      return Finding(check: .transcript, explanation: transcript.explanation)
    }
    let right = inputs.sessionTranscript.encoded
    for mistake in SealingMistake.allCases {
      for suite in mistake.suites where opens({ try open(sealed, with: suite, info: right) }) {
        let difference = CheckResult.Evidence(
          "suite", expected: "HKDF-SHA256, AES-128-GCM", found: suite.name)
        return Finding(check: .suite, explanation: Explanation(mistake, [difference]))
      }
    }
    for (info, found) in [([], "associated data"), (right, "info and associated data")]
    where opens(info: info, aad: right) {
      let difference = CheckResult.Evidence("session transcript", expected: "info", found: found)
      return Finding(check: .transcript, explanation: Explanation(SealingMistake.transcriptAsData, [difference]))
    }
    for session in others {
      let isAnswered = opens {
        _ = try sealed.open(with: session.recipientKey, transcript: session.sessionTranscript)
      }
      guard isAnswered else { continue }
      let difference = CheckResult.Evidence("session", expected: "this one", found: session.identifier)
      return Finding(check: .session, explanation: Explanation(SealingMistake.anotherSession, [difference]))
    }
    return nil
  }

  private func keyExplanation(_ key: [UInt8]) -> Explanation? {
    let found: String
    switch SealingMistake(encapsulatedKey: key) {
    case .keyCompressed?: found = "\(key.count) bytes, the first of them \(key.first ?? 0)"
    case .keyWithoutPrefix?: found = "64 bytes, the coordinates alone"
    case .keyOffCurve?: found = "65 bytes, no point of P-256"
    default: return nil
    }
    return SealingMistake(encapsulatedKey: key).map {
      Explanation($0, [CheckResult.Evidence("encapsulated key", expected: "65 bytes, a point of P-256", found: found)])
    }
  }

  private func open(_ sealed: EncryptedResponse, with suite: HPKEOtherSuite, info: [UInt8]) throws {
    var recipient = try HPKE.Recipient(
      privateKey: recipientKey, ciphersuite: suite.ciphersuite, info: Data(info),
      encapsulatedKey: Data(sealed.encapsulatedKey))
    _ = try recipient.open(sealed.cipherText, authenticating: [UInt8]())
  }
}
