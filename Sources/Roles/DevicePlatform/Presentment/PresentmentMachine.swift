import DigitalCredentials
import MobileDocument
import Primitives
import Proximity
import WebPresentment

/// The operating system's part in a presentment, from the browser's request to the answer, as a pure machine. It has no
/// request data: the browser keeps the raw request, gives it to the sandbox, and to the app when this machine says so.
///
/// ```
/// browser --requested--> parsing --parsed--> selecting --picked--> authorizing --responded--> browser
///                           |                    |                      |
///                        refused             cancelled        raw request asked: released only after the person
///                                                             touched a control that agrees in the app's view
///
/// parsing --no app may answer--> elsewhere --ended--> browser
/// selecting --the person picks another device--> elsewhere
/// ```
///
/// The request, the documents on the device and the person decide where the answer comes from. A device that can reach another
/// one offers it in the selector beside its own apps, and asks it at once if none of them may answer.
///
/// An app that may no longer answer disappears from the open selector, and its open view closes.
public struct PresentmentMachine: Sendable {
  /// The state of the presentment.
  private enum State: Sendable {
    case idle
    case parsing(Request)
    case selecting(Request, PartialRequest, Selection)
    case authorizing(Authorization)
    /// Another device answers.
    case elsewhere(Request)
  }

  private struct Request: Sendable {
    let identifier: Int
    let origin: String
    let canAskAnother: Bool
  }

  /// A presentment in the view of the picked app.
  private struct Authorization: Sendable {
    let request: Request
    let partial: PartialRequest
    let app: String
    let pickedAt: DateTime
    /// The controls of the view on the screen that agree, as the app declares them.
    var agreeing: [String] = []
    var hasAgreed = false
    var isReleased = false
  }

  /// A comparison of a request with the registrations, which must stay true.
  public struct Comparison: Sendable {
    /// The request.
    public let request: PartialRequest
    /// The origin of the website.
    public let origin: String
    /// The time of the comparison. Nil for the present: the selector is open. While an app's view is open it is the time of
    /// the pick: the app itself judges dates that pass then.
    public let moment: DateTime?
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The browser announces a request for a call of a page. Another device can be asked for it, or not: there is none, or the
    /// request itself comes from one.
    case requested(Int, protocol: String, origin: String, canAskAnother: Bool = false)
    /// A reader near the device sent a request, which the device's part in person announces as a call.
    case requestedInPerson(Int)
    /// The sandbox parsed the request of a call, and the registrations were compared with it.
    case parsed(Int, PartialRequest, Selection)
    /// The sandbox refused the request of a call.
    case refused(Int, SandboxRefusal)
    /// Apps, registrations or dates changed, and the registrations were compared with the request again.
    case reselected(Selection)
    /// The person picked an app in the selector.
    case picked(app: String, at: DateTime)
    /// The person picked another device in the selector.
    case anotherDevicePicked
    /// The part of the system that asks another device has a response to a call, or a failure.
    case endedElsewhere(Int)
    /// The person closed the selector.
    case selectorCancelled
    /// The app shows a view, and declares the labels of the controls that agree.
    case shown(app: String, agreeing: [String])
    /// The person touched a control in the app's view.
    case interacted(app: String, control: String)
    /// The app asks for the raw request, from inside `sendResponse`.
    case rawRequestAsked(app: String)
    /// The app answered.
    case responded(app: String, response: [UInt8])
    /// The app cancelled because the person declined.
    case cancelledByApp(app: String)
    /// The app could not answer.
    case abandonedByApp(app: String, reason: String)
    /// The browser takes its request back.
    case dismissed(Int)
  }

  /// The reason why the browser does not get a response.
  public enum Failure: Sendable, Equatable {
    /// The sandbox refused the request.
    case invalidRequest(SandboxRefusal)
    /// No app may answer.
    case noApp(Selection)
    /// No app on the device answers requests in the protocol.
    case unsupportedProtocol(String)
    /// Another presentment is in progress.
    case requestInProgress
    /// The person closed the selector, or declined in the app.
    case cancelled
    /// The app failed.
    case appFailed(String)
    /// The app may no longer answer, and its view was open.
    case appUnavailable(app: String, reason: String)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Let the sandbox get the request of a call from the browser and parse it.
    case parseInSandbox(Int, origin: String)
    /// Show the selector, with a message for the person, and another device as an entry if the device can ask one.
    case present(
      Selection, PartialRequest, origin: String, notice: PresentmentNotice? = nil, offersAnotherDevice: Bool = false)
    /// Ask another device about a call. It gets the request and parses it itself.
    case askAnotherDevice(Int)
    /// Stop asking another device about a call.
    case stopAskingAnotherDevice(Int)
    /// Pass the response or the failure of another device on to the browser.
    case passOnEnd(Int)
    /// Dismiss the selector or the app's view, with a message for the person.
    case dismissInterface(notice: PresentmentNotice? = nil)
    /// Start the app's extension with the partial request and the origin, and nothing else.
    case hand(PartialRequest, origin: String, to: String)
    /// Let the browser release the raw request of a call to the app.
    case release(Int, to: String)
    /// Refuse to release the raw request: the person has not agreed.
    case withhold(from: String)
    /// End the app's extension.
    case endApp(String)
    /// Give the response to the browser.
    case reply(Int, response: [UInt8])
    /// Report to the browser that the request failed.
    case fail(Int, Failure)
  }

  private var state = State.idle
  /// The protocols in which apps on the device answer.
  private let protocols: [String]

  /// Creates a machine without a presentment.
  /// - Parameter protocols: The identifiers of the protocols in which apps on the device answer.
  public init(protocols: [String] = [RequestData.protocolIdentifier]) { self.protocols = protocols }

  /// Indicates whether no presentment is in progress.
  public var isIdle: Bool { if case .idle = state { true } else { false } }

  /// The app whose view is on the screen.
  public var appOnScreen: String? { if case .authorizing(let view) = state { view.app } else { nil } }

  /// Returns whether a control of the view on the screen agrees, as its app declares.
  public func agrees(_ control: String) -> Bool {
    if case .authorizing(let view) = state { view.agreeing.contains { $0.isExactly(control) } } else { false }
  }

  /// The comparison that the open selector or view depends on.
  public var comparison: Comparison? {
    switch state {
    case .idle, .parsing, .elsewhere: nil
    case .selecting(let request, let partial, _): Comparison(request: partial, origin: request.origin, moment: nil)
    case .authorizing(let view): Comparison(request: view.partial, origin: view.request.origin, moment: view.pickedAt)
    }
  }

  /// Returns the effect that shows the selector of a request.
  private func present(
    _ selection: Selection, _ partial: PartialRequest, for request: Request, notice: PresentmentNotice? = nil
  ) -> Effect {
    .present(selection, partial, origin: request.origin, notice: notice, offersAnotherDevice: request.canAskAnother)
  }

  private mutating func continueElsewhere(_ request: Request) -> [Effect] {
    state = .elsewhere(request)
    return [.askAnotherDevice(request.identifier)]
  }

  /// Indicates whether the selector is open.
  public var isSelecting: Bool { if case .selecting = state { true } else { false } }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (_, .requested(let identifier, let name, _, false)) where !protocols.contains(where: name.isExactly):
      return [.fail(identifier, .unsupportedProtocol(name))]
    case (_, .requested(let identifier, _, let origin, _)) where Origin(exactly: origin) == nil:
      // The sandbox and the app bind the request to this text, and could read any other text differently.
      let refusal = SandboxRefusal(.origin, nil, "\(origin) is not a serialized origin")
      return [.fail(identifier, .invalidRequest(refusal))]
    case (.idle, .requested(let identifier, let name, let origin, let canAskAnother)):
      let request = Request(identifier: identifier, origin: origin, canAskAnother: canAskAnother)
      guard protocols.contains(where: name.isExactly) else { return continueElsewhere(request) }
      state = .parsing(request)
      return [.parseInSandbox(identifier, origin: origin)]
    case (.idle, .requestedInPerson(let identifier)):
      state = .parsing(Request(identifier: identifier, origin: InPersonRequest.origin, canAskAnother: false))
      return [.parseInSandbox(identifier, origin: InPersonRequest.origin)]
    case (_, .requested(let identifier, _, _, _)), (_, .requestedInPerson(let identifier)):
      return [.fail(identifier, .requestInProgress)]

    case (.parsing(let request), .parsed(let identifier, let partial, let selection))
    where identifier == request.identifier:
      guard !selection.offered.isEmpty else {
        return request.canAskAnother ? continueElsewhere(request) : end(request, .noApp(selection))
      }
      state = .selecting(request, partial, selection)
      return [present(selection, partial, for: request)]
    case (.parsing(let request), .refused(let identifier, let refusal)) where identifier == request.identifier:
      return end(request, .invalidRequest(refusal))

    case (.selecting(let request, let partial, let earlier), .reselected(let selection)):
      guard selection != earlier else { return [] }
      guard !selection.offered.isEmpty || request.canAskAnother else {
        return [.dismissInterface(notice: .noneLeft)] + end(request, .noApp(selection))
      }
      state = .selecting(request, partial, selection)
      return [present(selection, partial, for: request, notice: selection.offered.isEmpty ? .noneLeft : nil)]
    case (.authorizing(let view), .reselected(let selection)):
      guard !selection.offers(view.app) else { return [] }
      let notice = selection.notice(about: view.app)
      return [.dismissInterface(notice: notice), .endApp(view.app)]
        + end(view.request, .appUnavailable(app: view.app, reason: notice.message))

    case (.selecting(let request, let partial, let selection), .picked(let app, let moment)):
      guard selection.offers(app) else {
        // The pick was on its way when the app disappeared from the selector.
        guard selection.hidden.contains(where: { $0.app == app }) else { return [] }
        return [present(selection, partial, for: request, notice: selection.notice(about: app))]
      }
      state = .authorizing(Authorization(request: request, partial: partial, app: app, pickedAt: moment))
      return [.hand(partial, origin: request.origin, to: app)]
    case (.selecting(let request, _, _), .anotherDevicePicked) where request.canAskAnother:
      return [.dismissInterface()] + continueElsewhere(request)
    case (.elsewhere(let request), .endedElsewhere(let identifier)) where identifier == request.identifier:
      state = .idle
      return [.passOnEnd(identifier)]
    case (.elsewhere(let request), .dismissed(let identifier)) where identifier == request.identifier:
      state = .idle
      return [.stopAskingAnotherDevice(identifier)]
    case (.selecting(let request, _, _), .selectorCancelled): return [.dismissInterface()] + end(request, .cancelled)

    case (.authorizing(let view), _): return receive(event, in: view)
    case (_, .rawRequestAsked(let app)), (_, .responded(let app, _)): return [.withhold(from: app)]

    case (.parsing(let request), .dismissed(let identifier)) where identifier == request.identifier:
      state = .idle
      return []
    case (.selecting(let request, _, _), .dismissed(let identifier)) where identifier == request.identifier:
      state = .idle
      return [.dismissInterface()]

    case (_, .parsed), (_, .refused), (_, .reselected), (_, .picked), (_, .selectorCancelled), (_, .shown),
      (_, .interacted), (_, .cancelledByApp), (_, .abandonedByApp), (_, .dismissed), (_, .anotherDevicePicked),
      (_, .endedElsewhere):
      return []
    }
  }

  /// Returns the effects of an event while an app's view is open. Events of other apps have no effect.
  private mutating func receive(_ event: Event, in view: Authorization) -> [Effect] {
    var view = view
    switch event {
    case .shown(let app, let agreeing) where app == view.app:
      // Agreement is to the view on the screen.
      view.agreeing = agreeing
      view.hasAgreed = false
      state = .authorizing(view)
    case .interacted(let app, let control) where app == view.app && agrees(control):
      view.hasAgreed = true
      state = .authorizing(view)
    case .rawRequestAsked(let app):
      guard app == view.app, view.hasAgreed, !view.isReleased else { return [.withhold(from: app)] }
      view.isReleased = true
      state = .authorizing(view)
      return [.release(view.request.identifier, to: app)]
    case .responded(let app, let response):
      // Without the raw request an app cannot have made a response to it.
      guard app == view.app, view.isReleased else { return [.withhold(from: app)] }
      state = .idle
      return [.dismissInterface(), .reply(view.request.identifier, response: response)]
    case .cancelledByApp(let app) where app == view.app: return [.dismissInterface()] + end(view.request, .cancelled)
    case .abandonedByApp(let app, let reason) where app == view.app:
      return [.dismissInterface(notice: .didNotAnswer(app, because: reason))] + end(view.request, .appFailed(reason))
    case .dismissed(let identifier) where identifier == view.request.identifier:
      state = .idle
      return [.dismissInterface(), .endApp(view.app)]
    default: break
    }
    return []
  }

  private mutating func end(_ request: Request, _ failure: Failure) -> [Effect] {
    state = .idle
    return [.fail(request.identifier, failure)]
  }
}

extension Selection {
  /// Returns whether an app may answer.
  func offers(_ app: String) -> Bool { offered.contains { $0.app == app } }

  /// Returns the message about an app that was offered before and cannot answer.
  func notice(about app: String) -> PresentmentNotice { .noLonger(app, hidden.first { $0.app == app }) }
}
