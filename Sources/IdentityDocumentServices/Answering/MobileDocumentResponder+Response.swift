import COSE
import Crypto
import Foundation
import MobileDocument
import WebPresentment

extension MobileDocumentResponder {
  /// Step 3: the documents of one set of every mandatory use case, and of the optional ones that can be met, each
  /// signed with its device key, sealed for the website's server (ISO/IEC 18013-7, C.3).
  ///
  /// - Parameters:
  ///   - documents: what the app holds, in the order in which it prefers them.
  ///   - ephemeralKey: a fresh key; never used for anything else.
  /// - Returns: CBOR of `EncryptedResponse`, for ``ISO18013MobileDocumentResponse/responseData``.
  /// - Throws: ``ProviderRefusal`` with `provider.document-not-held` or `provider.response-not-made`.
  public func buildAndEncryptResponse(
    to validated: ValidatedMobileDocumentRequest, with documents: [PresentableDocument],
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ProviderRefusal) -> Data {
    let chosen = try choose(from: documents, for: validated.request)
    do {
      var presented: [[UInt8]] = []
      for (items, document) in chosen {
        let answer = document.held.answer(to: items)
        presented.append(
          try document.held.presented(answer.nameSpaces, over: validated.transcript, signedWith: document.deviceKey))
      }
      let response = try EncryptedResponse(
        sealing: DeviceResponseWriter.encoded(documents: presented), to: validated.recipientPublicKey,
        transcript: validated.transcript, ephemeralKey: ephemeralKey)
      return Data(response.encoded)
    } catch {
      throw ProviderRefusal(.responseNotMade, "\(error)")
    }
  }

  private func choose(
    from documents: [PresentableDocument], for request: AuthenticatedDeviceRequest
  ) throws(ProviderRefusal) -> [(ItemsRequest, PresentableDocument)] {
    let all = request.documentRequests.map(\.value)
    var useCases = request.deviceRequestInfo?.useCases ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: all.count).useCases }
    func holder(of index: Int) -> PresentableDocument? {
      documents.first { $0.answers(all[index]) }
    }
    var indexes: [Int] = []
    for useCase in useCases {
      if let set = useCase.documentSets.first(where: { $0.allSatisfy { holder(of: $0) != nil } }) {
        indexes += set
      } else if useCase.isMandatory {
        throw ProviderRefusal(.documentNotHeld)
      }
    }
    let chosen = indexes.uniqued().sorted().compactMap { index in holder(of: index).map { (all[index], $0) } }
    guard !chosen.isEmpty else { throw ProviderRefusal(.documentNotHeld) }
    return chosen
  }
}

/// A document that an app can present: what the issuer signed, and the key that it is bound to.
public struct PresentableDocument: Sendable {
  let held: HeldDocument
  let deviceKey: any ES256Signer

  /// A document that was taken in before, and the key that signs its presentations.
  public init(_ held: HeldDocument, deviceKey: some ES256Signer) {
    self.held = held
    self.deviceKey = deviceKey
  }

  /// Takes in what an issuer sent: its signature and every digest must verify.
  ///
  /// - Parameters:
  ///   - issuedDocument: CBOR of `IssuerSigned`.
  ///   - deviceKey: the key that the document is bound to, such as a `P256.Signing.PrivateKey`.
  /// - Throws: `HeldDocument.Refusal`.
  public init(issuedDocument: Data, deviceKey: some ES256Signer) throws(HeldDocument.Refusal) {
    self.init(
      try HeldDocument(issued: [UInt8](issuedDocument), deviceKey: COSEKey(deviceKey.publicKey)), deviceKey: deviceKey)
  }

  /// `DocType`: what a registration names as `mobileDocumentType`.
  public var mobileDocumentType: String { held.documentType }

  /// What a registration names as `supportedIssuerKeyIdentifiers`: the authority key identifiers of the issuer's
  /// certificate chain.
  public var issuerKeyIdentifiers: [Data] { held.issuerKeyIdentifiers.map { Data($0) } }

  /// When the document expires, and its registration with it (`validUntil`).
  public var expirationDate: Date { held.validity.validUntil.date }

  /// Whether the document is of the type and from an issuer that a request accepts.
  func answers(_ request: ItemsRequest) -> Bool {
    held.documentType == request.documentType
      && (request.issuerIdentifiers.isEmpty
        || request.issuerIdentifiers.contains { held.issuerKeyIdentifiers.contains($0) })
  }
}
