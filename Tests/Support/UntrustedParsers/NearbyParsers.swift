import NearbyDevices
import Primitives

extension UntrustedParser {
  /// An advert of the model of a nearby iPhone. The reader is an iPhone of the account.
  static let nearbyAdvert = UntrustedParser("nearby-advert", seeds: { [NearbySeeds.beacon.bytes] }) { bytes in
    let advert = try NearbyAdvert(bytes, for: NearbySeeds.iPhone)
    try BrokenPromise.unless(advert == NearbySeeds.beacon, "another advert has a valid tag")
    return advert.bytes.count
  }

  /// A decrypted message of that model.
  static let nearbyMessage = UntrustedParser(
    "nearby-message",
    seeds: {
      [
        NearbyMessage.invitation(NearbySeeds.invitation), .accept, .rawRequest([1, 2, 3]),
        .result(.response([1, 2, 3])), .result(.ended(.declined)), .withdraw,
      ].map(\.bytes)
    }
  ) { bytes in
    let message = try NearbyMessage(bytes)
    try BrokenPromise.unless((try? NearbyMessage(message.bytes)) == message, "written and read again it is another")
    if case .invitation(let invitation) = message { try invitation.check(at: NearbySeeds.now) }
    return message.bytes.count
  }
}

/// The values that the seeds are made with.
private enum NearbySeeds {
  static let now = DateTime(secondsSince1970: 1_757_955_600)
  static let identifiers = [UInt8(1), 2].compactMap { DeviceIdentifier([UInt8](repeating: $0, count: 16)) }
  static let circle = AccountCircle(
    secret: [UInt8](repeating: 9, count: 32),
    members: identifiers.enumerated().map { number, identifier in
      AccountCircle.Member(
        identifier: identifier, name: "device \(number)", key: FixedKeys.agreement(UInt8(number + 1)).publicKey)
    })
  static let mac = CircleDevice(identifier: identifiers[0], key: FixedKeys.agreement(1), circle: circle)
  static let iPhone = CircleDevice(identifier: identifiers[1], key: FixedKeys.agreement(2), circle: circle)
  static let sessions = [UInt8(3)].compactMap { SessionIdentifier([UInt8](repeating: $0, count: 16)) }
  static let beacon = NearbyAdvert(
    .beacon, session: sessions[0], from: mac, ephemeralKey: FixedKeys.agreement(4))
  static let invitation = Invitation(
    origin: "https://spaceship-rentals.example", protocol: Invitation.protocolIdentifier,
    expiry: now.adding(seconds: Invitation.lifetime))
}
