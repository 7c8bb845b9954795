import HybridTransport
import Primitives

extension UntrustedParser {
  /// The text of a client platform's QR code.
  static let hybridQRCode = UntrustedParser("hybrid-qr-code", seeds: { [Array(HybridSeeds.payload.uri.utf8)] }) {
    bytes in
    let payload = try QRPayload(uri: text(bytes))
    try BrokenPromise.unless(
      (try? QRPayload(uri: payload.uri))?.cbor == payload.cbor, "written and read again it is another")
    return payload.cbor.count
  }

  /// Advertising data with a phone's advert. The reader holds the key.
  static let hybridAdvert = UntrustedParser(
    "hybrid-advert",
    seeds: {
      [
        HybridSeeds.advertisingData,
        // With the suffix of a channel over Bluetooth, in the form of CTAP 2.3.
        AdvertisingData.make(serviceData: HybridSeeds.advert + [0xa1, 0x01, 0x19, 0x12, 0x34]),
      ]
    }
  ) { bytes in
    let data = try AdvertisingData.serviceData(in: bytes)
    let advert = try Advert(opening: data, with: HybridSeeds.keys.advertKey)
    try BrokenPromise.unless(advert.plaintext == HybridSeeds.plaintext, "something else was opened than was sealed")
    if data.count > Advert.length { _ = try AdvertSuffix(Array(data.dropFirst(Advert.length))) }
    return advert.plaintext.count
  }

  /// The URL of a tunnel.
  static let hybridAddress = UntrustedParser(
    "hybrid-address",
    seeds: {
      [
        TunnelAddress.End.new(tunnelID: HybridSeeds.keys.tunnelID),
        .connect(routingID: [1, 2, 3], tunnelID: HybridSeeds.keys.tunnelID),
      ].map { Array(TunnelAddress(host: "cable.ua5v.com", end: $0).url.utf8) }
    }
  ) { bytes in
    let address = try TunnelAddress(url: text(bytes))
    try BrokenPromise.unless((try? TunnelAddress(url: address.url)) == address, "written and read again it is another")
    return address.url.utf8.count
  }

  /// The first message of a handshake. The reader is the phone.
  static let hybridHandshake = UntrustedParser(
    "hybrid-handshake", seeds: { [HybridSeeds.initiator.message] }
  ) { bytes in
    let (reply, keys) = try HybridSeeds.responder.reply(to: bytes)
    try BrokenPromise.unless(
      (try? HybridSeeds.initiator.keys(from: reply).handshakeHash) == keys.handshakeHash, "a forged message verifies")
    return reply.count
  }

  /// The phone's reply in a handshake. The reader is the client platform.
  static let hybridReply = UntrustedParser("hybrid-reply", seeds: { [HybridSeeds.reply] }) { bytes in
    let keys = try HybridSeeds.initiator.keys(from: bytes)
    try BrokenPromise.unless(bytes == HybridSeeds.reply, "a forged reply verifies")
    return keys.handshakeHash.count
  }

  /// An encrypted message of a session.
  static let hybridFrame = UntrustedParser("hybrid-frame", seeds: { [HybridSeeds.sealed] }) { bytes in
    var cipher = FrameCipher(key: HybridSeeds.frameKey)
    let opened = try cipher.open(bytes)
    try BrokenPromise.unless(bytes == HybridSeeds.sealed, "a forged message opens")
    return opened.count
  }

  /// The path of a request to a tunnel service, and the header with a routing identifier.
  static let hybridTunnel = UntrustedParser(
    "hybrid-tunnel",
    seeds: {
      [
        TunnelAddress(host: "cable.ua5v.com", end: .new(tunnelID: HybridSeeds.keys.tunnelID)).path,
        TunnelAddress(host: "cable.ua5v.com", end: .connect(routingID: [1, 2, 3], tunnelID: HybridSeeds.keys.tunnelID))
          .path, TunnelHTTP.routingIDHeader([1, 2, 3]),
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let text = try text(bytes)
    if let end = try? TunnelAddress.end(ofPath: text) {
      let path = TunnelAddress(host: "cable.ua5v.com", end: end).path
      try BrokenPromise.unless((try? TunnelAddress.end(ofPath: path)) == end, "written and read again it is another")
      return path.utf8.count
    }
    return try TunnelHTTP.routingID(ofHeader: text).count
  }

  /// The phone's features.
  static let hybridOffer = UntrustedParser(
    "hybrid-features",
    seeds: {
      [
        PostHandshake.digitalCredentials.cbor,
        PostHandshake(features: [.ctap, .digitalCredentials], description: [0xa0]).cbor,
      ]
    }
  ) { bytes in
    let offer = try PostHandshake(cbor: bytes)
    return offer.features.count + (offer.description?.count ?? 0)
  }

  /// A padded message of a session, up to its JSON.
  static let hybridMessage = UntrustedParser(
    "hybrid-message", growth: 8,
    seeds: {
      [
        Frame(.json, HybridSeeds.request.json), Frame(.shutdown), Frame(.update, [0xa0]),
        Frame(.json, CredentialResponseMessage.credential(protocol: "org-iso-mdoc", data: "{}").json),
        Frame(.json, CredentialResponseMessage.error(.userCanceled).json),
      ].map { FramePadding.pad($0.plaintext) }
    }
  ) { bytes in
    let frame = try Frame(plaintext: try FramePadding.unpad(bytes))
    guard frame.kind == .json else { return frame.payload.count }
    if let response = try? CredentialResponseMessage(json: frame.payload) {
      try BrokenPromise.unless(
        (try? CredentialResponseMessage(json: response.json)) == response, "written and read again it is another")
      return response.json.count
    }
    let request = try CredentialRequestMessage(json: frame.payload)
    try BrokenPromise.unless(
      (try? CredentialRequestMessage(json: request.json)) == request, "written and read again it is another")
    return request.json.count
  }
}

/// The fixed session of the inputs.
private enum HybridSeeds {
  static let payload = QRPayload(
    identityKey: FixedKeys.agreement(1).publicKey, secret: [UInt8](repeating: 5, count: QRPayload.secretLength),
    createdAt: DateTime(secondsSince1970: 1_767_225_600))
  static let keys = HybridKeys(secret: payload.secret)
  static let plaintext: [UInt8] = [0] + [UInt8](repeating: 7, count: Advert.nonceLength) + [1, 2, 3, 0, 0]
  static let advert = (try? Advert.seal(plaintext: plaintext, with: keys.advertKey)) ?? []
  static let advertisingData = AdvertisingData.make(serviceData: advert)
  static let initiator = NoiseInitiator(
    identityKey: FixedKeys.agreement(1), ephemeralKey: FixedKeys.agreement(2),
    preSharedKey: keys.preSharedKey(advert: plaintext))
  static let responder = NoiseResponder(
    initiatorKey: payload.identityKey, ephemeralKey: FixedKeys.agreement(3),
    preSharedKey: keys.preSharedKey(advert: plaintext))
  static let reply = (try? responder.reply(to: initiator.message).0) ?? []
  static let frameKey = [UInt8](repeating: 6, count: 32)
  static let sealed: [UInt8] = {
    var cipher = FrameCipher(key: frameKey)
    return (try? cipher.seal(FramePadding.pad([1, 2, 3]))) ?? []
  }()
  static let request = CredentialRequestMessage(
    origin: "https://rp.example", digital: #"{"requests":[{"data":{},"protocol":"org-iso-mdoc"}]}"#)
}
