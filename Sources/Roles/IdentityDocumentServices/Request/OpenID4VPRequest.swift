import FoundationEssentials
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import X509

/// The parsed part of a request in OpenID4VP, for an authorization view. The system parses it in its sandbox, and keeps the
/// raw request until the person agrees.
public struct OpenID4VPRequest: IdentityDocumentWebPresentmentRequest, Equatable {
  /// A reader signature that the system has verified.
  public typealias RequestAuthentication = ISO18013MobileDocumentRequest.RequestAuthentication

  /// The protocol, which says how the request is signed.
  public var exchangeProtocol: OpenID4VPExchangeProtocolIdentifier
  /// The query.
  public var query: DigitalCredentialsQuery
  /// One certificate chain for each reader signature with certificates, in the request's order.
  public var requestAuthentications: [RequestAuthentication]

  /// Creates a request.
  public init(
    exchangeProtocol: OpenID4VPExchangeProtocolIdentifier, query: DigitalCredentialsQuery,
    requestAuthentications: [RequestAuthentication]
  ) {
    self.exchangeProtocol = exchangeProtocol
    self.query = query
    self.requestAuthentications = requestAuthentications
  }

  /// The query as compact JSON with the members that count.
  package var queryText: [UInt8] { query.json.bytes }

  /// Compares what is asked, the protocols and the certificates.
  public static func == (left: Self, right: Self) -> Bool {
    left.exchangeProtocol == right.exchangeProtocol && left.queryText == right.queryText
      && left.requestAuthentications == right.requestAuthentications
  }
}

/// The identifier of a protocol of OpenID4VP 1.0.
public typealias OpenID4VPExchangeProtocolIdentifier = OpenID4VPProtocol

/// A query in the Digital Credentials Query Language.
public typealias DigitalCredentialsQuery = DCQLQuery

extension OpenID4VPRequest {
  /// The part of a request with verified signatures.
  package init(_ request: SignedPresentationRequest) {
    self.init(
      exchangeProtocol: request.kind, query: request.parameters.query,
      requestAuthentications: request.signers.filter { !$0.chain.isEmpty }.map {
        RequestAuthentication(authenticationCertificateChain: $0.chain)
      })
  }

  /// The documents that the query asks for, as a selector compares them with registrations: each set of credentials is a
  /// use case and each of its options a set of documents, and the key identifiers of trusted authorities are those of
  /// issuers. It says less than the query: of several sets of claims it has all claims, and it has no values.
  ///
  /// A credential of several types is a set for each type.
  /// - Throws: `RequestLimit.Excess` for more sets than a request may have.
  package func documents() throws(RequestLimit.Excess) -> ISO18013MobileDocumentRequest {
    var alternatives: [(id: String, choices: [ISO18013MobileDocumentRequest.DocumentRequest])] = []
    for credential in query.credentials {
      let choices = ISO18013MobileDocumentRequest.DocumentRequest.alternatives(of: credential)
      for choice in choices { try choice.checkLimits() }
      alternatives.append((credential.id, choices))
    }
    let sets = query.credentialSets ?? [DCQLQuery.CredentialSet(options: [query.credentials.map(\.id)])]
    var members = 0
    var useCases: [ISO18013MobileDocumentRequest.PresentmentRequest] = []
    for set in sets {
      var documentSets: [ISO18013MobileDocumentRequest.DocumentRequestSet] = []
      for option in set.options {
        var combinations: [[ISO18013MobileDocumentRequest.DocumentRequest]] = [[]]
        for id in option {
          let choices = alternatives.first { $0.id.isExactly(id) }?.choices ?? []
          members += combinations.count * choices.count * option.count
          if let excess = RequestLimit.documentSetMembers.excess(members) { throw excess }
          combinations = combinations.flatMap { combination in choices.map { combination + [$0] } }
        }
        documentSets += combinations.map(ISO18013MobileDocumentRequest.DocumentRequestSet.init)
      }
      if let excess = RequestLimit.documentSets.excess(documentSets.count) { throw excess }
      useCases.append(
        ISO18013MobileDocumentRequest.PresentmentRequest(
          documentRequestSets: documentSets, isMandatory: set.isRequired))
    }
    return ISO18013MobileDocumentRequest(presentmentRequests: useCases, requestAuthentications: requestAuthentications)
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  /// The documents that answer a credential query, one for each accepted type. A query that names no type, or an unknown
  /// format, asks for one that no registration has.
  fileprivate static func alternatives(of credential: CredentialQuery) -> [Self] {
    var nameSpaces: [String: [String: ISO18013MobileDocumentRequest.ElementInfo]] = [:]
    for claim in credential.claims ?? [] {
      let (nameSpace, identifier) = claim.listedName(in: credential)
      nameSpaces[nameSpace, default: [:]][identifier] = ISO18013MobileDocumentRequest.ElementInfo(
        isRetaining: claim.intentToRetain ?? false)
    }
    let authorities = credential.trustedAuthorities ?? []
    let issuers = authorities.filter { $0.type.isExactly(TrustedAuthority.keyIdentifierType) }
      .flatMap(\.values).compactMap { Base64URL.decode($0) }.map { Data($0) }
    // Authorities of unknown types match nothing, as does an issuer with an empty key identifier.
    let named = authorities.isEmpty || !issuers.isEmpty ? issuers : [Data()]
    return (credential.types ?? [""]).map { type in
      Self(
        documentType: CredentialFormat.registeredType(type, formatName: credential.formatName),
        namespaces: nameSpaces, issuerKeyIdentifiers: named)
    }
  }

  /// Checks the lengths of names and key identifiers, which a query limits less.
  fileprivate func checkLimits() throws(RequestLimit.Excess) {
    let names = [documentType] + namespaces.keys + namespaces.values.flatMap(\.keys)
    if let excess = names.lazy.compactMap({ RequestLimit.name.excess($0.utf8.count) }).first { throw excess }
    if let excess = issuerKeyIdentifiers.lazy.compactMap({ RequestLimit.issuer.excess($0.count) }).first {
      throw excess
    }
    if let excess = RequestLimit.issuers.excess(issuerKeyIdentifiers.count) { throw excess }
  }
}
