import Foundation
import IdentityDocumentServices

/// The response to a request that the person has authorized.
struct RequestAnswer: Sendable {
  /// The context received from the request scene.
  let context: ISO18013MobileDocumentRequestContext
  /// The documents that the person saw in the authorization view.
  let choice: DocumentChoice
  let environment: ProviderEnvironment

  /// Sends the response. The system releases the raw request only here. An error of any step ends the presentment without
  /// a response, and this function throws it.
  func send() async throws {
    try await context.sendResponse { rawRequest in
      // The raw request asks what the person agreed to, and nothing else.
      try await validateConsistency(request: context.request, rawRequest: rawRequest)

      // Its signatures verify, and an authority that the app trusts vouches for the requester.
      let validatedRequest = try await validateRawRequest(rawRequest: rawRequest)

      // Only a validated request can be answered.
      let responseData = try await buildAndEncryptResponse(to: validatedRequest)

      return ISO18013MobileDocumentResponse(responseData: responseData)
    }
  }

  private func validateConsistency(
    request: ISO18013MobileDocumentRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) async throws {
    try environment.responder.validateConsistency(request: request, rawRequest: rawRequest)
  }

  private func validateRawRequest(
    rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) async throws -> ValidatedMobileDocumentRequest {
    try await environment.responder.validateRawRequest(
      rawRequest, origin: context.requestingWebsiteOrigin, at: environment.now())
  }

  private func buildAndEncryptResponse(to request: ValidatedMobileDocumentRequest) async throws -> Data {
    let documents = try await environment.storage.presentableDocuments()
    return try environment.responder.buildAndEncryptResponse(
      to: request, with: documents, choosing: choice, ephemeralKey: await environment.ephemeralKey())
  }
}
