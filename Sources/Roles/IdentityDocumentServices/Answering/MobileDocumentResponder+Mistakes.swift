import Crypto
import FoundationEssentials
import MobileDocument
import WebPresentment

extension MobileDocumentResponder {
  /// The third step of an app that makes mistakes, with the same documents and keys.
  /// - Parameter inputs: what the right transcript of the request is made from.
  package func buildAndEncryptResponse(
    to validated: ValidatedMobileDocumentRequest, with documents: [PresentableDocument],
    ephemeralKey: P256.KeyAgreement.PrivateKey, making mistakes: AnswerMistakes, inputs: TranscriptInputs
  ) throws(ProviderRefusal) -> Data {
    let chosen = try choose(from: documents, for: validated.request, at: validated.moment)
    let types = validated.request.documentRequests.map(\.value.documentType)
    do {
      let presented = try chosen.map { items, document in
        try document.held.presented(
          document.held.answer(to: items).nameSpaces, deviceNameSpacesBytes: mistakes.deviceNameSpacesBytes,
          otherDocumentTypes: types, signedWith: document.deviceKey
        ) { try mistakes.content(of: $0, inputs: inputs) }
      }
      let response = try mistakes.seal(
        DeviceResponseWriter.encoded(documents: presented), to: validated.recipientPublicKey, inputs: inputs,
        ephemeralKey: ephemeralKey)
      return Data(response.encoded)
    } catch {
      throw ProviderRefusal(.responseNotMade, "\(error)")
    }
  }
}
