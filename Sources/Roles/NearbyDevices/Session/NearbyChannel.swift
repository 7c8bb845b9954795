import Checks
import Crypto
import FoundationEssentials

/// One end of the encrypted channel between a device and a nearby iPhone, for one session.
///
/// The keys come from four key agreements: each device's long-term key and ephemeral key with each of the other's. So
/// only the two devices that the adverts name can compute them, and a key that leaks later does not open the session.
/// Each frame is the session and AES-256-GCM with the sender's counter as nonce and the session as associated data. The
/// counter is not sent: a frame that is missing, repeated, reordered or altered does not decrypt.
///
/// Part of presentment's model of a nearby iPhone. It shares nothing with the hybrid transport of CTAP.
public struct NearbyChannel: Sendable {
  /// The two ends of a channel.
  public enum End: Sendable, CaseIterable {
    case mac, iPhone
  }

  /// The session.
  public let session: SessionIdentifier
  /// The device at the other end.
  public let peer: DeviceIdentifier
  private let sealingKey: SymmetricKey
  private let openingKey: SymmetricKey
  private var sealed: UInt64 = 0
  private var opened: UInt64 = 0
  private var isBroken = false

  /// Opens the channel of a session.
  /// - Parameters:
  ///   - ephemeralKey: The device's own key for the session.
  ///   - beacon: The Mac's advert.
  ///   - presence: The iPhone's advert.
  /// - Throws: A failure of ``NearbyCheck/account`` if the adverts are not of one session and of this device and another.
  public init(
    _ end: End, of device: CircleDevice, ephemeralKey: P256.KeyAgreement.PrivateKey, beacon: NearbyAdvert,
    presence: NearbyAdvert
  ) throws(NearbyFailure) {
    let own = end == .mac ? beacon : presence
    let other = end == .mac ? presence : beacon
    guard beacon.kind == .beacon, presence.kind == .presence, beacon.session == presence.session,
      own.device == device.identifier, let member = device.circle[other.device],
      own.ephemeralKey.rawRepresentation == ephemeralKey.publicKey.rawRepresentation
    else { throw NearbyFailure(.account, .other) }
    session = beacon.session
    peer = other.device

    let ownKeys = [device.key, ephemeralKey]
    let otherKeys = [member.key, other.ephemeralKey]
    // The Mac's key is the outer one at both ends.
    let pairs =
      end == .mac
      ? ownKeys.flatMap { own in otherKeys.map { (own, $0) } }
      : otherKeys.flatMap { other in ownKeys.map { ($0, other) } }
    var material: [UInt8] = []
    for (own, other) in pairs {
      guard let secret = try? own.sharedSecretFromKeyAgreement(with: other) else {
        throw NearbyFailure(.account, .malformed)
      }
      unsafe secret.withUnsafeBytes { unsafe material.append(contentsOf: $0) }
    }
    let info = Data("presentment model, nearby session".utf8 + beacon.bytes + presence.bytes)
    let keys = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: session.bytes, info: info, outputByteCount: 64)
    let bytes = unsafe keys.withUnsafeBytes { unsafe [UInt8]($0) }
    let ofMac = SymmetricKey(data: bytes[..<32])
    let ofPhone = SymmetricKey(data: bytes[32...])
    (sealingKey, openingKey) = end == .mac ? (ofMac, ofPhone) : (ofPhone, ofMac)
  }

  /// Encrypts a message as the next frame.
  public mutating func seal(_ message: NearbyMessage) -> [UInt8] {
    defer { sealed += 1 }
    let box = try? AES.GCM.seal(
      message.bytes, using: sealingKey, nonce: Self.nonce(sealed), authenticating: session.bytes)
    // AES-GCM seals up to 64 GiB. A frame without content fails at the other end, which ends the session.
    return session.bytes + (box.map { $0.ciphertext + $0.tag } ?? Data())
  }

  /// Decrypts the next frame of the other end. After a failure every frame fails.
  /// - Throws: A failure of ``NearbyCheck/frame``, or of ``NearbyCheck/message``.
  public mutating func open(_ frame: [UInt8]) throws(NearbyFailure) -> NearbyMessage {
    let tagLength = 16
    let sealed = frame.dropFirst(SessionIdentifier.length)
    guard !isBroken, Self.session(of: frame) == session, sealed.count >= tagLength,
      sealed.count <= NearbyMessage.maximumLength + tagLength,
      let box = try? AES.GCM.SealedBox(
        nonce: Self.nonce(opened), ciphertext: sealed.dropLast(tagLength), tag: sealed.suffix(tagLength)),
      let bytes = try? AES.GCM.open(box, using: openingKey, authenticating: session.bytes)
    else {
      isBroken = true
      throw NearbyFailure(.frame)
    }
    opened += 1
    do throws(NearbyFailure) {
      return try NearbyMessage([UInt8](bytes))
    } catch {
      isBroken = true
      throw error
    }
  }

  /// The session that a frame names, or nil if the frame is too short.
  public static func session(of frame: [UInt8]) -> SessionIdentifier? {
    SessionIdentifier(frame.prefix(SessionIdentifier.length))
  }

  private static func nonce(_ counter: UInt64) throws -> AES.GCM.Nonce {
    let bytes = [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
    return try AES.GCM.Nonce(data: bytes)
  }
}
