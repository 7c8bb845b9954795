/// A browser as a page sees it, as a pure machine: its window, one mediator for each tab, and the signals of its scripts.
///
/// ```
/// page ---- navigator.credentials.get(options, signal) ---> user agent ---- context of the document ----> mediator of the tab
/// page ---- controller.abort(reason) ---------------------> user agent ---- signalAborted --------------> mediators
/// person -- taps, closes the tab, goes back --------------> user agent ---- documentInactive -----------> mediator of the tab
/// platform - answers, or fails ---------------------------> user agent ---------------------------------> mediator of the call
/// ```
///
/// The effects are those of the mediators. The user agent consumes activations itself; it passes the effect on for the record.
public struct UserAgent: Hashable, Sendable {
  /// The differences between this browser and others.
  public let profile: BrowserProfile

  /// The tabs and their documents.
  public private(set) var window = PageWindow()

  private let interstitial: Interstitial.Setting
  private var mediators: [TabID: CredentialMediator] = [:]
  private var signals: [SignalID: AbortReason] = [:]
  private var callers: [CallID: Caller] = [:]

  private struct Caller: Hashable, Sendable {
    var document: DocumentID
    var tab: TabID
    var signal: SignalID?
  }

  /// Creates a browser with a window without tabs.
  /// - Parameters:
  ///   - profile: The browser.
  ///   - interstitial: The setting for browsers that have interstitials; others never show one.
  public init(profile: BrowserProfile = .spec2026, interstitial: Interstitial.Setting = .none) {
    self.profile = profile
    self.interstitial = interstitial
  }

  /// The calls that are not settled, in the order of their identifiers.
  public var pendingCalls: [CallID] { mediators.values.compactMap(\.pendingCall).sorted { $0.rawValue < $1.rawValue } }

  /// Returns the call that is pending in a tab.
  public func pendingCall(in tab: TabID) -> CallID? { mediators[tab]?.pendingCall }

  /// Returns the document of a call that is not settled.
  public func document(of call: CallID) -> DocumentID? { callers[call]?.document }

  /// Returns the effects of an event.
  /// - Parameters:
  ///   - event: What happens.
  ///   - now: The time since an epoch that the caller keeps.
  public mutating func receive(_ event: Event, at now: Duration) -> [CredentialMediator.Effect] {
    switch event {
    case .page(let event): return page(event, at: now)
    case .called(let call, let operation, let reading, let document, let signal, let state):
      return called(call, operation, reading, by: document, signal, state, at: now)
    case .aborts(let signal, let reason): return aborts(signal, reason)
    case .mediator(let event):
      guard let tab = event.call.flatMap({ callers[$0]?.tab }) else { return [] }
      return ask(tab, event)
    }
  }

  /// Returns the effects of the events of one turn of the event loop. Rejections from queued tasks come after those that come
  /// at once, in the order of the calls.
  public mutating func receive(turn events: [Event], at now: Duration) -> [CredentialMediator.Effect] {
    let effects = events.flatMap { receive($0, at: now) }
    return effects.filter { !$0.isQueued } + effects.filter(\.isQueued)
  }

  /// Returns the exception of `navigator.credentials.preventSilentAccess()`, or nil if its promise resolves. Digital
  /// credentials add nothing to Credential Management here.
  public func preventSilentAccess(_ document: DocumentID) -> CredentialRequestException? {
    guard let document = window.document(document), document.isSecureContext(in: profile) else {
      return profile.exception(BrowserFinding(.secureContext))
    }
    return document.isFullyActive ? nil : profile.exception(BrowserFinding(.fullyActive, .inactive))
  }

  /// Returns whether a script of a document finds an interface. `[SecureContext]` hides all of them elsewhere, and the
  /// experimental `navigator.identity` of 2024 is gone.
  public func exposes(_ interface: String, to document: DocumentID) -> Bool {
    guard let document = window.document(document), document.isSecureContext(in: profile) else { return false }
    switch interface {
    case "navigator.credentials", "DigitalCredential": return true
    case "DigitalCredential.issue": return profile.issue == .supported
    default: return false
    }
  }

  private mutating func page(_ event: PageWindow.Event, at now: Duration) -> [CredentialMediator.Effect] {
    let left = window.receive(event, at: now).flatMap { effect in
      switch effect {
      case .becameInactive(let tab, let document): ask(tab, .documentInactive(document))
      case .stopped(let tab, let document): ask(tab, .loadingStopped(document))
      }
    }
    for tab in mediators.keys where window.page(of: tab) == nil { mediators[tab] = nil }
    for tab in window.openTabs where mediators[tab] == nil {
      mediators[tab] = CredentialMediator(profile: profile, interstitial: interstitial)
    }
    return left
  }

  private mutating func called(
    _ call: CallID, _ operation: CredentialOperation, _ reading: CredentialRequestOptions.Reading,
    by id: DocumentID, _ signal: SignalID?, _ state: ReportedState?, at now: Duration
  ) -> [CredentialMediator.Effect] {
    guard callers[call] == nil, let tab = window.document(id)?.tab,
      var context = window.context(of: id, for: operation, in: profile, at: now)
    else { return [] }
    if let state { context.replace(with: state) }
    context.signalAborted = signal.flatMap { signals[$0] }
    callers[call] = Caller(document: id, tab: tab, signal: signal)
    // A script of a closed tab can run on in a page that holds a reference to it.
    if mediators[tab] == nil {
      var mediator = CredentialMediator(profile: profile)
      return settled(mediator.receive(.called(call, operation, reading, context)))
    }
    return ask(tab, .called(call, operation, reading, context))
  }

  private mutating func aborts(_ signal: SignalID, _ reason: AbortReason) -> [CredentialMediator.Effect] {
    // The first reason stays.
    guard signals[signal] == nil else { return [] }
    signals[signal] = reason
    let concerned = callers.filter { $0.value.signal == signal }
    return concerned.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { call in
      concerned[call].map { ask($0.tab, .signalAborted(call, reason)) } ?? []
    }
  }

  private mutating func ask(_ tab: TabID, _ event: CredentialMediator.Event) -> [CredentialMediator.Effect] {
    settled(mediators[tab]?.receive(event) ?? [])
  }

  /// Takes note of what the effects change in the browser itself.
  private mutating func settled(_ effects: [CredentialMediator.Effect]) -> [CredentialMediator.Effect] {
    for effect in effects {
      switch effect {
      case .consumeActivation(let call):
        if let document = callers[call]?.document { _ = window.receive(.consumesActivation(document), at: .zero) }
      case .resolve(let call, _), .reject(let call, _, _): callers[call] = nil
      case .passed, .present, .warnPerson, .dismiss, .warn: break
      }
    }
    return effects
  }
}

extension UserAgent {
  /// An input of the browser.
  public enum Event: Hashable, Sendable {
    /// The window changes.
    case page(PageWindow.Event)

    /// A document calls a method of the API with the converted options, and with a signal if it passes one. A document
    /// outside the model reports its state.
    case called(
      CallID, CredentialOperation, CredentialRequestOptions.Reading, by: DocumentID, signal: SignalID? = nil,
      reported: ReportedState? = nil)

    /// A script aborts the controller of a signal (DOM, "signal abort"). Calls that have the signal end, and later calls with
    /// it are rejected.
    case aborts(SignalID, AbortReason = .unspecified)

    /// The platform answers or fails, or the person answers the interstitial. Other events of the mediator come from the
    /// window and the signals, and have no effect here.
    case mediator(CredentialMediator.Event)
  }
}

extension CredentialMediator.Event {
  /// The call of an event from outside the page, or nil for the events that the user agent makes itself.
  fileprivate var call: CallID? {
    switch self {
    case .platformAnswered(let call, _, _), .platformFailed(let call, _, _), .interstitialAnswered(let call, _): call
    case .called, .signalAborted, .documentInactive, .loadingStopped: nil
    }
  }
}

extension CredentialMediator.Effect {
  /// Indicates whether the effect settles a promise from a queued task.
  fileprivate var isQueued: Bool {
    switch self {
    case .reject(_, _, let delivery): delivery == .queuedTask
    case .resolve(_, let credential): credential != nil
    case .consumeActivation, .passed, .present, .warnPerson, .dismiss, .warn: false
    }
  }
}

/// The identifier of an `AbortSignal`. The caller chooses one for each `AbortController`.
public struct SignalID: ChosenNumber {
  /// The word before the number.
  public static let noun = "signal"

  /// The number of the signal.
  public let rawValue: Int

  /// Creates the identifier from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
