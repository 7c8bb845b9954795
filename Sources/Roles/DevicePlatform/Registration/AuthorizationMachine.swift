import IdentityDocumentServices

/// How apps come to be allowed to provide documents. Pure: the database that keeps each app's status and the screen that
/// shows the prompt are elsewhere.
///
/// ```
/// notDetermined --first addRegistration--> prompt --approved--> authorized      the calls that waited go on
///                                            |
///                                         declined----> notAuthorized           the calls that waited throw
/// authorized <--------switched on or off in Settings--> notAuthorized           on: performRegistrationUpdates
/// ```
///
/// One prompt is on the screen at a time; the apps that ask meanwhile wait in line. After a decline only Settings
/// allows an app again: another `addRegistration` throws and shows nothing.
public struct AuthorizationMachine: Sendable {
  /// What an app may do.
  public typealias Status = IdentityDocumentProviderRegistrationStore.Status
  /// Why a call throws.
  public typealias RegistrationError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// Something that happens.
  public enum Event: Sendable, Equatable {
    /// An app of a status calls `addRegistration`, and its registration is well-formed; the number tells its calls apart.
    case addCalled(app: String, call: Int, Status)
    /// The person answered the prompt of an app.
    case answered(app: String, isAllowed: Bool)
    /// The person switched an app of a status on or off in Settings.
    case switched(app: String, isAllowed: Bool, Status)
    /// An app is no longer on the device.
    case removed(app: String)
  }

  /// What the operating system has to do next.
  public enum Effect: Sendable, Equatable {
    /// Show the prompt of an app.
    case ask(app: String)
    /// Take the prompt off the screen.
    case dismissPrompt
    /// Keep an app's new status.
    case setStatus(Status, app: String)
    /// Add the registration of a call and let it return.
    case proceed(app: String, call: Int)
    /// Let a call throw.
    case refuse(app: String, call: Int, RegistrationError)
    /// Call `performRegistrationUpdates` of an app, so that it registers what the system does not know.
    case callRegistrationUpdates(app: String)
  }

  private struct Line: Sendable {
    let app: String
    var calls: [Int]
  }

  /// Apps with an unanswered prompt, in the order in which they asked. The first one's is on the screen.
  private var waiting: [Line] = []

  /// A machine with no prompt open.
  public init() {}

  /// The app whose prompt is on the screen.
  public var appAsking: String? { waiting.first?.app }

  /// Takes an event and says what to do.
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
      // Settings lists the apps that have asked, and nothing changes by being set to what it is.
      switch (status, isAllowed) {
      case (.notAuthorized, true):
        return [.setStatus(.authorized, app: app), .callRegistrationUpdates(app: app)]
      case (.authorized, false): return [.setStatus(.notAuthorized, app: app)]
      default: return []
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
