import Checks
import Testing

@testable import NearbyDevices

@Suite("Nearby: the Mac's and the iPhone's machine")
struct MachineTests {
  let household: Household
  let invited: AnsweringMachine.Invited
  let request = InvitationMachine.Request(call: 7, invitation: Household.invitation())
  let first: DeviceIdentifier
  let second: DeviceIdentifier

  init() throws {
    household = try Household()
    first = household.phones[0].identifier
    second = household.phones[1].identifier
    invited = AnsweringMachine.Invited(
      session: household.session, mac: household.mac.identifier, invitation: Household.invitation())
  }

  /// A Mac's machine with an invitation for some iPhones.
  private func inviting(_ phones: [DeviceIdentifier]) -> InvitationMachine {
    var mac = InvitationMachine()
    _ = mac.receive(.requested(request))
    for phone in phones { _ = mac.receive(.found(phone)) }
    _ = mac.receive(.searchEnded(call: 7))
    return mac
  }

  /// An iPhone's machine with a notification.
  private func notified() -> AnsweringMachine {
    var iPhone = AnsweringMachine()
    _ = iPhone.receive(message(.invitation(invited.invitation)))
    return iPhone
  }

  private let collected = InvitationMachine.Event.collected(call: 7, rawRequest: Household.rawRequest)

  private func message(_ message: NearbyMessage) -> AnsweringMachine.Event {
    .received(message, session: household.session, mac: household.mac.identifier, at: Household.now)
  }

  @Test("The raw request leaves the Mac after the person tapped the notification, and the response comes back")
  func presentment() {
    var mac = InvitationMachine()
    #expect(mac.receive(.requested(request)) == [.search(call: 7)])
    var iPhone = AnsweringMachine()
    #expect(iPhone.receive(.heard(household.beacon, isUnlocked: true)).last == .answer(household.beacon))
    #expect(
      mac.receive(.found(first)) == [.send(.invitation(invited.invitation), to: first), .showInvited([first])])
    #expect(mac.receive(.searchEnded(call: 7)) == [])
    #expect(iPhone.receive(message(.invitation(invited.invitation))).last == .notify(invited))
    #expect(
      iPhone.receive(.tapped) == [.removeNotification, .send(.accept, session: household.session)])
    #expect(mac.receive(.received(.accept, from: first)) == [.showAccepted(first), .collectRequest(call: 7)])
    #expect(mac.receive(collected) == [.send(.rawRequest(Household.rawRequest), to: first)])
    #expect(
      iPhone.receive(message(.rawRequest(Household.rawRequest))) == [
        .announce(invited.invitation, rawRequest: Household.rawRequest)
      ])
    #expect(iPhone.receive(.responded([1])) == [.send(.result(.response([1])), session: household.session)])
    #expect(mac.receive(.received(.result(.response([1])), from: first)) == [.close, .reply(call: 7, response: [1])])
    #expect(mac.isIdle && iPhone.isIdle)
  }

  @Test("Without an iPhone near, the QR code opens")
  func noneNear() {
    var mac = InvitationMachine()
    _ = mac.receive(.requested(request))
    #expect(mac.receive(.searchEnded(call: 7)) == [.close, .continueWithQRCode(call: 7, .noneNear)])
    #expect(mac.isIdle)
  }

  @Test("Of two iPhones the first to accept wins, and the other is withdrawn")
  func firstWins() {
    var mac = inviting([first, second])
    #expect(mac.receive(collected) == [])
    #expect(
      mac.receive(.received(.accept, from: second)) == [
        .send(.withdraw, to: first), .showAccepted(second), .collectRequest(call: 7),
      ])
    #expect(mac.receive(.received(.accept, from: first)) == [])
    #expect(mac.receive(.collected(call: 8, rawRequest: Household.rawRequest)) == [])
    #expect(mac.receive(collected) == [.send(.rawRequest(Household.rawRequest), to: second)])
    #expect(mac.receive(collected) == [])
    var loser = notified()
    #expect(loser.receive(message(.withdraw)) == [.removeNotification])
    var tapped = notified()
    _ = tapped.receive(.tapped)
    #expect(tapped.receive(message(.withdraw)) == [])
    #expect(tapped.receive(message(.rawRequest(Household.rawRequest))) == [])
    #expect(tapped.isIdle)
  }

  @Test("An invitation that expires ends as a timeout on both sides")
  func expires() {
    var mac = inviting([first])
    #expect(mac.receive(.expired(call: 7)) == [.send(.withdraw, to: first), .close, .fail(call: 7, .timeout)])
    var iPhone = notified()
    #expect(
      iPhone.receive(.expired(household.session)) == [
        .removeNotification, .send(.result(.ended(.timeout)), session: household.session),
      ])
    var other = inviting([first])
    #expect(
      other.receive(.received(.result(.ended(.timeout)), from: first)) == [.close, .fail(call: 7, .timeout)])
    var answering = inviting([first])
    _ = answering.receive(.received(.accept, from: first))
    #expect(answering.receive(.expired(call: 7)) == [])
  }

  @Test("The page's withdrawal reaches every iPhone once")
  func dismissed() {
    var mac = inviting([first, second])
    #expect(mac.receive(.dismissed(call: 8)) == [])
    #expect(
      mac.receive(.dismissed(call: 7)) == [.send(.withdraw, to: first), .send(.withdraw, to: second), .close])
    #expect(mac.receive(.dismissed(call: 7)) == [])
    #expect(mac.receive(.cancelled) == [])
  }

  @Test("A second request while one runs is refused")
  func inProgress() {
    var mac = inviting([first])
    let other = InvitationMachine.Request(call: 8, invitation: Household.invitation())
    #expect(mac.receive(.requested(other)) == [.fail(call: 8, .requestInProgress)])
    #expect(mac.receive(.requested(request)) == [])
    #expect(mac.call == 7)
  }

  @Test("Another protocol is not offered to an iPhone")
  func otherProtocol() {
    var mac = InvitationMachine()
    let other = InvitationMachine.Request(call: 7, invitation: Household.invitation(protocol: "openid4vp-v1-signed"))
    #expect(mac.receive(.requested(other)) == [.continueWithQRCode(call: 7, .protocol)])
    var iPhone = AnsweringMachine()
    let effects = iPhone.receive(message(.invitation(other.invitation)))
    #expect(
      effects == [
        .record(NearbyFailure(.invitation, .protocol, evidence: Self.evidence(effects)).result),
        .send(.result(.ended(.invalidRequest)), session: household.session),
      ])
    #expect(iPhone.isIdle)
  }

  private static func evidence(_ effects: [AnsweringMachine.Effect]) -> [CheckResult.Evidence] {
    if case .record(let result)? = effects.first { result.evidence } else { [] }
  }

  @Test("After the person declined, the Mac offers the QR code and the end")
  func declined() {
    for (reason, shown): (NearbyResult.Reason, InvitationMachine.PromptReason) in [
      (.declined, .declined), (.noDocument, .noDocument),
    ] {
      var mac = inviting([first])
      #expect(mac.receive(.received(.result(.ended(reason)), from: first)) == [.showChoice(shown)])
      var cancelling = mac
      #expect(mac.receive(.qrCodeChosen) == [.close, .continueWithQRCode(call: 7, .chosen)])
      #expect(cancelling.receive(.cancelled) == [.close, .fail(call: 7, .cancelled)])
    }
    var two = inviting([first, second])
    #expect(two.receive(.received(.result(.ended(.declined)), from: first)) == [.showInvited([second])])
  }

  @Test("The QR code withdraws the iPhones at any time")
  func qrCode() {
    var mac = inviting([first])
    #expect(mac.receive(.qrCodeChosen) == [.send(.withdraw, to: first), .close, .continueWithQRCode(call: 7, .chosen)])
    var answering = inviting([first])
    _ = answering.receive(.received(.accept, from: first))
    #expect(
      answering.receive(.qrCodeChosen) == [.send(.withdraw, to: first), .close, .continueWithQRCode(call: 7, .chosen)])
    #expect(answering.receive(.received(.result(.response([1])), from: first)) == [])
  }

  @Test("A raw request before the person's tap, or a second one, is not announced")
  func unexpectedRawRequest() {
    var iPhone = notified()
    let request = message(.rawRequest(Household.rawRequest))
    let unexpected = [AnsweringMachine.Effect.record(NearbyFailure(.message, .unexpected).result)]
    #expect(iPhone.receive(request) == unexpected)
    _ = iPhone.receive(.tapped)
    #expect(iPhone.receive(request).count == 1)
    #expect(iPhone.receive(message(.rawRequest([1]))) == unexpected)
  }

  @Test("A request that the iPhone's own sandbox refuses ends the Mac's request")
  func refusedRequest() {
    var iPhone = notified()
    _ = iPhone.receive(.tapped)
    _ = iPhone.receive(message(.rawRequest([1])))
    #expect(
      iPhone.receive(.ended(.invalidRequest)) == [
        .send(.result(.ended(.invalidRequest)), session: household.session)
      ])
    #expect(iPhone.isIdle)
    var mac = inviting([first])
    _ = mac.receive(.received(.accept, from: first))
    #expect(
      mac.receive(.received(.result(.ended(.invalidRequest)), from: first)) == [
        .close, .fail(call: 7, .invalidRequest),
      ])
  }

  @Test("An iPhone that was not unlocked after it was switched on does not answer")
  func locked() {
    var iPhone = AnsweringMachine()
    #expect(
      iPhone.receive(.heard(household.beacon, isUnlocked: false)) == [.record(NearbyFailure(.unlocked).result)])
    #expect(iPhone.receive(.heard(household.beacon, isUnlocked: true)).last == .answer(household.beacon))
    #expect(iPhone.receive(.heard(household.beacon, isUnlocked: true)) == [])
    #expect(iPhone.receive(.heard(household.presence(), isUnlocked: true)) == [])
  }

  @Test("An iPhone with an invitation does not take another")
  func busy() throws {
    let other = try Household(seed: 2)
    var iPhone = notified()
    #expect(iPhone.receive(.heard(other.beacon, isUnlocked: true)) == [])
    #expect(
      iPhone.receive(
        .received(
          .invitation(Household.invitation()), session: other.session, mac: other.mac.identifier, at: Household.now))
        == [.send(.result(.ended(.declined)), session: other.session)])
    #expect(iPhone.invited == invited)
  }

  @Test("A response before the raw request was sent is unexpected")
  func earlyResponse() {
    var mac = inviting([first])
    let unexpected = [InvitationMachine.Effect.record(NearbyFailure(.message, .unexpected).result)]
    #expect(mac.receive(.received(.result(.response([1])), from: first)) == unexpected)
    _ = mac.receive(.received(.accept, from: first))
    #expect(mac.receive(.received(.result(.response([1])), from: first)) == unexpected)
    #expect(mac.call == 7)
  }

  @Test("A channel that fails ends the session")
  func channelFails() {
    var mac = inviting([first])
    #expect(
      mac.receive(.channelFailed(first)) == [
        .send(.withdraw, to: first), .close, .continueWithQRCode(call: 7, .noneNear),
      ])
    var answering = inviting([first])
    _ = answering.receive(.received(.accept, from: first))
    #expect(
      answering.receive(.channelFailed(first)) == [.send(.withdraw, to: first), .close, .fail(call: 7, .channel)])
    var iPhone = notified()
    #expect(
      iPhone.receive(.channelFailed(household.session)) == [
        .removeNotification, .send(.result(.ended(.invalidRequest)), session: household.session),
      ])
  }

  @Test("A first frame that cannot be opened ends the session at the Mac")
  func firstFrameFails() {
    var iPhone = AnsweringMachine()
    let end = AnsweringMachine.Effect.send(.result(.ended(.invalidRequest)), session: household.session)
    #expect(iPhone.receive(.channelFailed(household.session)) == [end])
    var mac = inviting([first])
    #expect(
      mac.receive(.received(.result(.ended(.invalidRequest)), from: first)) == [
        .close, .continueWithQRCode(call: 7, .noneNear),
      ])
  }

  @Test("A Mac that is switched off ends its session on the iPhone in every state")
  func macIsSwitchedOff() {
    let lost = AnsweringMachine.Event.linkLost(household.mac.identifier)
    var iPhone = notified()
    #expect(iPhone.receive(.linkLost(household.stranger.identifier)) == [])
    #expect(iPhone.receive(lost) == [.removeNotification])
    let answering: [AnsweringMachine.Event] = [.tapped, message(.rawRequest(Household.rawRequest))]
    for (events, effects): ([AnsweringMachine.Event], [AnsweringMachine.Effect]) in [
      ([.tapped], []), (answering, [.dismiss]),
    ] {
      var iPhone = notified()
      for event in events { _ = iPhone.receive(event) }
      #expect(iPhone.receive(lost) == effects)
      #expect(iPhone.isIdle)
      #expect(iPhone.receive(lost) == [])
    }
  }

  @Test("An iPhone that is switched off ends the request that the person continues on it")
  func iPhoneIsSwitchedOff() {
    var invited = inviting([first, second])
    #expect(invited.receive(.linkLost(first)) == [.showInvited([second])])
    #expect(invited.receive(.linkLost(first)) == [])
    #expect(invited.receive(.linkLost(second)) == [.close, .continueWithQRCode(call: 7, .noneNear)])
    var answering = inviting([first, second])
    _ = answering.receive(.received(.accept, from: first))
    #expect(answering.receive(.linkLost(second)) == [])
    #expect(answering.receive(.linkLost(first)) == [.close, .fail(call: 7, .channel)])
    #expect(answering.isIdle)
  }

  @Test("A raw request that does not arrive in time ends the session")
  func rawRequestIsLate() throws {
    let other = try Household(seed: 2)
    var iPhone = notified()
    #expect(iPhone.receive(.rawRequestLate(household.session)) == [])
    _ = iPhone.receive(.tapped)
    #expect(iPhone.receive(.rawRequestLate(other.session)) == [])
    var answering = iPhone
    _ = answering.receive(message(.rawRequest(Household.rawRequest)))
    #expect(answering.receive(.rawRequestLate(household.session)) == [])
    #expect(
      iPhone.receive(.rawRequestLate(household.session)) == [
        .send(.result(.ended(.failed)), session: household.session)
      ])
    #expect(iPhone.isIdle)
  }

  @Test("A new beacon of the same Mac ends its earlier session and is answered")
  func newSessionOfTheSameMac() throws {
    var iPhone = notified()
    _ = iPhone.receive(.tapped)
    _ = iPhone.receive(message(.rawRequest(Household.rawRequest)))
    let session = try #require(SessionIdentifier([UInt8](repeating: 9, count: SessionIdentifier.length)))
    let beacon = NearbyAdvert(
      .beacon, session: session, from: household.mac, ephemeralKey: household.ephemeralKeys[0])
    let before = iPhone.invited
    #expect(iPhone.receive(.heard(beacon, isUnlocked: false)) == [.record(NearbyFailure(.unlocked).result)])
    #expect(iPhone.invited == before)
    let effects = iPhone.receive(.heard(beacon, isUnlocked: true))
    #expect(
      effects.prefix(2) == [.dismiss, .send(.result(.ended(.failed)), session: household.session)])
    #expect(effects.last == .answer(beacon))
    #expect(iPhone.isIdle)
  }
}
