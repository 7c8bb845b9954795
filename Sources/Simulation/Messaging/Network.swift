import SimulationKernel
import Synchronization

/// Carries messages between the parties of a world. It records each message, applies the faults and delivers it after a
/// latency drawn from the seed. Messages from one party to another arrive in the order in which they were sent. A device in
/// flight mode exchanges none with parties on the internet.
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

  /// A party and what the network knows about it. Parties have numbers, so that a message finds its inbox without a look-up.
  private struct Member {
    let party: Party
    /// The channels from this party.
    var channels: [Channel] = []
    /// Nil until a handler is registered, and after the party was retired.
    var inbox: Inbox?
    /// The number of times that the party was retired. Older endpoints can no longer send.
    var retirements = 0

  }

  private struct Channel {
    /// The party that receives.
    let party: Party
    /// The number of the party that receives.
    let recipient: Int
    /// The arrival of the newest message.
    var lastArrival: WorldClock.Instant?
  }

  private struct Inbox {
    var waiting: [Message] = []
    var head = 0
    var isBusy = false
    let handler: Handler

    /// Takes a message. Returns true if the handler is idle.
    mutating func take(_ message: Message) -> Bool {
      waiting.append(message)
      defer { isBusy = true }
      return !isBusy
    }

    /// The next message and its handler. Without a message, the handler is idle.
    mutating func next() -> (Message, Handler)? {
      guard head < waiting.count else {
        waiting = []
        head = 0
        isBusy = false
        return nil
      }
      head += 1
      return (waiting[head - 1], handler)
    }
  }

  /// A message whose sender awaits the answer.
  private struct Question {
    let sender: Int
    let recipient: Int
    let answer: @Sendable (Result<Message, any Error>) -> Void
  }

  /// A message on its way.
  private struct Shipment {
    let number: Int
    let recipient: Int
    let arrival: WorldClock.Instant
    let faults: [Fault]
    let interception: Interception?
  }

  private struct State {
    var numbers: [Party: Int] = [:]
    var members: [Member] = []
    var faults: [Fault] = []
    /// By the number of the message.
    var interceptions: [Int: Interception] = [:]
    var pending: [Int: Question] = [:]
    /// Devices in flight mode.
    var offline: Set<String> = []
    var count: Int
    var latency: EntropyStream
    var isClosed = false

    /// The number of a party, which is new if the network does not know the party.
    mutating func number(of party: Party) -> Int {
      if let number = numbers[party] { return number }
      members.append(Member(party: party))
      numbers[party] = members.count - 1
      return members.count - 1
    }

    mutating func openChannel(from sender: Int, to recipient: Int) {
      guard !members[sender].channels.contains(where: { $0.recipient == recipient }) else { return }
      members[sender].channels.append(Channel(party: members[recipient].party, recipient: recipient))
    }

    /// Draws the arrival of a message that is sent now.
    mutating func arrival(from sender: Int, over channel: Int, at now: WorldClock.Instant) -> WorldClock.Instant {
      let range = Network.latencyMicroseconds
      let microseconds = Int64(range.lowerBound + latency.below(range.count))
      var nanoseconds = now.nanosecondsSince1970 + microseconds * 1_000
      if let last = members[sender].channels[channel].lastArrival {
        nanoseconds = max(nanoseconds, last.nanosecondsSince1970 + 1)
      }
      let arrival = WorldClock.Instant(nanosecondsSince1970: nanoseconds)
      members[sender].channels[channel].lastArrival = arrival
      return arrival
    }

    /// The device in flight mode that keeps two parties apart; nil if none does.
    func deviceOffline(between one: Int, and other: Int) -> String? {
      guard !offline.isEmpty else { return nil }
      let (one, other) = (members[one].party, members[other].party)
      let device = other.role.isOnInternet ? one.device : one.role.isOnInternet ? other.device : nil
      return device.flatMap { offline.contains($0) ? $0 : nil }
    }

    /// Removes the questions that meet a condition, and returns them in the order in which they were asked.
    mutating func takeQuestions(where isTaken: (Question) -> Bool) -> [Question] {
      let taken = pending.filter { isTaken($0.value) }.sorted { $0.key < $1.key }
      for (number, _) in taken { pending[number] = nil }
      return taken.map(\.value)
    }
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
    state.withLock { state in
      let number = state.number(of: party)
      state.members[number].inbox = Inbox(handler: handler)
    }
  }

  /// Opens a channel between two parties, in both directions.
  public func connect(_ left: Party, _ right: Party) {
    state.withLock { state in
      let (left, right) = (state.number(of: left), state.number(of: right))
      state.openChannel(from: left, to: right)
      state.openChannel(from: right, to: left)
    }
  }

  /// Injects a fault, which applies to every message sent from now on.
  public func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

  /// Removes the faults with a code.
  public func removeFault(_ code: String) { state.withLock { $0.faults.removeAll { $0.code == code } } }

  /// Switches flight mode of a device on or off. Requests that wait for an answer over the internet fail when it is on.
  public func setFlightMode(_ isOn: Bool, of device: String) {
    let cut = state.withLock { state in
      guard isOn else {
        state.offline.remove(device)
        return [Question]()
      }
      state.offline.insert(device)
      let after = state
      return state.takeQuestions { after.deviceOffline(between: $0.sender, and: $0.recipient) != nil }
    }
    for question in cut { question.answer(.failure(Self.offline(device))) }
  }

  private static func offline(_ device: String) -> SimulationError {
    SimulationError(.offline, "\(device) is in flight mode")
  }

  /// The injected faults.
  public var faults: [Fault] { state.withLock { $0.faults } }

  /// Intercepts a message that is sent from now on, below the faults.
  public func intercept(_ interception: Interception) {
    state.withLock { $0.interceptions[interception.number] = interception }
  }

  /// The interceptions of messages, in the order of their numbers.
  public var interceptions: [Interception] {
    state.withLock { $0.interceptions.values.sorted { $0.number < $1.number } }
  }

  /// Returns a party's endpoint, which sends until the party is retired.
  public func endpoint(of party: Party) -> NetworkEndpoint {
    state.withLock { state in
      let number = state.number(of: party)
      return NetworkEndpoint(owner: party, number: number, generation: state.members[number].retirements, network: self)
    }
  }

  /// Ends a party's current incarnation. Its endpoints stop sending, its undelivered messages are dropped and its pending
  /// requests are cancelled. Its channels stay for the next incarnation.
  public func retire(_ party: Party) {
    let ended = state.withLock { state in
      let number = state.number(of: party)
      state.members[number].retirements += 1
      state.members[number].inbox = nil
      return state.takeQuestions { $0.sender == number || $0.recipient == number }
    }
    for question in ended { question.answer(.failure(CancellationError())) }
  }

  func isCurrent(_ number: Int, _ generation: Int) -> Bool {
    state.withLock { $0.members[number].retirements == generation }
  }

  /// Closes the network and cancels all pending requests.
  public func close() {
    let ended = state.withLock { state in
      state.isClosed = true
      // Breaks a cycle: the handlers retain the parties, and the parties retain this network.
      for number in state.members.indices { state.members[number].inbox = nil }
      return state.takeQuestions { _ in true }
    }
    for question in ended { question.answer(.failure(CancellationError())) }
  }

  func send(
    from sender: NetworkEndpoint, to recipient: Party, kind: MessageKind, mediaType: String, bytes: [UInt8],
    answers: Int?, within limit: Duration? = nil,
    awaitedBy answer: (@Sendable (Result<Message, any Error>) -> Void)? = nil
  ) throws(SimulationError) {
    let now = scheduler.clock.now
    var deviceOffline: String?
    let shipment = state.withLock { state -> Shipment? in
      // A party has a handful of channels, which are compared faster than a party is hashed.
      guard !state.isClosed,
        let channel = state.members[sender.number].channels.firstIndex(where: { $0.party == recipient })
      else { return nil }
      let number = state.members[sender.number].channels[channel].recipient
      guard state.members[number].inbox != nil else { return nil }
      deviceOffline = state.deviceOffline(between: sender.number, and: number)
      guard deviceOffline == nil else { return nil }
      state.count += 1
      if let answer { state.pending[state.count] = Question(sender: sender.number, recipient: number, answer: answer) }
      return Shipment(
        number: state.count, recipient: number,
        arrival: state.arrival(from: sender.number, over: channel, at: now), faults: state.faults,
        interception: state.interceptions[state.count])
    }
    if let deviceOffline {
      let unsent = "'\(kind.rawValue)' is not sent to \(recipient.titleWithArticle): \(deviceOffline) is in flight mode"
      journal.record(
        .note(Note(.deviceOffline, unsent, facts: [Note.Fact("device", deviceOffline)])), by: sender.owner, at: now)
      throw Self.offline(deviceOffline)
    }
    guard let shipment else { throw SimulationError(.noChannel, "\(sender.owner) has no channel to \(recipient)") }
    var message = Message(
      number: shipment.number, sender: sender.owner, recipient: recipient, kind: kind, mediaType: mediaType,
      bytes: bytes, answers: answers)
    for fault in shipment.faults {
      let effect: FaultEvent.Effect
      do {
        guard let altered = try fault.alter(message) else { continue }
        message.bytes = altered
        effect = .applied
      } catch {
        effect = .notApplicable((error as? SimulationError)?.message ?? "\(error)")
      }
      journal.record(
        .fault(FaultEvent(fault.code, fault.message, effect, message: message.number)), by: sender.owner, at: now)
    }
    let deliveries = shipment.interception?.apply(to: &message) ?? 1
    if let interception = shipment.interception {
      journal.record(
        .fault(FaultEvent(interception.code.rawValue, interception.message, message: message.number)),
        by: sender.owner, at: now)
    }
    journal.record(.message(message), by: sender.owner, at: now)
    scheduler.call(at: shipment.arrival, keepsAwake: true) { [self, message] in
      for _ in 0..<deliveries { deliver(message, from: sender.number, to: shipment.recipient) }
    }
    guard let limit else { return }
    scheduler.call(at: now.advanced(by: limit), keepsAwake: false) { [self] in
      let late = state.withLock { $0.pending.removeValue(forKey: shipment.number) }
      late?.answer(.failure(SimulationError(.noAnswer, "\(recipient) has not answered within \(limit)")))
    }
  }

  private func deliver(_ message: Message, from sender: Int, to recipient: Int) {
    let (question, mustPump) = state.withLock { state -> (Question?, Bool) in
      // An answer counts only on the same channel in the opposite direction.
      if let answered = message.answers, let question = state.pending[answered],
        question.sender == recipient, question.recipient == sender
      {
        state.pending[answered] = nil
        return (question, false)
      }
      return (nil, state.members[recipient].inbox?.take(message) ?? false)
    }
    question?.answer(.success(message))
    if mustPump {
      scheduler.spawn { [self] in while let (message, handler) = next(for: recipient) { await handler(message) } }
    }
  }

  private func next(for party: Int) -> (Message, Handler)? { state.withLock { $0.members[party].inbox?.next() } }
}

/// A party's endpoint of the network. It sends in that party's name only, and only through open channels.
public struct NetworkEndpoint: Sendable {
  /// The sending party.
  public let owner: Party
  /// The party's number in the network.
  let number: Int
  private let generation: Int
  private let network: Network

  init(owner: Party, number: Int, generation: Int, network: Network) {
    self.owner = owner
    self.number = number
    self.generation = generation
    self.network = network
  }

  /// True if the party has not been retired since the endpoint was created.
  public var isCurrent: Bool { network.isCurrent(number, generation) }

  /// Sends a message.
  /// - Throws: ``SimulationError`` without a channel to the recipient.
  public func send(
    _ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to recipient: Party, answering message: Message? = nil
  ) throws(SimulationError) {
    guard isCurrent else { throw SimulationError(.retired, "\(owner) was retired") }
    try network.send(
      from: self, to: recipient, kind: kind, mediaType: mediaType, bytes: bytes, answers: message?.number)
  }

  /// Sends a message and awaits its answer.
  /// - Parameter limit: The time after which a missing answer is an error; nil to wait until the world ends.
  /// - Throws: ``SimulationError`` without a channel or an answer in time, `CancellationError` if the world ends first.
  public func request(
    _ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to recipient: Party, within limit: Duration? = nil
  ) async throws -> Message {
    guard isCurrent else { throw SimulationError(.retired, "\(owner) was retired") }
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Message, any Error>) in
      do throws(SimulationError) {
        try network.send(
          from: self, to: recipient, kind: kind, mediaType: mediaType, bytes: bytes, answers: nil,
          within: limit
        ) { continuation.resume(with: $0) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
