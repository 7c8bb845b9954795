import DigitalCredentials
import InteractiveWorlds
import JSON
import Synchronization

/// The documents of real pages that joined worlds, and the behavior that a WebDriver session set for their browsers.
///
/// A context is the script of a page or of a frame in it. The first document of a browser gets the behavior of the
/// session, so that it holds before the document calls.
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
    /// Returns whether the client still has its end of the connection open.
    var isConnected: @Sendable () async -> Bool
  }

  /// The maximum number of contexts. Beyond it the one that joined first is forgotten.
  static let maximumCount = 512
  /// The maximum length of a context's name and of its address, in bytes.
  static let nameLimit = 64
  static let addressLimit = 2048

  private struct State {
    var contexts: [Context] = []
    /// The parameters that the WebDriver session set for all contexts.
    var behavior: String?
    /// The browsers that have them.
    var told: Set<Browser> = []
    /// The contexts that the WebDriver session set a behavior for.
    var set: Set<String> = []
    /// The WebDriver session.
    var driver: Driver?
    /// The end of the WebDriver session, while it is in progress.
    var ending: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let sessions: Sessions

  init(sessions: Sessions) { self.sessions = sessions }

  /// Adds a document, or changes the address of one that has joined.
  /// - Throws: ``HTTPProblem`` if a page of another origin has the name, or the world has ended.
  func add(_ context: Context) async throws(HTTPProblem) {
    let behavior: String? = try state.withLock { state throws(HTTPProblem) in
      if let known = state.contexts.firstIndex(where: { $0.identifier == context.identifier }) {
        guard state.contexts[known].origin == context.origin else {
          throw HTTPProblem(.conflict, .member, "context: another page has this name")
        }
        state.contexts.remove(at: known)
      } else if state.contexts.count == Self.maximumCount {
        state.contexts.removeFirst()
      }
      state.contexts.append(context)
      guard let behavior = state.behavior, state.told.insert(context.browser).inserted else { return nil }
      return behavior
    }
    guard let behavior else { return }
    do throws(InteractiveWorldError) {
      try await page(of: context.browser)?.setVirtualWallet(behavior)
    } catch {
      throw HTTPProblem(error)
    }
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
  var contexts: [Context] { state.withLock { $0.contexts }.filter { sessions.known($0.browser.session) != nil } }

  private func page(of browser: Browser) -> ExternalPage? {
    sessions.known(browser.session).map { ExternalPage(browser.website, on: browser.device, in: $0.world) }
  }
}

// MARK: The WebDriver session

extension BrowsingContexts {
  /// Begins the WebDriver session, of which there is one at a time. A session whose client has closed its connection
  /// ends first: the client may come back before the server has read the end of its old connection.
  /// - Returns: false if there is one.
  func begin(_ driver: Driver) async -> Bool {
    while true {
      let current = state.withLock { state in
        if state.driver == nil { state.driver = driver }
        return state.driver?.name == driver.name ? nil : state.driver
      }
      guard let current else { return true }
      guard await hasEnded(current) else { return false }
    }
  }

  /// Returns whether a WebDriver session can begin.
  func isReady() async -> Bool {
    guard let current = state.withLock({ $0.driver }) else { return true }
    return await hasEnded(current)
  }

  /// Ends the WebDriver session if its client has closed its connection.
  /// - Returns: true if it has ended.
  private func hasEnded(_ driver: Driver) async -> Bool {
    if state.withLock({ $0.ending == nil }), await driver.isConnected() { return false }
    await end(driver.name)
    return true
  }

  /// Ends the WebDriver session, and clears the behavior that it set. The next one begins when all is cleared.
  func end(_ name: String) async {
    let ending: Task<Void, Never>? = state.withLock { state in
      guard state.driver?.name == name else { return nil }
      if let ending = state.ending { return ending }
      let (told, contexts) = (state.told, state.contexts.filter { [set = state.set] in set.contains($0.identifier) })
      (state.behavior, state.told, state.set) = (nil, [], [])
      let ending = Task { await clear(told, contexts) }
      state.ending = ending
      return ending
    }
    await ending?.value
  }

  private func clear(_ told: Set<Browser>, _ contexts: [Context]) async {
    for browser in told { await clear(#"{"action":"clear"}"#, browser) }
    for context in contexts {
      await clear(Self.text([("action", .string("clear")), ("context", .string(context.identifier))]), context.browser)
    }
    state.withLock { ($0.driver, $0.ending) = (nil, nil) }
  }

  private func clear(_ parameters: String, _ browser: Browser) async {
    // A world that has ended has nothing to clear.
    try? await page(of: browser)?.setVirtualWallet(parameters)
  }

  /// Sets the behavior for a context, or for every context that has joined or joins.
  /// - Parameter driver: the name of the WebDriver session.
  /// - Throws: ``BiDiError``.
  func set(
    _ command: VirtualWalletCommand, _ parameters: JSONValue, for driver: String
  ) async throws(BiDiError) {
    let text = String(decoding: parameters.bytes, as: UTF8.self)
    let contexts = contexts
    let browsers: Set<Browser>
    func change(_ body: (inout State) -> Void) throws(BiDiError) {
      try state.withLock { state throws(BiDiError) in
        guard state.driver?.name == driver, state.ending == nil else {
          throw BiDiError(.invalidSessionID, "the session has ended")
        }
        body(&state)
      }
    }
    if let name = command.context {
      guard let context = contexts.first(where: { $0.identifier == name }) else {
        throw BiDiError(.noSuchFrame, "no page or frame with the context \(name.quoted) has joined a world")
      }
      browsers = [context.browser]
      try change { $0.set.insert(name) }
    } else {
      browsers = Set(contexts.map(\.browser))
      try change { state in
        state.behavior = command.behavior == nil ? nil : text
        state.told.formUnion(browsers)
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

  private static func text(_ members: [(String, JSONValue)]) -> String {
    String(decoding: JSONValue(members: members).bytes, as: UTF8.self)
  }
}
