import COSE
import Messaging
import MobileDocument
import WebPresentment

/// Signs the device requests of a verifier server.
package protocol RequestSigner: Sendable {
  /// Signs a request once for each reader.
  /// - Parameters:
  ///   - inputs: the inputs of the session transcript.
  ///   - station: the server's time and journal.
  /// - Throws: an error that makes the server refuse to begin a presentment.
  func signed(
    _ draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader], over inputs: TranscriptInputs,
    at station: Station
  ) throws -> SignedRequest
}

/// A signed device request and the origin that its response is verified for.
package struct SignedRequest: Sendable {
  /// The encoded `DeviceRequest`.
  package let encoded: [UInt8]
  /// The origin that the session keeps.
  package let sessionOrigin: String

  /// Creates a signed request.
  package init(encoded: [UInt8], sessionOrigin: String) {
    self.encoded = encoded
    self.sessionOrigin = sessionOrigin
  }
}

/// The request signer of a world without faults.
package struct StandardRequestSigner: RequestSigner {
  /// Creates the standard signer.
  package init() {}

  /// Signs the request over the session transcript.
  package func signed(
    _ draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader], over inputs: TranscriptInputs,
    at station: Station
  ) throws -> SignedRequest {
    SignedRequest(
      encoded: try draft.encoded(signedFor: readers, over: inputs.sessionTranscript), sessionOrigin: inputs.origin)
  }
}
