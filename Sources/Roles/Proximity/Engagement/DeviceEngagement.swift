import CBOR
import COSE
import Primitives

/// The start of a session in person: the mdoc's ephemeral key and the ways to reach it (ISO/IEC 18013-5 second edition
/// draft, 9.1). A QR code or an NFC tag carries it.
public struct DeviceEngagement: Sendable {
  /// The carrier of an engagement.
  public enum Carrier: Sendable, CaseIterable {
    /// A QR code. Its engagement names the retrieval methods.
    case qrCode
    /// An NFC tag. The records around the engagement are the retrieval methods.
    case nfc
  }

  /// A version. Every minor number of major number 1 is accepted.
  public struct Version: Sendable, Equatable, CustomStringConvertible {
    /// The minor number.
    public let minor: Int

    /// The first edition.
    public static let first = Version(minor: 0)
    /// The second edition, with origins and capabilities.
    public static let second = Version(minor: 1)

    /// The text.
    public var description: String { "1.\(minor)" }
  }

  /// The capabilities of the mdoc, from the second edition on.
  public struct Capabilities: Sendable, Equatable {
    /// Session establishment during negotiated handover.
    public var handoverSessionEstablishment = false
    /// Reader authentication over all documents.
    public var readerAuthAll = false
    /// Extended requests; nil if the mdoc does not say.
    public var extendedRequest: Bool?
  }

  /// An accepted departure from the standard that deployed wallets show.
  public enum Deviation: String, Sendable, CaseIterable {
    /// Capabilities without the array of origins.
    case originsMissing = "origins-missing"
    /// Retrieval methods in an engagement by NFC. They are ignored.
    case methodsByNFC = "methods-by-nfc"
    /// A UUID with other variant bits than those of RFC 9562.
    case uuidVariant = "uuid-variant"
  }

  /// The whole engagement as received or written. The session transcript has exactly these bytes.
  public let bytes: [UInt8]
  /// The version.
  public let version: Version
  /// The ephemeral key, with `EDeviceKeyBytes` as received.
  public let deviceKey: EncodedCBOR<EphemeralKey>
  /// The retrieval methods of an engagement by QR code, in the mdoc's order, with those that a reader skips.
  public let methods: [RetrievalMethod]
  /// The encoded items of key 5, which an engagement in person may leave empty; nil below version 1.1.
  public let originInfos: [[UInt8]]?
  /// The capabilities; nil if the mdoc names none.
  public let capabilities: Capabilities?
  /// The accepted departures.
  public let deviations: [Deviation]

  /// The only cipher suite.
  public static let cipherSuite: UInt64 = 1

  enum Key {
    static let version = 0
    static let security = 1
    static let methods = 2
    static let originInfos = 5
    static let capabilities = 6
    static let handoverSessionEstablishment = 2
    static let readerAuthAll = 3
    static let extendedRequest = 4
  }
}

extension DeviceEngagement {
  /// Creates an engagement. Without methods it is for an NFC tag.
  /// - Parameters:
  ///   - deviceKey: A fresh key, used for this engagement only.
  ///   - capabilities: Nil makes an engagement of version 1.0, any other of version 1.1.
  public init(deviceKey: EphemeralPrivateKey, methods: [RetrievalMethod], capabilities: Capabilities? = nil)
    throws(ProximityError)
  {
    let version = capabilities == nil ? Version.first : .second
    let tagged = CBORValue.tagged(24, .bytes(deviceKey.publicKeyBytes))
    let map = CBORValue.map(present: [
      (Key.version, .text("\(version)")), (Key.security, .array([.unsigned(Self.cipherSuite), tagged])),
      (Key.methods, methods.isEmpty ? nil : .array(methods.map(\.value))),
      (Key.originInfos, capabilities.map { _ in .array([]) }), (Key.capabilities, capabilities?.value),
    ])
    try self.init(map.encoded, by: methods.isEmpty ? .nfc : .qrCode)
  }
}

extension DeviceEngagement.Capabilities {
  var value: CBORValue {
    typealias Key = DeviceEngagement.Key
    return .map(present: [
      (Key.handoverSessionEstablishment, handoverSessionEstablishment ? .boolean(true) : nil),
      (Key.readerAuthAll, readerAuthAll ? .boolean(true) : nil),
      (Key.extendedRequest, extendedRequest.map { .boolean($0) }),
    ])
  }

  init(_ item: CBORItem) throws(CBORError) {
    typealias Key = DeviceEngagement.Key
    let map = try item.map()
    self.init()
    handoverSessionEstablishment = try Self.flag(Key.handoverSessionEstablishment, of: map)
    readerAuthAll = try Self.flag(Key.readerAuthAll, of: map)
    extendedRequest = try map[Key.extendedRequest]?.boolean()
  }

  /// Reads a capability that is true if it is present.
  private static func flag(_ key: Int, of map: CBORMap) throws(CBORError) -> Bool {
    guard let item = map[key] else { return false }
    guard try item.boolean() else {
      throw CBORError(.badValue, at: item.offset, "capability \(key) must be true if it is present")
    }
    return true
  }
}
