import Foundation
import InteractiveWorlds
import MobileDocument
import Synchronization

/// A world that somebody looks at.
final class Session: Sendable {
  /// Its name in addresses, which nobody guesses.
  let identifier: String
  /// What it shows.
  let setting: DemoConfiguration
  /// Name of the world's file as the catalogue has it.
  let worldName: String?
  /// Name of the scenario as the catalogue has it.
  let scenarioName: String?
  let world: InteractiveWorld
  private let state = Mutex(State())

  /// What a page calls its call. Pages of other websites may use the same name.
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

  /// The device in the person's hand.
  var device: String { world.snapshot?.device ?? world.scenario.world.devices.first?.identifier ?? "" }

  /// A number for a page's call, remembered under a name until the call ends.
  /// - Throws: ``HTTPProblem`` when a call of the website waits under that name already: it could not be taken back.
  func beginCall(_ name: String, of page: ExternalPage) throws(HTTPProblem) -> Int {
    try state.withLock { state throws(HTTPProblem) in
      let key = CallName(website: page.website, name: name)
      guard state.calls[key] == nil else {
        throw HTTPProblem(.conflict, .callPending, "a call of this name waits already; each call needs its own")
      }
      let number = state.nextCall
      state.nextCall += 1
      state.calls[key] = (number, page)
      return number
    }
  }

  /// A website's call that waits for its answer, by its name.
  func call(_ name: String, of website: String) -> (number: Int, page: ExternalPage)? {
    state.withLock { $0.calls[CallName(website: website, name: name)] }
  }

  func endCall(_ name: String, of website: String) {
    state.withLock { $0.calls[CallName(website: website, name: name)] = nil }
  }

  func touch() { state.withLock { $0.lastUse = .now } }

  var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }
}

/// The worlds that live in the server.
final class Sessions: Sendable {
  /// Most worlds at the same time: each has a thread and a few megabytes. Whoever comes then takes the place of the one
  /// that nobody has looked at for longest.
  static let maximumCount = 32

  private typealias Beginning = Task<Result<Session, HTTPProblem>, Never>

  private enum Found {
    case known(Session)
    case beginning(Beginning)
  }

  private struct State {
    var sessions: [String: Session] = [:]
    /// Further names of sessions.
    var names: [String: String] = [:]
    /// Worlds that are begun just now, by the names for which they are.
    var beginnings: [String: Beginning] = [:]
    var isOver = false

    func session(_ name: String) -> Session? { sessions[names[name] ?? name] }

    mutating func remove(_ session: Session) {
      sessions[session.identifier] = nil
      names = names.filter { $0.value != session.identifier }
    }
  }

  private let state = Mutex(State())

  /// Takes in a world, and ends the one that nobody has looked at for longest when there are too many.
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

  /// The session of an identifier or of a further name.
  func find(_ name: String) throws(HTTPProblem) -> Session {
    guard let session = state.withLock({ $0.session(name) }) else { throw .noWorld }
    session.touch()
    return session
  }

  /// The session of a further name; one that is begun now when there is none, or its world has ended by itself. All who
  /// ask for a name while its world is begun get that one.
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

  /// Keeps a session under another name too.
  func name(_ session: Session, _ name: String) { state.withLock { $0.names[name] = session.identifier } }

  /// Ends every world, and takes no new one.
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
