import Checks
import Crypto
import FoundationEssentials
import MobileDocument
import TranscriptDiagnosis
import WebPresentment

/// Finds out why a sealed response does not open, by trying to open it in other ways.
struct SealingExplainer {
  let inputs: TranscriptInputs
  let recipientKey: P256.KeyAgreement.PrivateKey
  /// Other sessions of the same server whose keys are tried.
  let others: [VerifierSession]

  /// The reason that a response does not open.
  struct Finding {
    /// The reason of the failure.
    let reason: ExchangeCheck.Reason
    /// The variant; nil for a key of unknown form.
    let explanation: Explanation?
  }

  /// Finds the variant that fits; nil when no attempt fits.
  func finding(for sealed: EncryptedResponse) -> Finding? {
    let key = sealed.encapsulatedKey
    guard let encapsulation = try? HPKEEncapsulation(opening: key, with: recipientKey) else {
      return Finding(reason: .encapsulatedKey, explanation: keyExplanation(key))
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
      opens { _ = try encapsulation.open(sealed.cipherText, info: info, aad: aad) }
    }
    for transcript in TranscriptVariant.all(from: inputs) where opens(info: transcript.info) {
      return Finding(reason: .transcript, explanation: transcript.explanation)
    }
    let right = inputs.sessionTranscript.encoded
    for variant in HPKEVariant.allCases {
      for suite in variant.suites where opens({ try open(sealed, with: suite, info: right) }) {
        let difference = CheckResult.Evidence("suite", expected: "HKDF-SHA256, AES-128-GCM", found: suite.name)
        return Finding(reason: .suite, explanation: Explanation(variant, [difference]))
      }
    }
    for (info, found) in [([], "associated data"), (right, "info and associated data")]
    where opens(info: info, aad: right) {
      let difference = CheckResult.Evidence("session transcript", expected: "info", found: found)
      return Finding(reason: .transcript, explanation: Explanation(HPKEVariant.transcriptAsData, [difference]))
    }
    for session in others {
      guard let request = session.annexC,
        opens({
          _ = try sealed.open(with: request.recipientKey, transcript: request.sessionTranscript(origin: session.origin))
        })
      else { continue }
      let difference = CheckResult.Evidence("session", expected: "this one", found: session.identifier)
      return Finding(reason: .anotherSession, explanation: Explanation(HPKEVariant.anotherSession, [difference]))
    }
    return nil
  }

  private func keyExplanation(_ key: [UInt8]) -> Explanation? {
    let found: String
    switch HPKEVariant(encapsulatedKey: key) {
    case .keyCompressed?: found = "\(key.count) bytes, the first of them \(key.first ?? 0)"
    case .keyWithoutPrefix?: found = "64 bytes, the coordinates alone"
    case .keyOffCurve?: found = "65 bytes, no point of P-256"
    default: return nil
    }
    return HPKEVariant(encapsulatedKey: key).map {
      Explanation($0, .field("encapsulated key", expected: "65 bytes, a point of P-256", found: found))
    }
  }

  private func open(_ sealed: EncryptedResponse, with suite: HPKEOtherSuite, info: [UInt8]) throws {
    var recipient = try HPKE.Recipient(
      privateKey: recipientKey, ciphersuite: suite.ciphersuite, info: Data(info),
      encapsulatedKey: Data(sealed.encapsulatedKey))
    _ = try recipient.open(sealed.cipherText, authenticating: [UInt8]())
  }
}
