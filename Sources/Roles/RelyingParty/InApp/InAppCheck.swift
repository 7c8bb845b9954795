import Checks
import WebPresentment

/// The checks of an answer to a `PKIdentityRequest` up to its device response, in the order in which they are made
/// (Verifying Wallet identity requests). The checks of the session precede them, those of the device response follow.
package enum InAppCheck: CheckFamily {
  case envelope, algorithm, mode, recipientKey, info, decryption, topics, version, status, documents, deviceSignature

  /// The names of the reasons.
  package enum Reason: String, Sendable {
    case malformed
    case webResponse = "web-response"
    case anotherSession = "another-session"
    case identifiers, unexplained
    case ephemeralKey = "ephemeral-key"
  }

  /// The declaration of the check.
  package var definition: CheckDefinition {
    switch self {
    case .envelope:
      CheckDefinition(
        "in-app.envelope", "the answer is an HPKE envelope",
        clause: Self.clause("Understand the response structure"),
        [
          .failure(Reason.malformed, "the answer is not a well-formed HPKE envelope"),
          .failure(Reason.webResponse, "the answer is the encrypted response of a website's request"),
        ])
    case .algorithm:
      CheckDefinition(
        "in-app.algorithm", "the envelope's algorithm is \(HPKEEnvelope.algorithm)",
        "the envelope has another algorithm", clause: Self.clause("Understand the response structure"))
    case .mode:
      CheckDefinition(
        "in-app.mode", "the envelope's mode is the base mode", "the envelope has another mode",
        clause: Self.clause("Understand the response structure"))
    case .recipientKey:
      CheckDefinition(
        "in-app.recipient-key", "the envelope is sealed to this server's key",
        "the hash of the recipient's key is another: the envelope is sealed to another key",
        clause: Self.clause("Build a session transcript"))
    case .info:
      CheckDefinition(
        "in-app.info", "the envelope is sealed for this session's transcript",
        clause: Self.clause("Build a session transcript"),
        [
          .failure(Reason.unexplained, "the hash of the transcript is another: the envelope is for another request"),
          .failure(Reason.anotherSession, "the envelope answers another session of this server"),
          .failure(Reason.identifiers, "the envelope is for another merchant identifier or team identifier"),
        ])
    case .decryption:
      CheckDefinition(
        "in-app.decryption", "the envelope decrypts with this server's key and the transcript",
        clause: Self.clause("Decrypt the HPKE envelope"),
        [
          .failure(Reason.unexplained, "the envelope cannot be decrypted: it was altered"),
          .failure(Reason.ephemeralKey, "the ephemeral key of the envelope is not a point of P-256 in 65 bytes"),
        ])
    case .topics:
      CheckDefinition(
        "in-app.topics", "the decrypted data are topics with an identity",
        "the decrypted data are not topics with an identity", clause: Self.clause("Decrypt the HPKE envelope"))
    case .version:
      CheckDefinition(
        "in-app.version", "the device response has version 1.0", "the device response has another version",
        clause: Self.clause("Decrypt the HPKE envelope"))
    case .status:
      CheckDefinition(
        "in-app.status", "the device response has status 0", "the device response has another status",
        clause: Self.clause("Decrypt the HPKE envelope"))
    case .documents:
      CheckDefinition(
        "in-app.documents", "the device response has one document", "the device response has not one document",
        clause: Self.clause("Decrypt the HPKE envelope"))
    case .deviceSignature:
      CheckDefinition(
        "in-app.device-signature", "the device authenticates with a signature",
        "the device authenticates with a MAC or not at all", clause: Self.clause("Verify the device signature"))
    }
  }

  private static func clause(_ section: String) -> String { "Verifying Wallet identity requests, \(section)" }
}
