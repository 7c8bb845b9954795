import Crypto
import TestSupport
import Testing

@testable import NearbyDevices

@Suite("Nearby: adverts")
struct AdvertTests {
  @Test("A device of the same account reads a beacon, and the Mac reads the presence")
  func reads() throws {
    let household = try Household()
    let beacon = try NearbyAdvert(household.beacon.bytes, for: household.phones[0])
    #expect(beacon == household.beacon)
    #expect(beacon.kind == .beacon && beacon.device == household.mac.identifier && beacon.session == household.session)
    #expect(beacon.bytes.count == NearbyAdvert.length)
    #expect(try NearbyAdvert(household.presence().bytes, for: household.mac).device == household.phones[0].identifier)
  }

  @Test("A device of another account cannot read a beacon, and its own is refused")
  func refusesOtherAccounts() throws {
    let household = try Household()
    #expect(
      failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(household.beacon.bytes, for: household.stranger) }
        == "nearby.account/other")
    let forged = NearbyAdvert(
      .beacon, session: household.session, from: household.stranger, ephemeralKey: household.ephemeralKeys[0])
    #expect(
      failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(forged.bytes, for: household.phones[0]) }
        == "nearby.account/other")
  }

  @Test("A device ignores its own advert, and one of a device that left the account")
  func refusesItself() throws {
    let household = try Household()
    #expect(
      failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(household.beacon.bytes, for: household.mac) }
        == "nearby.account/other")
    let unknown = CircleDevice(
      identifier: household.stranger.identifier, key: household.phones[1].key, circle: household.mac.circle)
    let advert = NearbyAdvert(
      .beacon, session: household.session, from: unknown, ephemeralKey: household.ephemeralKeys[0])
    #expect(
      failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(advert.bytes, for: household.phones[0]) }
        == "nearby.account/other")
  }

  @Test("Every damaged advert is refused")
  func refusesDamage() throws {
    let household = try Household()
    for damaged in Damage.sample(of: household.beacon.bytes, seed: 1) {
      let code = failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(damaged, for: household.phones[0]) }
      #expect(code?.hasPrefix("nearby.account/") == true)
    }
  }

  @Test("A key that is not a point of the curve is malformed, even with a right tag")
  func refusesABadPoint() throws {
    let household = try Household()
    let end = NearbyAdvert.length - AccountCircle.tagLength
    var content = Array(household.beacon.bytes[..<end])
    content.replaceSubrange((end - 32)..<end, with: [UInt8](repeating: 0xff, count: 32))
    let bytes = content + household.mac.circle.tag(of: content)
    #expect(
      failedCheck { () throws(NearbyFailure) in _ = try NearbyAdvert(bytes, for: household.phones[0]) }
        == "nearby.account/malformed")
  }
}
