import Crypto
import HybridTransport
import TestSupport
import TestTraits
import Testing

@Suite("Noise handshake")
struct HandshakeTests {
  private static let preSharedKey = [UInt8](repeating: 9, count: 32)

  private static func initiator() throws -> NoiseInitiator {
    NoiseInitiator(
      identityKey: try Session.key(1), ephemeralKey: try Session.key(2), preSharedKey: preSharedKey)
  }

  private static func responder(
    to identity: UInt8 = 1, preSharedKey: [UInt8] = preSharedKey
  ) throws -> NoiseResponder {
    NoiseResponder(
      initiatorKey: try Session.key(identity).publicKey, ephemeralKey: try Session.key(3), preSharedKey: preSharedKey)
  }

  @Test func givesBothEndsTheSameKeys() throws {
    let initiator = try Self.initiator()
    let (reply, keys) = try Self.responder().reply(to: initiator.message)
    let own = try initiator.keys(from: reply)
    #expect(initiator.message.count == 81 && reply.count == 81)
    #expect(own.handshakeHash == keys.handshakeHash)
    #expect(own.writing == keys.reading && own.reading == keys.writing)
    #expect(own.writing != own.reading)
  }

  @Test func ofALinkedTransactionGivesBothEndsTheSameKeys() throws {
    let identity = try Session.key(4)
    let initiator = try NoiseInitiator(
      responderKey: identity.publicKey, ephemeralKey: try Session.key(2), preSharedKey: Self.preSharedKey)
    let (reply, keys) = try NoiseResponder(
      identityKey: identity, ephemeralKey: try Session.key(3), preSharedKey: Self.preSharedKey
    ).reply(to: initiator.message)
    #expect(try initiator.keys(from: reply).writing == keys.reading)
  }

  @Test func isRefusedWithAnotherAdvertOrAnotherQRCode() throws {
    let message = try Self.initiator().message
    let advert = try Self.responder(preSharedKey: [UInt8](repeating: 8, count: 32))
    #expect(refusal { _ = try advert.reply(to: message) } == .handshakeTag)
    let code = try Self.responder(to: 5)
    #expect(refusal { _ = try code.reply(to: message) } == .handshakeTag)
  }

  @Test func isRefusedWithAnyChangedByte() throws {
    let initiator = try Self.initiator()
    let responder = try Self.responder()
    let reply = try responder.reply(to: initiator.message).reply
    for damaged in Damage.sample(of: initiator.message, seed: 1) {
      let code = refusal { _ = try responder.reply(to: damaged) }
      #expect([.handshakeSize, .handshakePoint, .handshakeTag].contains(code))
    }
    for damaged in Damage.sample(of: reply, seed: 2) {
      let code = refusal { _ = try initiator.keys(from: damaged) }
      #expect([.handshakeSize, .handshakePoint, .handshakeTag].contains(code))
    }
  }

  @Test func refusesTheSignalOfATunnelService() throws {
    let initiator = try Self.initiator()
    #expect(refusal { _ = try initiator.keys(from: [0]) } == .handshakeSignal)
  }

  @Test func doesNotPrintKeys() throws {
    let initiator = try Self.initiator()
    let keys = try initiator.keys(from: Self.responder().reply(to: initiator.message).reply)
    let state = NoiseState(.knpsk0, knownKey: [1], preSharedKey: [2])
    #expect("\(initiator) \(keys) \(state)" == "NoiseInitiator NoiseKeys NoiseState")
  }

  @Test(.requiresHybridVectors) func agreesStepByStepWithTheKnownTranscripts() throws {
    let session = try Known.file("session-dcp.json")
    try Self.followSteps(
      of: try session.list("noiseSteps"), identity: session.object("desktop").privateKey("identityPrivate").publicKey,
      initiator: session.object("desktop").privateKey("ephemeralPrivate"),
      responder: session.object("phone").privateKey("ephemeralPrivate"), preSharedKey: session.bytes("psk"))
    let known = try #require(try Known.entries("valid", of: "noise.json").first)
    try Self.followSteps(
      of: known.list("steps"), identity: known.publicKey("initiatorStaticPublic"),
      initiator: known.privateKey("initiatorEphemeralPrivate"),
      responder: known.privateKey("responderEphemeralPrivate"), preSharedKey: known.bytes("psk"))
  }

  /// Performs the operations of a transcript as their names say, and compares h, ck and k after each.
  private static func followSteps(
    of steps: [Vector], identity: P256.KeyAgreement.PublicKey, initiator: P256.KeyAgreement.PrivateKey,
    responder: P256.KeyAgreement.PrivateKey, preSharedKey: [UInt8]
  ) throws {
    var state = NoiseState(named: .knpsk0)
    let own = [UInt8](initiator.publicKey.x963Representation)
    let reply = [UInt8](responder.publicKey.x963Representation)
    #expect(steps.count == 12)
    for step in steps {
      let operation = try step.text("op")
      switch operation {
      case "init: h = ck = name padded to 32": break
      case "MixHash(01)": state.mixHash([1])
      case "MixHash(initiator static)": state.mixHash([UInt8](identity.x963Representation))
      case "MixKeyAndHash(psk)": state.mixKeyAndHash(preSharedKey)
      case "MixHash(e)": state.mixHash(own)
      case "MixKey(e)": state.mixKey(own)
      case "MixHash(re)": state.mixHash(reply)
      case "MixKey(re)": state.mixKey(reply)
      case "MixKey(ee)": state.mixKey(try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey))
      case "MixKey(se)": state.mixKey(try responder.sharedSecretFromKeyAgreement(with: identity))
      default:
        let tag = try #require(operation.split(separator: " ").last)
        #expect(operation.hasPrefix("EncryptAndHash(empty)"))
        #expect(state.sealEmpty() == Hex.bytes(String(tag)))
      }
      #expect(state.handshakeHash == (try step.bytes("h")), "\(operation)")
      #expect(state.chainingKey == (try step.bytes("ck")), "\(operation)")
      #expect(state.key == step["k"]?.text.map(Hex.bytes), "\(operation)")
    }
  }

  @Test(.requiresHybridVectors) func agreesWithAKnownTranscriptOfAQRCode() throws {
    let known = try Known.entries("valid", of: "noise.json")[0]
    let initiator = NoiseInitiator(
      identityKey: try known.privateKey("initiatorStaticPrivate"),
      ephemeralKey: try known.privateKey("initiatorEphemeralPrivate"), preSharedKey: try known.bytes("psk"))
    #expect(initiator.message == (try known.bytes("message1")))
    let (reply, theirs) = try NoiseResponder(
      initiatorKey: known.publicKey("initiatorStaticPublic"),
      ephemeralKey: known.privateKey("responderEphemeralPrivate"), preSharedKey: known.bytes("psk")
    ).reply(to: initiator.message)
    #expect(reply == (try known.bytes("message2")))
    let keys = try initiator.keys(from: reply)
    #expect(keys.handshakeHash == (try known.bytes("handshakeHash")))
    #expect(keys.writing == (try known.bytes("initiatorWriteKey")))
    #expect(keys.reading == (try known.bytes("initiatorReadKey")))
    #expect(theirs.writing == keys.reading && theirs.reading == keys.writing)
    let frame = try known.object("firstFrame")
    var cipher = FrameCipher(key: keys.writing)
    #expect(try cipher.seal(FramePadding.pad(frame.bytes("plaintext"))) == frame.bytes("ciphertext"))
  }

  @Test(.requiresHybridVectors) func acceptsTheFirstMessageOfARealBrowser() throws {
    let known = try Known.entries("valid", of: "noise.json")[1]
    let (reply, keys) = try NoiseResponder(
      initiatorKey: known.publicKey("initiatorStaticPublic"),
      ephemeralKey: known.privateKey("responderEphemeralPrivate"), preSharedKey: known.bytes("psk")
    ).reply(to: known.bytes("message1"))
    #expect(reply == (try known.bytes("message2")))
    #expect(keys.handshakeHash == (try known.bytes("handshakeHash")))
    #expect(keys.reading == (try known.bytes("responderReadKey")))
    #expect(keys.writing == (try known.bytes("responderWriteKey")))
  }

  @Test(.requiresHybridVectors) func agreesWithAKnownTranscriptOfALinkedTransaction() throws {
    let known = try Known.entries("valid", of: "noise.json")[2]
    let initiator = try NoiseInitiator(
      responderKey: known.publicKey("responderStaticPublic"),
      ephemeralKey: known.privateKey("initiatorEphemeralPrivate"), preSharedKey: known.bytes("psk"))
    #expect(initiator.message == (try known.bytes("message1")))
    let (reply, _) = try NoiseResponder(
      identityKey: known.privateKey("responderStaticPrivate"),
      ephemeralKey: known.privateKey("responderEphemeralPrivate"), preSharedKey: known.bytes("psk")
    ).reply(to: initiator.message)
    #expect(reply == (try known.bytes("message2")))
    let keys = try initiator.keys(from: reply)
    #expect(keys.handshakeHash == (try known.bytes("handshakeHash")))
    #expect(keys.writing == (try known.bytes("initiatorWriteKey")))
    #expect(keys.reading == (try known.bytes("initiatorReadKey")))
  }

  @Test(.requiresHybridVectors) func refusesTheTenKnownBadMessages() throws {
    let codes: [String: HybridError.Code] = [
      "NS-X1": .handshakeTag, "NS-X2": .handshakeTag, "NS-X3": .handshakeTag, "NS-X4": .handshakeSize,
      "NS-X5": .handshakeSize, "NS-X6": .handshakePoint, "NS-X7": .handshakePoint, "NS-X8": .handshakeTag,
      "NS-X9": .handshakeSize, "NS-X10": .handshakeTag,
    ]
    let entries = try Known.entries("invalid", of: "noise.json")
    #expect(entries.count == codes.count)
    for entry in entries {
      let code: HybridError.Code?
      if try entry.text("side") == "responder" {
        let responder = NoiseResponder(
          initiatorKey: try entry.publicKey("initiatorStaticPublic"), ephemeralKey: try Session.key(3),
          preSharedKey: try entry.bytes("psk"))
        code = refusal { _ = try responder.reply(to: entry.bytes("message1")) }
      } else {
        let initiator = NoiseInitiator(
          identityKey: try entry.privateKey("initiatorStaticPrivate"),
          ephemeralKey: try entry.privateKey("initiatorEphemeralPrivate"), preSharedKey: try entry.bytes("psk"))
        code = refusal { _ = try initiator.keys(from: entry.bytes("message2")) }
      }
      #expect(code == codes[entry.identifier], "\(entry)")
    }
  }
}
