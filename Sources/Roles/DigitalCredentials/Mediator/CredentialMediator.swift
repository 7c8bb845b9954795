import Checks

/// The browser's part in a call for a digital credential (Digital Credentials, "Credential Request Coordinator"), as a
/// pure machine. One mediator serves one top-level traversable with all its frames, so at most one request is pending in the
/// whole page.
///
///     page                 mediator                                platform
///      | get, create, issue-> |                                        |
///      |                      | secure context? options converted?     |
///      |                      | the profile's checks, in its order     |
///      |                      | (`MediatorCheck` has the drawing)      |
///      |                      | consume activation                     |
///      |                      | record the checks that passed          |
///      |                      | interstitial, in Chromium              |
///      |                      | present(requests, origin) -----------> | chooser
///      | abort, or gone ----> | dismiss -----------------------------> |
///      | <--- reject(reason)  |                                        |
///      |                      | <------------- response, or an error   |
///      | <- resolve or reject |                                        |
///
/// Carry out the effects in their order. `resolve` and `reject` settle the promise of a call, each call exactly once; later
/// events for that call are ignored. The event that settles the pending call also makes the machine idle.
public struct CredentialMediator: Hashable, Sendable {
  private struct Pending: Hashable, Sendable {
    var call: CallID
    var document: DocumentID
    var operation: CredentialOperation
  }

  /// The differences between this browser and others.
  public let profile: BrowserProfile

  private let interstitial: Interstitial.Setting

  /// The call in progress, or nil if the mediator is idle.
  private var pending: Pending?

  /// The request of the call, while the person decides about the interstitial; the platform does not know of the call yet.
  /// Not a part of `Pending`: with it, Swift 6.3 crashes at -O.
  private var held: CredentialRequestContext?

  /// Creates an idle mediator.
  /// - Parameters:
  ///   - profile: The browser.
  ///   - interstitial: The setting for browsers that have interstitials; others never show one.
  public init(profile: BrowserProfile = .spec2026, interstitial: Interstitial.Setting = .none) {
    self.profile = profile
    self.interstitial = profile.hasInterstitial ? interstitial : .none
  }

  /// The call that the platform is serving or the person is warned about, or nil if the mediator is idle.
  public var pendingCall: CallID? { pending?.call }

  private func isPresented(_ call: CallID) -> Bool { call == pending?.call && held == nil }

  /// Returns the effects of an event. An event for a call that is not pending has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .called(let call, let operation, let reading, let context):
      // With the identifier of the pending call, one answer would settle two promises.
      call == pendingCall ? [] : called(call, operation, reading, context)
    case .signalAborted(let call, let reason):
      call == pendingCall ? abort(call, CredentialRequestException(aborted: reason)) : []
    case .documentInactive(let document): end(callOf: document, BrowserFinding(.fullyActive, .gone))
    case .loadingStopped(let document):
      profile.endsCallsOnStop ? end(callOf: document, BrowserFinding(.fullyActive, .stopped)) : []
    case .interstitialAnswered(let call, let continues): answered(call, continues: continues)
    case .platformAnswered(let call, let `protocol`, let response):
      isPresented(call) ? settle(call, `protocol`, response) : []
    case .platformFailed(let call, let error, let detail):
      isPresented(call)
        ? settle(call, profile.exception(error.finding, detail.map(error.finding.message(adding:)))) : []
    }
  }

  private mutating func called(
    _ call: CallID, _ operation: CredentialOperation, _ reading: CredentialRequestOptions.Reading,
    _ context: CallingContext
  ) -> [Effect] {
    guard context.isSecureContext else {
      return [.reject(call, profile.exception(BrowserFinding(.secureContext)), .atOnce)]
    }
    let options: CredentialRequestOptions
    switch (profile.support(of: operation), reading) {
    case (.missing, _):
      let message = "\(operation.call) does not exist in this browser."
      return [
        passed([.secureContext], call),
        .reject(call, profile.exception(BrowserFinding(.credentialType, .noMethod), message), .atOnce),
      ]
    // The browser does not convert a member that it does not know.
    case (.otherTypesOnly, _): options = CredentialRequestOptions()
    case (.supported, .success(let converted)): options = converted
    case (.supported, .failure(let exception)):
      return [passed([.secureContext], call), .reject(call, exception, .atOnce)]
    }
    var attempt = CallAttempt(call, operation, options, context, profile: profile, pendingDocument: pending?.document)
    let ending = attempt.run()
    let effects = attempt.effects + [passed(attempt.passed.union([.secureContext, .options]), call)]
    switch ending {
    case .presents(let request):
      let page = Interstitial.forRequest(request, setting: interstitial)
      pending = Pending(call: call, document: context.document, operation: operation)
      if page != nil { held = request }
      return effects + [page.map { .warnPerson(call, $0) } ?? .present(call, request)]
    case .resolvesNull: return effects + [.resolve(call, nil)]
    case .rejects(let exception, let delivery): return effects + [.reject(call, exception, delivery)]
    }
  }

  private mutating func answered(_ call: CallID, continues: Bool) -> [Effect] {
    guard call == pendingCall, let request = held else { return [] }
    guard continues else { return settle(call, profile.exception(BrowserFinding(.choice))) }
    held = nil
    return [.present(call, request)]
  }

  /// The effect that records checks of a call, in the order of the standard.
  private func passed(_ checks: Set<BrowserCheck>, _ call: CallID) -> Effect {
    .passed(call, BrowserCheck.allCases.filter(checks.contains))
  }

  private mutating func end(callOf document: DocumentID, _ finding: BrowserFinding) -> [Effect] {
    guard let pending, pending.document == document else { return [] }
    return abort(pending.call, profile.exception(finding))
  }

  private mutating func becomeIdle() {
    pending = nil
    held = nil
  }

  private mutating func abort(_ call: CallID, _ exception: CredentialRequestException) -> [Effect] {
    [.dismiss(call)] + settle(call, exception)
  }

  private mutating func settle(_ call: CallID, _ exception: CredentialRequestException) -> [Effect] {
    becomeIdle()
    return [.reject(call, exception, .queuedTask)]
  }

  private mutating func settle(_ call: CallID, _ protocolName: String, _ response: [UInt8]) -> [Effect] {
    do {
      let credential = try DigitalCredential(
        protocol: protocolName, response: response, for: pending?.operation ?? .get)
      becomeIdle()
      return [passed([.choice, .platform, .response], call), .resolve(call, credential)]
    } catch {
      return [passed([.choice, .platform], call)] + settle(call, profile.exception(error.code, error.message))
    }
  }
}

extension CredentialMediator {
  /// An input of the mediator.
  public enum Event: Hashable, Sendable {
    /// A document called a method of the API.
    case called(CallID, CredentialOperation, CredentialRequestOptions.Reading, CallingContext)

    /// The signal of a call was aborted (DOM, "signal abort").
    case signalAborted(CallID, AbortReason)

    /// A document stopped being fully active (HTML, "fully active"): its frame was removed, or the person left the page. The
    /// documents in the frames of a page have an event each.
    case documentInactive(DocumentID)

    /// A script stopped loading with `window.stop()`.
    case loadingStopped(DocumentID)

    /// The person continued from the interstitial, or canceled.
    case interstitialAnswered(CallID, continues: Bool)

    /// The platform answered with a protocol and a response in UTF-8 JSON.
    case platformAnswered(CallID, protocol: String, response: [UInt8])

    /// The platform ended the request without a response. The detail is for developers and becomes part of the
    /// exception's message. A real browser drops a detail that reveals the person's documents.
    case platformFailed(CallID, PlatformFailure, detail: String? = nil)

    /// A document called `navigator.credentials.get()`.
    public static func getCalled(
      _ call: CallID, _ reading: CredentialRequestOptions.Reading, _ context: CallingContext
    ) -> Event {
      .called(call, .get, reading, context)
    }
  }

  /// The time at which a rejection reaches the script.
  public enum Delivery: String, CaseIterable, Hashable, Sendable {
    /// In the turn of the call: the method returns a rejected promise, or throws.
    case atOnce
    /// From a queued task (Digital Credentials, "DOM manipulation task source"), after every rejection of the turn that comes
    /// at once.
    case queuedTask
  }

  /// An output of the mediator.
  public enum Effect: Hashable, Sendable {
    /// Consume the user activation of the calling window (HTML, "consume user activation").
    case consumeActivation(CallID)

    /// Record checks of a call that passed, in the order of ``BrowserCheck``. A call that ends with a credential has each
    /// check once; `BrowserProfile.results(passed:)` makes the results. The check that rejects a call comes with `reject`.
    case passed(CallID, [BrowserCheck])

    /// Show the platform's chooser for these requests and wait (Digital Credentials, "Initiate the credential
    /// request").
    case present(CallID, CredentialRequestContext)

    /// Show the person a page with a warning, and wait; the platform is asked when the person continues.
    case warnPerson(CallID, Interstitial)

    /// Dismiss the platform's chooser, or the interstitial, without waiting for the result (Digital Credentials, "Abort the credential
    /// request").
    case dismiss(CallID)

    /// Resolve the call's promise. The credential is nil only if the platform does not have a chooser; the promise then
    /// yields `null`.
    case resolve(CallID, DigitalCredential?)

    /// Reject the call's promise.
    case reject(CallID, CredentialRequestException, Delivery)

    /// Write a warning to the page's console, where a script does not see it.
    case warn(CallID, String)
  }
}

/// The request for the platform (Digital Credentials, "request context").
public struct CredentialRequestContext: Hashable, Sendable {
  /// The requests that passed every check, in the page's order.
  public let requests: [DigitalCredentialGetRequest]

  /// The origin that the platform receives, never opaque. In the standard it is the top-level origin; see
  /// `BrowserProfile.presentedOrigin`.
  public let origin: Origin

  /// The method that the page called.
  public let operation: CredentialOperation

  /// Returns the request that goes to the platform: the first one in a protocol that it answers, in the page's order,
  /// otherwise the first request. Nil if the list is empty.
  public func answerable(in protocols: [DigitalCredentialPresentationProtocol]) -> DigitalCredentialGetRequest? {
    requests.first { request in protocols.contains { $0.rawValue == request.protocol } } ?? requests.first
  }
}

/// The reason why a platform ends a request without a response.
public enum PlatformFailure: String, CaseIterable, Hashable, Sendable {
  /// The person closed the chooser, or declined in the app.
  case cancelledByUser
  /// The platform reports a cancellation as an error. One WebKit release distinguishes it from `cancelledByUser`.
  case cancelled
  /// The request is malformed or invalid.
  case invalidRequest
  /// The platform is serving another request.
  case requestInProgress
  /// The browser is not entitled to request documents.
  case notEntitled
  /// No credential on the platform can answer.
  case nothingCanAnswer
  /// The user interface ended with neither a response nor an error.
  case noAnswer
  /// Any other failure.
  case unknown

  /// The check that rejects the call, with its reason (Digital Credentials, "Initiate the credential request").
  public var finding: BrowserFinding {
    switch self {
    case .cancelledByUser: BrowserFinding(.choice)
    case .cancelled: BrowserFinding(.platform, .cancelled)
    case .invalidRequest: BrowserFinding(.platform, .invalidRequest)
    case .requestInProgress: BrowserFinding(.platform, .requestInProgress)
    case .notEntitled: BrowserFinding(.platform, .notEntitled)
    case .nothingCanAnswer: BrowserFinding(.platform, .nothingCanAnswer)
    case .noAnswer: BrowserFinding(.platform, .noAnswer)
    case .unknown: BrowserFinding(.platform, .unknownError)
    }
  }
}
