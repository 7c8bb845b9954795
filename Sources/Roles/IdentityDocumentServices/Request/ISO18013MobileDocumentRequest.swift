import FoundationEssentials
import X509

/// A request that a provider app can be asked to answer.
public protocol IdentityDocumentWebPresentmentRequest: Sendable {}

/// The parsed part of a request for mobile documents: what an authorization view shows. The system makes it in its
/// sandbox; the raw request stays with the system until the person has agreed.
public struct ISO18013MobileDocumentRequest: IdentityDocumentWebPresentmentRequest, Equatable {
  /// The use cases of the request.
  public var presentmentRequests: [PresentmentRequest]
  /// One certificate chain for each reader signature, in the request's order.
  public var requestAuthentications: [RequestAuthentication]

  /// A request from its parts.
  public init(presentmentRequests: [PresentmentRequest], requestAuthentications: [RequestAuthentication]) {
    self.presentmentRequests = presentmentRequests
    self.requestAuthentications = requestAuthentications
  }

  /// A use case: any one of its sets satisfies it.
  public struct PresentmentRequest: Sendable, Equatable {
    /// The sets, of which one must be presented.
    public var documentRequestSets: [DocumentRequestSet]
    /// Whether the request cannot be met without it.
    public var isMandatory: Bool

    /// A use case from its parts.
    public init(documentRequestSets: [DocumentRequestSet], isMandatory: Bool) {
      self.documentRequestSets = documentRequestSets
      self.isMandatory = isMandatory
    }
  }

  /// Documents that are presented together.
  public struct DocumentRequestSet: Sendable, Equatable {
    /// The documents.
    public var requests: [DocumentRequest]

    /// A set from its documents.
    public init(requests: [DocumentRequest]) { self.requests = requests }
  }

  /// What is asked of one document.
  public struct DocumentRequest: Sendable, Equatable {
    /// `DocType`.
    public var documentType: String
    /// Elements by name space and identifier.
    public var namespaces: [String: [String: ElementInfo]]
    /// Key identifiers of the issuers that are accepted; empty for any.
    public var issuerKeyIdentifiers: [Data]

    /// A request for a document of any issuer.
    public init(documentType: String, namespaces: [String: [String: ElementInfo]]) {
      self.init(documentType: documentType, namespaces: namespaces, issuerKeyIdentifiers: [])
    }

    /// A request that names the issuers it accepts.
    public init(documentType: String, namespaces: [String: [String: ElementInfo]], issuerKeyIdentifiers: [Data]) {
      self.documentType = documentType
      self.namespaces = namespaces
      self.issuerKeyIdentifiers = issuerKeyIdentifiers
    }
  }

  /// How an element is asked for.
  public struct ElementInfo: Sendable, Equatable {
    /// Whether the requester intends to keep it.
    public var isRetaining: Bool

    /// Information from its flag.
    public init(isRetaining: Bool) { self.isRetaining = isRetaining }
  }

  /// A reader signature that the system has verified.
  public struct RequestAuthentication: Sendable, Equatable {
    /// Certificates, leaf first. The system has checked the signature and not whom to trust.
    public var authenticationCertificateChain: [Certificate]

    /// An authentication from its chain.
    public init(authenticationCertificateChain: [Certificate]) {
      self.authenticationCertificateChain = authenticationCertificateChain
    }
  }
}

/// The raw request, released to a provider app after the person has agreed.
public struct IdentityDocumentWebPresentmentRawRequest: Sendable, Equatable {
  /// What kind of request it is.
  public enum RequestType: Sendable, Equatable {
    /// ISO/IEC 18013-7 annex C.
    case iso18013MobileDocument
  }

  /// What kind of request it is.
  public var requestType: RequestType
  /// UTF-8 JSON with the base64url texts `deviceRequest` and `encryptionInfo`.
  public var requestData: Data

  /// A raw request from its parts.
  public init(requestType: RequestType, requestData: Data) {
    self.requestType = requestType
    self.requestData = requestData
  }
}

/// A response that a provider app returns.
public protocol IdentityDocumentWebPresentmentResponse: Sendable {}

/// An encrypted response to a request for mobile documents.
public struct ISO18013MobileDocumentResponse: IdentityDocumentWebPresentmentResponse, Equatable {
  /// CBOR of `EncryptedResponse` (ISO/IEC 18013-7, C.3).
  public let responseData: Data

  /// A response from its bytes.
  public init(responseData: Data) { self.responseData = responseData }
}
