import CBOR
import Primitives
import TestSupport
import Testing

@testable import NearbyDevices

@Suite("Nearby: messages")
struct NearbyMessageTests {
  @Test("Every message is read as it was written", arguments: Household.messages)
  func roundTrip(message: NearbyMessage) throws {
    #expect(try NearbyMessage(message.bytes) == message)
  }

  @Test(
    "A message that is not one of the model's is malformed",
    arguments: [
      "", "80", "00", "8100", "8106", "81", "820200", "8103", "820300", "8104", "820461 78", "82046961636365707465643f",
      "8204 68726573706f6e7365", "830463 666f6f41 00", "8101", "820500", "8105 00", "9f02ff", "811802",
    ])
  func malformed(hex: String) throws {
    let bytes = try #require(Hexadecimal.decode(hex.filter { $0 != " " }))
    #expect(failedCheck { () throws(NearbyFailure) in _ = try NearbyMessage(bytes) } == "nearby.message/malformed")
  }

  @Test("Damaged messages are refused or are other messages; none ends the program")
  func survivesDamage() {
    for message in Household.messages {
      for damaged in Damage.sample(of: message.bytes, seed: 3) {
        let code = failedCheck { () throws(NearbyFailure) in
          let read = try NearbyMessage(damaged)
          if case .invitation(let invitation) = read { try invitation.check(at: Household.now) }
        }
        #expect(
          code == nil || code?.hasPrefix("nearby.message/") == true || code?.hasPrefix("nearby.invitation/") == true)
      }
    }
  }

  @Test("An expiry outside the years 1970 to 9999 is malformed")
  func refusesImpossibleExpiry() throws {
    for expiry: CBORValue in [.integer(-1), .unsigned(.max), .integer(253_402_300_800)] {
      let value = CBORValue.array([
        .integer(1), .text("https://a.example"), .text("a.example"), .text("org-iso-mdoc"), expiry,
      ])
      #expect(
        failedCheck { () throws(NearbyFailure) in _ = try NearbyMessage(value.encoded) } == "nearby.message/malformed")
    }
  }

  @Test("An invitation names its reason for refusal")
  func checksInvitations() throws {
    func check(_ invitation: Invitation, at now: DateTime = Household.now) -> String? {
      failedCheck { () throws(NearbyFailure) in try invitation.check(at: now) }
    }
    #expect(check(Household.invitation()) == nil)
    #expect(check(Household.invitation(origin: "https://a.example/")) == "nearby.invitation/origin")
    #expect(check(Household.invitation(origin: "null")) == "nearby.invitation/origin")
    #expect(check(Household.invitation(protocol: "openid4vp-v1-signed")) == "nearby.invitation/protocol")
    #expect(check(Household.invitation(lasting: 61)) == "nearby.invitation/expiry")
    #expect(check(Household.invitation(), at: Household.now.adding(seconds: 60)) == "nearby.invitation/expiry")
    var parts = Household.invitation().parts
    parts[1] = .text("bank.example")
    let altered = try NearbyMessage(CBORValue.array([.integer(1)] + parts).encoded)
    guard case .invitation(let invitation) = altered else { return #expect(Bool(false)) }
    #expect(check(invitation) == "nearby.invitation/website")
  }
}
