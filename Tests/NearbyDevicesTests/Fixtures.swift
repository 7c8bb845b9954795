import Checks
import Crypto
import Primitives
import TestSupport
import Testing

@testable import NearbyDevices

/// A Mac, its owner's two iPhones, and a device of another account, with keys that a seed determines.
struct Household {
  let mac: CircleDevice
  let phones: [CircleDevice]
  let stranger: CircleDevice
  let ephemeralKeys: [P256.KeyAgreement.PrivateKey]
  let session: SessionIdentifier

  static let now = DateTime(secondsSince1970: 1_760_000_000)

  init(seed: UInt64 = 1) throws {
    var generator = SeededGenerator(seed: seed)
    let keys = try (0..<7).map { _ in
      try P256.KeyAgreement.PrivateKey(rawRepresentation: [0x01] + generator.bytes(31))
    }
    func member(_ number: Int, _ name: String, _ generator: inout SeededGenerator) throws -> AccountCircle.Member {
      AccountCircle.Member(
        identifier: try #require(DeviceIdentifier(generator.bytes(16))), name: name, key: keys[number].publicKey)
    }
    let members = [
      try member(0, "Kelly's Mac", &generator), try member(1, "Kelly's iPhone", &generator),
      try member(2, "Kelly's old iPhone", &generator),
    ]
    let circle = AccountCircle(secret: generator.bytes(32), members: members)
    let other = try member(3, "Sam's iPhone", &generator)
    let otherCircle = AccountCircle(secret: generator.bytes(32), members: [other])
    mac = CircleDevice(identifier: members[0].identifier, key: keys[0], circle: circle)
    phones = [1, 2].map { CircleDevice(identifier: members[$0].identifier, key: keys[$0], circle: circle) }
    stranger = CircleDevice(identifier: other.identifier, key: keys[3], circle: otherCircle)
    ephemeralKeys = Array(keys[4...])
    session = try #require(SessionIdentifier(generator.bytes(16)))
  }

  var beacon: NearbyAdvert { NearbyAdvert(.beacon, session: session, from: mac, ephemeralKey: ephemeralKeys[0]) }

  func presence(of phone: Int = 0) -> NearbyAdvert {
    NearbyAdvert(.presence, session: session, from: phones[phone], ephemeralKey: ephemeralKeys[1 + phone])
  }

  /// The two ends of the channel of the Mac and an iPhone.
  func channel(to phone: Int = 0) throws -> (mac: NearbyChannel, iPhone: NearbyChannel) {
    let presence = presence(of: phone)
    return (
      try NearbyChannel(.mac, of: mac, ephemeralKey: ephemeralKeys[0], beacon: beacon, presence: presence),
      try NearbyChannel(
        .iPhone, of: phones[phone], ephemeralKey: ephemeralKeys[1 + phone], beacon: beacon, presence: presence)
    )
  }

  static let rawRequest = [UInt8](#"{"deviceRequest":"omd2","encryptionInfo":"gmVk"}"#.utf8)

  static func invitation(
    origin: String = "https://spaceship-rentals.example", protocol name: String = "org-iso-mdoc", lasting: Int64 = 60
  ) -> Invitation {
    Invitation(origin: origin, protocol: name, expiry: now.adding(seconds: lasting))
  }

  /// One message of each kind, and each result.
  static let messages: [NearbyMessage] =
    [
      .invitation(invitation()), .accept, .rawRequest(rawRequest), .result(.response([1, 2, 3])), .withdraw,
    ] + NearbyResult.Reason.allCases.map { .result(.ended($0)) }
}

/// The name of the check that a body fails, or nil if it throws nothing.
func failedCheck(_ body: () throws(NearbyFailure) -> Void) -> String? {
  do throws(NearbyFailure) {
    try body()
    return nil
  } catch {
    return error.name
  }
}
