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
    func rule(
      _ id: String, _ title: String, clause: String = "own rule", _ failures: (reason: Reason, message: String)...
    ) -> CheckDefinition {
      CheckDefinition(id, title, clause: clause, failures.map { .failure($0.reason, $0.message) })
    }
    return switch self {
    case .consent:
      rule(
        "invariant.consent", "no element leaves an app without the person's consent",
        (.agreement, "An app answers before the person has agreed in its view."),
        (.element, "An element is verified that the view did not show when the person agreed."),
        (.source, "A response is verified that no app has sent."))
    case .shown:
      rule(
        "invariant.shown", "the document that is verified is the one that the person saw",
        (.document, "A document is verified that the view did not show as given."),
        (.issuer, "The view showed another issuing authority than that of the verified document."))
    case .origin:
      rule(
        "invariant.origin", "no element reaches an origin that did not ask for it",
        (.page, "A response reaches a page of another origin than the person agreed to."),
        (.element, "An element is verified that the website's request does not name."))
    case .plaintext:
      rule(
        "invariant.plaintext", "no element is readable between the app and the relying party",
        (.value, "The value of an element is readable in a message between app and relying party."),
        (.name, "The name of an element is readable in a message that carries an answer."))
    case .rawRequest:
      CheckDefinition(
        "invariant.raw-request", "no app gets the raw request before the person has agreed in its view",
        "An app gets the raw request before the person has agreed in its view.", clause: "own rule")
    case .issuerSigned:
      rule(
        "invariant.issuer-signed", "nothing is verified that the issuing authority did not send to the app",
        (.value, "A verified value differs from every value that the app got from issuing authorities."),
        (.issuer, "A verified value is from an issuing authority that the website does not accept."))
    case .answeredOnce:
      rule(
        "invariant.answered-once", "each session and each call is answered once",
        (.session, "A session of a verifier server has more than one answer that counts."),
        (.call, "A page gets a credential or an exception for a call that is not open."),
        (.request, "A browser gets an answer for a request that is not open."))
    case .messages:
      rule(
        "invariant.messages", "every message is accounted for",
        (.number, "The numbers of the messages have a gap or a repetition."),
        (.answer, "A message answers a message that was not a question to its sender, or is answered."),
        (.relay, "A message passes on an answer that no app has sent."))
    case .waiting:
      rule(
        "invariant.waiting", "no party is left waiting",
        (.question, "A question is without an answer, and no screen waits for the person."),
        (.call, "A page's call is without an end, and no screen waits for the person."))
    case .retention:
      rule(
        "invariant.retention", "a website keeps of a response only the elements that it said it would keep",
        clause: "ISO/IEC 18013-5, 8.3.2.1.2.1",
        (.element, "After a session the store holds an element that was asked for without the intent to retain."),
        (.response, "After a session the store holds the response."))
    }
  }
}

/// A broken invariant, with its reason.
public typealias InvariantFinding = CheckFinding<InvariantCheck>
