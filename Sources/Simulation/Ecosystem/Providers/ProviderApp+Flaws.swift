import COSE
import Crypto
import Flaws
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import SimulationKernel
import WebPresentment

/// Answers that are wrong in one way, where a scenario wants them so.
extension ProviderApp {
  /// The sealed response with the flaws that are planned; nil when none is.
  func flawedAnswer(
    to request: ValidatedMobileDocumentRequest, encryptionInfo text: String, origin: String
  ) async throws -> Data? {
    let answerFlaw = station.mistakes.answerFlaw
    let documentFlaw = station.mistakes.documentFlaw
    guard answerFlaw != nil || documentFlaw != nil else { return nil }
    guard
      let items = request.request.documentRequests.first?.value,
      let stored = documents.first(where: { $0.document.documentType == items.documentType })
    else { throw ProviderRefusal(.documentNotHeld) }
    do {
      let bytes = try await flawedAnswer(answerFlaw, documentFlaw, to: items, with: stored, text, origin)
      if let answerFlaw {
        station.record(
          .fault, code: .faultAnswer, outcome: "applied", sentence: "\(name) answers: \(answerFlaw.sentence)")
      }
      return Data(bytes)
    } catch let error as FlawDoesNotFit {
      station.record(.fault, code: .faultAnswer, outcome: "failed", sentence: "\(error)")
      throw error
    }
  }

  private func flawedAnswer(
    _ answerFlaw: AnswerFlaw?, _ documentFlaw: DocumentFlaw?, to items: ItemsRequest, with stored: StoredDocument,
    _ text: String, _ origin: String
  ) async throws -> [UInt8] {
    var stored = stored
    if answerFlaw == .issuerNotRequested {
      guard
        let other = documents.first(where: {
          $0.document.documentType == items.documentType && !items.names(issuerOf: $0.document)
        })
      else { throw FlawDoesNotFit("the app has no document of an issuer that the request does not name") }
      stored = other
    }
    var document = UnreadDocument(stored.document)
    var key = stored.deviceKey
    if let documentFlaw { (document, key) = try await flawedDocument(documentFlaw, in: stored) }
    let answer = FlawedAnswer(
      answerFlaw, to: items, with: document, deviceKey: key, anotherKey: try deviceKeys.signingKey())
    return try answer.encoded(
      for: try EncryptionInfo(text: text), origin: origin, ephemeralKey: ephemeralKey(),
      strangersKey: ephemeralKey().publicKey)
  }

  /// A document that is issued anew with a flaw, and taken in unread.
  private func flawedDocument(
    _ flaw: DocumentFlaw, in stored: StoredDocument
  ) async throws -> (UnreadDocument, DeterministicSigningKey) {
    guard let description = description.documents.first(where: { $0.identifier == stored.identifier }) else {
      throw ProviderRefusal(.documentNotHeld)
    }
    let key = try deviceKeys.signingKey()
    let publicKey = COSEKey(key.publicKey)
    let order = ProvisioningOrder(
      documentType: description.documentType, record: "\(station.party.name)/\(description.identifier)",
      deviceKey: Base64URL.encode(publicKey.encoded), flaw: flaw.rawValue)
    let answer = try await station.request(Subject.provision, order, to: Party(.issuer, description.issuer))
    guard answer.subject == Subject.document else {
      throw HeldDocument.Refusal(description: "the issuing authority refused")
    }
    let document = try UnreadDocument(
      issued: answer.bytes, documentType: flaw.presentedType(of: description.documentType))
    return (document, key)
  }
}

extension ItemsRequest {
  fileprivate func names(issuerOf document: HeldDocument) -> Bool {
    issuerIdentifiers.contains { document.issuerKeyIdentifiers.contains($0) }
  }
}
