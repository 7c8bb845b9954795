import CBOR
import COSE
import Crypto
import DocumentFixtures
import MobileDocument
import Proximity
import TestSupport
import Testing

@Suite("Device authentication in person")
struct DeviceAuthenticationTests {
  /// An established session, with both ends' values for a message authentication code.
  private struct Established {
    let transcript: SessionTranscript
    let readerKey: P256.KeyAgreement.PrivateKey
    let readerPublicKey: P256.KeyAgreement.PublicKey
    let deviceKey: P256.KeyAgreement.PrivateKey

    init(seed: UInt8) throws {
      readerKey = try fixedAgreementKey(seed)
      var pair = try Pair(reader: .p256(readerKey))
      pair.reader(.send([1], isLast: false))
      pair.settle()
      transcript = try #require(pair.device.transcript)
      // What the mdoc received, not what the reader has.
      readerPublicKey = try #require(try pair.device.readerKey?.key.p256KeyAgreementKey())
      deviceKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: Spaceport.shared.deviceKey.rawRepresentation)
    }
  }

  private static func response(
    _ session: Established, over transcript: SessionTranscript? = nil, key: P256.KeyAgreement.PrivateKey? = nil
  ) throws -> [UInt8] {
    let held = try Spaceport.shared.held()
    let document = try held.presented(
      held.answer(to: Spaceport.request(["sex"])).nameSpaces, over: transcript ?? session.transcript,
      authenticatedWith: key ?? session.deviceKey, readerKey: session.readerPublicKey)
    return DeviceResponseWriter.encoded(documents: [document])
  }

  private static func failed(
    _ response: [UInt8], _ session: Established, key: P256.KeyAgreement.PrivateKey? = nil
  ) async throws -> [String] {
    let port = try Spaceport.shared
    let verifier = DeviceResponseVerifier(
      trustedIssuers: [try port.issuer.root], ephemeralReaderKey: key ?? session.readerKey)
    return await verifier.verify(response, over: session.transcript, requests: nil, at: port.now).failed
  }

  @Test func byMACVerifiesInItsSessionOnly() async throws {
    let session = try Established(seed: 2)
    let other = try Established(seed: 3)
    #expect(try await Self.failed(Self.response(session), session) == [])
    for response in [
      try Self.response(other), try Self.response(session, over: other.transcript),
      // The key of the engagement in place of the document's.
      try Self.response(
        session, key: fixedAgreementKey(1)),
    ] {
      #expect(try await Self.failed(response, session) == ["device.signature/mac-invalid"])
    }
    #expect(
      try await Self.failed(Self.response(session), session, key: other.readerKey) == ["device.signature/mac-invalid"])
  }

  @Test func bySignatureVerifiesInTheSameSession() async throws {
    let session = try Established(seed: 2)
    let port = try Spaceport.shared
    let held = try port.held()
    let document = try held.presented(
      held.answer(to: Spaceport.request(["sex"])).nameSpaces, over: session.transcript, signedWith: port.deviceKey)
    #expect(try await Self.failed(DeviceResponseWriter.encoded(documents: [document]), session) == [])
  }

  @Test func byMACNeedsTheAlgorithmAndACurveInCommon() async throws {
    let session = try Established(seed: 2)
    let port = try Spaceport.shared
    let held = try port.held()
    let chosen = held.answer(to: Spaceport.request(["sex"])).nameSpaces
    let code = COSEMac0.authenticate(detachedPayload: [1], with: SymmetricKey(size: .bits256))
    // The protected header names ES256, or nothing.
    let es256 = [0x84, 0x43, 0xa1, 0x01, 0x26] + code.dropFirst(5)
    let none = [0x84, 0x41, 0xa0] + code.dropFirst(5)
    for authentication in [es256, none] {
      let document = held.document(chosen, authentication: ("deviceMac", authentication))
      #expect(
        try await Self.failed(DeviceResponseWriter.encoded(documents: [document]), session) == ["device.algorithm"])
    }
    var draft = try port.draft()
    draft.deviceKey = try COSEKey(reading: try Fixed.keys()[1].publicKeyBytes)
    var randomness = DrawnRandomness(seed: 1)
    let issued = try draft.issued(by: port.signerKey, chain: [port.signer.derEncoded()], randomness: &randomness)
    let other = try HeldDocument(issued: issued, deviceKey: draft.deviceKey)
    let document = other.document(
      other.answer(to: Spaceport.request(["sex"])).nameSpaces, authentication: ("deviceMac", code))
    #expect(
      try await Self.failed(DeviceResponseWriter.encoded(documents: [document]), session) == ["device.algorithm"])
  }

  @Test func isByMACForAgreementKeysOnTheReadersCurveOnly() throws {
    let keys = try Fixed.keys().map(\.publicKey.key).filter { $0.curve != .x25519 }
    let edwards = try COSEKey(
      reading: CBORValue.map([
        .init(.integer(1), .integer(1)), .init(.integer(-1), .integer(6)),
        .init(
          .integer(-2),
          .bytes(
            Array(
              try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 3, count: 32))
                .publicKey.rawRepresentation))),
      ]).encoded)
    let reader = EphemeralKey(
      try fixedAgreementKey(2).publicKey)
    func method(_ key: COSEKey, _ purpose: DeviceAuthenticationMethod.Purpose, _ reader: EphemeralKey?) -> String {
      do { return try DeviceAuthenticationMethod(of: key, for: purpose, readerKey: reader).rawValue } catch {
        return error.name
      }
    }
    #expect(method(keys[0], .agreement, reader) == "mac")
    #expect(method(keys[1], .agreement, reader) == "proximity.device-key/curve")
    #expect(method(keys[0], .agreement, nil) == "proximity.device-key/key")
    #expect(method(edwards, .agreement, reader) == "proximity.device-key/purpose")
    for key in keys + [edwards] { #expect(method(key, .signing, reader) == "signature") }
  }
}
