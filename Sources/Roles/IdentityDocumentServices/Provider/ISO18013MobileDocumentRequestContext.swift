import FoundationEssentials

/// One presentment as a provider app sees it: who asks, what is asked, and the way to answer.
public struct ISO18013MobileDocumentRequestContext: Sendable {
  /// The parsed request.
  public let request: ISO18013MobileDocumentRequest
  /// Origin of the website, when there is one.
  public let requestingWebsiteOrigin: URL?

  private let session: any PresentmentSession

  /// A context for a presentment; made by whoever stands in for the system.
  public init(
    request: ISO18013MobileDocumentRequest, requestingWebsiteOrigin: URL?, session: any PresentmentSession
  ) {
    self.request = request
    self.requestingWebsiteOrigin = requestingWebsiteOrigin
    self.session = session
  }

  /// Answers the request. Call it only after the person has agreed in the app's view: the system releases the raw
  /// request to the handler, and to nobody before.
  ///
  /// - Parameter responseHandler: makes the response; an error that it throws ends the presentment.
  /// - Throws: what the handler throws, or ``IdentityDocumentPresentmentError``.
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

/// The system's end of a presentment.
public protocol PresentmentSession: Sendable {
  /// Asks for the raw request, which the system gives only after the person has agreed.
  func releaseRawRequest() async throws -> IdentityDocumentWebPresentmentRawRequest
  /// Hands over the response.
  func deliver(_ response: ISO18013MobileDocumentResponse) async throws
  /// Ends the presentment because the app could not or would not answer.
  func abandon(because error: any Error)
  /// Ends the presentment because the person declined.
  func cancel()
}
