import CBOR
import Checks
import Crypto
import CryptoExtras
import Primitives

/// The advert by which a phone shows that it is near: a nonce, a routing identifier and a tunnel service, encrypted for
/// the client platform whose QR code was scanned (CTAP, hybrid transport).
public struct Advert: Sendable, Equatable {
  /// 10 random bytes. They travel by radio only.
  public let nonce: [UInt8]
  /// The routing identifier that the tunnel service assigned.
  public let routingID: [UInt8]
  /// The tunnel service.
  public let service: TunnelServiceNumber

  /// The number of bytes of the plaintext: one AES block.
  public static let plaintextLength = 16
  /// The number of bytes of the encrypted advert.
  public static let length = plaintextLength + tagLength
  /// The number of bytes of the nonce.
  public static let nonceLength = 10
  private static let tagLength = 4

  /// Creates an advert.
  /// - Throws: ``HybridError`` with `advertSize` or `advertService`.
  public init(nonce: [UInt8], routingID: [UInt8], service: TunnelServiceNumber) throws(HybridError) {
    guard nonce.count == Self.nonceLength, routingID.count == TunnelAddress.routingIDLength else {
      throw HybridError(
        .advertSize, "a nonce has \(Self.nonceLength) bytes and a routing identifier \(TunnelAddress.routingIDLength)",
        evidence: "\(nonce.count) and \(routingID.count) bytes")
    }
    guard service.host != nil else { throw Self.unassigned(service) }
    self.nonce = nonce
    self.routingID = routingID
    self.service = service
  }

  /// The plaintext: a zero byte, the nonce, the routing identifier, and the service's number in little-endian order.
  public var plaintext: [UInt8] {
    [0] + nonce + routingID
      + [UInt8(truncatingIfNeeded: service.rawValue), UInt8(truncatingIfNeeded: service.rawValue >> 8)]
  }

  /// Reads a plaintext.
  /// - Throws: ``HybridError`` with `advertSize`, `advertReserved` or `advertService`.
  public init(plaintext: [UInt8]) throws(HybridError) {
    guard plaintext.count == Self.plaintextLength else {
      throw HybridError(
        .advertSize, "the plaintext does not have \(Self.plaintextLength) bytes", evidence: "\(plaintext.count) bytes")
    }
    guard plaintext[0] == 0 else {
      throw HybridError(.advertReserved, "the reserved byte is not zero", evidence: "\(plaintext[0])", at: "byte 0")
    }
    let service = TunnelServiceNumber(rawValue: UInt16(plaintext[14]) | UInt16(plaintext[15]) << 8)
    guard service.host != nil else { throw Self.unassigned(service) }
    nonce = Array(plaintext[1..<11])
    routingID = Array(plaintext[11..<14])
    self.service = service
  }

  private static func unassigned(_ service: TunnelServiceNumber) -> HybridError {
    HybridError(
      .advertService, "the tunnel service's number is not assigned", evidence: "\(service.rawValue)", at: "byte 14")
  }
}

extension Advert {
  /// Encrypts a plaintext of 16 bytes: one AES-256 block, then 4 bytes of HMAC-SHA256.
  ///
  /// - Throws: ``HybridError`` with `advertSize` for another number of bytes.
  public static func seal(plaintext: [UInt8], with key: AdvertKey) throws(HybridError) -> [UInt8] {
    var block = plaintext
    do { try AES.permute(&block, key: key.encryption) } catch {
      throw HybridError(.advertSize, "the plaintext is not one AES block", evidence: "\(plaintext.count) bytes")
    }
    return block + key.tag(of: block)
  }

  /// Opens an encrypted advert.
  ///
  /// - Parameters:
  ///   - serviceData: At least 20 bytes. The rest is the suffix of CTAP 2.3, which is not authenticated and is read
  ///     by ``AdvertSuffix``.
  ///   - key: The keys of the QR code.
  /// - Throws: ``HybridError`` with `advertSize`, `advertTag`, or an error of the plaintext.
  public init(opening serviceData: [UInt8], with key: AdvertKey) throws(HybridError) {
    guard serviceData.count >= Self.length else {
      throw HybridError(
        .advertSize, "the advert does not have \(Self.length) bytes", evidence: "\(serviceData.count) bytes")
    }
    var block = Array(serviceData[..<Self.plaintextLength])
    let received = serviceData[Self.plaintextLength..<Self.length]
    // In constant time: the difference of all bytes, not the first difference.
    let difference = zip(key.tag(of: block), received).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else {
      throw HybridError(.advertTag, "the tag is not that of the QR code's key: the advert is for another QR code")
    }
    do { try AES.inversePermute(&block, key: key.encryption) } catch {
      throw HybridError(.advertSize, "the advert is not one AES block")
    }
    try self.init(plaintext: block)
  }
}

/// The two keys of an advert, which both ends derive from the QR code's secret.
public struct AdvertKey: KeepsSecrets, Sendable {
  fileprivate let encryption: SymmetricKey
  private let authentication: SymmetricKey

  /// The number of bytes of both keys.
  public static let length = 64

  /// Creates the keys from 64 bytes: AES-256, then HMAC-SHA256.
  init(_ bytes: [UInt8]) {
    encryption = SymmetricKey(data: bytes.prefix(32))
    authentication = SymmetricKey(data: bytes.dropFirst(32))
  }

  fileprivate func tag(of block: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: block, using: authentication).prefix(4))
  }
}

/// The bytes after an advert, in CTAP 2.3: a CBOR map from a channel to what it needs. They are not authenticated. The
/// client platform does not read them: it does not offer the channel over Bluetooth.
public struct AdvertSuffix: Sendable, Equatable {
  /// The protocol and service multiplexer (PSM) of the channel over Bluetooth; nil without one.
  public let bluetoothPSM: UInt16?

  /// Reads the bytes after the first 20.
  /// - Throws: ``HybridError`` with `advertSuffix` for bytes that are not one CBOR map.
  public init(_ bytes: [UInt8]) throws(HybridError) {
    do {
      let entry = try CBORReader.read(bytes, limits: CBORLimits(bytes: 1650, depth: 8, items: 256)).map()[
        Int(QRPayload.Channel.bluetooth)]
      bluetoothPSM = (try? entry?.unsigned()).flatMap(UInt16.init(exactly:))
    } catch {
      throw HybridError(.advertSuffix, error)
    }
  }
}

/// The adverts that a client platform heard and that are not for its QR code.
struct IgnoredAdverts: Sendable {
  private var seen: Set<[UInt8]> = []
  private var counts: [HybridError.Code: Int] = [:]

  func contains(_ data: [UInt8]) -> Bool { seen.contains(data) }

  mutating func insert(_ data: [UInt8], _ code: HybridError.Code) {
    counts[code, default: 0] += 1
    if seen.count < HybridLimits.rememberedAdverts { seen.insert(data) }
  }

  /// The reason why none was for the QR code: that of the one that was nearest to it.
  var reason: HybridCheck.Reason {
    if counts[.advertService] != nil { return .service }
    if counts[.advertReserved] != nil { return .malformed }
    return counts.isEmpty ? .none : .anotherCode
  }

  /// The number of ignored adverts, by reason.
  var evidence: [CheckResult.Evidence] {
    HybridError.Code.allCases.compactMap { code in
      counts[code].map { CheckResult.Evidence("ignored adverts, \(code.rawValue)", found: "\($0)") }
    }
  }
}
