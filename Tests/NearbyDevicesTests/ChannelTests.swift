import Crypto
import TestSupport
import Testing

@testable import NearbyDevices

@Suite("Nearby: channel")
struct ChannelTests {
  @Test("Every message arrives in both directions")
  func carriesEveryMessage() throws {
    var (mac, iPhone) = try Household().channel()
    for message in Household.messages {
      #expect(try iPhone.open(mac.seal(message)) == message)
      #expect(try mac.open(iPhone.seal(message)) == message)
    }
  }

  @Test("Every altered byte of a frame is refused, and the channel stays closed")
  func refusesAlteredFrames() throws {
    let household = try Household()
    var (mac, _) = try household.channel()
    let frame = mac.seal(.rawRequest(Household.rawRequest))
    for damaged in Damage.sample(of: frame, seed: 2) {
      var iPhone = try household.channel().iPhone
      #expect(failedCheck { () throws(NearbyFailure) in _ = try iPhone.open(damaged) } == "nearby.frame")
      #expect(failedCheck { () throws(NearbyFailure) in _ = try iPhone.open(frame) } == "nearby.frame")
    }
  }

  @Test("A repeated, reordered, missing or reflected frame is refused")
  func refusesOtherOrder() throws {
    let household = try Household()
    var (mac, _) = try household.channel()
    let first = mac.seal(.accept)
    let second = mac.seal(.withdraw)
    var repeated = try household.channel().iPhone
    _ = try repeated.open(first)
    #expect(failedCheck { () throws(NearbyFailure) in _ = try repeated.open(first) } == "nearby.frame")
    var reordered = try household.channel().iPhone
    #expect(failedCheck { () throws(NearbyFailure) in _ = try reordered.open(second) } == "nearby.frame")
    #expect(failedCheck { () throws(NearbyFailure) in _ = try mac.open(first) } == "nearby.frame")
  }

  @Test("A frame of another session or another iPhone is refused")
  func refusesOtherSessions() throws {
    let household = try Household()
    var (mac, _) = try household.channel()
    let frame = mac.seal(.withdraw)
    var other = try household.channel(to: 1).iPhone
    #expect(failedCheck { () throws(NearbyFailure) in _ = try other.open(frame) } == "nearby.frame")
    var later = try Household(seed: 2).channel().iPhone
    #expect(failedCheck { () throws(NearbyFailure) in _ = try later.open(frame) } == "nearby.frame")
  }

  @Test("A device with the account's secret and another device's identifier has other keys")
  func bindsTheLongTermKeys() throws {
    let household = try Household()
    // The second iPhone names itself as the first.
    let liar = CircleDevice(
      identifier: household.phones[0].identifier, key: household.phones[1].key, circle: household.mac.circle)
    let presence = NearbyAdvert(
      .presence, session: household.session, from: liar, ephemeralKey: household.ephemeralKeys[1])
    var mac = try NearbyChannel(
      .mac, of: household.mac, ephemeralKey: household.ephemeralKeys[0], beacon: household.beacon, presence: presence)
    var iPhone = try NearbyChannel(
      .iPhone, of: liar, ephemeralKey: household.ephemeralKeys[1], beacon: household.beacon, presence: presence)
    let frame = mac.seal(.accept)
    #expect(failedCheck { () throws(NearbyFailure) in _ = try iPhone.open(frame) } == "nearby.frame")
  }

  @Test("A channel needs a beacon and a presence of one session, and the device's own key")
  func refusesMismatchedAdverts() throws {
    let household = try Household()
    let other = try Household(seed: 2)
    func opens(_ beacon: NearbyAdvert, _ presence: NearbyAdvert, key: Int = 0) -> String? {
      failedCheck { () throws(NearbyFailure) in
        _ = try NearbyChannel(
          .mac, of: household.mac, ephemeralKey: household.ephemeralKeys[key], beacon: beacon, presence: presence)
      }
    }
    #expect(opens(household.beacon, household.presence()) == nil)
    #expect(opens(household.beacon, household.beacon) == "nearby.account/other")
    #expect(opens(other.beacon, household.presence()) == "nearby.account/other")
    #expect(opens(household.beacon, other.presence()) == "nearby.account/other")
    #expect(opens(household.beacon, household.presence(), key: 1) == "nearby.account/other")
  }
}
