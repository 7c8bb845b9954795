import COSE
import Crypto
import Messaging
import MobileDocument
import OpenID4VP
import RelyingParty
import SimulationKernel
import TranscriptDiagnosis
import Vocabulary
import WebPresentment

/// Signs the device requests of a verifier server.
package protocol RequestSigner: Sendable {
  /// Signs a request once for each reader.
  /// - Parameters:
  ///   - inputs: The inputs of the session transcript.
  ///   - station: The server's time and journal.
  /// - Throws: An error that makes the server refuse to begin a presentment.
  func signed(
    _ draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader], over inputs: TranscriptInputs,
    at station: Station
  ) throws -> SignedRequest

  /// Signs a request in OpenID4VP as its protocol demands.
  /// - Returns: The `data` of the page's request, UTF-8 JSON.
  /// - Throws: An error that makes the server refuse to begin a presentment.
  func data(
    of draft: PresentationRequestDraft, in kind: OpenID4VPProtocol, for readers: [DeviceRequestDraft.Reader],
    at station: Station
  ) throws -> [UInt8]
}

extension RequestSigner {
  /// Signs with the certificates of the website.
  package func data(
    of draft: PresentationRequestDraft, in kind: OpenID4VPProtocol, for readers: [DeviceRequestDraft.Reader],
    at station: Station
  ) throws -> [UInt8] { try draft.data(of: kind, signedBy: readers.compactMap { PresentationRequestDraft.Signer($0) }) }
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

/// Makes the encryption information of a verifier server's new sessions.
package protocol EncryptionInfoSource: Sendable {
  /// Returns the encryption information of a new session.
  /// - Parameters:
  ///   - key: The recipient's public key.
  ///   - nonces: The server's stream of nonces.
  func encryptionInfo(for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream) -> EncryptionInfo
}

/// The source of a world without faults.
package struct StandardEncryptionInfoSource: EncryptionInfoSource {
  /// The standard one.
  package init() {}

  /// Returns encryption information with a new nonce.
  package func encryptionInfo(
    for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream
  ) -> EncryptionInfo {
    EncryptionInfo(nonce: nonces.bytes(AnnexCSession.nonceLength), recipientPublicKey: key)
  }
}
