import DigitalCredentials
import Foundation
import JSON

/// A connection of a WebDriver BiDi client: the commands that presentment implements, one after another.
///
/// | command | |
/// | --- | --- |
/// | `session.status`, `session.new`, `session.end` | one session at a time, and one for each test |
/// | `session.subscribe`, `session.unsubscribe` | refused: no event is sent |
/// | `browsingContext.getTree` | the pages and frames of the session that joined worlds |
/// | `digitalCredentials.setVirtualWalletBehavior` | for a context, or for all |
/// | `presentment:test.setFaults` and the others of ``TestCommand`` | for a context, or for all |
actor BiDiSession {
  private enum Method: String {
    case status = "session.status"
    case new = "session.new"
    case end = "session.end"
    case subscribe = "session.subscribe"
    case unsubscribe = "session.unsubscribe"
    case getTree = "browsingContext.getTree"
    case setVirtualWallet = "digitalCredentials.setVirtualWalletBehavior"
  }

  private let contexts: BrowsingContexts
  private let isConnected: @Sendable () async -> Bool
  private var identifier: String?

  /// - Parameter isConnected: Returns whether the client still has its end of the connection open.
  init(contexts: BrowsingContexts, isConnected: @escaping @Sendable () async -> Bool) {
    self.contexts = contexts
    self.isConnected = isConnected
  }

  /// True if the connection has a WebDriver session.
  var hasBegun: Bool { identifier != nil }

  /// Returns the answer to a message, which is always one.
  func answer(_ message: [UInt8]) async -> [UInt8] {
    switch BiDiCommand.reading(message) {
    case .failure(let error, let number): return error.answer(to: number)
    case .command(let command):
      do throws(BiDiError) {
        return command.success(try await result(of: command))
      } catch {
        return error.answer(to: command.number)
      }
    }
  }

  /// Ends the session when the connection closes.
  func close() async {
    guard let identifier else { return }
    self.identifier = nil
    await contexts.end(identifier)
  }

  private func result(of command: BiDiCommand) async throws(BiDiError) -> JSONValue {
    if let test = TestCommand(method: command.method) {
      return try await contexts.result(of: test, command.parameters, for: try begun)
    }
    guard let method = Method(rawValue: command.method) else {
      throw BiDiError(.unknownCommand, "the command \(command.method.quoted) is not implemented")
    }
    switch method {
    case .status:
      let isReady = await contexts.isReady()
      return JSONValue(members: [
        ("ready", .boolean(isReady)),
        ("message", .string(isReady ? "a session can begin" : "a session is in progress")),
      ])
    case .new: return try await begin(command.parameters)
    case .end, .subscribe, .unsubscribe, .getTree, .setVirtualWallet: break
    }
    let identifier = try begun
    switch method {
    case .status, .new: break
    case .end: await close()
    case .subscribe, .unsubscribe: throw BiDiError(.invalidArgument, "events: no event is supported")
    case .getTree: return try tree(command.parameters, of: identifier)
    case .setVirtualWallet:
      let wallet: VirtualWalletCommand
      do {
        wallet = try VirtualWalletCommand(parameters: command.parameters)
      } catch {
        throw BiDiError(.invalidArgument, error.message)
      }
      try await contexts.set(wallet, command.parameters, for: identifier)
    }
    return .object([])
  }

  /// The name of the session.
  private var begun: String {
    get throws(BiDiError) {
      guard let identifier else { throw BiDiError(.invalidSessionID, "the connection does not have a session") }
      return identifier
    }
  }

  private func begin(_ parameters: JSONValue) async throws(BiDiError) -> JSONValue {
    guard let wanted = parameters.member("capabilities"), case .object = wanted else {
      throw BiDiError(.invalidArgument, "capabilities must be an object")
    }
    let test = try Self.test(in: wanted)
    let name = UUID().uuidString.lowercased()
    guard identifier == nil else { throw BiDiError(.sessionNotCreated, "the connection has a session") }
    try await contexts.begin(BrowsingContexts.Driver(name: name, test: test, isConnected: isConnected))
    identifier = name
    let capabilities: [(String, JSONValue)] =
      [
        ("acceptInsecureCerts", .boolean(false)), ("browserName", .string("presentment")),
        ("browserVersion", .string("1")), ("platformName", .string("linux")), ("setWindowRect", .boolean(false)),
        ("userAgent", .string("presentment")),
      ] + (test.map { [(Self.testCapability, .string($0))] } ?? [])
    return JSONValue(members: [("sessionId", .string(name)), ("capabilities", JSONValue(members: capabilities))])
  }

  /// The capability with the test whose pages a session has (WebDriver, "Capabilities": extension capability).
  private static let testCapability = "presentment:test"

  /// The test of a session: required of all, or of the first of the alternatives.
  private static func test(in capabilities: JSONValue) throws(BiDiError) -> String? {
    var sets = [capabilities.member("alwaysMatch")]
    if case .array(let alternatives)? = capabilities.member("firstMatch") { sets.append(alternatives.first) }
    for set in sets {
      guard let value = set?.member(testCapability) else { continue }
      guard let name = value.text, (1...BrowsingContexts.nameLimit).contains(name.utf8.count) else {
        throw BiDiError(
          .invalidArgument, "\(testCapability) must be a string of 1 to \(BrowsingContexts.nameLimit) bytes")
      }
      return name
    }
    return nil
  }

  private func tree(_ parameters: JSONValue, of driver: String) throws(BiDiError) -> JSONValue {
    var depth: Int?
    if let value = parameters.member("maxDepth") {
      guard case .number(let spelling) = value, let number = Int(spelling), number >= 0 else {
        throw BiDiError(.invalidArgument, "maxDepth must be a non-negative integer")
      }
      depth = number
    }
    let all = contexts.contexts(of: driver)
    var roots = all.filter { context in !all.contains { $0.identifier == context.parent } }
    if let root = parameters.member("root") {
      guard let name = root.text else { throw BiDiError(.invalidArgument, "root must be a string") }
      roots = all.filter { $0.identifier == name }
      guard !roots.isEmpty else { throw BiDiError(.noSuchFrame, "unknown context \(name.quoted)") }
    }
    let infos = roots.map { Self.info($0, among: all, depth: depth, above: []) }
    return JSONValue(members: [("contexts", .array(infos))])
  }

  /// The description of a context (WebDriver BiDi, `browsingContext.Info`).
  /// - Parameter above: The contexts around it. Scripts name their parents, which must not make a circle.
  private static func info(
    _ context: BrowsingContexts.Context, among all: [BrowsingContexts.Context], depth: Int?, above: Set<String>
  ) -> JSONValue {
    let inside = above.union([context.identifier])
    let children: JSONValue
    if depth == 0 {
      children = .null
    } else {
      children = .array(
        all.filter { $0.parent == context.identifier && !inside.contains($0.identifier) }.map {
          info($0, among: all, depth: depth.map { $0 - 1 }, above: inside)
        })
    }
    var members: [(String, JSONValue)] = [
      ("context", .string(context.identifier)), ("url", .string(context.url)), ("children", children),
      ("clientWindow", .string(context.browser.session)), ("originalOpener", .null),
      ("userContext", .string("default")),
    ]
    if above.isEmpty { members.append(("parent", context.parent.map { .string($0) } ?? .null)) }
    return JSONValue(members: members)
  }
}
