import Crypto
import Foundation
import Testing

@testable import WebPresentment

@Suite("HPKE known answers, RFC 9180, A.3.1")
struct HPKEKnownAnswerTests {
  @Test("derives the published secrets")
  func keySchedule() throws {
    let printed = try KnownAnswers.load().setup
    let encapsulation = try HPKEEncapsulation(
      to: P256.KeyAgreement.PublicKey(x963Representation: octets(printed.pkRm)),
      ephemeralKey: P256.KeyAgreement.PrivateKey(rawRepresentation: octets(printed.skEm)))
    #expect(encapsulation.encapsulatedKey == octets(printed.enc))
    #expect(encapsulation.sharedSecret == octets(printed.sharedSecret))

    let decapsulation = try HPKEEncapsulation(
      opening: octets(printed.enc), with: P256.KeyAgreement.PrivateKey(rawRepresentation: octets(printed.skRm)))
    #expect(decapsulation.encapsulatedKey == octets(printed.enc))
    #expect(decapsulation.sharedSecret == octets(printed.sharedSecret))

    let schedule = HPKEKeySchedule(sharedSecret: encapsulation.sharedSecret, info: octets(printed.info))
    #expect(schedule.context == octets(printed.keyScheduleContext))
    #expect(Array(schedule.secret) == octets(printed.secret))
    #expect(schedule.key == octets(printed.key))
    #expect(schedule.baseNonce == octets(printed.baseNonce))
    #expect(schedule.exporterSecret == octets(printed.exporterSecret))
    // Secrets are in no text.
    let context = HPKESealingContext(schedule)
    for (text, mirror) in [
      ("\(encapsulation)", Mirror(reflecting: encapsulation)), ("\(schedule)", Mirror(reflecting: schedule)),
      ("\(context)", Mirror(reflecting: context)),
    ] {
      #expect(!text.contains("(") && mirror.children.isEmpty, "\(text)")
    }
  }

  @Test("seals the published messages")
  func encryptions() throws {
    let printed = try KnownAnswers.load()
    var context = try printed.sealingContext()
    var sequenceNumber = 0
    for encryption in printed.encryptions {
      while sequenceNumber < encryption.sequenceNumber {
        _ = try context.seal([], aad: [])
        sequenceNumber += 1
      }
      #expect(context.nonce == octets(encryption.nonce), "message \(sequenceNumber)")
      let sealed = try context.seal(octets(encryption.pt), aad: octets(encryption.aad))
      #expect(sealed == octets(encryption.ct), "message \(sequenceNumber)")
      sequenceNumber += 1
    }
    #expect(printed.encryptions.map(\.sequenceNumber) == [0, 1, 2, 4, 255, 256])
  }

  @Test("exports the published values")
  func exports() throws {
    let printed = try KnownAnswers.load()
    let context = try printed.sealingContext()
    for export in printed.exports {
      let exported = context.export(context: octets(export.exporterContext), count: export.count)
      #expect(exported == octets(export.exportedValue))
    }
    #expect(printed.exports.count == 3)
  }

  @Test("seals and opens the first published message in one call")
  func singleShot() throws {
    let printed = try KnownAnswers.load()
    let first = try #require(printed.encryptions.first)
    let (encapsulatedKey, cipherText) = try ResponseEncryption.seal(
      octets(first.pt), to: P256.KeyAgreement.PublicKey(x963Representation: octets(printed.setup.pkRm)),
      info: octets(printed.setup.info), aad: octets(first.aad),
      ephemeralKey: P256.KeyAgreement.PrivateKey(rawRepresentation: octets(printed.setup.skEm)))
    #expect(encapsulatedKey == octets(printed.setup.enc))
    #expect(cipherText == octets(first.ct))

    let opened = try ResponseEncryption.open(
      cipherText, encapsulatedKey: encapsulatedKey,
      with: P256.KeyAgreement.PrivateKey(rawRepresentation: octets(printed.setup.skRm)),
      info: octets(printed.setup.info), aad: octets(first.aad))
    #expect(opened == octets(first.pt))
  }
}

@Suite("Response encryption")
struct ResponseEncryptionTests {
  private let recipient = P256.KeyAgreement.PrivateKey()
  private let info = Array("session transcript".utf8)
  private let aad = Array("associated".utf8)
  private let message = Array("a response".utf8)

  @Test("the library opens sealed messages", arguments: [0, 1, 15, 16, 17, 3_000, 70_000])
  func libraryOpens(size: Int) throws {
    let plaintext = [UInt8](repeating: 0x5a, count: size)
    let (encapsulatedKey, cipherText) = try ResponseEncryption.seal(
      plaintext, to: recipient.publicKey, info: info, aad: aad, ephemeralKey: P256.KeyAgreement.PrivateKey())
    #expect(encapsulatedKey.count == 65)
    #expect(cipherText.count == size + 16)
    var library = try HPKE.Recipient(
      privateKey: recipient, ciphersuite: librarySuite, info: Data(info), encapsulatedKey: Data(encapsulatedKey))
    #expect(Array(try library.open(cipherText, authenticating: aad)) == plaintext)
  }

  @Test("messages sealed by the library are opened", arguments: [0, 1, 15, 16, 17, 3_000, 70_000])
  func opensLibrary(size: Int) throws {
    let plaintext = [UInt8](repeating: 0x5a, count: size)
    var library = try HPKE.Sender(recipientKey: recipient.publicKey, ciphersuite: librarySuite, info: Data(info))
    let cipherText = Array(try library.seal(plaintext, authenticating: aad))
    let opened = try ResponseEncryption.open(
      cipherText, encapsulatedKey: Array(library.encapsulatedKey), with: recipient, info: info, aad: aad)
    #expect(opened == plaintext)
  }

  @Test("exported secrets are equal to the library's", arguments: [1, 31, 32, 33, 64, 65, 1_000, 255 * 32])
  func exportsLikeTheLibrary(count: Int) throws {
    let encapsulation = try HPKEEncapsulation(to: recipient.publicKey, ephemeralKey: P256.KeyAgreement.PrivateKey())
    let context = HPKESealingContext(HPKEKeySchedule(sharedSecret: encapsulation.sharedSecret, info: info))
    let library = try HPKE.Recipient(
      privateKey: recipient, ciphersuite: librarySuite, info: Data(info),
      encapsulatedKey: Data(encapsulation.encapsulatedKey))
    let exported = try library.exportSecret(context: aad, outputByteCount: count)
    #expect(context.export(context: aad, count: count) == exported.withUnsafeBytes { Array($0) })
  }

  @Test("the same ephemeral key gives the same bytes, another key other bytes")
  func deterministic() throws {
    let ephemeralKey = P256.KeyAgreement.PrivateKey()
    let first = try sealed(ephemeralKey: ephemeralKey)
    let same = try sealed(ephemeralKey: ephemeralKey)
    let other = try sealed(ephemeralKey: P256.KeyAgreement.PrivateKey())
    #expect(first == same)
    #expect(first != other)
  }

  @Test("a message with any byte altered is refused")
  func alteredMessage() throws {
    let (encapsulatedKey, cipherText) = try sealed()
    for place in cipherText.indices {
      var altered = cipherText
      altered[place] ^= UInt8(1 << (place % 8))
      expectRefusal("hpke.open") { try open(altered, encapsulatedKey) }
    }
  }

  @Test("a truncated or extended message is refused")
  func lengths() throws {
    let (encapsulatedKey, cipherText) = try sealed()
    for count in cipherText.indices {
      expectRefusal("hpke.open") { try open(Array(cipherText.prefix(count)), encapsulatedKey) }
    }
    expectRefusal("hpke.open") { try open(cipherText + [0], encapsulatedKey) }
  }

  @Test("another key, info or associated data is refused")
  func anotherContext() throws {
    let (encapsulatedKey, cipherText) = try sealed()
    let stranger = P256.KeyAgreement.PrivateKey()
    #expect(try open(cipherText, encapsulatedKey) == message)
    expectRefusal("hpke.open") {
      try ResponseEncryption.open(cipherText, encapsulatedKey: encapsulatedKey, with: stranger, info: info, aad: aad)
    }
    for otherInfo in [[], info + [0], Array(info.dropLast()), aad] {
      expectRefusal("hpke.open") {
        try ResponseEncryption.open(
          cipherText, encapsulatedKey: encapsulatedKey, with: recipient, info: otherInfo, aad: aad)
      }
    }
    for otherAAD in [[], aad + [0], Array(aad.dropLast()), info] {
      expectRefusal("hpke.open") {
        try ResponseEncryption.open(
          cipherText, encapsulatedKey: encapsulatedKey, with: recipient, info: info, aad: otherAAD)
      }
    }
    let otherKey = Array(stranger.publicKey.x963Representation)
    expectRefusal("hpke.open") { try open(cipherText, otherKey) }
  }

  @Test("an encapsulated key that is not a point of the curve is refused")
  func noPoint() throws {
    let (encapsulatedKey, cipherText) = try sealed()
    let coordinates = Array(encapsulatedKey.dropFirst())
    let parity = encapsulatedKey[64] % 2
    let compressed = [2 + parity] + coordinates.prefix(32)
    let hybrid = [6 + parity] + coordinates
    let notPoints: [[UInt8]] = [
      [], [0], [4], Array(encapsulatedKey.dropLast()), encapsulatedKey + [0], coordinates,
      [0] + coordinates, [2] + coordinates, [3] + coordinates, [5] + coordinates,
      compressed, hybrid, [UInt8](repeating: 0, count: 65), [4] + [UInt8](repeating: 0, count: 64),
      [4] + [UInt8](repeating: 0xff, count: 64),
    ]
    for bytes in notPoints {
      expectRefusal("hpke.encapsulated-key") { try open(cipherText, bytes) }
    }
    for place in 1..<65 {
      var offCurve = encapsulatedKey
      offCurve[place] ^= UInt8(1 << (place % 8))
      expectRefusal("hpke.encapsulated-key") { try open(cipherText, offCurve) }
    }
  }

  @Test("an error reports the values found")
  func evidence() throws {
    #expect(ExchangeError.encapsulatedKey([4, 1]).evidence == "2 bytes")
    #expect(ExchangeError.encapsulatedKey([UInt8](repeating: 2, count: 65)).evidence == "a first byte of 2")
    #expect(
      ExchangeError.encapsulatedKey([UInt8](repeating: 4, count: 65)).evidence == "a point that is not on the curve")
    #expect(ExchangeError.open(cipherTextByteCount: 15).evidence == "15 bytes, too few for a tag")
    #expect(ExchangeError.open(cipherTextByteCount: 16).evidence == "a tag that does not verify")
    #expect(ExchangeError.seal("why").description == "the message could not be sealed: why (hpke.seal)")
  }

  private func sealed(
    ephemeralKey: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey()
  ) throws -> (encapsulatedKey: [UInt8], cipherText: [UInt8]) {
    try ResponseEncryption.seal(message, to: recipient.publicKey, info: info, aad: aad, ephemeralKey: ephemeralKey)
  }

  private func open(_ cipherText: [UInt8], _ encapsulatedKey: [UInt8]) throws -> [UInt8] {
    try ResponseEncryption.open(cipherText, encapsulatedKey: encapsulatedKey, with: recipient, info: info, aad: aad)
  }

  private func expectRefusal(
    _ code: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> [UInt8]
  ) {
    let error = #expect(throws: ExchangeError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code.rawValue == code, sourceLocation: sourceLocation)
  }
}

private let librarySuite = HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_128)

private func octets(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private struct KnownAnswers: Decodable {
  struct Setup: Decodable {
    let info: String
    let skEm: String
    let pkRm: String
    let skRm: String
    let enc: String
    let sharedSecret: String
    let keyScheduleContext: String
    let secret: String
    let key: String
    let baseNonce: String
    let exporterSecret: String
  }

  struct Encryption: Decodable {
    let sequenceNumber: Int
    let pt: String
    let aad: String
    let nonce: String
    let ct: String
  }

  struct Export: Decodable {
    let exporterContext: String
    let count: Int
    let exportedValue: String

    enum CodingKeys: String, CodingKey {
      case exporterContext
      case count = "L"
      case exportedValue
    }
  }

  let setup: Setup
  let encryptions: [Encryption]
  let exports: [Export]

  static func load() throws -> KnownAnswers {
    let file = try #require(
      Bundle.module.url(forResource: "rfc9180-a3", withExtension: "json", subdirectory: "Vectors"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(KnownAnswers.self, from: Data(contentsOf: file))
  }

  func sealingContext() throws -> HPKESealingContext {
    let encapsulation = try HPKEEncapsulation(
      to: P256.KeyAgreement.PublicKey(x963Representation: octets(setup.pkRm)),
      ephemeralKey: P256.KeyAgreement.PrivateKey(rawRepresentation: octets(setup.skEm)))
    return HPKESealingContext(HPKEKeySchedule(sharedSecret: encapsulation.sharedSecret, info: octets(setup.info)))
  }
}
