import Ecosystem
import Messaging

/// Something that must be so in a world.
public enum Expectation: Sendable, Equatable {
  /// The prompt on the screen.
  case prompt(PromptExpectation)
  /// The notification for a Mac, in the model of a nearby iPhone.
  case notification(NotificationExpectation)
  /// The apps that the selector offers and hides.
  case selector(SelectorExpectation)
  /// The consent sheet, or the app's own view.
  case consent(ConsentExpectation)
  /// The website's page in the end.
  case website(WebsiteExpectation)
  /// The QR code of a browser that asks another device.
  case code(QRCodeExpectation)
  /// The result in a requesting app.
  case inApp(InAppExpectation)
  /// The exception that the page's newest call threw.
  case exception(ExceptionExpectation)
  /// A decision of a party since the last action.
  case decision(DecisionExpectation)
  /// The number of messages so far.
  case messages(MessagesExpectation)
  /// The number of events of a kind so far.
  case tally(TallyExpectation)
  /// The invariants of every run, so far.
  case invariants

  /// The device that the expectation names; nil for the one used last.
  public var device: String? {
    switch self {
    case .prompt(let expected): expected.device
    case .notification(let expected): expected.device
    case .selector(let expected): expected.device
    case .consent(let expected): expected.device
    case .website(let expected): expected.device
    case .code(let expected): expected.device
    case .inApp(let expected): expected.device
    case .exception(let expected): expected.device
    case .decision(let expected): expected.device
    case .messages(let expected): expected.device
    case .tally(let expected): expected.device
    case .invariants: nil
    }
  }
}

/// The number of messages that must have been sent so far.
public struct MessagesExpectation: Sendable, Equatable {
  /// The number.
  public var count = 0
  /// The kind of the messages; nil for any.
  public var kind: MessageKind?
  /// The role of the senders; nil for any.
  public var sender: String?
  /// The role of the recipients; nil for any.
  public var recipient: String?
  /// The device of the sender or of the recipient; nil for any.
  public var device: String?

  /// Creates an expectation of no message.
  public init() {}
}

/// The number of events that must have happened so far.
public struct TallyExpectation: Sendable, Equatable {
  /// The kinds of events.
  public enum Subject: String, Sendable, CaseIterable {
    /// The system asks whether an app may provide documents.
    case prompts
    /// An app asks for consent.
    case asked
    /// An app gets the raw request.
    case released
    /// An app answers the request.
    case answered
    /// A verifier server verifies a response.
    case verified
  }

  /// The kind of the events.
  public var subject: Subject
  /// The number.
  public var count = 0
  /// The app; nil for any.
  public var app: String?
  /// The website; nil for any.
  public var website: String?
  /// The device; nil for any.
  public var device: String?

  /// Creates an expectation of no event.
  public init(_ subject: Subject) { self.subject = subject }
}

/// The prompt that must be on the screen.
public struct PromptExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The app that the prompt is for; nil if no prompt must be on the screen.
  public var app: String?
  /// True if a prompt must be on the screen; nil if the file leaves it to ``app``.
  public var isShown: Bool?

  /// Creates an expectation of no prompt.
  public init() {}
}

/// The notification for a Mac that must be on the screen of an iPhone.
public struct NotificationExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The origin of the website.
  public var origin: String?
  /// The name of the Mac.
  public var mac: String?
  /// Texts of the notification.
  public var mentions: [String]?
  /// False if no notification must be on the screen.
  public var isShown: Bool?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The QR code that a browser must show to ask another device.
public struct QRCodeExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// True if a code must be shown, false if none must be.
  public var isShown: Bool?
  /// Texts that the message beside the code contains.
  public var mentions: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The apps that the selector must offer and hide.
public struct SelectorExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// Apps that the selector must offer, and no others.
  public var shows: [String]?
  /// Document identifiers of the registrations that the selector must offer for an app, and no others.
  public var offers: [Named<[String]>]?
  /// Apps that the selector must hide, with the check that hides each.
  public var hides: [Named<String>]?
  /// The origin of the website that the selector shows.
  public var origin: String?
  /// A text of the message in the selector, or with which the system closed it.
  public var notice: String?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The contents of the consent sheet or the app's own view.
public struct ConsentExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// Name of the requester.
  public var requester: String?
  /// The requester's icon.
  public var icon: String?
  /// True if a trusted reader authority must have certified the requester.
  public var certified: Bool?
  /// Identifiers of all requested elements.
  public var asks: [String]?
  /// Identifiers of the elements that will be retained.
  public var retains: [String]?
  /// For some elements the intention to store each, in the words of the view.
  public var storage: [Named<String>]?
  /// Texts that the app's own view must contain.
  public var mentions: [String]?
  /// Labels of all controls that agree.
  public var agreesWith: [String]?
  /// A text of the message in the view, or with which the system closed it.
  public var notice: String?
  /// False if no view must be open.
  public var isShown: Bool?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The result that the website must show.
public struct WebsiteExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The website; nil for the one visited last.
  public var name: String?
  /// The frame of its page; nil for the page itself.
  public var frame: String?
  /// Verified elements with their values in words.
  public var verified: [Named<String>]?
  /// The check that must refuse the response.
  public var refused: String?
  /// The known mistake that must explain the refusal.
  public var explained: String?
  /// Name of the exception after which the website must fall back.
  public var fallsBack: String?
  /// The step of the checkout.
  public var step: CheckoutStep?
  /// The state of the form to upload a picture: `offered`, or the code of a refusal.
  public var form: String?
  /// Texts that the page must contain.
  public var mentions: [String]?
  /// Identifiers of requested elements that must not be verified.
  public var without: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The result that a requesting app must show.
public struct InAppExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The app; nil for the one opened last.
  public var name: String?
  /// True if the document can be requested.
  public var isAvailable: Bool?
  /// Verified elements with their values in words.
  public var verified: [Named<String>]?
  /// The check that must refuse the answer.
  public var refused: String?
  /// The name of the error that the newest request must have thrown.
  public var error: String?
  /// Identifiers of elements that must not be verified.
  public var without: [String]?

  /// Creates an expectation of nothing.
  public init() {}
}

/// The exception that the page's newest call must have thrown.
public struct ExceptionExpectation: Sendable, Equatable {
  /// The device; nil for the one used last.
  public var device: String?
  /// The frame whose script called; nil for any document.
  public var frame: String?
  /// Name of the exception.
  public var name: String?
  /// The rule that rejected the call.
  public var code: String?
  /// Texts that the message must contain.
  public var mentions: [String]?

  /// Creates an expectation of any exception.
  public init() {}
}

/// A decision that a party must have made since the last action.
public struct DecisionExpectation: Sendable, Equatable {
  /// The device of the party; nil for any.
  public var device: String?
  /// Role of the party.
  public var role = ""
  /// Code of the decision.
  public var code = ""
  /// The outcome; nil for any.
  public var outcome: String?
  /// The known mistake that must explain the decision.
  public var explained: String?
  /// The number of such decisions; nil for at least one.
  public var count: Int?

  /// Creates an empty expectation.
  public init() {}
}
