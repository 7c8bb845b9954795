import CBOR
import Faults
import Messaging
import ScenarioLanguage
import ScenarioRunner

/// The swept case: its unaltered runs and what they show.
package struct SweepSubject: Sendable {
  /// The case.
  package let scenario: Scenario
  /// The seed of its world.
  package let seed: UInt64
  /// The messages of the unaltered run.
  package let messages: [Message]
  private let unaltered: Replay
  private let involved: Set<Party>
  private let issuersAtFault: Set<Party>
  private let reasons: [SweepReason]
  private let bounds: SweepBounds
  /// The case with its steps done twice in one world; nil if they cannot be done twice.
  private let twice: Twice?
  private let otherWorld: [Hop: Message]

  /// The seeds of a world and of the other one differ by this.
  private static let otherSeed: UInt64 = 1

  /// A message of a run by its place: the parties, the kind, and its number among those.
  struct Hop: Hashable, Sendable {
    let sender: Party
    let recipient: Party
    let kind: MessageKind
    var ordinal = 0

    /// The places of messages, in order.
    static func places(of messages: some Sequence<Message>) -> [(hop: Hop, message: Message)] {
      var counts: [Hop: Int] = [:]
      return messages.map { message in
        var hop = Hop(sender: message.sender, recipient: message.recipient, kind: message.kind)
        let ordinal = counts[hop, default: 0]
        counts[hop] = ordinal + 1
        hop.ordinal = ordinal
        return (hop, message)
      }
    }
  }

  /// A run with two sessions.
  private struct Twice {
    let bounds: SweepBounds
    /// The message of the later session for each message of the earlier one.
    let later: [Int: Message]
  }

  /// Runs a case without an alteration.
  /// - Throws: ``SweepError/Code/notPassed`` if it does not pass.
  init(_ scenario: Scenario, seed: UInt64, reasons: [SweepReason]) throws(SweepError) {
    self.reasons = reasons
    self.scenario = scenario
    self.seed = seed
    unaltered = Replay.run(scenario, seed: seed)
    if let stop = unaltered.stop { throw SweepError(.notPassed, "the case does not pass unaltered: \(stop.message)") }
    messages = unaltered.messages
    involved = Self.involved(in: unaltered)
    issuersAtFault = Set(
      unaltered.entries.filter { $0.party.role == .issuer && $0.event.fault?.effect == .applied }.map(\.party))
    bounds = SweepBounds(of: unaltered, in: scenario.world)
    twice = Self.twice(scenario, seed: seed, single: unaltered)
    let other = Replay.run(scenario, seed: seed &+ Self.otherSeed)
    otherWorld = Dictionary(uniqueKeysWithValues: Hop.places(of: other.messages).map { ($0.hop, $0.message) })
  }

  /// The apps that answer a request in a run, the issuers of their documents, and the servers and terminals that ask.
  private static func involved(in replay: Replay) -> Set<Party> {
    var parties: Set<Party> = []
    for entry in replay.entries {
      if case .consent(.answered) = entry.event { parties.insert(entry.party) }
    }
    let messages = replay.messages
    return parties.union(messages.filter { $0.kind == .document && parties.contains($0.recipient) }.map(\.sender))
      .union(messages.filter { Self.asking.contains($0.kind) }.map(\.sender))
  }

  /// The messages with which a server or a terminal begins to ask.
  private static let asking: [MessageKind] = [.presentmentBegun, .identityRequestBegun, .showTerminal]

  private static func twice(_ scenario: Scenario, seed: UInt64, single: Replay) -> Twice? {
    let replay = Replay.run(scenario, seed: seed, rounds: 2)
    guard replay.stop == nil, let end = replay.rounds.first else { return nil }
    let beginning = single.entries.firstIndex { $0.event.isStep } ?? 0
    func places(_ entries: ArraySlice<JournalEntry>) -> [(hop: Hop, message: Message)] {
      Hop.places(of: entries.compactMap(\.event.message))
    }
    let entries = replay.entries
    let earlier = Dictionary(uniqueKeysWithValues: places(entries[beginning..<end]).map { ($0.hop, $0.message) })
    var later: [Int: Message] = [:]
    for (hop, message) in places(entries[end...]) {
      if let match = earlier[hop] { later[match.number] = message }
    }
    return Twice(bounds: SweepBounds(of: replay, in: scenario.world), later: later)
  }

  /// The messages whose bytes can take the place of a message's own. Equal bytes are not an alteration.
  func donors(for message: Message) -> [Alteration.Donor] {
    var donors: [Alteration.Donor] = []
    if let later = twice?.later[message.number], later.bytes != message.bytes {
      donors.append(Alteration.Donor(origin: .earlierSession, number: message.number, bytes: message.bytes))
    }
    var seen = [message.bytes]
    for other in messages where other.kind == message.kind && !seen.contains(other.bytes) {
      seen.append(other.bytes)
      donors.append(Alteration.Donor(origin: .otherMessage, number: other.number, bytes: other.bytes))
    }
    let places = Hop.places(of: messages)
    if let hop = places.first(where: { $0.message.number == message.number })?.hop, let other = otherWorld[hop],
      other.bytes != message.bytes
    {
      donors.append(Alteration.Donor(origin: .otherWorld, number: other.number, bytes: other.bytes))
    }
    return donors
  }

  /// Runs the case with an alteration.
  package func replay(_ alteration: Alteration) -> Journal { run(alteration).replay.journal }

  /// An altered run, and what it is compared with.
  private struct AlteredRun {
    let replay: Replay
    let bounds: SweepBounds
    /// The number of the altered message in this run; nil if the alteration is not of a message.
    let number: Int?
  }

  private func run(_ alteration: Alteration) -> AlteredRun {
    if let fault = alteration.fault { return run(fault, onMessage: alteration.number) }
    let isLater = if case .swapped(let donor) = alteration.change { donor.origin == .earlierSession } else { false }
    let round = isLater ? twice : nil
    let message = round?.later[alteration.number] ?? messages[alteration.number - 1]
    let replay = Replay.run(scenario, seed: seed, rounds: isLater ? 2 : 1) { run throws(ScenarioRun.Stop) in
      if let interception = alteration.interception(of: message.number, with: message.bytes) {
        run.world.network.intercept(interception)
      }
    }
    return AlteredRun(replay: replay, bounds: round?.bounds ?? bounds, number: message.number)
  }

  /// Runs the case with a fault of the catalogue: on one message if it changes messages, otherwise from the beginning.
  private func run(_ fault: Fault, onMessage number: Int) -> AlteredRun {
    let networkFault = fault.acting(onlyOn: number)
    let replay = Replay.run(scenario, seed: seed) { run throws(ScenarioRun.Stop) in
      if let networkFault {
        run.world.network.add(networkFault)
      } else {
        try run.take(Step(.fault(.begins(.example(of: fault)))))
      }
    }
    return AlteredRun(replay: replay, bounds: bounds, number: networkFault == nil ? nil : number)
  }

  /// Runs the case with an alteration, and returns who noticed it.
  func outcome(of alteration: Alteration) -> SweepResult.Outcome {
    let run = run(alteration)
    var alteration = alteration
    if let fault = alteration.fault {
      guard let effect = run.replay.entries.first(where: { $0.event.fault != nil }),
        effect.event.fault?.effect == .applied
      else { return SweepResult.Outcome(alteration: alteration, finding: .notApplicable) }
      alteration = Alteration(number: run.number ?? hop(after: effect, in: run.replay), change: .fault(fault))
    }
    return SweepResult.Outcome(alteration: alteration, finding: finding(for: alteration, run))
  }

  private func finding(for alteration: Alteration, _ run: AlteredRun) -> SweepResult.Finding {
    if case .undecided(let cause) = run.replay.stop { return .undecided(cause) }
    if let rule = run.bounds.violation(
      in: run.replay, exceptMessage: run.number, issuersAreAtFault: alteration.fault?.party == .issuer)
    {
      return .violation(rule)
    }
    if let signal = run.bounds.usual.firstBeyond(run.replay) { return .noticed(signal) }
    if let stop = run.replay.stop { return .seen(stop.message) }
    let result = messages.last { $0.kind == .showTerminal }
    // The phone's last message through a tunnel is its reply.
    let reply = messages.last { $0.kind == .tunnelMessage && $0.sender.role == .authenticator }
    let unnoticed = UnnoticedAlteration(
      alteration: alteration, message: messages[alteration.number - 1], involved: involved,
      issuersAtFault: issuersAtFault, isPresented: isPresented(alteration),
      followsResult: result.map { alteration.number > $0.number } ?? false,
      followsReply: reply.map { alteration.number >= $0.number } ?? false)
    return reasons.first { $0.covers(unnoticed) }.map { .unnoticed($0) } ?? .unexplained
  }

  /// True if the flipped byte of a document can be in what its app presents.
  private func isPresented(_ alteration: Alteration) -> Bool {
    let message = messages[alteration.number - 1]
    let isReplaced = messages.contains { later in
      later.kind == .document && later.number > message.number && later.sender == message.sender
        && later.recipient == message.recipient
    }
    guard !isReplaced else { return false }
    guard case .flipped(let byte, _) = alteration.change,
      let name = Self.element(at: BytePlace(of: byte, in: message.bytes), of: message.bytes)
    else { return true }
    let quoted = Array("\"\(name)\"".utf8)
    return messages.contains { $0.kind == .partialRequest && $0.bytes.contains(quoted) }
  }

  /// The identifier of the element that has a place in an `IssuerSigned`; nil for a place outside the elements.
  private static func element(at place: BytePlace, of issuerSigned: [UInt8]) -> String? {
    guard place.steps.count > 2, place.steps[0] == "nameSpaces", let position = Int(place.steps[2]) else { return nil }
    let items = try? CBORReader.read(issuerSigned).map().required("nameSpaces").map().required(place.steps[1]).array()
    guard let items, items.count > position else { return nil }
    return try? items[position]?.embedded().map().required("elementIdentifier").text()
  }

  /// The message of the unaltered run that first carries the effect of a fault: the faulty party's next one.
  private func hop(after effect: JournalEntry, in replay: Replay) -> Int {
    let later = replay.entries.dropFirst(effect.number)
    guard let carrier = later.first(where: { $0.party == effect.party && $0.event.message != nil })?.event.message,
      let hop = Hop.places(of: replay.messages).first(where: { $0.message.number == carrier.number })?.hop
    else { return 1 }
    return Hop.places(of: messages).first { $0.hop == hop }?.message.number ?? 1
  }
}
