import HybridTransport
import TestSupport
import TestTraits
import Testing

@Suite("Adverts")
struct AdvertTests {
  private static let key = HybridKeys(secret: [UInt8](repeating: 1, count: 16)).advertKey
  private static let nonce = [UInt8](1...10)

  @Test func openWithTheKeyOfTheirQRCode() throws {
    let advert = try Advert(nonce: Self.nonce, routingID: [1, 2, 3], service: .apple)
    let sealed = try Advert.seal(plaintext: advert.plaintext, with: Self.key)
    #expect(sealed.count == 20)
    #expect(try Advert(opening: sealed, with: Self.key) == advert)
    let other = HybridKeys(secret: [UInt8](repeating: 2, count: 16)).advertKey
    #expect(refusal { _ = try Advert(opening: sealed, with: other) } == .advertTag)
  }

  @Test func areRefusedWithAnyChangedBit() throws {
    let advert = try Advert(nonce: Self.nonce, routingID: [1, 2, 3], service: .apple)
    let sealed = try Advert.seal(plaintext: advert.plaintext, with: Self.key)
    for bit in 0..<160 {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(refusal { _ = try Advert(opening: changed, with: Self.key) } == .advertTag)
    }
  }

  @Test func areRefusedWithAReservedByteOrAnUnassignedService() throws {
    var plaintext = try Advert(nonce: Self.nonce, routingID: [1, 2, 3], service: .google).plaintext
    plaintext[14] = 2
    let unassigned = try Advert.seal(plaintext: plaintext, with: Self.key)
    #expect(refusal { _ = try Advert(opening: unassigned, with: Self.key) } == .advertService)
    plaintext[14] = 0
    plaintext[0] = 1
    let reserved = try Advert.seal(plaintext: plaintext, with: Self.key)
    #expect(refusal { _ = try Advert(opening: reserved, with: Self.key) } == .advertReserved)
  }

  @Test func fillLegacyAdvertisingData() throws {
    let data = AdvertisingData.make(serviceData: [UInt8](repeating: 9, count: 20))
    #expect(data.count == 31)
    #expect(try AdvertisingData.serviceData(in: data) == [UInt8](repeating: 9, count: 20))
  }

  @Test func areReadUnderTheOldServiceToo() throws {
    #expect(try AdvertisingData.serviceData(in: [0x04, 0x16, 0xe2, 0xfd, 0x07]) == [7])
  }

  @Test(
    arguments: [
      [], [0], [0x02, 0x01, 0x06], [0x05, 0x16, 0xf9], [0x04, 0x16, 0x00, 0x18, 0x07], [0x02, 0x16, 0xf9],
      [0x00, 0x04, 0x16, 0xf9, 0xff, 0x07], [UInt8](repeating: 1, count: 1651),
    ] as [[UInt8]])
  func areNotFoundInOtherAdvertisingData(data: [UInt8]) {
    #expect(refusal { _ = try AdvertisingData.serviceData(in: data) } == .advertStructure)
  }

  @Test(.requiresHybridVectors) func ofRealPhonesOpenAndSealAgain() throws {
    for entry in try Known.entries("valid", of: "eid.json") {
      let keys = HybridKeys(secret: try entry.bytes("secret"))
      #expect(
        HybridKeys.derive(try entry.bytes("secret"), for: .advert, count: 64) == (try entry.bytes("eidKey")), "\(entry)"
      )
      let advert = try Advert(opening: entry.bytes("advert"), with: keys.advertKey)
      #expect(advert.plaintext == (try entry.bytes("plaintext")), "\(entry)")
      #expect(advert.nonce == (try entry.bytes("nonce")), "\(entry)")
      #expect(advert.routingID == (try entry.bytes("routingId")), "\(entry)")
      #expect(Int(advert.service.rawValue) == (try entry.number("domain")), "\(entry)")
      #expect(advert.service.host == (try entry.text("host")), "\(entry)")
      #expect(try Advert.seal(plaintext: advert.plaintext, with: keys.advertKey) == entry.bytes("advert"), "\(entry)")
      #expect(keys.preSharedKey(advert: advert.plaintext) == (try entry.bytes("psk")), "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func ofTheKnownBadFormsAreRefused() throws {
    let codes: [String: HybridError.Code] = [
      "EID-X1": .advertTag, "EID-X2": .advertTag, "EID-X3": .advertSize, "EID-X4": .advertReserved,
      "EID-X5-2": .advertService, "EID-X5-255": .advertService, "EID-X6": .advertTag,
    ]
    for entry in try Known.entries("invalid", of: "eid.json") {
      let keys = HybridKeys(secret: try entry.bytes("secret"))
      let bytes = try entry.bytes("advert")
      // EID-X7 has a suffix in the form of CTAP 2.3: its first 20 bytes count.
      #expect(codes[entry.identifier] != nil || entry.identifier == "EID-X7")
      #expect(refusal { _ = try Advert(opening: bytes, with: keys.advertKey) } == codes[entry.identifier], "\(entry)")
    }
    for entry in try Known.entries("plaintextParsing", of: "eid.json") {
      let bytes = try entry.bytes("plaintext")
      guard entry["valid"]?.boolean == true else {
        #expect(refusal { _ = try Advert(plaintext: bytes) } != nil, "\(entry)")
        continue
      }
      let advert = try Advert(plaintext: bytes)
      #expect(advert.routingID == (try entry.bytes("routingId")), "\(entry)")
      #expect(Int(advert.service.rawValue) == (try entry.number("domain")), "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func haveASuffixThatIsReadAndIgnored() throws {
    for entry in try Known.entries("ctap23Suffix", of: "eid.json") {
      let bytes = try entry.bytes("suffix")
      guard entry["error"] == nil else {
        #expect(refusal { _ = try AdvertSuffix(bytes) } == .advertSuffix, "\(entry)")
        continue
      }
      #expect(try AdvertSuffix(bytes).bluetoothPSM == entry["psm"]?.number.map { UInt16($0) }, "\(entry)")
    }
  }
}
