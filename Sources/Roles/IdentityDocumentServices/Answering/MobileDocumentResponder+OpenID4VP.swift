import Certificates
import Checks
import Crypto
import FoundationEssentials
import JOSE
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT

/// A raw request in OpenID4VP with verified signatures and an accepted requester. Only
/// ``MobileDocumentResponder/validateRawRequest(_:openID4VP:origin:at:)`` makes one, and only it can be answered.
public struct ValidatedOpenID4VPRequest: Sendable {
  /// The query and the other parameters.
  public var parameters: PresentationParameters { request.parameters }
  package let request: SignedPresentationRequest
  /// The time of the validation.
  package let moment: DateTime
  /// The finding that no reader certificate names the website, which the app accepts; nil if one does.
  package let otherDomain: ProviderRefusal?

  /// The origin that the response is bound to.
  package var origin: String { request.origin }

  /// The key and the content encryption of an encrypted response; nil for a plain one.
  package var encryption: (key: JWK, encryption: JWEEncryption)? {
    request.parameters.responseMode == .encrypted ? request.parameters.metadata?.encryption() : nil
  }

  /// The session transcript of mobile documents in the response (OpenID4VP, B.2.6.2).
  package var transcript: SessionTranscript {
    OpenID4VPHandover.sessionTranscript(
      origin: origin, nonce: request.parameters.nonce, thumbprint: encryption?.key.thumbprint)
  }

  /// The values of the key binding of the SD-JWT credential that answers a query (OpenID4VP, B.3.3 and B.3.6).
  /// - Parameter answered: The identifiers of all answered credential queries.
  /// - Throws: ``ProviderRefusal`` if the credential's transactions allow no common hash algorithm.
  package func keyBinding(
    for query: CredentialQuery, among answered: [String]
  ) throws(ProviderRefusal) -> HeldSDJWT.KeyBinding {
    var binding = HeldSDJWT.KeyBinding(
      audience: ClientIdentifier.audience(of: origin), nonce: request.parameters.nonce, issuedAt: moment)
    let entries = transactions(of: query, among: answered)
    binding.transactionData = entries.map(\.text)
    guard entries.contains(where: { $0.hashes != nil }) else { return binding }
    let hash = SDJWTHash.allCases.first { hash in entries.allSatisfy { ($0.hashes ?? [.sha256]).contains(hash) } }
    guard let hash else { throw ProviderRefusal(.response, adding: "the transactions allow no common hash algorithm") }
    binding.transactionDataHash = hash
    return binding
  }

  /// The transactions that the holder of the credential that answers a query signs.
  package func transactions(of query: CredentialQuery, among answered: [String]) -> [TransactionData] {
    TransactionData.entries(of: query.id, among: answered, in: parameters.transactionData)
  }

  /// Refuses an answer without a credential for each transaction, to which its holder would not agree.
  /// - Throws: ``ProviderRefusal``.
  package func requireSigners(among answered: [String]) throws(ProviderRefusal) {
    for entry in parameters.transactionData
    where !entry.credentialIDs.contains(where: { id in answered.contains { $0.isExactly(id) } }) {
      throw ProviderRefusal(
        .response,
        adding: "no credential signs the transaction, which names \(entry.credentialIDs.joined(separator: ", "))")
    }
  }
}

/// Fresh values for one encrypted response, never used for anything else.
public struct PresentationSeal: Sendable, KeepsSecrets {
  /// The ephemeral key.
  package let ephemeralKey: P256.KeyAgreement.PrivateKey
  /// The initialization vector, 12 bytes.
  package let initializationVector: [UInt8]

  /// Creates the values of a response.
  public init(ephemeralKey: P256.KeyAgreement.PrivateKey, initializationVector: [UInt8]) {
    self.ephemeralKey = ephemeralKey
    self.initializationVector = initializationVector
  }
}

/// The steps for a request in OpenID4VP, in the same order as for one for mobile documents.
extension MobileDocumentResponder {
  /// Step 1: checks that the raw request asks for exactly what the person saw, with the same certificates.
  ///
  /// - Parameters:
  ///   - request: The request in the authorization view, ``ISO18013MobileDocumentRequestContext/openID4VPRequest``.
  ///   - rawRequest: The raw request that the system released.
  /// - Throws: ``ProviderRefusal`` with `provider.raw-request/unreadable` or `provider.raw-request/differs`.
  public func validateConsistency(
    request: OpenID4VPRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) throws(ProviderRefusal) {
    let unverified: OpenID4VPRequest
    do throws(PresentationRequestFailure) {
      unverified = OpenID4VPRequest(
        try RequestAuthenticator.readUnverified(
          protocol: request.exchangeProtocol.rawValue, data: [UInt8](rawRequest.requestData)))
    } catch {
      throw ProviderRefusal(.rawRequest, .unreadable, adding: error.message, evidence: error.evidence)
    }
    guard unverified == request else { throw ProviderRefusal(.rawRequest, .differs) }
  }

  /// Step 2: checks that every signature verifies for the origin, and that one leads to an authority that the app trusts and
  /// is of the website.
  ///
  /// - Parameters:
  ///   - rawRequest: The raw request that the system has released.
  ///   - kind: The protocol that the page names.
  ///   - origin: ``ISO18013MobileDocumentRequestContext/requestingWebsiteOrigin``; a path of `/` is not part of it.
  ///   - moment: The time at which certificates must be valid.
  /// - Throws: ``ProviderRefusal`` as for a request for mobile documents.
  public func validateRawRequest(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, openID4VP kind: OpenID4VPExchangeProtocolIdentifier,
    origin: URL?, at moment: Date
  ) async throws(ProviderRefusal) -> ValidatedOpenID4VPRequest {
    let origin = try Self.required(origin)
    let request: SignedPresentationRequest
    do throws(PresentationRequestFailure) {
      request = try RequestAuthenticator.read(
        protocol: kind.rawValue, data: [UInt8](rawRequest.requestData), origin: origin.serializedOrigin,
        at: DateTime(moment), understanding: transactionTypes)
    } catch {
      let (check, reason): (ProviderCheck, ProviderCheck.Reason?) =
        switch error.check {
        case .validity: (.rawRequest, .expired)
        case let check where PresentationRequestCheck.ofSignature.contains(check): (.readerSignature, nil)
        default: (.rawRequest, .unreadable)
        }
      throw ProviderRefusal(check, reason, adding: error.message, evidence: error.evidence)
    }
    let decision = await decide(
      on: request.signers.map { readerCertificates.fields(of: $0.chain) }, host: origin.host() ?? "",
      at: DateTime(moment))
    if let refusal = decision.refusal { throw refusal }
    return ValidatedOpenID4VPRequest(request: request, moment: DateTime(moment), otherDomain: decision.domain)
  }

  /// Step 3: for each credential of one option of every required set, and of the other sets that can be met, a presentation
  /// that its document's key signs, encrypted if the request demands it (OpenID4VP, 8 and A.4).
  ///
  /// A document that is not valid when the request is validated, or whose registration has ended then, is not presented.
  ///
  /// - Parameters:
  ///   - validated: The request of step 2.
  ///   - documents: What the app holds, in the order in which it prefers them.
  ///   - choice: The documents that the authorization view showed when the person agreed; nil for a holder without
  ///     a view.
  ///   - seal: Fresh values.
  /// - Returns: The data of the response as UTF-8 JSON, for ``ISO18013MobileDocumentResponse/responseData``.
  /// - Throws: ``ProviderRefusal`` with `provider.document` or `provider.response`.
  public func buildResponse(
    to validated: ValidatedOpenID4VPRequest, with documents: [PresentableDocument],
    choosing choice: DocumentChoice? = nil, seal: PresentationSeal
  ) throws(ProviderRefusal) -> Data {
    let chosen = try choose(from: documents, choosing: choice, for: validated)
    try validated.requireSigners(among: chosen.map(\.0.id))
    do {
      let token = PresentationToken(
        try chosen.map { query, document in
          PresentationToken.Answer(
            id: query.id,
            presentations: [try document.presentation(answering: query, of: validated, among: chosen.map(\.0.id))])
        })
      return Data(try validated.response(with: token, seal: seal))
    } catch {
      throw ProviderRefusal(.response, adding: "\(error)")
    }
  }

  /// The documents that answer a query, each with the credential query that it answers.
  package func choose(
    from documents: [PresentableDocument], choosing choice: DocumentChoice? = nil,
    for validated: ValidatedOpenID4VPRequest
  ) throws(ProviderRefusal) -> [(CredentialQuery, PresentableDocument)] {
    let query = validated.parameters.query
    let question = DocumentQuestion(query)
    let chosen = try choose(from: documents, choosing: choice, for: question.useCases, at: validated.moment) {
      question.requests[$0].isAnswered(by: $1)
    }.map { (query.credentials[$0.request], $0.document) }
    if let formats = validated.parameters.metadata?.formats,
      let unread = chosen.compactMap(\.0.format).first(where: { !formats.acceptsES256($0) })
    {
      throw ProviderRefusal(.response, adding: "the website does not read \(unread.rawValue) with signatures of ES256")
    }
    return chosen
  }
}

extension ValidatedOpenID4VPRequest {
  /// Returns the data of a response, encrypted if the request demands it.
  /// - Throws: `JOSEError`.
  package func response(with token: PresentationToken, seal: PresentationSeal) throws -> [UInt8] {
    guard let encryption else { return PresentationResponse.plain(token) }
    return try PresentationResponse.encrypted(
      token, to: encryption.key, encryption: encryption.encryption, ephemeralKey: seal.ephemeralKey,
      initializationVector: seal.initializationVector)
  }
}

extension PresentableDocument {
  /// Returns the presentation of the claims that answer a credential query.
  /// - Parameter answered: The identifiers of all answered credential queries.
  /// - Throws: `DCQLMismatch` if the document does not answer; ``ProviderRefusal`` for a transaction that it cannot sign; the
  ///   key's error.
  package func presentation(
    answering query: CredentialQuery, of validated: ValidatedOpenID4VPRequest, among answered: [String]
  ) throws -> String {
    let match = try query.match(credential.queried)
    switch credential {
    case .mobileDocument(let held):
      // Its issuer would have to authorize the device key for an element with the digest (OpenID4VP, B.2.1).
      guard validated.transactions(of: query, among: answered).isEmpty else {
        throw ProviderRefusal(.response, adding: "the key of a mobile document signs no transaction")
      }
      return try held.presentation(of: match, over: validated.transcript, signedWith: deviceKey)
    case .sdJWT(let held):
      return try held.presentation(
        of: match, binding: validated.keyBinding(for: query, among: answered), signedWith: deviceKey)
    }
  }
}
