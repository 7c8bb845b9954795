import FoundationEssentials
import MobileDocument
import OpenID4VP
import X509

/// A request that a provider app can be asked to answer.
public protocol IdentityDocumentWebPresentmentRequest: Sendable {}

/// The parsed part of a request for mobile documents, for an authorization view. The system parses it in its sandbox, and
/// keeps the raw request until the person agrees.
public struct ISO18013MobileDocumentRequest: IdentityDocumentWebPresentmentRequest, Equatable {
  /// The use cases of the request.
  public var presentmentRequests: [PresentmentRequest]
  /// One certificate chain for each reader signature, in the request's order.
  public var requestAuthentications: [RequestAuthentication]

  /// Creates a request.
  public init(presentmentRequests: [PresentmentRequest], requestAuthentications: [RequestAuthentication]) {
    self.presentmentRequests = presentmentRequests
    self.requestAuthentications = requestAuthentications
  }

  /// A use case: any one of its sets satisfies it.
  public struct PresentmentRequest: Sendable, Equatable {
    /// The sets, of which one must be presented.
    public var documentRequestSets: [DocumentRequestSet]
    /// Indicates whether the use case must be satisfied.
    public var isMandatory: Bool

    /// Creates a use case.
    public init(documentRequestSets: [DocumentRequestSet], isMandatory: Bool) {
      self.documentRequestSets = documentRequestSets
      self.isMandatory = isMandatory
    }
  }

  /// Documents that are presented together.
  public struct DocumentRequestSet: Sendable, Equatable {
    /// The documents.
    public var requests: [DocumentRequest]

    /// Creates a set.
    public init(requests: [DocumentRequest]) { self.requests = requests }
  }

  /// The request for one document.
  public struct DocumentRequest: Sendable, Equatable {
    /// `DocType`; for a credential of another format, which a request in OpenID4VP can ask for, its registered type.
    public var documentType: String
    /// Elements by name space and identifier.
    public var namespaces: [String: [String: ElementInfo]]
    /// Key identifiers of the accepted issuers, or empty for any issuer.
    public var issuerKeyIdentifiers: [Data]

    /// Creates a request for a document of any issuer.
    public init(documentType: String, namespaces: [String: [String: ElementInfo]]) {
      self.init(documentType: documentType, namespaces: namespaces, issuerKeyIdentifiers: [])
    }

    /// Creates a request that names the accepted issuers.
    public init(documentType: String, namespaces: [String: [String: ElementInfo]], issuerKeyIdentifiers: [Data]) {
      self.documentType = documentType
      self.namespaces = namespaces
      self.issuerKeyIdentifiers = issuerKeyIdentifiers
    }
  }

  /// The request for one element.
  public struct ElementInfo: Sendable, Equatable {
    /// Indicates whether the requester intends to retain the element.
    public var isRetaining: Bool

    /// Creates the request for an element.
    public init(isRetaining: Bool) { self.isRetaining = isRetaining }
  }

  /// A reader signature that the system has verified.
  public struct RequestAuthentication: Sendable, Equatable {
    /// The certificates, leaf first. The system checked the signature, but not the trust.
    public var authenticationCertificateChain: [Certificate]

    /// Creates an authentication.
    public init(authenticationCertificateChain: [Certificate]) {
      self.authenticationCertificateChain = authenticationCertificateChain
    }
  }
}

/// The raw request, which the system releases to a provider app after the person agrees.
public struct IdentityDocumentWebPresentmentRawRequest: Sendable, Equatable {
  /// The kind of request.
  public enum RequestType: Sendable, Equatable {
    /// ISO/IEC 18013-7 annex C.
    case iso18013MobileDocument
    /// OpenID4VP 1.0.
    case openID4VP(OpenID4VPExchangeProtocolIdentifier)
  }

  /// The kind of request.
  public var requestType: RequestType
  /// UTF-8 JSON: of a request for mobile documents with the base64url texts `deviceRequest` and `encryptionInfo`.
  public var requestData: Data

  /// Creates a raw request.
  public init(requestType: RequestType, requestData: Data) {
    self.requestType = requestType
    self.requestData = requestData
  }
}

/// A response that a provider app returns.
public protocol IdentityDocumentWebPresentmentResponse: Sendable {}

/// A response to a request: to one for mobile documents it is encrypted.
public struct ISO18013MobileDocumentResponse: IdentityDocumentWebPresentmentResponse, Equatable {
  /// CBOR of `EncryptedResponse` (ISO/IEC 18013-7, C.3); to a request in OpenID4VP the data of the response as UTF-8 JSON
  /// (OpenID4VP, A.4).
  public let responseData: Data

  /// Creates a response.
  public init(responseData: Data) { self.responseData = responseData }
}

extension ISO18013MobileDocumentRequest {
  /// Creates the part of an authenticated request that an authorization view needs.
  ///
  /// A request without use cases asks for all its documents at once, like a request with one mandatory use case.
  public init(_ request: AuthenticatedDeviceRequest) {
    self.init(
      documents: request.documentRequests.map(\.value), useCases: request.deviceRequestInfo?.useCases,
      chains: request.readersOfAll.map(\.chain))
  }

  /// Returns whether a raw request with unchecked signatures asks for the same with the same certificates.
  public func agrees(with contents: UnverifiedRequestContents) -> Bool {
    self
      == Self(
        documents: contents.documentRequests, useCases: contents.deviceRequestInfo?.useCases, chains: contents.chains)
  }

  private init(documents items: [ItemsRequest], useCases given: [DeviceRequestInfo.UseCase]?, chains: [[Certificate]]) {
    let documents = items.map { DocumentRequest($0) }
    var useCases = given ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: documents.count).useCases }
    self.init(
      presentmentRequests: useCases.map { useCase in
        PresentmentRequest(
          documentRequestSets: useCase.documentSets.map { set in
            DocumentRequestSet(requests: set.map { documents[$0] })
          },
          isMandatory: useCase.isMandatory)
      },
      requestAuthentications: chains.map { RequestAuthentication(authenticationCertificateChain: $0) })
  }
}

extension ISO18013MobileDocumentRequest.DocumentRequest {
  init(_ items: ItemsRequest) {
    var namespaces: [String: [String: ISO18013MobileDocumentRequest.ElementInfo]] = [:]
    for nameSpace in items.nameSpaces {
      for element in nameSpace.elements {
        namespaces[nameSpace.name, default: [:]][element.identifier] =
          ISO18013MobileDocumentRequest.ElementInfo(isRetaining: element.intentToRetain)
      }
    }
    self.init(
      documentType: items.documentType, namespaces: namespaces,
      issuerKeyIdentifiers: items.issuerIdentifiers.map { Data($0) })
  }
}

extension URL {
  /// The origin in a session transcript: the URL without a trailing slash.
  public var serializedOrigin: String {
    let text = absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
