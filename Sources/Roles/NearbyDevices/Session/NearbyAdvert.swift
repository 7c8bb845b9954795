import Checks
import Crypto

/// A short message that a device broadcasts to find others of its account: a Mac's beacon, or an iPhone's presence, which
/// answers a beacon.
///
/// ```
/// kind 1 | session 16 | device 16 | ephemeral P-256 key, compressed, 33 | tag 16
/// ```
///
/// The tag is an HMAC with a secret of the account. Devices of other accounts cannot make one, and ignore the advert.
/// Part of presentment's model of a nearby iPhone, not of a real protocol.
public struct NearbyAdvert: Sendable, Equatable {
  /// The kinds of adverts.
  public enum Kind: UInt8, Sendable {
    /// A Mac has a request.
    case beacon = 1
    /// An iPhone answers a beacon.
    case presence = 2
  }

  /// The length in bytes.
  public static let length = 1 + SessionIdentifier.length + DeviceIdentifier.length + 33 + AccountCircle.tagLength

  /// The kind.
  public let kind: Kind
  /// The session that the Mac opened.
  public let session: SessionIdentifier
  /// The sender.
  public let device: DeviceIdentifier
  /// The bytes with the tag.
  public let bytes: [UInt8]

  let ephemeralKey: P256.KeyAgreement.PublicKey

  /// Creates an advert of a device.
  public init(
    _ kind: Kind, session: SessionIdentifier, from sender: CircleDevice, ephemeralKey: P256.KeyAgreement.PrivateKey
  ) {
    self.kind = kind
    self.session = session
    device = sender.identifier
    self.ephemeralKey = ephemeralKey.publicKey
    let content =
      [kind.rawValue] + session.bytes + device.bytes + [UInt8](ephemeralKey.publicKey.compressedRepresentation)
    bytes = content + sender.circle.tag(of: content)
  }

  /// Reads an advert that a device received.
  /// - Throws: A failure of ``NearbyCheck/account``.
  public init(_ bytes: [UInt8], for recipient: CircleDevice) throws(NearbyFailure) {
    guard bytes.count == Self.length, let kind = Kind(rawValue: bytes[0]) else {
      throw NearbyFailure(.account, .malformed)
    }
    let end = bytes.count - AccountCircle.tagLength
    guard recipient.circle.isTag(bytes[end...], of: Array(bytes[..<end])) else { throw NearbyFailure(.account, .other) }
    let deviceStart = 1 + SessionIdentifier.length
    let keyStart = deviceStart + DeviceIdentifier.length
    guard let session = SessionIdentifier(bytes[1..<deviceStart]),
      let device = DeviceIdentifier(bytes[deviceStart..<keyStart]),
      let key = try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes[keyStart..<end])
    else { throw NearbyFailure(.account, .malformed) }
    guard device != recipient.identifier, recipient.circle[device] != nil else { throw NearbyFailure(.account, .other) }
    self.kind = kind
    self.session = session
    self.device = device
    self.bytes = bytes
    ephemeralKey = key
  }

  /// Compares the bytes.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
}
