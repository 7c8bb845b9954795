import COSE
import Checks
import Crypto
import FoundationEssentials
import MobileDocument
import OpenID4VP
import Primitives
import Proximity
import SDJWT
import WebPresentment

extension MobileDocumentResponder {
  /// Step 3: the documents of one set of every mandatory use case, and of the optional ones that can be met, each
  /// signed with its device key, sealed for the website's server (ISO/IEC 18013-7, C.3).
  ///
  /// A document that is not valid when the request is validated, or whose registration has ended then, is not presented.
  ///
  /// - Parameters:
  ///   - validated: The request of step 2.
  ///   - documents: What the app holds, in the order in which it prefers them. One that can be presented comes
  ///     before one that cannot.
  ///   - choice: The documents that the authorization view showed when the person agreed: these are presented, and
  ///     no others. Nil for a holder without a view.
  ///   - ephemeralKey: A fresh key; never used for anything else.
  /// - Returns: CBOR of `EncryptedResponse`, or, in person, the data of a session message, for
  ///   ``ISO18013MobileDocumentResponse/responseData``.
  /// - Throws: ``ProviderRefusal`` with `provider.document` or `provider.response`.
  public func buildAndEncryptResponse(
    to validated: ValidatedMobileDocumentRequest, with documents: [PresentableDocument],
    choosing choice: DocumentChoice? = nil, ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ProviderRefusal) -> Data {
    let chosen = try choose(from: documents, choosing: choice, for: validated.request, at: validated.moment)
    do {
      var presented: [[UInt8]] = []
      for (items, document) in chosen {
        presented.append(try document.presented(answering: items, over: validated.transcript))
      }
      return Data(try validated.sealed(DeviceResponseWriter.encoded(documents: presented), ephemeralKey: ephemeralKey))
    } catch {
      throw ProviderRefusal(.response, adding: "\(error)")
    }
  }

  /// The documents that answer a request, each with what is asked of it.
  package func choose(
    from documents: [PresentableDocument], choosing choice: DocumentChoice? = nil,
    for request: AuthenticatedDeviceRequest,
    at moment: DateTime
  ) throws(ProviderRefusal) -> [(ItemsRequest, PresentableDocument)] {
    let all = request.documentRequests.map(\.value)
    var useCases = request.deviceRequestInfo?.useCases ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: all.count).useCases }
    return try choose(from: documents, choosing: choice, for: useCases, at: moment) { $1.answers(all[$0]) }
      .map { (all[$0.request], $0.document) }
  }

  /// The documents that answer the requests of use cases, each with the number of its request.
  /// - Parameter answers: Returns whether a document can answer the request with a number.
  func choose(
    from documents: [PresentableDocument], choosing choice: DocumentChoice?, for useCases: [DeviceRequestInfo.UseCase],
    at moment: DateTime, answers: (_ request: Int, _ document: PresentableDocument) -> Bool
  ) throws(ProviderRefusal) -> [(request: Int, document: PresentableDocument)] {
    var documents = documents
    if let choice {
      guard choice.isTrue(of: documents) else { throw ProviderRefusal(.document, .differs) }
      documents = choice.shown(in: documents)
    }
    // The view's own time, so that a document whose date has passed since is refused and not replaced.
    let assignment = DocumentAssignment(
      useCases: useCases, documents: documents, preferring: choice?.preferred ?? [], at: choice?.moment ?? moment,
      answers: answers)
    guard !assignment.documents.isEmpty else { throw ProviderRefusal(.document) }
    for (_, document) in assignment.documents {
      if let refusal = documents[document].refusal(at: moment) { throw refusal }
    }
    return assignment.documents.map { ($0.request, documents[$0.document]) }
  }
}

extension ValidatedMobileDocumentRequest {
  /// Seals a device response for the recipient.
  /// - Throws: `ExchangeError` or `ProximityError`.
  package func sealed(_ response: [UInt8], ephemeralKey: P256.KeyAgreement.PrivateKey) throws -> [UInt8] {
    switch recipient {
    case .website(let encryptionInfo):
      try EncryptedResponse(
        sealing: response, to: encryptionInfo.recipientPublicKey, transcript: transcript, ephemeralKey: ephemeralKey
      ).encoded
    case .reader(let seal): try seal.sealed(response)
    }
  }
}

/// A signer of presentations: a `P256.Signing.PrivateKey`, or the app's own key, for example in secure hardware. The alias
/// saves the app an import.
public typealias ES256Signer = COSE.ES256Signer

/// A document that an app can present: what the issuer signed, and its device key. It is a mobile document, or an SD-JWT
/// verifiable credential, which answers requests in OpenID4VP alone.
public struct PresentableDocument: Sendable {
  package let credential: HeldCredential
  package let deviceKey: any ES256Signer
  /// The device key, if it is for key agreement. It does not sign then.
  package var agreementKey: P256.KeyAgreement.PrivateKey?
  /// The app's identifier of the document, and of its registration; empty without one.
  public let documentIdentifier: String
  /// The end of its registration; nil for never.
  public let invalidationDate: Date?

  /// Creates a document from a checked one and its device key.
  public init(
    _ held: HeldDocument, deviceKey: some ES256Signer, documentIdentifier: String = "", invalidationDate: Date? = nil
  ) {
    self.init(
      .mobileDocument(held), deviceKey: deviceKey, documentIdentifier: documentIdentifier,
      invalidationDate: invalidationDate)
  }

  /// Creates a document from a checked credential of either format and its key.
  package init(
    _ credential: HeldCredential, deviceKey: some ES256Signer, documentIdentifier: String = "",
    invalidationDate: Date? = nil
  ) {
    self.credential = credential
    self.deviceKey = deviceKey
    self.documentIdentifier = documentIdentifier
    self.invalidationDate = invalidationDate
  }

  /// Checks an issued document. Its signature and every digest must verify.
  ///
  /// - Parameters:
  ///   - issuedDocument: CBOR of `IssuerSigned`.
  ///   - deviceKey: The key that the document is bound to, such as a `P256.Signing.PrivateKey`.
  ///   - documentIdentifier: The app's identifier of the document, by which the person chooses it.
  ///   - invalidationDate: The end of its registration; nil for never.
  /// - Throws: `DocumentError`.
  public init(
    issuedDocument: Data, deviceKey: some ES256Signer, documentIdentifier: String = "", invalidationDate: Date? = nil
  ) throws(DocumentError) {
    self.init(
      try HeldDocument(issued: [UInt8](issuedDocument), deviceKey: COSEKey(deviceKey.publicKey)), deviceKey: deviceKey,
      documentIdentifier: documentIdentifier, invalidationDate: invalidationDate)
  }

  /// Checks an issued SD-JWT verifiable credential. Its signature and every disclosure must verify.
  ///
  /// - Parameters:
  ///   - issuedCredential: The compact serialization, which ends with a tilde.
  ///   - deviceKey: The holder's key.
  ///   - documentIdentifier: The app's identifier of the credential, by which the person chooses it.
  ///   - invalidationDate: The end of its registration; nil for never.
  /// - Throws: `SDJWTError`.
  public init(
    issuedCredential: String, deviceKey: some ES256Signer, documentIdentifier: String = "",
    invalidationDate: Date? = nil
  ) throws(SDJWTError) {
    self.init(
      .sdJWT(try HeldSDJWT(issued: issuedCredential, holderKey: COSEKey(deviceKey.publicKey))), deviceKey: deviceKey,
      documentIdentifier: documentIdentifier, invalidationDate: invalidationDate)
  }

  /// The mobile document; nil for a credential of another format.
  package var held: HeldDocument? { credential.mobileDocument }

  /// The name of the issuing authority for people.
  public var issuerName: String { credential.issuerName }

  /// `DocType`, for the `mobileDocumentType` of a registration; for an SD-JWT its format, a space and `vct`.
  public var mobileDocumentType: String { credential.registeredType }

  /// The authority key identifiers of the issuer's certificate chain, for the `supportedIssuerKeyIdentifiers` of a
  /// registration.
  public var issuerKeyIdentifiers: [Data] { credential.issuerKeyIdentifiers.map { Data($0) } }

  /// The end of the document's validity (`validUntil` or `exp`), for the `invalidationDate` of a registration; nil for a
  /// credential without one.
  public var expirationDate: Date? { credential.validUntil?.moment.date }

  /// Returns the document without some of its elements, which the holder does not disclose. Of an SD-JWT, claims that the
  /// issuer made always visible stay.
  /// - Parameter isKept: A function that returns whether to keep an element, by name space and identifier.
  package func keeping(_ isKept: (_ nameSpace: String, _ identifier: String) -> Bool) -> PresentableDocument {
    let credential: HeldCredential =
      switch credential {
      case .mobileDocument(let held): .mobileDocument(held.keeping(isKept))
      case .sdJWT(let held): .sdJWT(held.keeping(isKept))
      }
    var kept = PresentableDocument(
      credential, deviceKey: deviceKey, documentIdentifier: documentIdentifier, invalidationDate: invalidationDate)
    kept.agreementKey = agreementKey
    return kept
  }

  /// Encodes `Document` with the elements that answer a request, and with the device authentication that the purpose of its
  /// key allows.
  /// - Throws: The key's error, a failure of `ProximityCheck.deviceKey`, or `ProviderRefusal` for another format.
  func presented(answering items: ItemsRequest, over transcript: SessionTranscript) throws -> [UInt8] {
    let held = try mobileDocument()
    let nameSpaces = held.answer(to: items).nameSpaces
    guard let agreementKey else { return try held.presented(nameSpaces, over: transcript, signedWith: deviceKey) }
    // A session without a reader's key ends here: this key never signs.
    let readerKey = transcript.readerKey
    _ = try DeviceAuthenticationMethod(of: COSEKey(agreementKey.publicKey), for: .agreement, readerKey: readerKey)
    guard let publicKey = try readerKey?.key.p256KeyAgreementKey() else { throw ProximityFailure(.deviceKey, .key) }
    return try held.presented(nameSpaces, over: transcript, authenticatedWith: agreementKey, readerKey: publicKey)
  }

  /// Returns the reason not to present the document at a time, or nil: its validity, or the end of its registration.
  package func refusal(at moment: DateTime) -> ProviderRefusal? {
    if let until = credential.validUntil, until.moment < moment {
      return ProviderRefusal(
        .document, .expired, evidence: .field(until.member, expected: "\(moment) or later", found: "\(until.moment)"))
    }
    if let from = credential.validFrom, moment < from.moment {
      return ProviderRefusal(
        .document, .notYetValid,
        evidence: .field(from.member, expected: "\(moment) or earlier", found: "\(from.moment)"))
    }
    guard let invalidationDate, invalidationDate < moment.date else { return nil }
    return ProviderRefusal(
      .document, .registrationEnded,
      evidence: .field("invalidationDate", expected: "\(moment) or later", found: "\(DateTime(invalidationDate))"))
  }

  /// The mobile document, which answers a request for one.
  /// - Throws: ``ProviderRefusal`` with `provider.document` for a credential of another format.
  package func mobileDocument() throws(ProviderRefusal) -> HeldDocument {
    guard let held else { throw ProviderRefusal(.document) }
    return held
  }

  /// Returns whether the document is a mobile one with the requested type and an accepted issuer.
  func answers(_ request: ItemsRequest) -> Bool {
    guard let held else { return false }
    return held.documentType == request.documentType
      && (request.issuerIdentifiers.isEmpty
        || request.issuerIdentifiers.contains { held.issuerKeyIdentifiers.contains($0) })
  }
}

extension PresentableDocument {
  /// Answers the request that an app makes through PassKit: one document with a device signature, sealed for the app's
  /// server (Verifying Wallet identity requests).
  ///
  /// - Parameter ephemeralKey: A fresh key; never used for anything else.
  /// - Throws: The device key's error, or `ExchangeError`.
  package func envelope(
    answering items: ItemsRequest, of handover: AppleHandover, to recipient: P256.KeyAgreement.PublicKey,
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws -> HPKEEnvelope {
    let held = try mobileDocument()
    let presented = try held.presented(
      held.answer(to: items).nameSpaces, over: handover.sessionTranscript, signedWith: deviceKey)
    return try HPKEEnvelope(
      sealing: DeviceResponseWriter.encoded(documents: [presented]), to: recipient, handover: handover,
      ephemeralKey: ephemeralKey)
  }
}
