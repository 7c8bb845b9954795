import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import WebPresentment

/// Builds and seals the responses of provider apps.
package protocol ResponseBuilder: Sendable {
  /// Builds the response to a request that the person has agreed to.
  /// - Returns: CBOR of `EncryptedResponse`.
  /// - Throws: an error that makes the app abandon the presentment.
  func response(
    to request: ApprovedRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data
}

/// A request that the app has validated and the person has approved.
package struct ApprovedRequest: Sendable {
  /// The validated request.
  package let validated: ValidatedMobileDocumentRequest
  /// The text of the encryption information as the page sent it.
  package let encryptionInfoText: String
  /// The serialized origin of the website.
  package let origin: String
}

/// The response builder of a world without faults.
package struct StandardResponseBuilder: ResponseBuilder {
  /// Creates the standard builder.
  package init() {}

  /// Answers with the app's documents.
  package func response(
    to request: ApprovedRequest, with responder: MobileDocumentResponder, from app: isolated ProviderApp
  ) async throws -> Data {
    try responder.buildAndEncryptResponse(
      to: request.validated, with: app.presentableDocuments(), ephemeralKey: app.ephemeralKey())
  }
}
