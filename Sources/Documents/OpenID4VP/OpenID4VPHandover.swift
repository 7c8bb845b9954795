import CBOR
import MobileDocument

/// The session transcripts of mdoc presentations with OpenID4VP (OpenID4VP, B.2.6).
public enum OpenID4VPHandover {
  /// The identifier of the handover over the Digital Credentials API.
  package static let identifier = "OpenID4VPDCAPIHandover"

  /// Returns `SessionTranscript = [null, null, ["OpenID4VPDCAPIHandover", SHA-256([origin, nonce, thumbprint])]]`
  /// (OpenID4VP, B.2.6.2).
  ///
  /// - Parameters:
  ///   - origin: The serialized origin, without a prefix and without a trailing slash.
  ///   - nonce: The nonce as received.
  ///   - thumbprint: The SHA-256 thumbprint of the key that the response is encrypted to; nil for a plain response.
  public static func sessionTranscript(origin: String, nonce: String, thumbprint: [UInt8]?) -> SessionTranscript {
    SessionTranscript(handover: identifier, digesting: info(origin: origin, nonce: nonce, thumbprint: thumbprint))
  }

  /// Returns `OpenID4VPDCAPIHandoverInfo`. The CDDL names it as a byte string; what is hashed is the array itself.
  package static func info(origin: String, nonce: String, thumbprint: [UInt8]?) -> [UInt8] {
    CBORWriter.encode(capacity: 256) { writer in
      writer.array(3)
      writer.text(origin)
      writer.text(nonce)
      if let thumbprint { writer.byteString(thumbprint) } else { writer.null() }
    }
  }

  /// Returns the transcript of draft 24, `[origin, client_id, nonce]` under the same identifier, to name a wrong transcript.
  package static func draft24Transcript(origin: String, clientID: String, nonce: String) -> SessionTranscript {
    SessionTranscript(
      handover: identifier,
      digesting: CBORWriter.encode(capacity: 256) { writer in
        writer.array(3)
        writer.text(origin)
        writer.text(clientID)
        writer.text(nonce)
      })
  }
}
