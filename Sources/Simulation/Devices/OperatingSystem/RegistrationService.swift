import DevicePlatform
import IdentityDocumentServices
import JSON
import Messaging
import MobileDocument
import Storage
import Vocabulary

/// The system's side of the registration store: answers the calls of each app from the database, and keeps the calls that
/// wait for the person's decision. ``RegistrationPolicy`` and ``AuthorizationMachine`` have the rules.
struct RegistrationService: Sendable {
  /// An action of the operating system.
  enum Effect: Sendable {
    /// Answer a call.
    case answer(Message, MessageKind, bytes: [UInt8])
    /// Show the prompt of an app.
    case ask(app: String)
    /// Dismiss the prompt.
    case dismissPrompt
    /// Call `performRegistrationUpdates` of an app.
    case callRegistrationUpdates(app: String)
    /// Record a note.
    case note(Note)
  }

  /// A call of `addRegistration` that waits.
  private struct PendingCall: Sendable {
    let message: Message
    let registration: MobileDocumentRegistration
    /// True after a prompt: an update can change the entitlement while it is open.
    var mayBeOutdated = false
  }

  typealias Status = IdentityDocumentProviderRegistrationStore.Status
  typealias StoreError = IdentityDocumentProviderRegistrationStore.RegistrationError

  private let database: RegistrationDatabase
  private let policy: RegistrationPolicy
  private var machine = AuthorizationMachine()
  private var pending: [Int: PendingCall] = [:]

  /// Creates a service for the registrations of a device.
  /// - Parameter isSupported: Whether the device supports document provider apps.
  init(_ database: RegistrationDatabase, isSupported: Bool) {
    self.database = database
    policy = RegistrationPolicy(isSupported: isSupported)
  }

  /// Receives the call of an app. The answer follows now, or after the person's decision.
  mutating func receive(_ message: Message, of app: String) -> [Effect] {
    do {
      let status = try status(of: app)
      switch message.kind {
      case .status: return [done(message, [status.rawValue])]
      case .addRegistration:
        let registration = try registration(in: message, of: app)
        pending[message.number] = PendingCall(message: message, registration: registration)
        defer { pending[message.number]?.mayBeOutdated = true }
        return perform(machine.receive(.addCalled(app: app, call: message.number, status)))
      case .registrations:
        try policy.requireAuthorization(status)
        return [done(message, try database.registrations(of: app))]
      case .removeRegistration:
        try policy.requireAuthorization(status)
        guard let body = message.body(RemoveRegistrationBody.self) else { throw StoreError.invalidRequest }
        guard try database.holds(body.documentIdentifier, of: app) else { return [done(message, [String]())] }
        try database.remove(body.documentIdentifier, of: app)
        return [
          .note(
            Note(
              .osRegistrationRemoved, "\(app) removes \(body.documentIdentifier)",
              facts: [Note.Fact("app", app), Note.Fact("registration", body.documentIdentifier)])),
          done(message, [String]()),
        ]
      default: throw StoreError.unknown
      }
    } catch {
      return refuse(message, of: app, because: error)
    }
  }

  private func status(of app: String) throws -> Status {
    guard policy.isSupported else { return policy.status(stored: nil) }
    return policy.status(stored: try database.status(of: app))
  }

  /// Returns the registration of a call, if the app may make it.
  private func registration(in message: Message, of app: String) throws -> MobileDocumentRegistration {
    let registration = message.body(MobileDocumentRegistration.self)
    return try policy.validate(registration, entitlement: try entitlement(of: app))
  }

  private func entitlement(of app: String) throws -> [String] {
    policy.isSupported ? try database.entitlement(of: app) : []
  }

  private func done(_ message: Message, _ body: some JSONWritable) -> Effect {
    .answer(message, .done, bytes: JSONCoding.encode(body))
  }

  private func refuse(_ message: Message, of app: String, because error: any Error) -> [Effect] {
    let code = error as? StoreError ?? .unknown
    let reason = error is StoreError ? code.errorDescription ?? "" : journalMessage(of: error)
    return [
      .note(
        Note(
          .osRegistrationRefused, value: code.rawValue, "\(app) cannot \(message.kind.rawValue): \(reason)",
          facts: [Note.Fact("app", app)])),
      .answer(
        message, .refused,
        bytes: JSONCoding.encode(RefusalBody(code: code.rawValue, message: code.errorDescription ?? ""))),
    ]
  }

  /// - Parameter note: The event to record after the new status is stored. If it cannot be stored, nothing else happens.
  private mutating func perform(_ effects: [AuthorizationMachine.Effect], noting note: Effect? = nil) -> [Effect] {
    var done: [Effect] = []
    var isKept = true
    for effect in effects {
      switch effect {
      case .ask(let app): done.append(.ask(app: app))
      case .rememberAsking(let app):
        do {
          try database.rememberAsking(of: app)
        } catch {
          done.append(unwritten(error))
        }
      case .dismissPrompt: done.append(.dismissPrompt)
      case .callRegistrationUpdates(let app): if isKept { done.append(.callRegistrationUpdates(app: app)) }
      case .setStatus(let status, let app):
        do {
          try database.setStatus(status, of: app)
          if let note { done.append(note) }
        } catch {
          isKept = false
          done.append(unwritten(error))
        }
      case .proceed(let app, let call):
        guard let waiting = pending.removeValue(forKey: call) else { continue }
        done += isKept ? add(waiting, of: app) : refuse(waiting.message, of: app, because: StoreError.unknown)
      case .refuse(let app, let call, let error):
        guard let waiting = pending.removeValue(forKey: call) else { continue }
        done += refuse(waiting.message, of: app, because: isKept ? error : .unknown)
      }
    }
    return done
  }

  private func add(_ call: PendingCall, of app: String) -> [Effect] {
    let registration = call.registration
    do {
      if call.mayBeOutdated { _ = try policy.validate(registration, entitlement: try entitlement(of: app)) }
      let isReplacement = try database.add(registration, of: app)
      return [
        .note(
          Note(
            isReplacement ? .osRegistrationReplaced : .osRegistrationAdded,
            "\(app) registers \(registration.documentIdentifier)",
            facts: [
              Note.Fact("app", app), Note.Fact("registration", registration.documentIdentifier),
              Note.Fact("type", registration.mobileDocumentType),
            ])),
        done(call.message, [String]()),
      ]
    } catch {
      return refuse(call.message, of: app, because: error)
    }
  }

  private func unread(_ error: any Error) -> Effect {
    .note(Note(.osRegistrations, "the registrations cannot be read: \(journalMessage(of: error))"))
  }

  private func unwritten(_ error: any Error) -> Effect {
    .note(Note(.osRegistrations, "the registrations cannot be written: \(journalMessage(of: error))"))
  }

  /// Asks again about the apps whose prompts a restart has taken from the screen.
  mutating func start() -> [Effect] {
    guard policy.isSupported else { return [] }
    do {
      return perform(machine.receive(.restarted(undecided: try database.undecidedApps())))
    } catch {
      return [unread(error)]
    }
  }

  /// The person answers the prompt on the screen.
  mutating func answerPrompt(of app: String, isAllowed: Bool) -> [Effect] {
    guard machine.appAsking == app else { return [] }
    let note = Effect.note(
      Note(
        isAllowed ? .osAppAllowed : .osAppDeclined,
        "the person \(isAllowed ? "allows" : "does not allow") \(app) to provide documents",
        facts: [Note.Fact("app", app)]))
    return perform(machine.receive(.answered(app: app, isAllowed: isAllowed)), noting: note)
  }

  /// Switches an app on or off in Settings, which lists the apps that have asked the person.
  mutating func switchInSettings(_ app: String, isAllowed: Bool) -> [Effect] {
    do {
      let status = try status(of: app)
      switch policy.settingsSwitch(to: isAllowed, from: status, hasAsked: machine.isUndecided(app)) {
      case .takesEffect: break
      case .isNotListedYet: return notInSettings("Settings does not list \(app): it has not asked the person yet")
      case .isNotListed: return notInSettings("Settings does not list \(app)")
      case .hasNoEffect: return notInSettings("\(app) is \(isAllowed ? "on" : "off") already")
      }
      let note = Effect.note(
        Note(
          isAllowed ? .osAppSwitchedOn : .osAppSwitchedOff,
          "the person switches \(app) \(isAllowed ? "on" : "off") in Settings", facts: [Note.Fact("app", app)]))
      return perform(machine.receive(.switched(app: app, isAllowed: isAllowed, status)), noting: note)
    } catch {
      return [unwritten(error)]
    }
  }

  private func notInSettings(_ reason: String) -> [Effect] { [.note(Note(.osNotInSettings, reason))] }

  /// Installs an app with the document types of its entitlement, about which the person has not been asked yet, or a new
  /// version of an app, whose status and registrations stay.
  func install(_ app: String, entitlement: [String], isUpdate: Bool = false) -> [Effect] {
    let message = isUpdate ? "\(app) is updated, with \(entitlement.count) document types" : "\(app) is installed"
    return change(isUpdate ? .osAppUpdated : .osAppInstalled, message) {
      try $0.install(app, entitlement: entitlement, status: .notDetermined)
    }
  }

  /// Removes an app with its registrations.
  mutating func remove(_ app: String) -> [Effect] {
    let effects = change(.osAppRemoved, "\(app) is removed with its registrations") { try $0.uninstall(app) }
    return isInstalled(app) ? effects : effects + perform(machine.receive(.removed(app: app)))
  }

  private func change(_ code: NoteCode, _ message: String, _ body: (RegistrationDatabase) throws -> Void) -> [Effect] {
    do {
      try body(database)
      return [.note(Note(code, message))]
    } catch {
      return [unwritten(error)]
    }
  }

  /// Returns the authorized apps, whose `performRegistrationUpdates` is called periodically.
  func authorizedApps() throws -> [String] {
    guard policy.isSupported else { return [] }
    return try database.appNames().filter { try database.status(of: $0) == .authorized }
  }

  /// Returns whether an app is installed.
  func isInstalled(_ app: String) -> Bool { (try? database.status(of: app)) ?? nil != nil }
}
