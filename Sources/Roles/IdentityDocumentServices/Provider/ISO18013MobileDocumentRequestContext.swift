import Certificates
import Checks
import FoundationEssentials
import MobileDocument
import Primitives
import X509

/// A presentment for a provider app: the request, the origin of the requester, and the functions to answer.
public struct ISO18013MobileDocumentRequestContext: Sendable {
  /// The parsed request; of one in OpenID4VP the documents that its query asks for.
  public let request: ISO18013MobileDocumentRequest
  /// The request in OpenID4VP; nil for one for mobile documents. No scene of Apple's framework for such requests is
  /// documented.
  public let openID4VPRequest: OpenID4VPRequest?
  /// The origin of the website, if there is one.
  public let requestingWebsiteOrigin: URL?
  /// Indicates whether a reader near the device asks, and no website. Apple's framework has no such request.
  public let isInPerson: Bool

  private let session: any PresentmentSession

  /// Creates a context. For the system and for tests that replace it.
  public init(
    request: ISO18013MobileDocumentRequest, openID4VPRequest: OpenID4VPRequest? = nil, requestingWebsiteOrigin: URL?,
    isInPerson: Bool = false, session: any PresentmentSession
  ) {
    self.request = request
    self.openID4VPRequest = openID4VPRequest
    self.isInPerson = isInPerson
    self.requestingWebsiteOrigin = requestingWebsiteOrigin
    self.session = session
  }

  /// Answers the request. Call it after the person agrees in the app's view: the system releases the raw request only to the
  /// handler.
  ///
  /// - Parameter responseHandler: Makes the response. An error ends the presentment.
  /// - Throws: The handler's error, or ``IdentityDocumentPresentmentError``.
  public func sendResponse(
    _ responseHandler:
      @escaping @Sendable (IdentityDocumentWebPresentmentRawRequest) async throws -> ISO18013MobileDocumentResponse
  ) async throws {
    let rawRequest = try await session.releaseRawRequest()
    let response: ISO18013MobileDocumentResponse
    do {
      response = try await responseHandler(rawRequest)
    } catch {
      session.abandon(because: error)
      throw error
    }
    try await session.deliver(response)
  }

  /// Ends the presentment without an answer.
  public func cancel() { session.cancel() }
}

/// The system's side of a presentment.
public protocol PresentmentSession: Sendable {
  /// Requests the raw request, which the system releases after the person agrees.
  func releaseRawRequest() async throws -> IdentityDocumentWebPresentmentRawRequest
  /// Delivers the response.
  func deliver(_ response: ISO18013MobileDocumentResponse) async throws
  /// Ends the presentment because the app failed.
  func abandon(because error: any Error)
  /// Ends the presentment because the person declined.
  func cancel()
}

/// An error that ends a presentment.
public struct IdentityDocumentPresentmentError: Error, LocalizedError, Sendable, Equatable {
  /// The kind of failure.
  public enum Code: String, Sendable {
    /// An error of another kind.
    case unknown
    /// The request cannot be read, or does not fit the presentment.
    case invalidRequest
    /// Another presentment is in progress.
    case requestInProgress
    /// The person or the system ended the presentment.
    case cancelled
    /// The app is not entitled to the document's type.
    case notEntitled

    /// Matches errors of this code: `catch IdentityDocumentPresentmentError.cancelled`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? IdentityDocumentPresentmentError)?.code == code
    }
  }

  /// The kind of failure.
  public let code: Code
  /// Details for developers.
  public let debugDescription: String

  /// Creates an error.
  public init(_ code: Code, debugDescription: String = "") {
    self.code = code
    self.debugDescription = debugDescription
  }

  /// An unknown problem.
  public static let unknown = Code.unknown
  /// The request is not valid.
  public static let invalidRequest = Code.invalidRequest
  /// Another request is in progress.
  public static let requestInProgress = Code.requestInProgress
  /// The person or the app cancelled.
  public static let cancelled = Code.cancelled
  /// The caller is not entitled.
  public static let notEntitled = Code.notEntitled

  /// A human-readable description of the error.
  public var errorDescription: String? {
    switch code {
    case .unknown: "An unknown problem occurred."
    case .invalidRequest: "The request is not valid."
    case .requestInProgress: "A request is already in progress."
    case .cancelled: "The request was cancelled."
    case .notEntitled: "The caller is not entitled to make requests."
    }
  }

  /// Returns whether the codes are equal.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

/// The identity of a requester for an authorization view.
public struct RequesterIdentity: Sendable, Equatable {
  /// The brand name, or the common name of the certificate, or the website's host.
  public let name: String
  /// The name of the brand's icon, or nil if no icon is certified.
  public let icon: String?
  /// The brand's picture, or nil if no picture that can be shown is certified.
  public let logotype: Logotype?
  /// Indicates whether an authority that the app trusts certified the name, for the requesting website.
  public let isCertified: Bool
  /// The reason not to ask the person, or nil: the one for which the app would not answer. The readers are not trusted, or
  /// revoked, or their certificates are of other websites.
  public let refusal: ProviderRefusal?

  /// Creates an identity without an icon.
  package init(name: String, isCertified: Bool) {
    (self.name, icon, logotype, self.isCertified, refusal) = (name, nil, nil, isCertified, nil)
  }

  /// Creates the identity of the requester of a parsed request: the brand in the first certificate that leads to a trusted
  /// authority and names the website's domain, or else the website's host from the browser. A reader near the device has
  /// no host: the certificate alone names it.
  init(host: String, isInPerson: Bool = false, _ decision: ReaderDecision) {
    refusal = decision.refusal
    let reader = decision.readers.first { reader in isInPerson || reader.domains.contains { $0.identifies(host) } }
    guard let leaf = reader else {
      name = isInPerson ? "Unknown reader" : host.isEmpty ? "Unknown" : host
      (icon, logotype) = (nil, nil)
      isCertified = false
      return
    }
    let brand = BrandIdentity(in: leaf)
    name = [brand?.name, leaf.commonName, host].compactMap(\.self).first { !$0.isEmpty } ?? "Unknown"
    icon = brand.flatMap { $0.icon.isEmpty ? nil : $0.icon }
    logotype = brand?.logotype
    isCertified = true
  }

  /// Returns true if the two are equal.
  public static func == (left: RequesterIdentity, right: RequesterIdentity) -> Bool {
    left.name == right.name && left.icon == right.icon && left.logotype == right.logotype
      && left.isCertified == right.isCertified && left.refusal?.name == right.refusal?.name
  }
}
