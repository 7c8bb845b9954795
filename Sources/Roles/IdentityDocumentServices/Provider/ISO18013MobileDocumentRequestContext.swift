import FoundationEssentials

/// A presentment for a provider app: the request, the origin of the requester, and the functions to answer.
public struct ISO18013MobileDocumentRequestContext: Sendable {
  /// The parsed request.
  public let request: ISO18013MobileDocumentRequest
  /// The origin of the website, if there is one.
  public let requestingWebsiteOrigin: URL?

  private let session: any PresentmentSession

  /// Makes a context. For the system and for tests that replace it.
  public init(
    request: ISO18013MobileDocumentRequest, requestingWebsiteOrigin: URL?, session: any PresentmentSession
  ) {
    self.request = request
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
