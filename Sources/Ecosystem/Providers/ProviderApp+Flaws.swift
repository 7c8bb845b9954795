import COSE
import Crypto
import Flaws
import Foundation
import IdentityDocumentServices
import MobileDocument
import Simulation
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
      let stored = documents.filter({ $0.document.documentType == items.documentType })
        .first(where: { answerFlaw != .issuerNotRequested || !items.names(issuerOf: $0.document) })
    else { throw ProviderRefusal(.documentNotHeld) }
    var document = stored.document
    var key = stored.deviceKey
    if let documentFlaw { (document, key) = try await flawedDocument(documentFlaw, in: stored) }
    if let answerFlaw {
      station.record(
        .fault, code: .faultAnswer, outcome: "applied", sentence: "\(name) answers: \(answerFlaw.sentence)")
    }
    let answer = FlawedAnswer(
      answerFlaw, to: items, with: document, deviceKey: key, anotherKey: try deviceKeys.signingKey())
    let info = try EncryptionInfo(text: text)
    return Data(
      try answer.encoded(
        for: info, origin: origin, ephemeralKey: ephemeralKey(), strangersKey: ephemeralKey().publicKey))
  }

  /// A document that is issued anew with a flaw, and taken in unread.
  private func flawedDocument(
    _ flaw: DocumentFlaw, in stored: StoredDocument
  ) async throws -> (HeldDocument, DeterministicSigningKey) {
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
    let held = try HeldDocument(
      unverified: answer.bytes, documentType: flaw.presentedType(of: description.documentType),
      validity: stored.document.validity, deviceKey: publicKey)
    return (held, key)
  }
}

extension ItemsRequest {
  fileprivate func names(issuerOf document: HeldDocument) -> Bool {
    issuerIdentifiers.contains { document.issuerKeyIdentifiers.contains($0) }
  }
}
