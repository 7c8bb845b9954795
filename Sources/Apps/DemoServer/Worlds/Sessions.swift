import CHeap
import Foundation
import InteractiveWorlds
import MobileDocument
import StageViews
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
  /// The world's events for pages.
  let events: EventLog
  let use = WorldUse()
  private let state = Mutex(State())

  /// The memory of a journal line besides a message's bytes, roughly: checks and notes with their evidence.
  private static let lineBytes = 512

  /// A page's name for a call. Pages of other websites may use the same name.
  private struct CallName: Hashable {
    var website: String
    var name: String
  }

  private struct State {
    var nextCall = 1
    var calls: [CallName: (number: Int, page: ExternalPage)] = [:]
  }

  init(
    identifier: String, setting: DemoConfiguration, worldName: String?, scenarioName: String?, world: InteractiveWorld,
    readers: ReaderCount = ReaderCount()
  ) {
    self.identifier = identifier
    self.setting = setting
    self.worldName = worldName
    self.scenarioName = scenarioName
    self.world = world
    events = EventLog(of: world, named: identifier, among: readers)
  }

  /// The bytes that the world's past takes: its messages, lines, recording and encoded events.
  var byteCount: Int {
    guard let snapshot = world.snapshot else { return 0 }
    return snapshot.bytes + snapshot.lines * Self.lineBytes + events.byteCount
  }

  /// The device whose browser shows the pages.
  var device: String { devices.browsing }

  /// The devices that the person uses.
  var devices: DevicesInUse {
    let devices = world.scenario.world.devices
    return DevicesInUse(devices, current: world.snapshot?.device ?? devices.first?.identifier ?? "")
  }

  /// The world, as the stage gets it.
  var json: StageJSON.World {
    StageJSON.World(
      world.scenario, identifier: identifier, setting: setting, file: (worldName, scenarioName), devices: devices)
  }

  /// Returns the website of the world with an origin.
  func website(of origin: String) -> String? {
    world.scenario.world.websites.first { $0.origin.serialized == origin }?.identifier
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
}

/// The last use of a world. A client that follows the world has it, and not the world's memory.
final class WorldUse: Sendable {
  private let moment = Mutex(ContinuousClock.now)
  private let large = Mutex(false)
  private let ofTest = Mutex(false)

  var last: ContinuousClock.Instant { moment.withLock { $0 } }

  /// True if the world's past has ever been large.
  var isLarge: Bool { large.withLock { $0 } }

  func setLarge() { large.withLock { $0 = true } }

  /// True if the world belongs to a test. It does not end for another world.
  var isOfTest: Bool { ofTest.withLock { $0 } }

  func setOfTest() { ofTest.withLock { $0 = true } }

  func touch() { moment.withLock { $0 = .now } }
}

/// The live worlds of the server.
final class Sessions: Sendable {
  /// The maximum number of worlds: each has a thread and a few megabytes. A new world replaces the one that has been
  /// unused for the longest time, except for those of tests, which have a maximum of their own.
  static let maximumCount = 32
  /// The maximum bytes of the past of all worlds together: a world that reaches the limit of its messages fits in, with
  /// its recording, and a laptop has the memory to spare. When it is exceeded, the world that has been unused for the
  /// longest time ends.
  static let maximumBytes = 256 << 20

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
  private let maximumBytes: Int
  /// The readers of all events.
  let readers = ReaderCount()
  let externalPages = ExternalPages()

  /// The time after which the world of a test may end for that of another although its pages have not said that they were
  /// left: a browser that is killed says nothing.
  let testIdleTime: Duration

  init(maximumBytes: Int = Sessions.maximumBytes, testIdleTime: Duration = .seconds(600)) {
    self.maximumBytes = maximumBytes
    self.testIdleTime = testIdleTime
  }

  /// Ends a world.
  func stop(_ name: String) { unused(name)?.world.stop() }

  /// Adds a world, and ends the one that has been unused for the longest time if there are too many.
  func add(_ world: InteractiveWorld, _ setting: DemoConfiguration, worldName: String?, scenarioName: String?)
    -> Session
  {
    let session = Session(
      identifier: Self.identifier(), setting: setting, worldName: worldName, scenarioName: scenarioName, world: world,
      readers: readers)
    let ended = state.withLock { state -> [Session] in
      guard !state.isOver else { return [session] }
      state.sessions[session.identifier] = session
      guard state.sessions.count > Self.maximumCount,
        let oldest = state.sessions.values.filter({ !$0.use.isOfTest }).min(by: { $0.use.last < $1.use.last })
      else { return [] }
      state.remove(oldest)
      return [oldest]
    }
    for session in ended { session.world.stop() }
    _ = world.watch(
      { [weak self, weak session] _ in
        if let session, session.byteCount > Self.largeBytes { session.use.setLarge() }
        self?.makeRoom()
      },
      ended: { [weak self, weak session, identifier = session.identifier, use = session.use] in
        session.map { self?.release($0) }
        self?.externalPages.end(world: identifier)
        if use.isLarge { Self.returnMemory() }
      })
    return session
  }

  /// The bytes of the past of a large world, whose memory is returned to the system after its end.
  private static let largeBytes = 16 << 20
  /// The time in which a world that has ended is released: its thread, the requests for it and its readers end first.
  private static let releaseTime = Duration.seconds(2)

  private static func returnMemory() {
    Task {
      try? await Task.sleep(for: releaseTime)
      heap_return_free_memory()
    }
  }

  /// Forgets a world that has ended, and so releases its journal and its recording after the last request for them.
  private func release(_ session: Session) { state.withLock { $0.remove(session) } }

  /// Ends worlds that have been unused for the longest time, until the others are within the limit.
  private func makeRoom() {
    let sessions = state.withLock { Array($0.sessions.values) }.sorted { $0.use.last > $1.use.last }
    var (bytes, ended): (Int, [Session]) = (0, [])
    for session in sessions {
      bytes += session.byteCount
      if bytes > maximumBytes { ended.append(session) }
    }
    guard !ended.isEmpty else { return }
    state.withLock { state in for session in ended { state.remove(session) } }
    for session in ended { session.world.stop() }
  }

  /// Returns the session with an identifier or an additional name.
  func find(_ name: String) throws(HTTPProblem) -> Session {
    guard let session = state.withLock({ $0.session(name) }) else { throw .noWorld }
    session.use.touch()
    return session
  }

  /// Returns the session with an identifier or an additional name, if there is one.
  func known(_ name: String) -> Session? { try? find(name) }

  /// Returns the session with an identifier or an additional name, without a use of its world.
  func unused(_ name: String) -> Session? { state.withLock { $0.session(name) } }

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
          // The world may have made room for others already.
          if case .success(let session) = result, state.sessions[session.identifier] != nil {
            state.names[name] = session.identifier
          }
        }
        return result
      }
      state.beginnings[name] = beginning
      return .beginning(beginning)
    }
    switch found {
    case .known(let session):
      session.use.touch()
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
