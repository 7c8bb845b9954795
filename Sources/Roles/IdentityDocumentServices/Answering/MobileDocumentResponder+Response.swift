import COSE
import Crypto
import FoundationEssentials
import MobileDocument
import Primitives
import WebPresentment

extension MobileDocumentResponder {
  /// Step 3: the documents of one set of every mandatory use case, and of the optional ones that can be met, each
  /// signed with its device key, sealed for the website's server (ISO/IEC 18013-7, C.3).
  ///
  /// - Parameters:
  ///   - documents: what the app holds, in the order in which it prefers them. One that is valid when the request is
  ///     validated comes before one that is not.
  ///   - ephemeralKey: a fresh key; never used for anything else.
  /// - Returns: CBOR of `EncryptedResponse`, for ``ISO18013MobileDocumentResponse/responseData``.
  /// - Throws: ``ProviderRefusal`` with `provider.document` or `provider.response`.
  public func buildAndEncryptResponse(
    to validated: ValidatedMobileDocumentRequest, with documents: [PresentableDocument],
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ProviderRefusal) -> Data {
    let chosen = try choose(from: documents, for: validated.request, at: validated.moment)
    do {
      var presented: [[UInt8]] = []
      for (items, document) in chosen {
        let answer = document.held.answer(to: items)
        presented.append(
          try document.held.presented(answer.nameSpaces, over: validated.transcript, signedWith: document.deviceKey))
      }
      let response = try EncryptedResponse(
        sealing: DeviceResponseWriter.encoded(documents: presented), to: validated.encryptionInfo.recipientPublicKey,
        transcript: validated.transcript, ephemeralKey: ephemeralKey)
      return Data(response.encoded)
    } catch {
      throw ProviderRefusal(.response, adding: "\(error)")
    }
  }

  /// The documents that answer a request, each with what is asked of it.
  package func choose(
    from documents: [PresentableDocument], for request: AuthenticatedDeviceRequest, at moment: DateTime
  ) throws(ProviderRefusal) -> [(ItemsRequest, PresentableDocument)] {
    let all = request.documentRequests.map(\.value)
    var useCases = request.deviceRequestInfo?.useCases ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: all.count).useCases }
    func holder(of index: Int) -> PresentableDocument? {
      let holders = documents.filter { $0.answers(all[index]) }
      return holders.first { $0.held.validity.validFrom <= moment && moment <= $0.held.validity.validUntil }
        ?? holders.first
    }
    var indexes: [Int] = []
    for useCase in useCases {
      if let set = useCase.documentSets.first(where: { $0.allSatisfy { holder(of: $0) != nil } }) {
        indexes += set
      } else if useCase.isMandatory {
        throw ProviderRefusal(.document)
      }
    }
    let chosen = indexes.uniqued().sorted().compactMap { index in holder(of: index).map { (all[index], $0) } }
    guard !chosen.isEmpty else { throw ProviderRefusal(.document) }
    return chosen
  }
}

/// A signer of presentations: a `P256.Signing.PrivateKey`, or the app's own key, for example in secure hardware. The alias
/// saves the app an import.
public typealias ES256Signer = COSE.ES256Signer

/// A document that an app can present: the issuer-signed document and its device key.
public struct PresentableDocument: Sendable {
  package let held: HeldDocument
  package let deviceKey: any ES256Signer

  /// Makes a document from a checked one and its device key.
  public init(_ held: HeldDocument, deviceKey: some ES256Signer) {
    self.held = held
    self.deviceKey = deviceKey
  }

  /// Checks an issued document. Its signature and every digest must verify.
  ///
  /// - Parameters:
  ///   - issuedDocument: CBOR of `IssuerSigned`.
  ///   - deviceKey: The key that the document is bound to, such as a `P256.Signing.PrivateKey`.
  /// - Throws: `DocumentError`.
  public init(issuedDocument: Data, deviceKey: some ES256Signer) throws(DocumentError) {
    self.init(
      try HeldDocument(issued: [UInt8](issuedDocument), deviceKey: COSEKey(deviceKey.publicKey)), deviceKey: deviceKey)
  }

  /// `DocType`, for the `mobileDocumentType` of a registration.
  public var mobileDocumentType: String { held.documentType }

  /// The authority key identifiers of the issuer's certificate chain, for the `supportedIssuerKeyIdentifiers` of a
  /// registration.
  public var issuerKeyIdentifiers: [Data] { held.issuerKeyIdentifiers.map { Data($0) } }

  /// The end of the document's validity (`validUntil`), for the `invalidationDate` of a registration.
  public var expirationDate: Date { held.validity.validUntil.date }

  /// Returns the document without some of its elements, which the holder does not disclose.
  /// - Parameter isKept: A function that returns whether to keep an element, by name space and identifier.
  package func keeping(_ isKept: (_ nameSpace: String, _ identifier: String) -> Bool) -> PresentableDocument {
    PresentableDocument(held.keeping(isKept), deviceKey: deviceKey)
  }

  /// Returns whether the document has the requested type and an accepted issuer.
  func answers(_ request: ItemsRequest) -> Bool {
    held.documentType == request.documentType
      && (request.issuerIdentifiers.isEmpty
        || request.issuerIdentifiers.contains { held.issuerKeyIdentifiers.contains($0) })
  }
}
