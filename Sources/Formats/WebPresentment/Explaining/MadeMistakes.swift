import Checks
import Crypto
import MobileDocument
import Primitives

/// Mistakes that a wallet makes when it answers: put in by a scenario, with real keys and real bytes.
package struct AnswerMistakes: Sendable, Equatable {
  /// In the transcript that devices sign.
  package var signedTranscript: TranscriptMistake?
  /// In what devices sign around the transcript.
  package var authentication: DeviceAuthenticationMistake?
  /// In the transcript that the response is sealed for.
  package var sealedTranscript: TranscriptMistake?
  /// In how it is sealed.
  package var sealing: SealingMistake?

  /// No mistake.
  package init() {}

  /// The codes of the mistakes.
  package var codes: [String] {
    [signedTranscript?.rawValue, authentication?.rawValue, sealedTranscript?.rawValue, sealing?.rawValue]
      .compactMap(\.self).uniqued()
  }

  /// The device's name spaces as they are sent. One who encodes them anew for the signature is noticed only when they
  /// were not sent in that encoding.
  package var deviceNameSpacesBytes: [UInt8] {
    authentication == .nameSpacesReencoded ? [0xd8, 0x18, 0x58, 0x01, 0xa0] : [0xd8, 0x18, 0x41, 0xa0]
  }

  /// What a device signs.
  /// - Throws: ``MistakeNotPossible``.
  package func content(
    of parts: DeviceAuthenticationParts, inputs: TranscriptInputs
  ) throws(MistakeNotPossible) -> SignedContent {
    let transcript = try MistakeNotPossible.transcript(signedTranscript, inputs: inputs).transcript
    guard let authentication else { return parts.content(over: transcript) }
    guard let wrong = authentication.contents(of: parts, over: transcript).first else {
      throw MistakeNotPossible(authentication)
    }
    return wrong.content
  }

  /// Seals a response.
  /// - Throws: ``MistakeNotPossible`` or ``HPKEError``.
  package func seal(
    _ response: [UInt8], to recipient: P256.KeyAgreement.PublicKey, inputs: TranscriptInputs,
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws -> EncryptedResponse {
    let info = try MistakeNotPossible.transcript(sealedTranscript, inputs: inputs).info
    guard let sealing else {
      let sealed = try ResponseEncryption.seal(response, to: recipient, info: info, ephemeralKey: ephemeralKey)
      return EncryptedResponse(encapsulatedKey: sealed.encapsulatedKey, cipherText: sealed.cipherText)
    }
    guard sealing.needsNothingElse else { throw MistakeNotPossible(sealing) }
    return try EncryptedResponse(
      sealing: response, to: recipient, info: info, ephemeralKey: ephemeralKey, mistake: sealing)
  }
}

/// Mistakes that a website's server makes when readers sign its request.
package struct RequestMistakes: Sendable, Equatable {
  /// In the transcript.
  package var transcript: TranscriptMistake?
  /// In what readers sign around the transcript.
  package var authentication: ReaderAuthenticationMistake?

  /// No mistake.
  package init() {}

  /// The codes of the mistakes.
  package var codes: [String] { [transcript?.rawValue, authentication?.rawValue].compactMap(\.self) }

  /// What a reader signs.
  /// - Throws: ``MistakeNotPossible``.
  package func content(
    of parts: ReaderAuthenticationParts, inputs: TranscriptInputs
  ) throws(MistakeNotPossible) -> SignedContent {
    let transcript = try MistakeNotPossible.transcript(transcript, inputs: inputs).transcript
    guard let authentication else { return parts.content(over: transcript) }
    guard let wrong = authentication.contents(of: parts, over: transcript).first else {
      throw MistakeNotPossible(authentication)
    }
    return wrong.content
  }
}

/// A mistake that changes nothing here, or needs something that is not there.
package struct MistakeNotPossible: Error, Sendable, CustomStringConvertible {
  /// What cannot be made, for a person to read.
  package let description: String

  init(_ mistake: some CheckCode) {
    description = "the mistake \(mistake.rawValue) cannot be made here"
  }

  /// What comes out of a mistake in the transcript; the right transcript without one.
  static func transcript(
    _ mistake: TranscriptMistake?, inputs: TranscriptInputs
  ) throws(MistakeNotPossible) -> (transcript: SessionTranscript, info: [UInt8]) {
    guard let mistake else { return (inputs.sessionTranscript, inputs.sessionTranscript.encoded) }
    guard let wrong = mistake.transcripts(from: inputs).first else { throw MistakeNotPossible(mistake) }
    return (wrong.transcript, wrong.info)
  }
}
