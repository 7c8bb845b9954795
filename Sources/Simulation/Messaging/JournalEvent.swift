import Checks

/// An event at a party of a world.
public enum JournalEvent: Sendable, Equatable {
  /// The party sends a message.
  case message(Message)
  /// A step of the scenario begins. The text names the action.
  case step(String)
  /// The party makes a check.
  case check(CheckResult)
  /// The operating system selects the apps that may answer a request.
  case selection(SelectionEvent)
  /// A person is asked for a decision, or acts on it.
  case consent(ConsentEvent)
  /// The browser rejects a page's call.
  case exception(ExceptionEvent)
  /// An injected fault acts.
  case fault(FaultEvent)
  /// A verifier server concludes.
  case verdict(VerdictEvent)
  /// The party's state changes, or an operation of the party fails.
  case note(Note)
}

/// The selection of apps for a request.
public enum SelectionEvent: Sendable, Equatable, Codable {
  /// The selection begins with the content of the partial request.
  case asked(request: Request)
  /// An app is offered to the person.
  case offered(app: String, registrations: [Registration])
  /// An app is not offered. The result names the condition that does not hold; the remedy makes the app appear.
  case hidden(app: String, finding: CheckResult, remedy: String)

  /// The conditions of a request for the apps.
  public struct Request: Sendable, Equatable, Codable {
    /// Origin of the website.
    public var origin: String
    /// Requested documents, each once.
    public var documents: [Document]
    /// Use cases, in the order of the request.
    public var useCases: [UseCase]
    /// Signers of the request, with the certificates of their chains.
    public var signers: [Signer]
    /// Comparison of authority key identifiers with chains: `root` or `any-in-chain`.
    public var reading: String

    /// Creates the conditions of a request.
    public init(
      origin: String, documents: [Document], useCases: [UseCase], signers: [Signer], reading: String
    ) {
      self.origin = origin
      self.documents = documents
      self.useCases = useCases
      self.signers = signers
      self.reading = reading
    }
  }

  /// A requested document.
  public struct Document: Sendable, Equatable, Codable {
    /// `DocType`.
    public var documentType: String
    /// Key identifiers of the accepted issuers in hexadecimal; empty for any issuer.
    public var issuers: [String]

    /// Creates a requested document.
    public init(documentType: String, issuers: [String]) {
      self.documentType = documentType
      self.issuers = issuers
    }
  }

  /// A use case: alternative sets of documents.
  public struct UseCase: Sendable, Equatable, Codable {
    /// True if the response must satisfy it.
    public var isMandatory: Bool
    /// Document types of each alternative.
    public var documentSets: [[String]]

    /// Creates a use case.
    public init(isMandatory: Bool, documentSets: [[String]]) {
      self.isMandatory = isMandatory
      self.documentSets = documentSets
    }
  }

  /// A signer of a request.
  public struct Signer: Sendable, Equatable, Codable {
    /// Common name of the reader certificate's subject.
    public var name: String
    /// Authorities of the certificates of the chain, leaf first.
    public var authorities: [Authority]

    /// Creates a signer.
    public init(name: String, authorities: [Authority]) {
      self.name = name
      self.authorities = authorities
    }
  }

  /// An authority that issued a certificate.
  public struct Authority: Sendable, Equatable, Codable {
    /// Common name.
    public var name: String
    /// Authority key identifier in hexadecimal; nil without one.
    public var keyIdentifier: String?

    /// Creates an authority.
    public init(name: String, keyIdentifier: String?) {
      self.name = name
      self.keyIdentifier = keyIdentifier
    }
  }

  /// A matching registration of an offered app.
  public struct Registration: Sendable, Equatable, Codable {
    /// Document identifier.
    public var identifier: String
    /// `DocType`.
    public var documentType: String

    /// Creates a matching registration.
    public init(identifier: String, documentType: String) {
      self.identifier = identifier
      self.documentType = documentType
    }
  }
}

/// A decision of the person, and its consequences.
public enum ConsentEvent: Sendable, Equatable, Codable {
  /// The system asks if an app may provide documents.
  case promptShown(app: String)
  /// An app asks for the consent to disclose elements.
  case asked(requester: String, elements: [Element])
  /// The person acted in the app's view, and the system releases the raw request to the app.
  case requestReleased(app: String)
  /// The person did not act in the app's view, and the system withholds the raw request from the app.
  case requestWithheld(app: String)
  /// The app answers the request.
  case answered(app: String)

  /// A requested element.
  public struct Element: Sendable, Equatable, Codable {
    /// Name space.
    public var nameSpace: String
    /// Element identifier.
    public var identifier: String
    /// `intentToRetain`.
    public var isRetained: Bool

    /// Creates a requested element.
    public init(nameSpace: String, identifier: String, isRetained: Bool) {
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.isRetained = isRetained
    }
  }

  /// The codes of the events in scenario files.
  public enum Code: String, CaseIterable, Sendable {
    case promptShown = "os.prompt-shown"
    case asked = "provider.asked"
    case requestReleased = "os.raw-request-released"
    case requestWithheld = "os.raw-request-withheld"
    case answered = "provider.answered"
  }

  /// The code of the event.
  public var code: Code {
    switch self {
    case .promptShown: .promptShown
    case .asked: .asked
    case .requestReleased: .requestReleased
    case .requestWithheld: .requestWithheld
    case .answered: .answered
    }
  }
}

/// A call that the browser rejects.
public struct ExceptionEvent: Sendable, Equatable, Codable {
  /// Name of the exception: `NotAllowedError`, `TypeError`, …
  public var name: String
  /// Code of the rule that rejects the call.
  public var code: String
  /// Message of the exception.
  public var message: String
  /// Name of the page.
  public var page: String

  /// Creates the event of a rejected call.
  public init(name: String, code: String, message: String, page: String) {
    self.name = name
    self.code = code
    self.message = message
    self.page = page
  }
}

/// An injected fault that acts.
public struct FaultEvent: Sendable, Equatable, Codable {
  /// The effects of a fault.
  public enum Effect: Sendable, Equatable {
    /// The fault changed something.
    case applied
    /// The fault changed nothing, with the reason.
    case notApplicable(String)
  }

  /// Identifier in the catalogue of faults.
  public let fault: String
  /// Title of the fault.
  public let title: String
  /// Reason why the fault changed nothing; nil if it is applied.
  public let reasonNotApplied: String?
  /// Number of the altered message; nil if the fault alters none.
  public let messageNumber: Int?

  /// The effect of the fault.
  public var effect: Effect { reasonNotApplied.map(Effect.notApplicable) ?? .applied }

  /// Creates the event of a fault.
  public init(_ fault: String, _ title: String, _ effect: Effect = .applied, message: Int? = nil) {
    self.fault = fault
    self.title = title
    if case .notApplicable(let reason) = effect { reasonNotApplied = reason } else { reasonNotApplied = nil }
    messageNumber = message
  }
}

/// The conclusion of a verifier server.
public struct VerdictEvent: Sendable, Equatable, Codable {
  /// The two conclusions.
  public enum Verdict: String, Sendable, Codable {
    case verified
    case refused
  }

  /// The conclusion.
  public let verdict: Verdict
  /// Identifier of the check that failed; nil if the response is verified.
  public let check: String?
  /// Reason of the failure; nil for a check that has one way to fail.
  public let reason: String?
  /// A human-readable description.
  public let message: String

  /// Creates a conclusion from the first failure.
  public init(failure: CheckResult?) {
    verdict = failure == nil ? .verified : .refused
    check = failure?.check
    reason = failure?.reason
    message = failure?.message ?? "the response is genuine"
  }

  /// The name of the failure, `check/reason`; `verified` without a failure.
  public var code: String { check.map { CheckResult.name($0, reason) } ?? Verdict.verified.rawValue }
}

/// A change of a party's state, or an operation that fails.
public struct Note: Sendable, Equatable, Codable {
  /// The weight of a note.
  public enum Severity: String, Sendable, Codable {
    case information
    case warning
    /// The operation has no effect.
    case ignored
    /// Another party refuses the operation.
    case refused
    case failed
  }

  /// A named fact.
  public struct Fact: Sendable, Equatable, Codable {
    /// Name of the fact.
    public let name: String
    /// Value of the fact.
    public let value: String

    /// Creates a fact.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The code.
  public let code: String
  /// The weight.
  public let severity: Severity
  /// The value that the operation returned; nil if it returns none.
  public let value: String?
  /// A human-readable description.
  public let message: String
  /// Named facts, in order.
  public let facts: [Fact]

  /// Creates a note about a change.
  public init(_ code: NoteCode, value: String? = nil, _ message: String, facts: [Fact] = []) {
    self.init(code: code.rawValue, .information, value: value, message, facts: facts)
  }

  /// Creates a note with a severity.
  public init(_ code: NoteCode, _ severity: Severity, _ message: String, facts: [Fact] = []) {
    self.init(code: code.rawValue, severity, message, facts: facts)
  }

  /// Creates a note with the code of another family.
  package init(
    code: String, _ severity: Severity, value: String? = nil, _ message: String, facts: [Fact] = []
  ) {
    self.code = code
    self.severity = severity
    self.value = value
    self.message = message
    self.facts = facts
  }
}

extension JournalEvent {
  /// The kinds of events, which are the names of the members of a trace.
  public enum Kind: String, CaseIterable, Sendable {
    case message, step, check, selection, consent, exception, fault, verdict, note
  }

  /// The kind of the event.
  public var kind: Kind {
    switch self {
    case .message: .message
    case .step: .step
    case .check: .check
    case .selection: .selection
    case .consent: .consent
    case .exception: .exception
    case .fault: .fault
    case .verdict: .verdict
    case .note: .note
    }
  }

  /// The code of the selection's beginning and of an offer in scenario files.
  public static let selectionCodes = ["selector.request", "selector.offered"]

  /// The code in scenario files; nil for messages and steps.
  public var code: String? {
    switch self {
    case .message, .step: nil
    case .check(let result): result.name
    case .selection(.asked): Self.selectionCodes[0]
    case .selection(.offered): Self.selectionCodes[1]
    case .selection(.hidden(_, let finding, _)): finding.name
    case .consent(let event): event.code.rawValue
    case .exception(let event): event.code
    case .fault(let event): event.fault
    case .verdict(let event): event.code
    case .note(let note): note.code
    }
  }

  /// The outcome in scenario files; nil for messages, steps and consent.
  public var outcome: String? {
    switch self {
    case .message, .step, .consent: nil
    case .check(let result): result.status.rawValue
    case .selection(.asked): "asked"
    case .selection(.offered): "offered"
    case .selection(.hidden): "hidden"
    case .exception(let event): event.name
    case .fault(let event): event.effect == .applied ? "applied" : "not-applicable"
    case .verdict(let event): event.verdict.rawValue
    case .note(let note): note.value ?? note.severity.rawValue
    }
  }

  /// True for a failed check, a withheld request, an exception and a failed or ignored operation.
  public var isFailure: Bool {
    switch self {
    case .check(let result): result.status == .failed
    case .consent(.requestWithheld), .exception: true
    case .note(let note): [.failed, .refused, .ignored].contains(note.severity)
    default: false
    }
  }
}

/// The payload of one kind of event; nil for other kinds.
extension JournalEvent {
  /// The sent message.
  public var message: Message? { if case .message(let message) = self { message } else { nil } }
  /// The result of a check.
  public var check: CheckResult? { if case .check(let result) = self { result } else { nil } }
  /// The selection of apps.
  public var selection: SelectionEvent? { if case .selection(let event) = self { event } else { nil } }
  /// The rejected call.
  public var exception: ExceptionEvent? { if case .exception(let event) = self { event } else { nil } }
  /// The injected fault.
  public var fault: FaultEvent? { if case .fault(let event) = self { event } else { nil } }
  /// The server's conclusion.
  public var verdict: VerdictEvent? { if case .verdict(let event) = self { event } else { nil } }
  /// The note.
  public var note: Note? { if case .note(let note) = self { note } else { nil } }
  /// True for the beginning of a step.
  public var isStep: Bool { if case .step = self { true } else { false } }
}
