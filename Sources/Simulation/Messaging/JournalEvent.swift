import Checks
import JSON

/// An event at a party of a world.
public enum JournalEvent: Sendable, Equatable {
  /// The party sends a message.
  case message(Message)
  /// A step of the scenario begins. The text names the action.
  case step(String)
  /// The party makes a check.
  case check(CheckResult)
  /// The operating system selects the apps that may answer a request. Indirect, because every line of a journal takes the
  /// space of the largest event, and this one is large and rare.
  indirect case selection(SelectionEvent)
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

/// A decision of the person, and its consequences.
public enum ConsentEvent: Sendable, Equatable {
  /// The system asks if an app may provide documents.
  case promptShown(app: String)
  /// An app asks for the consent to disclose elements.
  case asked(requester: String, elements: [Element])
  /// The person agreed in the app's view, and the system releases the raw request to the app.
  case requestReleased(app: String)
  /// The person did not agree in the app's view, and the system withholds the raw request from the app.
  case requestWithheld(app: String)
  /// The app answers the request.
  case answered(app: String)

  /// A requested element.
  public struct Element: Sendable, Equatable, JSONObject, JSONTyped {
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

    package static let json = JSONForm<Self>(
      Self.init, Member("nameSpace", \.nameSpace, "name space"),
      Member("identifier", \.identifier, "element identifier"),
      Member("isRetained", \.isRetained, "`intentToRetain`"))
  }

  /// The codes of the events in scenario files.
  public enum Code: String, CaseIterable, Sendable {
    case promptShown = "os.prompt-shown"
    case asked = "provider.asked"
    case requestReleased = "os.raw-request-released"
    case requestWithheld = "os.raw-request-withheld"
    case answered = "provider.answered"

    /// The declaration of the code.
    public var definition: EventDefinition {
      func define(_ role: Party.Role, _ meaning: String) -> EventDefinition {
        EventDefinition(rawValue, [role], .none, meaning)
      }
      return switch self {
      case .promptShown: define(.operatingSystem, "the system asks the person whether an app may provide documents")
      case .asked: define(.app, "the app shows its authorization view")
      case .requestReleased:
        define(.operatingSystem, "the person agreed in the app's view, and the app gets the raw request")
      case .requestWithheld:
        define(
          .operatingSystem,
          "the app asked for the raw request too early or a second time, or answered without it, and does not get it")
      case .answered: define(.app, "the app answered the request")
      }
    }
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

extension ConsentEvent: JSONChoice {
  private static let app = JSONForm<String>({ $0 }, Member("app", \.self, "name of the app"))

  package static let json = [
    JSONAlternative<Self>(
      "promptShown", "the system asks if the app may provide documents", app, { .promptShown(app: $0) },
      { if case .promptShown(let app) = $0 { app } else { nil } }),
    JSONAlternative<Self>(
      "asked", "an app asks for consent",
      JSONForm<(requester: String, elements: [Element])>(
        { ($0, $1) }, Member("requester", \.requester, "name of the requester"),
        Member("elements", \.elements, "requested elements")),
      { .asked(requester: $0.requester, elements: $0.elements) },
      { if case .asked(let requester, let elements) = $0 { (requester, elements) } else { nil } }),
    JSONAlternative<Self>(
      "requestReleased", "the app gets the raw request", app, { .requestReleased(app: $0) },
      { if case .requestReleased(let app) = $0 { app } else { nil } }),
    JSONAlternative<Self>(
      "requestWithheld", "the app does not get the raw request", app, { .requestWithheld(app: $0) },
      { if case .requestWithheld(let app) = $0 { app } else { nil } }),
    JSONAlternative<Self>(
      "answered", "the app answers the request", app, { .answered(app: $0) },
      { if case .answered(let app) = $0 { app } else { nil } }),
  ]
}

/// A call that the browser rejects.
public struct ExceptionEvent: Sendable, Equatable, JSONObject, JSONTyped {
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

  package static let json = JSONForm<Self>(
    Self.init, Member("name", \.name, "name of the exception"),
    Member("code", \.code, "code of the rule that rejects the call"),
    Member("message", \.message, "message of the exception"), Member("page", \.page, "name of the page"))
}

/// An injected fault that acts.
public struct FaultEvent: Sendable, Equatable, JSONObject, JSONTyped {
  /// The effects of a fault.
  public enum Effect: Sendable, Equatable {
    /// The fault changed something.
    case applied
    /// The fault changed nothing, with the reason.
    case notApplicable(String)

    /// The outcome in scenario files.
    package var outcome: String { self == .applied ? "applied" : "not-applicable" }
  }

  /// Identifier in the catalogue of faults, or the code of an interception.
  public let fault: String
  /// Title of the fault.
  public let title: String
  /// Reason why the fault changed nothing; nil if it is applied.
  public let reasonNotApplied: String?
  /// Number of the altered message; nil if the fault alters none.
  public let messageNumber: Int?

  /// The kind of interception; nil for a fault of the catalogue.
  public var interception: Interception.Code? { Interception.Code(rawValue: fault) }

  /// The effect of the fault.
  public var effect: Effect { reasonNotApplied.map(Effect.notApplicable) ?? .applied }

  package static let json = JSONForm<Self>(
    Self.init, Member("fault", \.fault, "identifier in the catalogue of faults, or `sweep.` and an alteration"),
    Member("title", \.title, "title of the fault"),
    Member(optional: "reasonNotApplied", \.reasonNotApplied, "reason why the fault changed nothing"),
    Member(optional: "messageNumber", \.messageNumber, "number of the altered message"))
}

extension FaultEvent {
  /// Creates the event of a fault.
  public init(_ fault: String, _ title: String, _ effect: Effect = .applied, message: Int? = nil) {
    self.fault = fault
    self.title = title
    if case .notApplicable(let reason) = effect { reasonNotApplied = reason } else { reasonNotApplied = nil }
    messageNumber = message
  }
}

/// The conclusion of a verifier server.
public struct VerdictEvent: Sendable, Equatable, JSONObject, JSONTyped {
  /// The two conclusions.
  public enum Verdict: String, Sendable, CaseIterable, JSONWritable, JSONReadable, JSONTyped {
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

  /// The name of the failure, `check/reason`; `verified` without a failure.
  public var code: String { check.map { CheckResult.name($0, reason) } ?? Verdict.verified.rawValue }

  package static let json = JSONForm<Self>(
    Self.init, Member("verdict", \.verdict, "the conclusion"),
    Member(optional: "check", \.check, "identifier of the check that failed"),
    Member(optional: "reason", \.reason, "reason of the failure"),
    Member("message", \.message, "human-readable description"))
}

extension VerdictEvent {
  /// Creates a conclusion from the first failure.
  public init(failure: CheckResult?) {
    verdict = failure == nil ? .verified : .refused
    check = failure?.check
    reason = failure?.reason
    message = failure?.message ?? "the response is genuine"
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

  /// The declarations of the events that are neither checks nor faults nor exceptions.
  public static let definitions =
    [
      EventDefinition(
        VerdictEvent.Verdict.verified.rawValue, [.server, .terminal], .word(VerdictEvent.Verdict.verified.rawValue),
        "the response is genuine; a refusal has the code of the failed check"),
      selectionBegins, appOffered,
    ] + ConsentEvent.Code.allCases.map(\.definition) + NoteCode.allCases.map(\.definition)

  private static let selectionBegins = EventDefinition(
    "selector.request", [.operatingSystem], .word("asked"), "the selection of apps begins")
  private static let appOffered = EventDefinition(
    "selector.offered", [.operatingSystem], .word("offered"), "the selector offers an app")

  /// The code in scenario files; nil for messages and steps.
  public var code: String? {
    switch self {
    case .message, .step: nil
    case .check(let result): result.name
    case .selection(.asked): Self.selectionBegins.code
    case .selection(.offered): Self.appOffered.code
    case .selection(.hidden(_, let finding, _)): finding.name
    case .consent(let event): event.code.rawValue
    case .exception(let event): event.code
    case .fault(let event): event.fault
    case .verdict(let event): event.code
    case .note(let note): note.code.rawValue
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
    case .fault(let event): event.effect.outcome
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

/// The declaration of an event's code: the recording party, the outcome and the meaning.
public struct EventDefinition: Sendable, Equatable {
  /// The declared outcome of an event.
  public enum Outcome: Sendable, Equatable {
    /// The event has no outcome.
    case none
    /// The outcome is the severity of a note.
    case severity(Note.Severity)
    /// The outcome is always the same word.
    case word(String)
    /// The outcome is a value, described here.
    case value(String)
  }

  /// The code in scenario files.
  public let code: String
  /// The roles of the parties that record it; empty for every role.
  public let roles: [Party.Role]
  /// The outcome.
  public let outcome: Outcome
  /// The meaning of the event.
  public let meaning: String

  init(_ code: String, _ roles: [Party.Role], _ outcome: Outcome, _ meaning: String) {
    self.code = code
    self.roles = roles
    self.outcome = outcome
    self.meaning = meaning
  }
}
