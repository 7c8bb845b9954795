import CBOR
import Crypto
import Primitives

/// The content of a client platform's QR code: a CBOR map with integer keys (CTAP, hybrid transport).
public struct QRPayload: KeepsSecrets, Sendable {
  /// The purpose that a phone may show early. The request itself decides.
  public enum Hint: String, Sendable, CaseIterable {
    /// Sign-in with a passkey; also every unknown text.
    case getAssertion = "ga"
    /// Creation of a passkey.
    case makeCredential = "mc"
    /// Presentation of a digital credential.
    case presentation = "dcp"
    /// Issuance of a digital credential.
    case issuance = "dci"
  }

  /// A channel for the session's messages.
  public enum Channel {
    /// WebSockets by way of a tunnel service.
    public static let tunnel: UInt64 = 0
    /// L2CAP over Bluetooth Low Energy.
    public static let bluetooth: UInt64 = 1
  }

  /// The two uses of key 6.
  public enum KeySix: Sendable, Equatable {
    /// Support for credentials that are not discoverable, in the old form.
    case nonDiscoverable(Bool)
    /// The channels, in the form of CTAP 2.3.
    case channels([UInt64])
  }

  /// Key 0: the identity key of the client platform.
  public var identityKey: P256.KeyAgreement.PublicKey
  /// Key 1: the secret, 16 bytes.
  public var secret: [UInt8]
  /// Key 2: the number of assigned tunnel services that the client platform knows.
  public var knownServices: UInt64?
  /// Key 3: the time of creation.
  public var createdAt: DateTime?
  /// Key 4: whether the client platform can do state-assisted (linked) transactions.
  public var supportsLinking: Bool?
  /// Key 5: the hint.
  public var hint: Hint?
  /// Key 6.
  public var keySix: KeySix?

  /// The number of bytes of the secret.
  public static let secretLength = 16
  /// The number of tunnel services with an assigned number: Google's and Apple's.
  public static let assignedServices: UInt64 = 2

  /// Creates the payload of a client platform in Chromium's form.
  /// - Parameters:
  ///   - identityKey: The public key of the client platform.
  ///   - secret: 16 random bytes.
  ///   - createdAt: The time at which the code is shown.
  ///   - hint: The kind of request that follows.
  public init(
    identityKey: P256.KeyAgreement.PublicKey, secret: [UInt8], createdAt: DateTime, hint: Hint = .presentation
  ) {
    self.identityKey = identityKey
    self.secret = secret
    knownServices = Self.assignedServices
    self.createdAt = createdAt
    supportsLinking = false
    self.hint = hint
  }

  /// Indicates whether the client platform accepts a tunnel service. Without key 6 it does.
  public var offersTunnel: Bool {
    guard case .channels(let channels)? = keySix else { return true }
    return channels.contains(Channel.tunnel)
  }
}

extension QRPayload {
  /// The start of the text in a QR code. Upper case fits the alphanumeric mode of a symbol.
  public static let prefix = "FIDO:/"

  /// The text of the QR code.
  public var uri: String { Self.prefix + DecimalDigits.encode(cbor) }

  /// The map in canonical CBOR.
  public var cbor: [UInt8] {
    let six: CBORValue? =
      switch keySix {
      case .nonDiscoverable(let flag): .boolean(flag)
      case .channels(let channels): .array(channels.map(CBORValue.unsigned))
      case nil: nil
      }
    return CBORValue.map(present: [
      (0, .bytes([UInt8](identityKey.compressedRepresentation))), (1, .bytes(secret)),
      (2, knownServices.map { .unsigned($0) }), (3, createdAt.map { .integer(Int($0.secondsSince1970)) }),
      (4, supportsLinking.map { .boolean($0) }), (5, hint.map { .text($0.rawValue) }), (6, six),
    ]).encoded
  }

  /// Returns the CBOR of a text that a camera read. The prefix is compared without case.
  ///
  /// - Throws: ``HybridError`` with `qrPrefix`, or for digits that are not the decimal encoding.
  public static func cbor(ofURI text: String) throws(HybridError) -> [UInt8] {
    let characters = text.utf8
    let start = characters.prefix(prefix.utf8.count).map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }
    guard start.elementsEqual(prefix.utf8) else {
      throw HybridError(.qrPrefix, "the text does not start with \(prefix)")
    }
    return try DecimalDigits.decode(Substring(characters.dropFirst(prefix.utf8.count)))
  }

  /// Reads a text that a camera read.
  ///
  /// - Throws: ``HybridError`` for a text that is not the QR code of a client platform.
  public init(uri text: String) throws(HybridError) { try self.init(cbor: Self.cbor(ofURI: text)) }

  /// Reads the map. Unknown keys are ignored, and an unknown hint is read as `ga`.
  ///
  /// - Throws: ``HybridError`` with `qrCBOR`, or for a member that is missing or has another form.
  public init(cbor bytes: [UInt8]) throws(HybridError) {
    let map: CBORMap
    do { map = try CanonicalCBOR.map(bytes) } catch { throw HybridError(.qrCBOR, error) }
    let compressed = try Self.required(0, of: map) { (item) throws(CBORError) in try item.bytes() }
    guard let key = try? P256.KeyAgreement.PublicKey(compressedRepresentation: compressed) else {
      throw HybridError(
        .qrPoint, "the identity key is not a compressed point of P-256", evidence: "\(compressed.count) bytes",
        at: "key 0")
    }
    identityKey = key
    secret = try Self.required(1, of: map) { (item) throws(CBORError) in try item.bytes() }
    guard secret.count == Self.secretLength else {
      throw HybridError(
        .qrSecret, "the secret does not have \(Self.secretLength) bytes", evidence: "\(secret.count) bytes", at: "key 1"
      )
    }
    knownServices = try Self.optional(2, of: map) { (item) throws(CBORError) in try item.unsigned() }
    createdAt = try Self.optional(3, of: map) { (item) throws(CBORError) in
      guard let seconds = Int64(exactly: try item.unsigned()) else {
        throw CBORError(.badValue, at: item.offset, "the time is outside the range of signed 64-bit integers")
      }
      return DateTime(secondsSince1970: seconds)
    }
    supportsLinking = try Self.optional(4, of: map) { (item) throws(CBORError) in try item.boolean() }
    hint = try Self.optional(5, of: map) { (item) throws(CBORError) in
      Hint(rawValue: try item.text()) ?? .getAssertion
    }
    keySix = try Self.optional(6, of: map) { (item) throws(CBORError) in
      if item.kind == .boolean { return .nonDiscoverable(try item.boolean()) }
      var channels: [UInt64] = []
      for channel in try item.array() { channels.append(try channel.unsigned()) }
      return .channels(channels)
    }
  }

  private static func required<Value>(
    _ key: Int, of map: CBORMap, _ read: (CBORItem) throws(CBORError) -> Value
  ) throws(HybridError) -> Value {
    guard let value = try optional(key, of: map, read) else {
      throw HybridError(.qrMissingKey, "the map has no key \(key)")
    }
    return value
  }

  private static func optional<Value>(
    _ key: Int, of map: CBORMap, _ read: (CBORItem) throws(CBORError) -> Value
  ) throws(HybridError) -> Value? {
    guard let item = map[key] else { return nil }
    do { return try read(item) } catch {
      throw HybridError(.qrWrongType, error.message, at: "key \(key), \(error.location ?? "")")
    }
  }
}
