import Synchronization

/// Carries messages between the parties of a world: records each, lets faults touch it, delivers it after a latency
/// that the seed draws. Messages from one party to another arrive in the order in which they were sent.
public final class Network: Sendable {
  /// Why a message was not sent.
  public struct Refusal: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String
  }

  /// What takes a party's messages, one at a time.
  public typealias Handler = @Sendable (Message) async -> Void

  /// A fault that a scenario puts in: sees every message when it is sent and may change its bytes.
  public struct Fault: Sendable {
    /// What it does, for the journal.
    public let sentence: String
    /// Code of the fault, for the journal.
    public let code: String
    /// Bytes to deliver instead, or nil to leave the message alone. Throws when the message is the one to change and the
    /// fault does not fit it.
    public let alter: @Sendable (Message) throws -> [UInt8]?

    /// A fault from its parts.
    public init(code: String, sentence: String, alter: @escaping @Sendable (Message) throws -> [UInt8]?) {
      self.code = code
      self.sentence = sentence
      self.alter = alter
    }
  }

  /// Shortest and longest time under way, in microseconds: a call between processes and a slow mobile network.
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

  /// A message whose sender waits for the answer.
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
    /// How often each party was retired; an outlet of before can send no more.
    var retirements: [Party: Int] = [:]
    var count: Int
    var latency: EntropyStream
    var isClosed = false
  }

  private let state: Mutex<State>
  private let scheduler: WorldScheduler
  private let journal: Journal

  /// A network that draws latencies from a stream of their own. Its messages are numbered from where the journal is.
  public init(scheduler: WorldScheduler, journal: Journal, latency: EntropyStream) {
    self.scheduler = scheduler
    self.journal = journal
    state = Mutex(State(count: journal.messageCount, latency: latency))
  }

  /// Says who takes a party's messages.
  public func register(_ party: Party, _ handler: @escaping Handler) {
    state.withLock { $0.inboxes[party] = Inbox(handler: handler) }
  }

  /// Lets two parties send to each other.
  public func connect(_ left: Party, _ right: Party) {
    state.withLock { state in
      state.links.insert(Link(sender: left, recipient: right))
      state.links.insert(Link(sender: right, recipient: left))
    }
  }

  /// Puts in a fault; it touches every message sent from now on.
  public func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

  /// Ends the faults with a code.
  public func removeFault(_ code: String) { state.withLock { $0.faults.removeAll { $0.code == code } } }

  /// The faults that were put in.
  public var faults: [Fault] { state.withLock { $0.faults } }

  /// What a party sends its messages through, until it is retired.
  public func outlet(of party: Party) -> Outlet {
    Outlet(owner: party, generation: state.withLock { $0.retirements[party, default: 0] }, network: self)
  }

  /// Ends whoever stands behind a party: outlets handed out so far send no more, what waits for its attention is lost,
  /// and nobody of it waits for an answer any longer. Its channels stay, for whoever is registered next.
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

  /// Ends everything: nobody who waits for an answer waits any longer.
  public func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      let waiting = state.pending.sorted { $0.key < $1.key }.map(\.value.continuation)
      state.pending = [:]
      // The handlers hold the parties, and the parties this network.
      state.inboxes = [:]
      return waiting
    }
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }

  func send(
    from sender: Party, to recipient: Party, subject: String, mediaType: String, bytes: [UInt8], answers: Int?,
    awaitedBy continuation: CheckedContinuation<Message, any Error>? = nil
  ) throws(Refusal) {
    let link = Link(sender: sender, recipient: recipient)
    let faults = state.withLock { $0.faults }
    let number: Int? = state.withLock { state in
      guard !state.isClosed, state.links.contains(link), state.inboxes[recipient] != nil else { return nil }
      state.count += 1
      if let continuation { state.pending[state.count] = Question(link: link, continuation: continuation) }
      return state.count
    }
    guard let number else {
      throw Refusal(description: "\(sender) has no channel to \(recipient)")
    }
    var message = Message(
      number: number, sender: sender, recipient: recipient, subject: subject, mediaType: mediaType, bytes: bytes,
      answers: answers)
    for fault in faults {
      let (outcome, sentence): (String, String)
      do {
        guard let altered = try fault.alter(message) else { continue }
        message.bytes = altered
        (outcome, sentence) = ("applied", fault.sentence)
      } catch {
        (outcome, sentence) = ("failed", "\(error)")
      }
      journal.record(
        .decision(
          Decision(
            by: sender, .fault, code: fault.code, outcome: outcome, sentence: sentence,
            details: [Decision.Detail("message", String(number))])),
        at: scheduler.now)
    }
    journal.record(.message(message), at: scheduler.now)
    let delivered = message
    let arrival = state.withLock { state in
      let range = Self.latencyMicroseconds
      let microseconds = range.lowerBound + state.latency.below(range.count)
      var arrival = scheduler.now.advanced(by: .microseconds(microseconds))
      if let last = state.lastArrival[link], arrival <= last { arrival = last.advanced(by: .nanoseconds(1)) }
      state.lastArrival[link] = arrival
      return arrival
    }
    scheduler.call(at: arrival, keepsAwake: true) { [self] in deliver(delivered) }
  }

  private func deliver(_ message: Message) {
    let (awaiting, mustPump) = state.withLock { state in
      // Only the one who was asked can answer, and only the one who asked.
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
