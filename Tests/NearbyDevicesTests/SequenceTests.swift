import TestSupport
import Testing

@testable import NearbyDevices

/// A Mac and two iPhones that work together over real channels, with events drawn from a seed: taps, refusals, answers,
/// timers, withdrawals, and frames that wait in either direction.
struct DrawnHousehold {
  let household: Household
  var generator: SeededGenerator
  var mac = InvitationMachine()
  var iPhones = [AnsweringMachine(), AnsweringMachine()]
  var ends: [(mac: NearbyChannel, iPhone: NearbyChannel)]
  /// Frames on their way, oldest first.
  var toPhone: [[[UInt8]]] = [[], []]
  var toMac: [[[UInt8]]] = [[], []]
  var tapped = [false, false]
  /// The raw requests that the browser has not handed over yet.
  var collections = 0
  var announced = [0, 0]
  var released = 0
  var settled = 0
  var withdrawn = [0, 0]
  var fault: String?

  init(seed: UInt64) throws {
    household = try Household(seed: 1)
    generator = SeededGenerator(seed: seed)
    ends = [try household.channel(to: 0), try household.channel(to: 1)]
    perform(mac.receive(.requested(InvitationMachine.Request(call: 1, invitation: Household.invitation()))))
  }

  private func number(of device: DeviceIdentifier) -> Int { device == household.phones[0].identifier ? 0 : 1 }

  private mutating func perform(_ effects: [InvitationMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let device):
        let number = number(of: device)
        if message == .withdraw {
          withdrawn[number] += 1
          if withdrawn[number] > 1 { fault = "an iPhone was withdrawn twice" }
        }
        if case .rawRequest = message {
          released += 1
          if released > 1 { fault = "the raw request was sent twice" }
          if !tapped[number] { fault = "the raw request was sent before the person tapped the notification" }
        }
        toPhone[number].append(ends[number].mac.seal(message))
      case .collectRequest: collections += 1
      case .reply, .fail, .continueWithQRCode:
        settled += 1
        if settled > 1 { fault = "the call was settled twice" }
        if case .reply = effect, released == 0 { fault = "a response without the raw request" }
      case .search, .showInvited, .showAccepted, .showChoice, .close, .record: break
      }
    }
  }

  private mutating func perform(_ effects: [AnsweringMachine.Effect], _ number: Int) {
    for effect in effects {
      switch effect {
      case .send(let message, _):
        if message == .accept { tapped[number] = true }
        toMac[number].append(ends[number].iPhone.seal(message))
      case .announce(let invitation, let request):
        announced[number] += 1
        if announced[number] > 1 { fault = "an iPhone announced two requests" }
        if !tapped[number] { fault = "an iPhone parses a request before the person tapped the notification" }
        if request != Household.rawRequest || invitation != Household.invitation() {
          fault = "an iPhone announced another request than the Mac sent"
        }
      case .dismiss where announced[number] == 0: fault = "an iPhone takes back what it has not announced"
      case .answer: perform(mac.receive(.found(household.phones[number].identifier)))
      case .notify, .removeNotification, .dismiss, .record: break
      }
    }
  }

  /// Takes one drawn step.
  mutating func step() throws {
    let number = generator.below(2)
    let phone = household.phones[number].identifier
    switch generator.below(16) {
    case 0: perform(iPhones[number].receive(.heard(household.beacon, isUnlocked: generator.chance(80))), number)
    case 1: perform(mac.receive(generator.chance(50) ? .searchEnded(call: 1) : .found(phone)))
    case 2, 3: perform(iPhones[number].receive(.tapped), number)
    case 4: perform(iPhones[number].receive(.declined), number)
    case 5, 6:
      guard collections > 0 else { return }
      collections -= 1
      perform(mac.receive(.collected(call: 1, rawRequest: Household.rawRequest)))
    case 7: perform(iPhones[number].receive(.responded([UInt8(number)])), number)
    case 8:
      let reasons = NearbyResult.Reason.allCases
      perform(iPhones[number].receive(.ended(reasons[generator.below(reasons.count)])), number)
    case 9:
      let events: [InvitationMachine.Event] = [
        .expired(call: 1), .qrCodeChosen, .cancelled, .dismissed(call: 1), .channelFailed(phone),
      ]
      if generator.chance(30) { perform(mac.receive(events[generator.below(events.count)])) }
    case 10:
      if generator.chance(30) { perform(iPhones[number].receive(.expired(household.session)), number) }
    case 11, 12, 13:
      guard !toPhone[number].isEmpty else { return }
      let message = try ends[number].iPhone.open(toPhone[number].removeFirst())
      let event = AnsweringMachine.Event.received(
        message, session: household.session, mac: household.mac.identifier, at: Household.now)
      perform(iPhones[number].receive(event), number)
    default:
      guard !toMac[number].isEmpty else { return }
      perform(mac.receive(.received(try ends[number].mac.open(toMac[number].removeFirst()), from: phone)))
    }
  }
}

@Suite("Nearby: drawn sequences of events")
struct SequenceTests {
  @Test("One iPhone at most gets the raw request, once, after the person tapped there, and the call ends once")
  func invariants() throws {
    var released = 0
    var settled = 0
    for seed in 0..<400 as Range<UInt64> {
      var run = try DrawnHousehold(seed: seed)
      for _ in 0..<120 {
        try run.step()
        if let fault = run.fault {
          Issue.record("seed \(seed): \(fault)")
          return
        }
      }
      released += run.released
      settled += run.settled
    }
    // The sequences reach both.
    #expect(released > 20 && settled > 200)
  }
}
