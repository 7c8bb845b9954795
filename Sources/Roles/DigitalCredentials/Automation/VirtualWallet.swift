/// The virtual wallet of WebDriver (Digital Credentials, "Automation"), as a pure machine between the mediator and the
/// platform. One virtual wallet serves one browser.
///
///     mediator                virtual wallet                                   platform
///      | present(call) --------> | behavior of the context, else the session's?  |
///      |                         |   none, person: present -----------------------> | chooser
///      | <--- platformAnswered   |   respond                                     |
///      | <--- platformFailed     |   decline                                     |
///      |                         |   wait: the call stays pending                |
///      | dismiss(call) --------> |   of a call that the platform serves: dismiss -> |
///
/// The text of the standard settles a call without making the coordinator idle. Here, as in implementations, the mediator
/// gets the event that settles the call, which also makes it idle.
public struct VirtualWallet: Hashable, Sendable {
  /// The treatment of a call.
  public enum Behavior: Hashable, Sendable {
    /// The wallet returns exactly this response.
    case respond(DigitalCredentialProtocol, response: [UInt8])
    /// The person declines. The page sees the exception of its browser's profile for a person who declines.
    case decline
    /// The call stays pending until the page aborts it.
    case wait
    /// The platform shows its chooser, and the person acts as ordered.
    case person(PersonOrder)
  }

  /// An extension of the standard: what the person does in the platform's chooser, so that the response is a real one.
  public struct PersonOrder: Hashable, Sendable {
    /// The decision in the view of an app.
    public enum Decision: String, CaseIterable, Hashable, Sendable {
      /// Agrees to share.
      case authorize
      /// Refuses to share.
      case decline
    }

    /// The app that the person picks in the chooser.
    public let app: String
    /// The decision in the app's view.
    public let decision: Decision

    /// Creates an order.
    public init(app: String, decision: Decision = .authorize) {
      self.app = app
      self.decision = decision
    }
  }

  /// An input of the virtual wallet.
  public enum Event: Hashable, Sendable {
    /// The behavior is set, or cleared if it is nil: for a browsing context, or for the session if the context is nil.
    case behaviorSet(Behavior?, context: String?)
    /// The mediator presents a call of a browsing context.
    case presented(CallID, CredentialRequestContext, context: String?)
    /// The mediator dismisses a call.
    case dismissed(CallID)
  }

  /// An output of the virtual wallet.
  public enum Effect: Hashable, Sendable {
    /// Give the event to the mediator. It settles the call.
    case settle(CredentialMediator.Event)
    /// Show the platform's chooser. With an order, the person acts on it.
    case present(CallID, CredentialRequestContext, PersonOrder?)
    /// Dismiss the platform's chooser.
    case dismiss(CallID)
  }

  private var sessionBehavior: Behavior?
  private var contextBehaviors: [String: Behavior] = [:]
  /// The call that waits here, and not at the platform.
  private var waiting: CallID?

  /// Creates a virtual wallet without a behavior, which leaves every call to the platform.
  public init() {}

  /// Returns the behavior for a browsing context: its own, or else the session's.
  public func behavior(for context: String?) -> Behavior? {
    context.flatMap { contextBehaviors[$0] } ?? sessionBehavior
  }

  /// Returns the effects of an event. Setting a behavior has no effect on a call that is pending.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .behaviorSet(let behavior, nil):
      sessionBehavior = behavior
      return []
    case .behaviorSet(let behavior, let context?):
      contextBehaviors[context] = behavior
      return []
    case .presented(let call, let request, let context): return present(call, request, behavior(for: context))
    case .dismissed(let call):
      guard waiting == call else { return [.dismiss(call)] }
      waiting = nil
      return []
    }
  }

  private mutating func present(
    _ call: CallID, _ request: CredentialRequestContext, _ behavior: Behavior?
  ) -> [Effect] {
    // One call is pending at a time, so an earlier one has ended.
    waiting = nil
    switch behavior {
    case nil: return [.present(call, request, nil)]
    case .person(let order): return [.present(call, request, order)]
    case .respond(let name, let response):
      return [.settle(.platformAnswered(call, protocol: name.rawValue, response: response))]
    case .decline: return [.settle(.platformFailed(call, .cancelledByUser))]
    case .wait:
      waiting = call
      return []
    }
  }
}
