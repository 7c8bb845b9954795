import DigitalCredentials
import InteractiveWorlds
import JSON
import Synchronization

/// The documents of real pages that joined worlds, and the behavior that WebDriver sessions set for their browsers.
///
/// A context is the script of a page or of a frame in it. The first document of a browser gets the behavior of its
/// session, so that it holds before the document calls.
///
/// A session has the pages of its test, whose worlds end with it, or else the pages that belong to no test.
final class BrowsingContexts: Sendable {
  /// A document that joined a world.
  struct Context: Sendable {
    /// The name that the document's script chose.
    var identifier: String
    /// The context of the page or frame around it.
    var parent: String?
    /// The address of the document.
    var url: String
    /// The origin of the page at the top.
    var origin: String
    /// The page's place.
    var browser: Browser
    /// The test that the page belongs to.
    var test: String?
  }

  /// A browser in a world, with the website whose page speaks to it.
  struct Browser: Hashable, Sendable {
    /// The name of the world.
    var session: String
    var device: String
    var website: String
  }

  /// A WebDriver session.
  struct Driver: Sendable {
    /// The name that the session got.
    var name: String
    /// The test whose pages it has; nil for the pages that belong to no test.
    var test: String?
    /// Returns whether the client still has its end of the connection open.
    var isConnected: @Sendable () async -> Bool
  }

  /// The maximum number of contexts. Beyond it the one that joined first is forgotten.
  static let maximumCount = 512
  /// The maximum length of a context's name and of its address, in bytes.
  static let nameLimit = 64
  static let addressLimit = 2048

  /// A WebDriver session in progress.
  private struct Driving {
    let driver: Driver
    /// The parameters that it set for all contexts.
    var behavior: String?
    /// The browsers that have them.
    var told: Set<Browser> = []
    /// The contexts that it set a behavior for.
    var set: Set<String> = []
    /// The faults that it set for all contexts.
    var faults: [DemoFault]?
    /// The worlds for which it set faults.
    var faulty: Set<String> = []
    /// Its end, while that is in progress.
    var ending: Task<Void, Never>?
  }

  private struct State {
    var contexts: [Context] = []
    /// The WebDriver sessions by their names.
    var drivings: [String: Driving] = [:]

    func driving(of test: String?) -> Driving? { drivings.values.first { $0.driver.test == test } }
  }

  private let state = Mutex(State())
  private let sessions: Sessions
  /// The commands of tests.
  let tests: TestCommands

  init(sessions: Sessions) {
    self.sessions = sessions
    tests = TestCommands(sessions: sessions, workers: .forPages())
  }

  /// Adds a document, or changes the address of one that has joined.
  /// - Throws: ``HTTPProblem`` if a page of another origin has the name, or the world has ended.
  func add(_ context: Context) async throws(HTTPProblem) {
    try state.withLock { state throws(HTTPProblem) in
      if let known = state.contexts.firstIndex(where: { $0.identifier == context.identifier }) {
        guard state.contexts[known].origin == context.origin else {
          throw HTTPProblem(.conflict, .member, "context: another page has this name")
        }
        state.contexts.remove(at: known)
      } else if state.contexts.count == Self.maximumCount {
        state.contexts.removeFirst()
      }
      state.contexts.append(context)
    }
    try await tell(context)
    try await breakWorld(of: context)
  }

  /// Gives a browser the behavior that its session set for all contexts.
  private func tell(_ context: Context) async throws(HTTPProblem) {
    let told = state.withLock { state -> (driver: String, behavior: String)? in
      guard let driving = state.driving(of: context.test), let behavior = driving.behavior,
        !driving.told.contains(context.browser)
      else { return nil }
      state.drivings[driving.driver.name]?.told.insert(context.browser)
      return (driving.driver.name, behavior)
    }
    guard let (driver, behavior) = told else { return }
    do throws(InteractiveWorldError) {
      try await page(of: context.browser)?.setVirtualWallet(behavior)
    } catch {
      // The next attempt of the page is refused, too: its calls must not wait for a person.
      state.withLock { _ = $0.drivings[driver]?.told.remove(context.browser) }
      throw HTTPProblem(error)
    }
  }

  /// Gives a world the faults that its session set for all contexts.
  private func breakWorld(of context: Context) async throws(HTTPProblem) {
    let world = context.browser.session
    let faults = state.withLock { state -> [DemoFault]? in
      guard let driving = state.driving(of: context.test), !driving.faulty.contains(world) else { return nil }
      if driving.faults != nil { state.drivings[driving.driver.name]?.faulty.insert(world) }
      return driving.faults
    }
    guard let faults, let page = sessions.externalPages.page(inWorld: world) else { return }
    try await tests.set(faults, for: page)
  }

  /// Removes a document and the frames in it.
  func remove(_ identifier: String, of origin: String) {
    state.withLock { state in
      guard state.contexts.contains(where: { $0.identifier == identifier && $0.origin == origin }) else { return }
      var gone: Set<String> = [identifier]
      while true {
        let inside = state.contexts.filter { $0.parent.map(gone.contains) ?? false }.map(\.identifier)
        guard !gone.isSuperset(of: inside) else { break }
        gone.formUnion(inside)
      }
      state.contexts.removeAll { gone.contains($0.identifier) }
    }
  }

  /// The documents whose worlds have not ended, in the order in which they joined.
  private var contexts: [Context] {
    state.withLock { $0.contexts }.filter { sessions.unused($0.browser.session) != nil }
  }

  /// The documents of a WebDriver session, in the order in which they joined.
  func contexts(of driver: String) -> [Context] {
    guard let driving = state.withLock({ $0.drivings[driver] }) else { return [] }
    return contexts.filter { $0.test == driving.driver.test }
  }

  /// Returns whether a page's world, which is one of a test, may end for that of another: no WebDriver session has the
  /// test, and its pages were left or have been quiet for a long time.
  func isOver(_ page: ExternalPages.Page) -> Bool {
    guard let world = page.world, let session = sessions.unused(world) else { return false }
    let isLeft = state.withLock { state -> Bool? in
      guard state.driving(of: page.place.test) == nil else { return nil }
      return !state.contexts.contains { $0.browser.session == world }
    }
    guard let isLeft else { return false }
    return isLeft || session.use.last.duration(to: .now) >= sessions.testIdleTime
  }

  private func page(of browser: Browser) -> ExternalPage? {
    sessions.known(browser.session).map { ExternalPage(browser.website, on: browser.device, in: $0.world) }
  }
}

// MARK: WebDriver sessions

extension BrowsingContexts {
  /// The maximum number of sessions: one for each test that can have a world, and one for the pages without a test.
  static let maximumOfDrivers = ExternalPages.maximumOfTests + 1

  /// Begins a WebDriver session, of which there is one at a time for each test and one for the pages without a test. A
  /// session whose client has closed its connection ends first: the client may come back before the server has read the
  /// end of its old connection.
  /// - Throws: ``BiDiError`` if the test has a session, or there are too many.
  func begin(_ driver: Driver) async throws(BiDiError) {
    while true {
      let inTheWay = state.withLock { state -> [Driver] in
        if let same = state.driving(of: driver.test) { return [same.driver] }
        guard state.drivings.count < Self.maximumOfDrivers else { return state.drivings.values.map(\.driver) }
        state.drivings[driver.name] = Driving(driver: driver)
        return []
      }
      if inTheWay.isEmpty { return }
      var hasRoom = false
      for other in inTheWay where await hasEnded(other) { hasRoom = true }
      guard !hasRoom else { continue }
      throw BiDiError(
        .sessionNotCreated,
        inTheWay.count > 1
          ? "\(inTheWay.count) sessions are in progress, the most of a server"
          : driver.test.map { "a session of the test \($0.quoted) is in progress" }
            ?? "a session is in progress; one with presentment:test has worlds of its own")
    }
  }

  /// Returns whether a WebDriver session of the pages without a test can begin.
  func isReady() async -> Bool {
    guard let current = state.withLock({ $0.driving(of: nil) }) else { return true }
    return await hasEnded(current.driver)
  }

  /// Ends a WebDriver session if its client has closed its connection.
  /// - Returns: True if it has ended.
  private func hasEnded(_ driver: Driver) async -> Bool {
    let isEnding = state.withLock { state in state.drivings[driver.name].map { $0.ending != nil } ?? true }
    if !isEnding, await driver.isConnected() { return false }
    await end(driver.name)
    return true
  }

  /// Ends a WebDriver session: the worlds of its test, or else the behavior that it set. The next one of the same pages
  /// begins when all has ended.
  func end(_ name: String) async {
    let ending = state.withLock { state -> Task<Void, Never>? in
      guard var driving = state.drivings[name] else { return nil }
      if let ending = driving.ending { return ending }
      let contexts = state.contexts.filter { driving.set.contains($0.identifier) }
      let ending = Task { [driving] in await end(driving, contexts) }
      // A page that joins meanwhile does not get its behavior.
      (driving.behavior, driving.faults, driving.ending) = (nil, nil, ending)
      state.drivings[name] = driving
      return ending
    }
    await ending?.value
  }

  private func end(_ driving: Driving, _ contexts: [Context]) async {
    if let test = driving.driver.test {
      for world in sessions.externalPages.remove(where: { $0.place.test == test }) { sessions.stop(world) }
    } else {
      for world in driving.faulty {
        if let page = sessions.externalPages.page(inWorld: world) { try? await tests.set([], for: page) }
      }
      for browser in driving.told { await clear(#"{"action":"clear"}"#, browser) }
      for context in contexts {
        await clear(JSONCoding.text(["action": "clear", "context": context.identifier]), context.browser)
      }
    }
    state.withLock { $0.drivings[driving.driver.name] = nil }
  }

  private func clear(_ parameters: String, _ browser: Browser) async {
    // A world that has ended has nothing to clear.
    try? await page(of: browser)?.setVirtualWallet(parameters)
  }

  /// Sets the behavior for a context, or for every context that has joined or joins.
  /// - Parameter driver: The name of the WebDriver session.
  /// - Throws: ``BiDiError``.
  func set(_ command: VirtualWalletCommand, _ parameters: JSONValue, for driver: String) async throws(BiDiError) {
    let text = String(decoding: parameters.bytes, as: UTF8.self)
    let contexts = try contexts(of: driver, named: command.context)
    let browsers = Set(contexts.map(\.browser))
    try requireKnownApp(text, in: browsers)
    if let name = command.context {
      try change(driver) { $0.set.insert(name) }
    } else {
      try change(driver) { driving in
        driving.behavior = command.behavior == nil ? nil : text
        driving.told.formUnion(browsers)
      }
    }
    for browser in browsers {
      do throws(InteractiveWorldError) {
        try await page(of: browser)?.setVirtualWallet(text)
      } catch {
        throw BiDiError(.unknownError, error.message)
      }
    }
  }

  private func change(_ driver: String, _ body: (inout Driving) -> Void) throws(BiDiError) {
    try state.withLock { state throws(BiDiError) in
      guard var driving = state.drivings[driver], driving.ending == nil else {
        throw BiDiError(.invalidSessionID, "the session has ended")
      }
      body(&driving)
      state.drivings[driver] = driving
    }
  }

  /// Returns the context of a session with a name, or all of its contexts without one.
  private func contexts(of driver: String, named name: String?) throws(BiDiError) -> [Context] {
    let all = contexts(of: driver)
    guard let name else { return all }
    guard let context = all.first(where: { $0.identifier == name }) else {
      throw BiDiError(.noSuchFrame, "no page or frame with the context \(name.quoted) has joined a world")
    }
    return [context]
  }

  /// Returns the page of a context of a session, or all that have joined, also those that were left.
  private func pages(of driver: String, named name: String?) throws(BiDiError) -> [ExternalPages.Page] {
    let all = sessions.externalPages.all.sorted { $0.turn < $1.turn }
    if name != nil {
      let worlds = Set(try contexts(of: driver, named: name).map(\.browser.session))
      return all.filter { $0.world.map(worlds.contains) ?? false }
    }
    let test = state.withLock { $0.drivings[driver]?.driver.test }
    return all.filter { $0.place.test == test }
  }

  /// Does a command of a test for the page of a context, or for all pages of the session that have joined. Faults without a
  /// context are those of pages that join later, too.
  func result(
    of command: TestCommand, _ parameters: JSONValue, for driver: String
  ) async throws(BiDiError) -> JSONValue {
    let name = parameters.member("context")
    guard name == nil || name?.text != nil else { throw BiDiError(.invalidArgument, "context must be a string") }
    let pages = try pages(of: driver, named: name?.text)
    if command == .setFaults {
      let faults: [DemoFault]
      do throws(HTTPProblem) { faults = try TestCommands.faults(parameters) } catch { throw BiDiError(error) }
      try change(driver) { driving in
        driving.faulty.formUnion(pages.compactMap(\.world))
        if name == nil { driving.faults = faults }
      }
    }
    do throws(HTTPProblem) {
      return try await tests.result(of: command, parameters, for: pages)
    } catch {
      throw BiDiError(error)
    }
  }

  /// - Throws: ``BiDiError`` if the worlds of browsers do not have the app of a behavior.
  private func requireKnownApp(_ parameters: String, in browsers: Set<Browser>) throws(BiDiError) {
    for browser in browsers {
      do throws(InteractiveWorldError) {
        try page(of: browser)?.requireKnownApp(in: parameters)
      } catch {
        throw BiDiError(.invalidArgument, error.message)
      }
    }
  }
}
