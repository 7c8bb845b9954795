import Foundation
import InteractiveWorlds
import MobileDocument
import Synchronization

/// A live world on the server.
final class Session: Sendable {
  /// The name in addresses, which cannot be guessed.
  let identifier: String
  /// The configuration of the world.
  let setting: DemoConfiguration
  /// The catalogue's name of the world's file.
  let worldName: String?
  /// The catalogue's name of the scenario.
  let scenarioName: String?
  let world: InteractiveWorld
  private let state = Mutex(State())

  /// A page's name for a call. Pages of other websites may use the same name.
  private struct CallName: Hashable {
    var website: String
    var name: String
  }

  private struct State {
    var nextCall = 1
    var calls: [CallName: (number: Int, page: ExternalPage)] = [:]
    var lastUse = ContinuousClock.now
  }

  init(
    identifier: String, setting: DemoConfiguration, worldName: String?, scenarioName: String?, world: InteractiveWorld
  ) {
    self.identifier = identifier
    self.setting = setting
    self.worldName = worldName
    self.scenarioName = scenarioName
    self.world = world
  }

  /// The device whose browser shows the pages.
  var device: String { devices.browsing }

  /// The devices that the person uses.
  var devices: DevicesInUse {
    let devices = world.scenario.world.devices
    return DevicesInUse(devices, current: world.snapshot?.device ?? devices.first?.identifier ?? "")
  }

  /// Returns a number for a page's call, stored under a name until the call ends.
  /// - Throws: ``HTTPProblem`` if another call of the website with this name is pending: it could not be aborted any
  ///   more.
  func beginCall(_ name: String, of page: ExternalPage) throws(HTTPProblem) -> Int {
    try state.withLock { state throws(HTTPProblem) in
      let key = CallName(website: page.website, name: name)
      guard state.calls[key] == nil else {
        throw HTTPProblem(
          .conflict, .callPending, "a call with this name is pending; each call needs a name of its own")
      }
      let number = state.nextCall
      state.nextCall += 1
      state.calls[key] = (number, page)
      return number
    }
  }

  /// Returns a website's pending call with a name.
  func call(_ name: String, of website: String) -> (number: Int, page: ExternalPage)? {
    state.withLock { $0.calls[CallName(website: website, name: name)] }
  }

  func endCall(_ name: String, of website: String) {
    state.withLock { $0.calls[CallName(website: website, name: name)] = nil }
  }

  func touch() { state.withLock { $0.lastUse = .now } }

  var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }
}

/// The live worlds of the server.
final class Sessions: Sendable {
  /// The maximum number of worlds: each has a thread and a few megabytes. A new world replaces the one that has been
  /// unused for the longest time.
  static let maximumCount = 32

  private typealias Beginning = Task<Result<Session, HTTPProblem>, Never>

  private enum Found {
    case known(Session)
    case beginning(Beginning)
  }

  private struct State {
    var sessions: [String: Session] = [:]
    /// Additional names of sessions.
    var names: [String: String] = [:]
    /// Worlds that are being started, by name.
    var beginnings: [String: Beginning] = [:]
    var isOver = false

    func session(_ name: String) -> Session? { sessions[names[name] ?? name] }

    mutating func remove(_ session: Session) {
      sessions[session.identifier] = nil
      names = names.filter { $0.value != session.identifier }
    }
  }

  private let state = Mutex(State())

  /// Adds a world, and ends the one that has been unused for the longest time if there are too many.
  func add(_ world: InteractiveWorld, _ setting: DemoConfiguration, worldName: String?, scenarioName: String?)
    -> Session
  {
    let session = Session(
      identifier: Self.identifier(), setting: setting, worldName: worldName, scenarioName: scenarioName, world: world)
    let ended = state.withLock { state -> [Session] in
      guard !state.isOver else { return [session] }
      state.sessions[session.identifier] = session
      guard state.sessions.count > Self.maximumCount,
        let oldest = state.sessions.values.min(by: { $0.lastUse < $1.lastUse })
      else { return [] }
      state.remove(oldest)
      return [oldest]
    }
    for session in ended { session.world.stop() }
    return session
  }

  /// Returns the session with an identifier or an additional name.
  func find(_ name: String) throws(HTTPProblem) -> Session {
    guard let session = state.withLock({ $0.session(name) }) else { throw .noWorld }
    session.touch()
    return session
  }

  /// Returns the session with an additional name, and starts it if it does not exist or its world has ended.
  /// Simultaneous requests get the same session.
  func find(
    named name: String, orBegin begin: @escaping @Sendable () async throws(HTTPProblem) -> Session
  ) async throws(HTTPProblem) -> Session {
    let found: Found = state.withLock { state in
      if let known = state.session(name), !known.world.hasEnded { return .known(known) }
      if let beginning = state.beginnings[name] { return .beginning(beginning) }
      let beginning = Beginning { [self] in
        let result: Result<Session, HTTPProblem>
        do throws(HTTPProblem) {
          result = .success(try await begin())
        } catch {
          result = .failure(error)
        }
        self.state.withLock { state in
          state.beginnings[name] = nil
          if case .success(let session) = result { state.names[name] = session.identifier }
        }
        return result
      }
      state.beginnings[name] = beginning
      return .beginning(beginning)
    }
    switch found {
    case .known(let session):
      session.touch()
      return session
    case .beginning(let beginning): return try await beginning.value.get()
    }
  }

  /// Adds a name for a session.
  func name(_ session: Session, _ name: String) { state.withLock { $0.names[name] = session.identifier } }

  /// Ends every world and refuses new ones.
  func end() {
    let sessions = state.withLock { state in
      defer {
        state = State()
        state.isOver = true
      }
      return Array(state.sessions.values)
    }
    for session in sessions { session.world.stop() }
  }

  private static func identifier() -> String {
    var generator = SystemRandomNumberGenerator()
    return [generator.next(), generator.next()].map { String($0, radix: 36) }.joined()
  }
}
