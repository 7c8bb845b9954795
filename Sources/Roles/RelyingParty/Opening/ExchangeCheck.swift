import Checks
import Primitives

/// The checks of an exchange around the device response: session and protocol, then envelope and encryption
/// (ISO/IEC 18013-7, annex C), in the order in which they are made. Those of an answer with OpenID4VP after its protocol are
/// `PresentationResponseCheck`.
package enum ExchangeCheck: CheckFamily {
  case sessionKnown, sessionUnused, sessionCurrent, `protocol`, data, envelope, decryption

  /// The checks of the session alone.
  static let ofSession: [ExchangeCheck] = [.sessionKnown, .sessionUnused, .sessionCurrent]
  /// The checks of an answer whose session is not kept.
  static let ofAnswer: [ExchangeCheck] = [.protocol] + ofAnnexC
  /// The checks of an answer with annex C.
  static let ofAnnexC: [ExchangeCheck] = [.data, .envelope, .decryption]

  /// The outcomes of ``ofSession`` for an answer to a known session that arrives at a time.
  /// - Parameter isFirst: False if the session has had another answer.
  static func outcomes(isFirst: Bool, until expires: DateTime, at moment: DateTime) -> CheckOutcomes<ExchangeCheck> {
    var outcomes = CheckOutcomes<ExchangeCheck>()
    outcomes[.sessionKnown] = .passed
    outcomes[.sessionUnused] = .require(isFirst)
    guard isFirst else { return outcomes }
    outcomes[.sessionCurrent] = .require(
      moment < expires, .expired, "the session expired on \(expires)",
      .field("answered", expected: "before \(expires)", found: moment.description))
    return outcomes
  }

  /// The names of the reasons.
  package enum Reason: String, Sendable {
    case expired
    case other
    case malformed
    case olderDraft = "older-draft"
    case draft
    case unexplained
    case encapsulatedKey = "encapsulated-key"
    case transcript, suite
    case anotherSession = "another-session"
  }

  /// The declaration of the check.
  package var definition: CheckDefinition {
    switch self {
    case .sessionKnown:
      CheckDefinition(
        "session.known", "the session is known", "the session is unknown", clause: "ISO/IEC 18013-7, annex C")
    case .sessionUnused:
      CheckDefinition(
        "session.unused", "the session has had no answer before",
        "the session already has an answer: each session accepts one response", clause: "ISO/IEC 18013-7, annex C")
    case .sessionCurrent:
      CheckDefinition(
        "session.current", "the session has not expired", clause: "own lifetime",
        [.failure(Reason.expired, "the session has expired")])
    case .protocol:
      CheckDefinition(
        "response.protocol", "the answer uses the requested protocol", clause: "ISO/IEC 18013-7, C.2; OpenID4VP, A.1",
        [
          .failure(Reason.other, "the answer uses another protocol than the requested one"),
          .deviation(Reason.olderDraft, "the answer names its protocol as an older draft of the standard does"),
          .tolerance(
            Reason.draft, "the answer names its protocol as drafts of OpenID4VP do",
            seenIn: "Android wallets of 2025"),
        ])
    case .data:
      CheckDefinition(
        "response.data", "the answer is a JSON object with the encrypted response in base64url",
        clause: "ISO/IEC 18013-7, C.2",
        [
          .failure(Reason.malformed, "the answer is not a JSON object with the base64url text response"),
          .deviation(Reason.olderDraft, "the answer has the member Response of an older draft of the standard"),
        ])
    case .envelope:
      CheckDefinition(
        "response.envelope", "the encrypted response is well-formed", "the encrypted response is malformed",
        clause: "ISO/IEC 18013-7, C.4")
    case .decryption:
      CheckDefinition(
        "response.decryption", "the response decrypts with this session's key and transcript",
        clause: "ISO/IEC 18013-7, C.4 and C.5",
        [
          .failure(
            Reason.unexplained,
            "the response cannot be decrypted: it is for another session or origin, or was altered"),
          .failure(Reason.encapsulatedKey, "the encapsulated key of the response is not a point of P-256 in 65 bytes"),
          .failure(Reason.transcript, "the response was encrypted for another session transcript"),
          .failure(Reason.suite, "the response was encrypted with another HPKE suite"),
          .failure(Reason.anotherSession, "the response answers another session of this website"),
        ])
    }
  }
}
