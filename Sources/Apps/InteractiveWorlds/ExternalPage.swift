import Ecosystem
import Foundation
import JSON
import ScenarioLanguage
import SimulationKernel
import Synchronization

/// The script of a page that runs outside a live world, such as in a real browser: what it sends goes into the world, and
/// what comes back is read in the journal.
public struct ExternalPage: Sendable {
  private let world: InteractiveWorld
  /// The website that the page is of.
  public let website: String
  private let device: String
  private let party: Party

  /// What came back.
  public struct Answer: Sendable, Equatable {
    /// What it is about, such as `DigitalCredential`.
    public let subject: String
    /// JSON.
    public let bytes: [UInt8]
  }

  /// What the person does before a page calls.
  public struct Gesture: Sendable {
    /// Opens the page, unless it is the one that the person opened last.
    public var isOpened: Bool
    /// Taps the page.
    public var isTapped: Bool

    /// An gesture from its parts.
    public init(isOpened: Bool = false, isTapped: Bool = false) {
      self.isOpened = isOpened
      self.isTapped = isTapped
    }
  }

  private struct Sent {
    /// The lines of the journal before it.
    let lines: Int
    /// The message's number.
    let number: Int
  }

  /// The script of a website's page on a device. The website's description says that its script runs outside.
  public init(_ website: String, on device: String, in world: InteractiveWorld) {
    self.world = world
    self.website = website
    self.device = device
    party = Party(.page, "\(website)@\(device)")
  }

  /// Asks the server something.
  ///
  /// - Parameters:
  ///   - body: JSON.
  /// - Returns: the server's answer; nil when it gave none.
  /// - Throws: ``InteractiveWorldError``.
  public func ask(_ operation: PageMessage.Operation, _ body: String) async throws(InteractiveWorldError) -> Answer? {
    let sent = try await send(operation, body)
    return messages(after: sent.lines).first { $0.answers == sent.number && $0.recipient == party }.map {
      Answer(subject: $0.subject, bytes: $0.bytes)
    }
  }

  /// Sends something from this page, and from no other of the website.
  /// - Throws: ``InteractiveWorldError``, with ``InteractiveWorldError/Code/impossible`` when nothing was sent.
  @discardableResult
  private func send(
    _ operation: PageMessage.Operation, _ body: String, after gesture: Gesture = Gesture()
  ) async throws(InteractiveWorldError) -> Sent {
    guard body.utf8.count <= PageMessage.maximumLength else {
      throw InteractiveWorldError(
        .unreadable, "a body has at most \(PageMessage.maximumLength) bytes, not \(body.utf8.count)")
    }
    let message = Action.page(.send(PageMessage(operation, body: body)), website: website, device: device)
    let tap = gesture.isTapped ? [Step.person(.tap("the page"))] : []
    let opening = gesture.isOpened ? Step.person(.visit(website: website, device: device)) : nil
    let lines = try await world.perform(tap + [Step(.action(message))], opening: opening)
    guard let sent = messages(after: lines).first(where: { $0.sender == party && $0.subject == operation.rawValue })
    else {
      throw InteractiveWorldError(.impossible, "the page of \(website) on \(device) cannot send \(operation.rawValue)")
    }
    return Sent(lines: lines, number: sent.number)
  }

  /// Calls `navigator.credentials.get` and waits for what comes of it. When the task that waits is cancelled, nobody is
  /// left to take an answer: the page takes the call back.
  ///
  /// - Parameters:
  ///   - options: the options of the call, JSON.
  ///   - call: the page's number of the call; none that it used before.
  ///   - gesture: what the person does before; nobody else does anything between that and the call.
  /// - Returns: the credential or the exception; nil when the world ends first, or the task was cancelled.
  /// - Throws: ``InteractiveWorldError``.
  public func getCredential(
    _ options: String, call: Int, after gesture: Gesture = Gesture()
  ) async throws(InteractiveWorldError) -> Answer? {
    let sent = try await send(.getCredential, #"{"call":\#(call),"options":\#(options)}"#, after: gesture)
    if let answer = await outcome(of: call, after: sent.lines) { return answer }
    // Asked of the world after the call was, so that the call is there to be taken back.
    if Task.isCancelled { try await abort(call: call, "the page has gone") }
    return nil
  }

  /// Takes a call back, as a script does with `AbortController.abort` (DOM, 3.1). A call that has ended, or that nobody
  /// made, is left as it is.
  ///
  /// - Parameters:
  ///   - call: the page's number of the call.
  ///   - message: why, in words.
  /// - Throws: ``InteractiveWorldError``.
  public func abort(call: Int, _ message: String) async throws(InteractiveWorldError) {
    try await send(.abortCredential, JSONCoding.text(AbortBody(call: call, message: message)))
  }

  /// Waits for what comes of a call.
  private func outcome(of call: Int, after lines: Int) async -> Answer? {
    let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let watch = world.watch({ _ in changed.yield(true) }, ended: { changed.finish() })
    defer { world.unwatch(watch) }
    for await _ in changes {
      let answer = messages(after: lines).first { message in
        message.recipient == party && ["DigitalCredential", "DOMException"].contains(message.subject)
          && Self.call(of: message.bytes) == call
      }
      if let answer { return Answer(subject: answer.subject, bytes: answer.bytes) }
    }
    return nil
  }

  private static func call(of bytes: [UInt8]) -> Int? {
    try? JSONDecoder().decode(NumberedCall.self, from: Data(bytes)).call
  }

  private func messages(after lines: Int) -> [Message] {
    world.journal.entries.dropFirst(lines).compactMap { entry in
      if case .message(let message) = entry.event { message } else { nil }
    }
  }
}

/// The page's number of a call, in what comes back.
private struct NumberedCall: Decodable { var call: Int }

/// What a script says when it takes a call back.
private struct AbortBody: Encodable {
  var call: Int
  var name = "AbortError"
  var message: String
}
