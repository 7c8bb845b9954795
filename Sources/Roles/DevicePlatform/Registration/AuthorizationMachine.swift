import IdentityDocumentServices

/// The person's authorization of apps to provide documents, as a pure machine. A database keeps the status of each app.
///
/// ```
/// notDetermined --first addRegistration--> prompt --approved--> authorized      the waiting calls continue;
///                                            |                                  performRegistrationUpdates
///                                         declined----> notAuthorized           the waiting calls throw
/// authorized <--------switched on or off in Settings--> notAuthorized           on: performRegistrationUpdates
/// ```
///
/// One prompt is on the screen at a time; other apps wait in line. After a decline only Settings can authorize the app:
/// another `addRegistration` throws and does not show a prompt. Settings lists an app from its first call on, so a switch
/// there also answers an open prompt. A restart ends the waiting calls with the apps' processes, but not the question.
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
    /// The device was restarted before the person decided about these apps, which are in the order of their calls.
    case restarted(undecided: [String])
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Show the prompt of an app.
    case ask(app: String)
    /// Keep beyond a restart that an app has asked.
    case rememberAsking(app: String)
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

  /// Creates a machine without a prompt.
  public init() {}

  /// The app whose prompt is on the screen.
  public var appAsking: String? { waiting.first?.app }

  /// Returns true if an app has asked and the person has not decided.
  public func isUndecided(_ app: String) -> Bool { waiting.contains { $0.app == app } }

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
      guard appAsking == app else { return [] }
      return leaveLine(app) { isAllowed ? Self.allow(app, $0.calls) : Self.decline(app, $0.calls) }
    case .switched(let app, let isAllowed, let status):
      // Settings lists only apps that have asked; a switch to the present state changes nothing.
      switch (status, isAllowed) {
      case (.notAuthorized, true): return Self.allow(app, [])
      case (.authorized, false): return Self.decline(app, [])
      case (.notDetermined, true): return leaveLine(app) { Self.allow(app, $0.calls) }
      case (.authorized, true), (.notAuthorized, false), (.notDetermined, false), (.notSupported, _): return []
      }
    case .removed(let app): return leaveLine(app) { $0.calls.map { .refuse(app: app, call: $0, .unknown) } }
    case .restarted(let undecided):
      waiting = undecided.map { Line(app: $0, calls: []) }
      return askNext()
    }
  }

  private static func allow(_ app: String, _ calls: [Int]) -> [Effect] {
    [.setStatus(.authorized, app: app)] + calls.map { .proceed(app: app, call: $0) }
      + [.callRegistrationUpdates(app: app)]
  }

  private static func decline(_ app: String, _ calls: [Int]) -> [Effect] {
    [.setStatus(.notAuthorized, app: app)] + calls.map { .refuse(app: app, call: $0, .notAuthorized) }
  }

  /// Takes an app out of the line, and its prompt off the screen.
  private mutating func leaveLine(_ app: String, _ settle: (Line) -> [Effect]) -> [Effect] {
    guard let position = waiting.firstIndex(where: { $0.app == app }) else { return [] }
    let line = waiting.remove(at: position)
    return position == 0 ? [.dismissPrompt] + settle(line) + askNext() : settle(line)
  }

  private mutating func wait(_ app: String, _ call: Int) -> [Effect] {
    if let position = waiting.firstIndex(where: { $0.app == app }) {
      waiting[position].calls.append(call)
      return []
    }
    waiting.append(Line(app: app, calls: [call]))
    return [.rememberAsking(app: app)] + (waiting.count == 1 ? [.ask(app: app)] : [])
  }

  private func askNext() -> [Effect] { waiting.first.map { [.ask(app: $0.app)] } ?? [] }
}
