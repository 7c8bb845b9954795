import DigitalCredentials
import Primitives
import WebPresentment

/// The operating system's part in a presentment, from the browser's request to the answer, as a pure machine. It has no
/// request data: the browser keeps the raw request, gives it to the sandbox, and to the app when this machine says so.
///
/// ```
/// browser --requested--> parsing --parsed--> selecting --picked--> authorizing --responded--> browser
///                           |                    |                      |
///                        refused             cancelled        raw request asked: released only
///                                                             after the person acted in the app's view
/// ```
public struct PresentmentMachine: Sendable {
  /// The state of the presentment.
  private enum State: Sendable {
    case idle
    case parsing(Request)
    case selecting(Request, PartialRequest, Selection)
    case authorizing(Request, app: String, hasInteraction: Bool, isReleased: Bool)
  }

  private struct Request: Sendable {
    let identifier: Int
    let origin: String
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The browser announces a request for a call of a page.
    case requested(Int, protocol: String, origin: String)
    /// The sandbox parsed the request of a call, and the registrations were compared with it.
    case parsed(Int, PartialRequest, Selection)
    /// The sandbox refused the request of a call.
    case refused(Int, SandboxRefusal)
    /// Apps changed while the selector was open, and the registrations were compared with the request again.
    case reselected(Selection)
    /// The person picked an app in the selector.
    case picked(app: String)
    /// The person closed the selector.
    case selectorCancelled
    /// The person acted in the app's view.
    case interacted(app: String)
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
    /// Provider apps answer requests for mobile documents only, and the request uses another protocol.
    case unsupportedProtocol(String)
    /// Another presentment is in progress.
    case requestInProgress
    /// The person closed the selector, or declined in the app.
    case cancelled
    /// The app failed.
    case appFailed(String)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Let the sandbox get the request of a call from the browser and parse it.
    case parseInSandbox(Int, origin: String)
    /// Show the selector.
    case present(Selection, PartialRequest, origin: String)
    /// Dismiss the selector or the app's view.
    case dismissInterface
    /// Start the app's extension with the partial request and the origin, and nothing else.
    case hand(PartialRequest, origin: String, to: String)
    /// Let the browser release the raw request of a call to the app.
    case release(Int, to: String)
    /// Refuse to release the raw request: the person has not acted.
    case withhold(from: String)
    /// End the app's extension.
    case endApp(String)
    /// Give the response to the browser.
    case reply(Int, response: [UInt8])
    /// Report to the browser that the request failed.
    case fail(Int, Failure)
  }

  private var state = State.idle

  /// Makes a machine without a presentment.
  public init() {}

  /// Indicates whether no presentment is in progress.
  public var isIdle: Bool { if case .idle = state { true } else { false } }

  /// The app whose view is on the screen.
  public var appOnScreen: String? { if case .authorizing(_, let app, _, _) = state { app } else { nil } }

  /// The partial request and the origin that the open selector is about.
  public var selecting: (request: PartialRequest, origin: String)? {
    if case .selecting(let request, let partial, _) = state { (partial, request.origin) } else { nil }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (_, .requested(let identifier, let name, _)) where name != RequestData.protocolIdentifier:
      return [.fail(identifier, .unsupportedProtocol(name))]
    case (_, .requested(let identifier, _, let origin)) where !Self.isSerialized(origin):
      let refusal = SandboxRefusal(.origin, nil, "\(origin) is not a serialized origin")
      return [.fail(identifier, .invalidRequest(refusal))]
    case (.idle, .requested(let identifier, _, let origin)):
      state = .parsing(Request(identifier: identifier, origin: origin))
      return [.parseInSandbox(identifier, origin: origin)]
    case (_, .requested(let identifier, _, _)):
      return [.fail(identifier, .requestInProgress)]

    case (.parsing(let request), .parsed(let identifier, let partial, let selection))
    where identifier == request.identifier:
      guard !selection.offered.isEmpty else { return end(request, .noApp(selection)) }
      state = .selecting(request, partial, selection)
      return [.present(selection, partial, origin: request.origin)]
    case (.parsing(let request), .refused(let identifier, let refusal)) where identifier == request.identifier:
      return end(request, .invalidRequest(refusal))

    case (.selecting(let request, let partial, _), .reselected(let selection)):
      guard !selection.offered.isEmpty else {
        return [.dismissInterface] + end(request, .noApp(selection))
      }
      state = .selecting(request, partial, selection)
      return [.present(selection, partial, origin: request.origin)]

    case (.selecting(let request, let partial, let selection), .picked(let app)):
      guard selection.offered.contains(where: { $0.app == app }) else { return [] }
      state = .authorizing(request, app: app, hasInteraction: false, isReleased: false)
      return [.hand(partial, origin: request.origin, to: app)]
    case (.selecting(let request, _, _), .selectorCancelled):
      return [.dismissInterface] + end(request, .cancelled)

    case (.authorizing(let request, let app, _, let isReleased), .interacted(let who)) where who == app:
      state = .authorizing(request, app: app, hasInteraction: true, isReleased: isReleased)
      return []
    case (.authorizing(let request, let app, let hasInteraction, let isReleased), .rawRequestAsked(let who))
    where who == app:
      guard hasInteraction, !isReleased else { return [.withhold(from: app)] }
      state = .authorizing(request, app: app, hasInteraction: true, isReleased: true)
      return [.release(request.identifier, to: app)]
    case (.authorizing(let request, let app, _, let isReleased), .responded(let who, let response)) where who == app:
      // Without the raw request an app cannot have made a response to it.
      guard isReleased else { return [.withhold(from: app)] }
      state = .idle
      return [.dismissInterface, .reply(request.identifier, response: response)]
    case (.authorizing(let request, let app, _, _), .cancelledByApp(let who)) where who == app:
      return [.dismissInterface] + end(request, .cancelled)
    case (.authorizing(let request, let app, _, _), .abandonedByApp(let who, let reason)) where who == app:
      return [.dismissInterface] + end(request, .appFailed(reason))
    case (_, .rawRequestAsked(let app)), (_, .responded(let app, _)):
      return [.withhold(from: app)]

    case (.parsing(let request), .dismissed(let identifier)) where identifier == request.identifier:
      state = .idle
      return []
    case (.selecting(let request, _, _), .dismissed(let identifier)) where identifier == request.identifier:
      state = .idle
      return [.dismissInterface]
    case (.authorizing(let request, let app, _, _), .dismissed(let identifier))
    where identifier == request.identifier:
      state = .idle
      return [.dismissInterface, .endApp(app)]

    case (_, .parsed), (_, .refused), (_, .reselected), (_, .picked), (_, .selectorCancelled), (_, .interacted),
      (_, .cancelledByApp), (_, .abandonedByApp), (_, .dismissed):
      return []
    }
  }

  /// Indicates whether a text is a serialized origin. The sandbox and the app bind the request to this text, and could read
  /// any other text differently.
  private static func isSerialized(_ origin: String) -> Bool {
    (try? Origin(serialized: origin))?.serialized.isExactly(origin) ?? false
  }

  private mutating func end(_ request: Request, _ failure: Failure) -> [Effect] {
    state = .idle
    return [.fail(request.identifier, failure)]
  }
}
