import DigitalCredentials
import JSON
import LocatedYAML
import Messaging
import ScenarioLanguage
import Synchronization
import Vocabulary

/// The script of a page that runs outside a live world, for example in a real browser. Its messages go into the world,
/// and the answers are read in the journal.
public struct ExternalPage: Sendable {
  private let world: InteractiveWorld
  /// The page's website.
  public let website: String
  private let device: String
  private let party: Party

  /// A message to the page.
  public struct Answer: Sendable, Equatable {
    /// The kind, for example `DigitalCredential`.
    public let kind: MessageKind
    /// JSON.
    public let bytes: [UInt8]
    /// True if the call consumed the user activation of its window.
    public var consumesActivation = false
  }

  /// The person's actions before a page's call.
  public struct Gesture: Sendable {
    /// Opens the page, unless it is the page that the person opened last.
    public var isOpened: Bool
    /// Taps the page.
    public var isTapped: Bool

    /// Creates a gesture.
    public init(isOpened: Bool = false, isTapped: Bool = false) {
      self.isOpened = isOpened
      self.isTapped = isTapped
    }
  }

  private struct Sent {
    /// The number of journal lines before the message.
    let lines: Int
    /// The message's number.
    let number: Int
  }

  /// Creates the script of a website's page on a device. The website's description must declare an external script.
  public init(_ website: String, on device: String, in world: InteractiveWorld) {
    self.world = world
    self.website = website
    self.device = device
    party = Party(.page, "\(website)@\(device)")
  }

  /// Sends a request to the server.
  ///
  /// - Parameters:
  ///   - body: JSON.
  /// - Returns: The server's answer, or nil if it gave none.
  /// - Throws: ``InteractiveWorldError``.
  public func ask(_ operation: PageMessage.Operation, _ body: String) async throws(InteractiveWorldError) -> Answer? {
    let sent = try await send(operation, body)
    return messages(after: sent.lines).first { $0.answers == sent.number && $0.recipient == party }.map {
      Answer(kind: $0.kind, bytes: $0.bytes)
    }
  }

  /// Sends a message from this page only.
  /// - Throws: ``InteractiveWorldError``, with ``InteractiveWorldError/Code/impossible`` if the message was not sent.
  @discardableResult
  private func send(
    _ operation: PageMessage.Operation, _ body: String, after gesture: Gesture = Gesture()
  ) async throws(InteractiveWorldError) -> Sent {
    guard body.utf8.count <= PageMessage.maximumLength else {
      throw InteractiveWorldError(
        .unreadable, "a body has at most \(PageMessage.maximumLength) bytes, not \(body.utf8.count)")
    }
    let message = Step(.action(.page(.send(PageMessage(operation, body: body)), website: website, device: device)))
    let tap = gesture.isTapped ? [Step.person(.tap("the page"))] : []
    let opening = gesture.isOpened ? Step.person(.visit(website: website, device: device)) : nil
    let lines = try await world.perform(tap + [message], opening: opening)
    guard let sent = self.messages(after: lines).first(where: { $0.sender == party && $0.kind == operation.kind })
    else {
      throw InteractiveWorldError(.impossible, "the page of \(website) on \(device) cannot send \(operation.rawValue)")
    }
    return Sent(lines: lines, number: sent.number)
  }

  /// The argument of a call.
  public struct Options: Sendable {
    /// The method that takes it.
    public var method: CredentialOperation
    /// JSON.
    public var json: String
    /// True if objects in the options mean values that JSON cannot hold; see ``PageValue/Marker``.
    public var isMarked: Bool

    /// Creates the argument of a call.
    public init(_ json: String, of method: CredentialOperation = .get, isMarked: Bool = false) {
      (self.json, self.method, self.isMarked) = (json, method, isMarked)
    }

    /// The members of the message to the browser.
    fileprivate var members: String {
      let marks = isMarked ? #""isMarked":true,"# : ""
      let name = method == .get ? "" : #""method":"\#(method.rawValue)","#
      return #"\#(marks)\#(name)"options":\#(json)"#
    }
  }

  /// Calls `navigator.credentials.get` and waits for the result.
  ///
  /// - Parameters:
  ///   - options: The options of the call, JSON.
  ///   - call: The page's number for the call, not used before.
  ///   - gesture: The person's actions right before the call.
  /// - Returns: The credential or the exception, or nil if the world ends first or the task was cancelled.
  /// - Throws: ``InteractiveWorldError``.
  public func getCredential(
    _ options: String, call: Int, after gesture: Gesture = Gesture()
  ) async throws(InteractiveWorldError) -> Answer? {
    try await self.call(Options(options), call: call, after: gesture)
  }

  /// Calls a method of the API and waits for the result. If the waiting task is cancelled, the page aborts the call.
  ///
  /// - Parameters:
  ///   - options: The argument of the call.
  ///   - call: The page's number for the call, not used before.
  ///   - gesture: The person's actions right before the call, with no other command between them.
  ///   - caller: The state of the calling document, JSON; nil for what the simulated browser knows of its page.
  ///   - abortion: The message of an abort by the script right after the call, before any other task.
  /// - Returns: The credential or the exception, or nil if the world ends first or the task was cancelled.
  /// - Throws: ``InteractiveWorldError``.
  public func call(
    _ options: Options, call: Int, after gesture: Gesture = Gesture(), caller: String? = nil,
    abortedWith abortion: String? = nil
  ) async throws(InteractiveWorldError) -> Answer? {
    let facts = caller.map { #""caller":\#($0),"# } ?? ""
    let aborting = abortion.map { #""abort":\#(JSONCoding.text(abortBody(call, $0))),"# } ?? ""
    let sent = try await send(
      .getCredential, #"{\#(aborting)"call":\#(call),\#(facts)\#(options.members)}"#, after: gesture)
    if var answer = await outcome(of: call, after: sent.lines) {
      answer.consumesActivation = isActivationConsumed(by: sent)
      return answer
    }
    // Checked after the call was sent, so that there is a call to abort.
    if Task.isCancelled { try await abort(call: call, "the page has gone") }
    return nil
  }

  /// Aborts a call, as a script does with `AbortController.abort` (DOM, 3.1). Has no effect on a call that has ended or
  /// does not exist.
  ///
  /// - Parameters:
  ///   - call: The page's number of the call.
  ///   - message: The reason.
  /// - Throws: ``InteractiveWorldError``.
  public func abort(call: Int, _ message: String) async throws(InteractiveWorldError) {
    try await send(.abortCredential, JSONCoding.text(abortBody(call, message)))
  }

  private func abortBody(_ call: Int, _ message: String) -> CallErrorBody {
    CallErrorBody(call: call, name: "AbortError", message: message)
  }

  /// Waits for the result of a call.
  private func outcome(of call: Int, after lines: Int) async -> Answer? {
    let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let watch = world.watch({ _ in changed.yield(true) }, ended: { changed.finish() })
    defer { world.unwatch(watch) }
    for await _ in changes {
      let answer = messages(after: lines).first { message in
        message.recipient == party && [.credential, .exception].contains(message.kind)
          && Self.call(of: message.bytes) == call
      }
      if let answer { return Answer(kind: answer.kind, bytes: answer.bytes) }
    }
    return nil
  }

  /// Returns whether a call passed the check that consumes the activation. The checks of a call follow it directly.
  private func isActivationConsumed(by sent: Sent) -> Bool {
    let entries = world.journal.entries.dropFirst(sent.lines).drop { $0.event.message?.number != sent.number }
    for entry in entries.dropFirst() {
      if entry.event.message?.kind == .getCredential { return false }
      guard let check = entry.event.check, check.check == BrowserCheck.userActivation.id else { continue }
      return check.status == .passed
    }
    return false
  }

  /// Sets the behavior of the virtual wallet of the page's browser.
  ///
  /// - Parameter parameters: The parameters of ``VirtualWalletCommand``, JSON that was read before.
  /// - Throws: ``InteractiveWorldError``, as for ``requireKnownApp(in:)``.
  public func setVirtualWallet(_ parameters: String) async throws(InteractiveWorldError) {
    try requireKnownApp(in: parameters)
    try await send(.setVirtualWallet, parameters)
  }

  /// Checks the app that answers for the virtual wallet. A page cannot tell an app that does not exist from a person who
  /// declines.
  ///
  /// - Parameter parameters: As for ``setVirtualWallet(_:)``.
  /// - Throws: ``InteractiveWorldError`` with ``InteractiveWorldError/Code/unsuitable`` if the world has no such app.
  public func requireKnownApp(in parameters: String) throws(InteractiveWorldError) {
    guard let value = try? JSONReader.read(Array(parameters.utf8)),
      case .person(let order)? = (try? VirtualWalletCommand(parameters: value))?.behavior
    else { return }
    let apps = Set(world.scenario.world.devices.flatMap(\.apps).map(\.name)).sorted()
    guard !apps.contains(order.app) else { return }
    let hint = NearestName.of(order.app, in: apps).map { "did you mean '\($0)'?" }
    throw InteractiveWorldError(
      .unsuitable,
      "\(VirtualWalletCommand.appMember): unknown app '\(order.app)'; "
        + (hint ?? "the apps are \(apps.joined(separator: ", "))"))
  }

  static func call(of bytes: [UInt8]) -> Int? { try? JSONCoding.decode(NumberedCall.self, from: bytes).call }

  private func messages(after lines: Int) -> [Message] {
    world.journal.entries.dropFirst(lines).compactMap(\.event.message)
  }
}

/// The page's number for a call, in an answer.
private struct NumberedCall: JSONReadable {
  var call: Int

  init(json: JSONItem) throws(JSONError) { call = try json.member("call") }
}

/// The change to a world that adds a page with an external script: as a page of the website with its origin, or of a new
/// website, which requests nothing itself.
public struct ExternalPageChange: Sendable {
  /// The website of the page.
  public let website: String
  /// The change, as under `changes` in a scenario.
  public let change: YAMLValue

  /// The name of an added website, unless the world has one of that name.
  private static let name = "your-site"

  /// Creates the change for a page of an origin.
  public init(_ origin: Origin, into world: WorldDescription) {
    if let known = world.websites.first(where: { $0.origin == origin }) {
      website = known.identifier
      change = .one("websites", .one(website, .one("script", .text("external"))))
      return
    }
    let taken = world.websites.map(\.identifier)
    var name = Self.name
    while taken.contains(name) { name += "-too" }
    website = name
    let address = origin.serialized
    // People know a site by its host, and a site of their own machine by its port.
    let shown = String(address[(address.firstRange(of: "://")?.upperBound ?? address.startIndex)...])
    let added: [YAMLValue.Entry] = [
      YAMLValue.Entry("script", .text("external")), YAMLValue.Entry("origin", .text(address)),
      YAMLValue.Entry("brand", .one("name", .text(shown))), YAMLValue.Entry("asks", .mapping([])),
    ]
    change = .one("websites", .one(name, .mapping(added)))
  }
}
