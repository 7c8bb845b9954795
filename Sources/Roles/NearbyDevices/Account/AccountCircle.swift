import Crypto
import FoundationEssentials

/// The devices of an account, as every one of them knows them.
///
/// Part of presentment's model of a nearby iPhone. Apple's protocol is not public; this is not it.
public struct AccountCircle: Sendable {
  /// A device of the account.
  public struct Member: Sendable {
    /// The identifier.
    public let identifier: DeviceIdentifier
    /// The name for people, such as "Kelly's iPhone".
    public let name: String
    /// The long-term key of the device.
    public let key: P256.KeyAgreement.PublicKey

    /// Creates a member.
    public init(identifier: DeviceIdentifier, name: String, key: P256.KeyAgreement.PublicKey) {
      self.identifier = identifier
      self.name = name
      self.key = key
    }
  }

  /// The length of the tag of an advert in bytes.
  static let tagLength = 16

  /// The devices.
  public let members: [Member]
  private let advertKey: SymmetricKey

  /// Creates a circle.
  /// - Parameter secret: Random bytes that all devices of the account share. They authenticate adverts.
  public init(secret: [UInt8], members: [Member]) {
    self.members = members
    advertKey = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret), info: Data("presentment model, nearby advert".utf8),
      outputByteCount: 32)
  }

  /// The member with an identifier, or nil if the account does not have it.
  public subscript(identifier: DeviceIdentifier) -> Member? { members.first { $0.identifier == identifier } }

  /// The tag of an advert's bytes.
  func tag(of bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: advertKey).prefix(Self.tagLength))
  }

  /// Returns whether a tag is that of an advert's bytes. The time does not depend on the place of a difference.
  func isTag(_ tag: ArraySlice<UInt8>, of bytes: [UInt8]) -> Bool {
    let expected = self.tag(of: bytes)
    return tag.count == expected.count && zip(tag, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A device with its own long-term key.
public struct CircleDevice: Sendable {
  /// The identifier in the account.
  public let identifier: DeviceIdentifier
  /// The account.
  public let circle: AccountCircle
  let key: P256.KeyAgreement.PrivateKey

  /// Creates a device of an account.
  public init(identifier: DeviceIdentifier, key: P256.KeyAgreement.PrivateKey, circle: AccountCircle) {
    self.identifier = identifier
    self.key = key
    self.circle = circle
  }
}
