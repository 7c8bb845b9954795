import IdentityDocumentServices

/// The person's authorization of apps to provide documents, as a pure machine. A database keeps the status of each app.
///
/// ```
/// notDetermined --first addRegistration--> prompt --approved--> authorized      the waiting calls continue
///                                            |
///                                         declined----> notAuthorized           the waiting calls throw
/// authorized <--------switched on or off in Settings--> notAuthorized           on: performRegistrationUpdates
/// ```
///
/// One prompt is on the screen at a time; other apps wait in line. After a decline only Settings can authorize the app:
/// another `addRegistration` throws and does not show a prompt.
public struct AuthorizationMachine: Sendable {
  /// The authorization of an app.
  public typealias Status = IdentityDocumentProviderRegistrationStore.Status
  /// The error of a refused call.
  public typealias RegistrationError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// An input of the machine.
  public enum Event: Sendable, Equatable {
    /// An app calls `addRegistration` with a valid registration. The number identifies the call.
    case addCalled(app: String, call: Int, Status)
    /// The person answered the prompt of an app.
    case answered(app: String, isAllowed: Bool)
    /// The person switched an app on or off in Settings.
    case switched(app: String, isAllowed: Bool, Status)
    /// An app is no longer on the device.
    case removed(app: String)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Show the prompt of an app.
    case ask(app: String)
    /// Dismiss the prompt.
    case dismissPrompt
    /// Store the new status of an app.
    case setStatus(Status, app: String)
    /// Add the registration of a call and let it return.
    case proceed(app: String, call: Int)
    /// Let a call throw.
    case refuse(app: String, call: Int, RegistrationError)
    /// Call `performRegistrationUpdates` of an app, so that it registers its documents.
    case callRegistrationUpdates(app: String)
  }

  private struct Line: Sendable {
    let app: String
    var calls: [Int]
  }

  /// Apps with an unanswered prompt, in the order of their calls. The prompt of the first is on the screen.
  private var waiting: [Line] = []

  /// Makes a machine without a prompt.
  public init() {}

  /// The app whose prompt is on the screen.
  public var appAsking: String? { waiting.first?.app }

  /// Returns the effects of an event.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .addCalled(let app, let call, let status):
      switch status {
      case .authorized: return [.proceed(app: app, call: call)]
      case .notAuthorized: return [.refuse(app: app, call: call, .notAuthorized)]
      case .notSupported: return [.refuse(app: app, call: call, .notSupported)]
      case .notDetermined: return wait(app, call)
      }
    case .answered(let app, let isAllowed):
      guard let line = waiting.first, line.app == app else { return [] }
      waiting.removeFirst()
      return [.dismissPrompt, .setStatus(isAllowed ? .authorized : .notAuthorized, app: app)]
        + line.calls.map {
          isAllowed ? .proceed(app: app, call: $0) : .refuse(app: app, call: $0, .notAuthorized)
        }
        + askNext()
    case .switched(let app, let isAllowed, let status):
      // Settings lists only apps with a decided status; a switch to the present state changes nothing.
      switch (status, isAllowed) {
      case (.notAuthorized, true):
        return [.setStatus(.authorized, app: app), .callRegistrationUpdates(app: app)]
      case (.authorized, false): return [.setStatus(.notAuthorized, app: app)]
      case (.authorized, true), (.notAuthorized, false), (.notDetermined, _), (.notSupported, _): return []
      }
    case .removed(let app):
      guard let position = waiting.firstIndex(where: { $0.app == app }) else { return [] }
      let line = waiting.remove(at: position)
      let refusals = line.calls.map { Effect.refuse(app: app, call: $0, .unknown) }
      return position == 0 ? [.dismissPrompt] + refusals + askNext() : refusals
    }
  }

  private mutating func wait(_ app: String, _ call: Int) -> [Effect] {
    if let position = waiting.firstIndex(where: { $0.app == app }) {
      waiting[position].calls.append(call)
      return []
    }
    waiting.append(Line(app: app, calls: [call]))
    return waiting.count == 1 ? [.ask(app: app)] : []
  }

  private func askNext() -> [Effect] { waiting.first.map { [.ask(app: $0.app)] } ?? [] }
}
