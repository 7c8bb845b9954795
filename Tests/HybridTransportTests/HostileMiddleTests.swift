import HybridTransport
import TestSupport
import Testing

@Suite("Both machines with a lossy, hostile middle")
struct HostileMiddleTests {
  @Test("whatever is dropped, repeated, altered or reordered, both ends agree or fail")
  func agreeOrFail() throws {
    var responses = 0
    var failures = 0
    var withdrawn = 0
    for seed in 0..<400 as Range<UInt64> {
      var middle = try Middle(seed: seed)
      try middle.run()
      responses += middle.responses.count
      failures += middle.outcomes.count - middle.responses.count
      withdrawn += middle.withdrawals
    }
    // Every kind of end is reached.
    #expect(responses > 40 && failures > 100 && withdrawn > 10)
  }
}

/// The middle: everything between the two machines, in the hands of an attacker with a part of its choices.
private struct Middle {
  var desktop: ClientPlatformMachine
  var phone: AuthenticatorMachine
  var generator: SeededGenerator
  /// How often the middle misbehaves, in percent.
  let malice: Int

  var outcomes: [ClientPlatformMachine.Outcome] = []
  var phoneOutcomes: [AuthenticatorMachine.Outcome] = []
  var delivered: [CredentialRequestMessage] = []
  var withdrawals = 0
  private var answers: [CredentialResponseMessage] = []
  private var toDesktop: [[UInt8]] = []
  private var toPhone: [[UInt8]] = []
  private var history: [[UInt8]] = []
  private var air: [[UInt8]] = []
  private var desktopTimers: [HybridTimer] = []
  private var phoneTimers: [HybridTimer] = []

  init(seed: UInt64) throws {
    desktop = ClientPlatformMachine(secrets: try Session.desktopSecrets())
    phone = AuthenticatorMachine(secrets: try Session.phoneSecrets())
    generator = SeededGenerator(seed: seed)
    malice = seed % 2 == 0 ? 2 : 25
  }

  var responses: [ClientPlatformMachine.Outcome] {
    outcomes.filter { if case .response = $0 { true } else { false } }
  }

  mutating func run() throws {
    tell(.started(at: Session.time, bluetooth: .on))
    for _ in 0..<60 { step() }
    // The tunnel's time ends, and then every timer fires.
    tell(ClientPlatformMachine.Event.tunnelClosed)
    tell(AuthenticatorMachine.Event.tunnelClosed)
    for timer in HybridTimer.allCases {
      tell(ClientPlatformMachine.Event.timedOut(timer))
      tell(AuthenticatorMachine.Event.timedOut(timer))
    }
    tell(.tunnelClosed as ClientPlatformMachine.Event)
    #expect(desktop.state == .finished)
    #expect(phone.state == .finished || phone.state == .idle)
    #expect(outcomes.count == 1)
    #expect(phoneOutcomes.count == (phone.state == .idle ? 0 : 1))
    #expect(delivered.count <= 1 && withdrawals <= delivered.count)
    #expect(delivered.allSatisfy { $0 == Session.request })
    #expect(answers.count <= delivered.count)
    guard let response = responses.first else { return }
    // The client platform has the phone's answer, to its own request, and no other.
    #expect(response == .response(protocol: "org-iso-mdoc", data: #"{"response":"AA"}"#))
    #expect(answers == [Session.answer])
  }

  private mutating func step() {
    if generator.chance(malice) { misbehave() }
    switch generator.below(8) {
    case 0, 1: if !toDesktop.isEmpty { tell(ClientPlatformMachine.Event.received(toDesktop.removeFirst())) }
    case 2, 3: if !toPhone.isEmpty { tell(AuthenticatorMachine.Event.received(toPhone.removeFirst())) }
    case 4: if let data = air.last { tell(.heard(advertisingData: data)) }
    case 5:
      if phoneTimers.first == .advertDelay { tell(AuthenticatorMachine.Event.timedOut(phoneTimers.removeFirst())) }
    case 6: if phone.state == .consent { decide() }
    default: break
    }
  }

  private mutating func decide() {
    if generator.chance(80) {
      answers.append(Session.answer)
      tell(.answered(Session.answer))
    } else {
      tell(.cancelledByPerson)
    }
  }

  private mutating func misbehave() {
    switch generator.below(13) {
    case 0: if !toDesktop.isEmpty { toDesktop.removeFirst() }
    case 1: if !toPhone.isEmpty { toPhone.removeFirst() }
    case 2: if let first = toDesktop.first { toDesktop.append(damaged(first)) }
    case 3: if let first = toPhone.first { toPhone.insert(damaged(first), at: 0) }
    case 4: toDesktop.reverse()
    case 5: toPhone.reverse()
    case 6: if let message = history.randomElement(using: &generator) { toPhone.insert(message, at: 0) }
    case 7: if let message = history.randomElement(using: &generator) { toDesktop.insert(message, at: 0) }
    case 8: tell(.heard(advertisingData: air.last.map { damaged($0) } ?? generator.bytes(31)))
    case 9: if !desktopTimers.isEmpty { tell(ClientPlatformMachine.Event.timedOut(desktopTimers.removeFirst())) }
    case 10: if !phoneTimers.isEmpty { tell(AuthenticatorMachine.Event.timedOut(phoneTimers.removeFirst())) }
    case 11:
      generator.chance(30)
        ? tell(ClientPlatformMachine.Event.tunnelClosed) : tell(ClientPlatformMachine.Event.cancelled)
    default:
      if generator.chance(50) { tell(AuthenticatorMachine.Event.tunnelClosed) } else { tell(.scanned("FIDO:/0")) }
    }
  }

  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var changed = bytes
    if let place = changed.indices.randomElement(using: &generator) { changed[place] ^= 1 << generator.below(8) }
    return changed
  }

  private mutating func tell(_ event: ClientPlatformMachine.Event) {
    for effect in desktop.receive(event) {
      switch effect {
      case .showQRCode(let uri): tell(.scanned(uri))
      case .connect: tell(ClientPlatformMachine.Event.tunnelOpened)
      case .collectRequest: tell(.collected(Session.request))
      case .send(let message):
        toPhone.append(message)
        history.append(message)
      case .setTimer(let timer): desktopTimers.append(timer)
      case .finish(let outcome): outcomes.append(outcome)
      default: break
      }
    }
  }

  private mutating func tell(_ event: AuthenticatorMachine.Event) {
    for effect in phone.receive(event) {
      switch effect {
      case .openTunnel: tell(.tunnelOpened(routingID: [1, 2, 3]))
      case .advertise(let data): air.append(data)
      case .deliver(let request): delivered.append(request)
      case .withdraw: withdrawals += 1
      case .send(let message):
        toDesktop.append(message)
        history.append(message)
      case .setTimer(let timer): phoneTimers.append(timer)
      case .finish(let outcome): phoneOutcomes.append(outcome)
      default: break
      }
    }
  }
}
