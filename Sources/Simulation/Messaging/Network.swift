import SimulationKernel
import Synchronization

/// Carries messages between the parties of a world. It records each message, applies the faults and delivers it after a
/// latency drawn from the seed. Messages from one party to another arrive in the order in which they were sent.
public final class Network: Sendable {
  /// Handles a party's messages, one at a time.
  public typealias Handler = @Sendable (Message) async -> Void

  /// A fault injected by a scenario. It sees every sent message and may change its bytes.
  public struct Fault: Sendable {
    /// The fault's effect, for the journal.
    public let message: String
    /// The fault's code, for the journal.
    public let code: String
    /// Returns the bytes to deliver instead, or nil to leave the message unchanged. Throws if the message is the one to
    /// change and the fault does not apply to it.
    public let alter: @Sendable (Message) throws -> [UInt8]?

    /// Creates a fault.
    public init(code: String, message: String, alter: @escaping @Sendable (Message) throws -> [UInt8]?) {
      self.code = code
      self.message = message
      self.alter = alter
    }
  }

  /// The shortest and longest latency, in microseconds: a call between processes and a slow mobile network.
  static let latencyMicroseconds = 200...40_000

  private struct Link: Hashable {
    let sender: Party
    let recipient: Party
  }

  private struct Inbox {
    var waiting: [Message] = []
    var head = 0
    var isBusy = false
    let handler: Handler
  }

  /// A message whose sender awaits the answer.
  private struct Question {
    let link: Link
    let continuation: CheckedContinuation<Message, any Error>
  }

  private struct State {
    var links: Set<Link> = []
    var inboxes: [Party: Inbox] = [:]
    var lastArrival: [Link: WorldClock.Instant] = [:]
    var faults: [Fault] = []
    var pending: [Int: Question] = [:]
    /// The number of times each party was retired. Older endpoints can no longer send.
    var retirements: [Party: Int] = [:]
    var count: Int
    var latency: EntropyStream
    var isClosed = false
  }

  private let state: Mutex<State>
  private let scheduler: WorldScheduler
  private let journal: Journal

  /// Creates a network that draws latencies from its own stream and continues the journal's message numbers.
  public init(scheduler: WorldScheduler, journal: Journal, latency: EntropyStream) {
    self.scheduler = scheduler
    self.journal = journal
    state = Mutex(State(count: journal.messageCount, latency: latency))
  }

  /// Sets the handler of a party's messages.
  public func register(_ party: Party, _ handler: @escaping Handler) {
    state.withLock { $0.inboxes[party] = Inbox(handler: handler) }
  }

  /// Opens a channel between two parties, in both directions.
  public func connect(_ left: Party, _ right: Party) {
    state.withLock { state in
      state.links.insert(Link(sender: left, recipient: right))
      state.links.insert(Link(sender: right, recipient: left))
    }
  }

  /// Injects a fault, which applies to every message sent from now on.
  public func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

  /// Removes the faults with a code.
  public func removeFault(_ code: String) { state.withLock { $0.faults.removeAll { $0.code == code } } }

  /// The injected faults.
  public var faults: [Fault] { state.withLock { $0.faults } }

  /// Returns a party's endpoint, which sends until the party is retired.
  public func endpoint(of party: Party) -> NetworkEndpoint {
    NetworkEndpoint(owner: party, generation: state.withLock { $0.retirements[party, default: 0] }, network: self)
  }

  /// Ends a party's current incarnation. Its endpoints stop sending, its undelivered messages are dropped and its pending
  /// requests are cancelled. Its channels stay for the next incarnation.
  public func retire(_ party: Party) {
    let waiting = state.withLock { state in
      state.retirements[party, default: 0] += 1
      state.inboxes[party] = nil
      let ended = state.pending.filter { $0.value.link.sender == party || $0.value.link.recipient == party }
      for number in ended.keys { state.pending[number] = nil }
      return ended.sorted { $0.key < $1.key }.map(\.value.continuation)
    }
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }

  func isCurrent(_ party: Party, _ generation: Int) -> Bool {
    state.withLock { $0.retirements[party, default: 0] == generation }
  }

  /// Closes the network and cancels all pending requests.
  public func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      let waiting = state.pending.sorted { $0.key < $1.key }.map(\.value.continuation)
      state.pending = [:]
      // Breaks a cycle: the handlers retain the parties, and the parties retain this network.
      state.inboxes = [:]
      return waiting
    }
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }

  func send(
    from sender: Party, to recipient: Party, kind: MessageKind, mediaType: String, bytes: [UInt8], answers: Int?,
    awaitedBy continuation: CheckedContinuation<Message, any Error>? = nil
  ) throws(SimulationError) {
    let link = Link(sender: sender, recipient: recipient)
    let faults = state.withLock { $0.faults }
    let number: Int? = state.withLock { state in
      guard !state.isClosed, state.links.contains(link), state.inboxes[recipient] != nil else { return nil }
      state.count += 1
      if let continuation { state.pending[state.count] = Question(link: link, continuation: continuation) }
      return state.count
    }
    guard let number else {
      throw SimulationError(.noChannel, "\(sender) has no channel to \(recipient)")
    }
    var message = Message(
      number: number, sender: sender, recipient: recipient, kind: kind, mediaType: mediaType, bytes: bytes,
      answers: answers)
    for fault in faults {
      let effect: FaultEvent.Effect
      do {
        guard let altered = try fault.alter(message) else { continue }
        message.bytes = altered
        effect = .applied
      } catch {
        effect = .notApplicable((error as? SimulationError)?.message ?? "\(error)")
      }
      journal.record(
        .fault(FaultEvent(fault.code, fault.message, effect, message: number)), by: sender, at: scheduler.clock.now)
    }
    journal.record(.message(message), by: sender, at: scheduler.clock.now)
    let delivered = message
    let arrival = state.withLock { state in
      let range = Self.latencyMicroseconds
      let microseconds = range.lowerBound + state.latency.below(range.count)
      var arrival = scheduler.clock.now.advanced(by: .microseconds(microseconds))
      if let last = state.lastArrival[link], arrival <= last { arrival = last.advanced(by: .nanoseconds(1)) }
      state.lastArrival[link] = arrival
      return arrival
    }
    scheduler.call(at: arrival, keepsAwake: true) { [self] in deliver(delivered) }
  }

  private func deliver(_ message: Message) {
    let (awaiting, mustPump) = state.withLock { state in
      // An answer counts only on the same link in the opposite direction.
      if let answered = message.answers, let question = state.pending[answered],
        question.link == Link(sender: message.recipient, recipient: message.sender)
      {
        state.pending[answered] = nil
        return (Optional(question.continuation), false)
      }
      state.inboxes[message.recipient]?.waiting.append(message)
      let wasBusy = state.inboxes[message.recipient]?.isBusy ?? true
      state.inboxes[message.recipient]?.isBusy = true
      return (nil, !wasBusy)
    }
    awaiting?.resume(returning: message)
    if mustPump {
      let party = message.recipient
      scheduler.spawn { [self] in
        while let (message, handler) = next(for: party) { await handler(message) }
      }
    }
  }

  private func next(for party: Party) -> (Message, Handler)? {
    state.withLock { state in
      guard var inbox = state.inboxes[party] else { return nil }
      defer { state.inboxes[party] = inbox }
      guard inbox.head < inbox.waiting.count else {
        inbox.waiting = []
        inbox.head = 0
        inbox.isBusy = false
        return nil
      }
      inbox.head += 1
      return (inbox.waiting[inbox.head - 1], inbox.handler)
    }
  }
}

/// A party's endpoint of the network. It sends in that party's name only, and only through open channels.
public struct NetworkEndpoint: Sendable {
  /// The sending party.
  public let owner: Party
  private let generation: Int
  private let network: Network

  init(owner: Party, generation: Int, network: Network) {
    self.owner = owner
    self.generation = generation
    self.network = network
  }

  /// True if the party has not been retired since the endpoint was created.
  public var isCurrent: Bool { network.isCurrent(owner, generation) }

  /// Sends a message.
  /// - Throws: ``SimulationError`` without a channel to the recipient.
  public func send(
    _ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to recipient: Party, answering message: Message? = nil
  ) throws(SimulationError) {
    guard isCurrent else { throw SimulationError(.retired, "\(owner) was retired") }
    try network.send(
      from: owner, to: recipient, kind: kind, mediaType: mediaType, bytes: bytes, answers: message?.number)
  }

  /// Sends a message and awaits its answer.
  /// - Throws: ``SimulationError`` without a channel, `CancellationError` if the world ends first.
  public func request(
    _ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to recipient: Party
  ) async throws -> Message {
    guard isCurrent else { throw SimulationError(.retired, "\(owner) was retired") }
    return try await withCheckedThrowingContinuation { continuation in
      do throws(SimulationError) {
        try network.send(
          from: owner, to: recipient, kind: kind, mediaType: mediaType, bytes: bytes, answers: nil,
          awaitedBy: continuation)
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
