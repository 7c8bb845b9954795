import Checks

/// Properties that hold in every run, whatever the person does and whatever is at fault. They are judged over the journal
/// of a run that has ended.
public enum InvariantCheck: CheckFamily {
  case consent, shown, origin, plaintext, rawRequest, issuerSigned, answeredOnce, messages, waiting, retention

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case agreement, element, source
    case call, page
    case value, name
    case issuer, document
    case session, request
    case number, answer, relay
    case question
    case response
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .consent:
      CheckDefinition(
        "invariant.consent", "no element leaves an app without the person's consent", clause: Self.clause,
        [
          .failure(Reason.agreement, "An app answers before the person has agreed in its view."),
          .failure(Reason.element, "An element is verified that the view did not show when the person agreed."),
          .failure(Reason.source, "A response is verified that no app has sent."),
        ])
    case .shown:
      CheckDefinition(
        "invariant.shown", "the document that is verified is the one that the person saw", clause: Self.clause,
        [
          .failure(Reason.document, "A document is verified that the view did not show as given."),
          .failure(Reason.issuer, "The view showed another issuing authority than that of the verified document."),
        ])
    case .origin:
      CheckDefinition(
        "invariant.origin", "no element reaches an origin that did not ask for it", clause: Self.clause,
        [
          .failure(Reason.page, "A response reaches a page of another origin than the person agreed to."),
          .failure(Reason.element, "An element is verified that the website's request does not name."),
        ])
    case .plaintext:
      CheckDefinition(
        "invariant.plaintext", "no element is readable between the app and the relying party", clause: Self.clause,
        [
          .failure(Reason.value, "The value of an element is readable in a message between app and relying party."),
          .failure(Reason.name, "The name of an element is readable in a message that carries an answer."),
        ])
    case .rawRequest:
      CheckDefinition(
        "invariant.raw-request", "no app gets the raw request before the person has agreed in its view",
        "An app gets the raw request before the person has agreed in its view.", clause: Self.clause)
    case .issuerSigned:
      CheckDefinition(
        "invariant.issuer-signed", "nothing is verified that the issuing authority did not send to the app",
        clause: Self.clause,
        [
          .failure(
            Reason.value, "A verified value differs from every value that the app got from issuing authorities."),
          .failure(Reason.issuer, "A verified value is from an issuing authority that the website does not accept."),
        ])
    case .answeredOnce:
      CheckDefinition(
        "invariant.answered-once", "each session and each call is answered once", clause: Self.clause,
        [
          .failure(Reason.session, "A session of a verifier server has more than one answer that counts."),
          .failure(Reason.call, "A page gets a credential or an exception for a call that is not open."),
          .failure(Reason.request, "A browser gets an answer for a request that is not open."),
        ])
    case .messages:
      CheckDefinition(
        "invariant.messages", "every message is accounted for", clause: Self.clause,
        [
          .failure(Reason.number, "The numbers of the messages have a gap or a repetition."),
          .failure(Reason.answer, "A message answers a message that was not a question to its sender, or is answered."),
          .failure(Reason.relay, "A message passes on an answer that no app has sent."),
        ])
    case .waiting:
      CheckDefinition(
        "invariant.waiting", "no party is left waiting", clause: Self.clause,
        [
          .failure(Reason.question, "A question is without an answer, and no screen waits for the person."),
          .failure(Reason.call, "A page's call is without an end, and no screen waits for the person."),
        ])
    case .retention:
      CheckDefinition(
        "invariant.retention", "a website keeps of a response only the elements that it said it would keep",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.1",
        [
          .failure(
            Reason.element,
            "After a session the store holds an element that was asked for without the intent to retain."),
          .failure(Reason.response, "After a session the store holds the response."),
        ])
    }
  }

  private static let clause = "own rule"
}

/// A broken invariant, with its reason.
public typealias InvariantFinding = CheckFinding<InvariantCheck>
