import COSE
import Checks
import Crypto
import Devices
import IdentityDocumentServices
import MobileDocument
import Primitives
import SimulationKernel
import TranscriptDiagnosis
import WebPresentment

/// The faults of a wallet in what it signs and seals: with real keys and real bytes, over another transcript or in another
/// structure.
struct TranscriptFaults: Sendable {
  /// The transcript that devices sign.
  var signed: Acting<TranscriptVariant>?
  /// The structure that devices sign around the transcript.
  var authentication: Acting<DeviceAuthenticationVariant>?
  /// The transcript that the response is sealed for.
  var sealed: Acting<TranscriptVariant>?
  /// The way of sealing.
  var encryption: Acting<HPKEVariant>?

  /// The faults, each once.
  var faults: [Fault] {
    let ofSealing = sealed?.fault == signed?.fault ? nil : sealed?.fault
    return [signed?.fault, authentication?.fault, ofSealing, encryption?.fault].compactMap(\.self)
  }

  /// `DeviceNameSpacesBytes` as they are sent. A wallet that encodes them again for the signature is noticed only when
  /// they were not sent in that encoding.
  private var deviceNameSpacesBytes: [UInt8] {
    authentication?.change == .nameSpacesReencoded
      ? [0xd8, 0x18, 0x58, 0x01, 0xa0] : HeldDocument.emptyDeviceNameSpaces
  }

  /// Signs and seals the response to a request.
  /// - Parameter inputs: What the right transcript is made from.
  /// - Throws: `SimulationError`, `ProviderRefusal`, or what a key throws.
  func response(
    to approved: ApprovedRequest, for encryptionInfo: EncryptionInfo, with documents: [PresentableDocument],
    choosing responder: MobileDocumentResponder, inputs: TranscriptInputs, ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws -> [UInt8] {
    let request = approved.validated
    let types = request.request.documentRequests.map(\.value.documentType)
    let transcript = try transcript(signed?.change, inputs).transcript
    let presented = try responder.choose(
      from: documents, choosing: approved.choice, for: request.request, at: request.moment
    ).map { items, document in
      let held = try document.mobileDocument()
      let parts = DeviceAuthenticationParts(
        documentType: held.documentType, otherDocumentTypes: types, nameSpacesBytes: deviceNameSpacesBytes)
      var content = parts.content(over: transcript)
      if let authentication = authentication?.change {
        content = try authentication.contents(of: parts, over: transcript).required(authentication).content
      }
      return held.document(
        held.answer(to: items).nameSpaces, deviceNameSpacesBytes: deviceNameSpacesBytes,
        authentication: ("deviceSignature", try content.signed(with: document.deviceKey)))
    }
    return try seal(
      DeviceResponseWriter.encoded(documents: presented), to: encryptionInfo.recipientPublicKey,
      info: try self.transcript(sealed?.change, inputs).info, ephemeralKey: ephemeralKey
    ).encoded
  }

  private func transcript(
    _ variant: TranscriptVariant?, _ inputs: TranscriptInputs
  ) throws -> (transcript: SessionTranscript, info: [UInt8]) {
    guard let variant else { return (inputs.sessionTranscript, inputs.sessionTranscript.encoded) }
    let made = try variant.transcripts(from: inputs).required(variant)
    return (made.transcript, made.info)
  }

  private func seal(
    _ response: [UInt8], to recipient: P256.KeyAgreement.PublicKey, info: [UInt8],
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws -> EncryptedResponse {
    var sealed = try ResponseEncryption.seal(response, to: recipient, info: info, ephemeralKey: ephemeralKey)
    switch encryption?.change {
    case nil: break
    case .keyCompressed: sealed.encapsulatedKey = Array(ephemeralKey.publicKey.compressedRepresentation)
    case .keyWithoutPrefix: sealed.encapsulatedKey.removeFirst()
    case .keyOffCurve: sealed.encapsulatedKey[sealed.encapsulatedKey.count - 1] ^= 1
    case .aes256GCM, .chaCha20Poly1305, .hkdfSHA384, .hkdfSHA512:
      let encapsulation = try HPKEEncapsulation(to: recipient, ephemeralKey: ephemeralKey)
      if let suite = encryption?.change.suites.first {
        sealed.cipherText = try suite.seal(response, sharedSecret: encapsulation.sharedSecret, info: info)
      }
    case .transcriptAsData:
      sealed = try ResponseEncryption.seal(response, to: recipient, info: [], aad: info, ephemeralKey: ephemeralKey)
    case .anotherSession:
      throw SimulationError.notApplicable("a response to another session is made by sending one again")
    }
    return EncryptedResponse(encapsulatedKey: sealed.encapsulatedKey, cipherText: sealed.cipherText)
  }
}

extension SignedContent {
  /// An untagged COSE_Sign1 with a signature over the content, and the payload detached.
  /// - Throws: What the signer throws.
  func signed(with signer: some ES256Signer, x5chain: [[UInt8]] = []) throws -> [UInt8] {
    switch self {
    case .payload(let payload): try COSESign1.sign(payload: payload, detached: true, x5chain: x5chain, with: signer)
    case .message(let message): COSESign1.detached(signature: try signer.signature(for: message), x5chain: x5chain)
    }
  }
}

extension Array {
  /// The first element, which is what a variant makes.
  /// - Throws: `SimulationError` when the variant makes nothing.
  func required(_ variant: some KnownMistake) throws -> Element {
    guard let first else { throw SimulationError.notApplicable("'\(variant.rawValue)' changes nothing here") }
    return first
  }
}
