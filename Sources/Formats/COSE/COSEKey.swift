import CBOR
import Crypto

/// A public key as COSE_Key (RFC 9052, 7): type EC2 with two coordinates, or OKP with one.
public struct COSEKey: Sendable, Equatable {
  /// The supported curves of the IANA registry "COSE Elliptic Curves".
  public enum Curve: Int, Sendable {
    /// NIST P-256.
    case p256 = 1
    /// NIST P-384.
    case p384 = 2
    /// NIST P-521.
    case p521 = 3
    /// X25519, for key agreement only.
    case x25519 = 4
    /// Ed25519, for signatures only.
    case ed25519 = 6

    /// The length of a coordinate in bytes.
    public var coordinateSize: Int {
      switch self {
      case .p256, .x25519, .ed25519: 32
      case .p384: 48
      case .p521: 66
      }
    }

    /// True for a curve whose keys are of type OKP and have no second coordinate.
    var hasOneCoordinate: Bool { self == .x25519 || self == .ed25519 }
  }

  /// The curve.
  public let curve: Curve
  /// The x coordinate, or the whole public key on X25519 and Ed25519; `curve.coordinateSize` bytes.
  public let x: [UInt8]
  /// The y coordinate; nil on X25519 and Ed25519.
  public let y: [UInt8]?
  /// The key as the library has imported it; nil if it was not needed yet.
  private var imported: VerificationKey?

  /// Creates the key of a P-256 signing key pair.
  public init(_ key: P256.Signing.PublicKey) {
    self.init(p256: [UInt8](key.rawRepresentation))
    imported = .p256(key)
  }

  /// Creates the key of a P-256 key agreement pair.
  public init(_ key: P256.KeyAgreement.PublicKey) { self.init(p256: [UInt8](key.rawRepresentation)) }

  private init(p256 raw: [UInt8]) { self.init(.p256, raw: raw) }

  /// Creates a key from its coordinates, one after the other, which are not checked.
  package init(_ curve: Curve, raw: [UInt8]) {
    self.curve = curve
    x = Array(raw.prefix(curve.coordinateSize))
    y = curve.hasOneCoordinate ? nil : Array(raw.dropFirst(curve.coordinateSize))
  }

  /// Returns whether two keys have the same curve and coordinates.
  public static func == (left: COSEKey, right: COSEKey) -> Bool {
    left.curve == right.curve && left.x == right.x && left.y == right.y
  }

  /// Reads a COSE_Key. Labels other than type, curve and coordinates are ignored.
  ///
  /// - Parameter paddingCoordinates: Whether leading zeros that were left out are put back, as RFC 9053, 7.1.1 requires
  ///   them.
  /// - Throws: ``COSEError`` with code `cose.key` for a malformed key or a point that is not on its curve, and with
  ///   `cose.curve-unsupported` for an unsupported curve, and for X25519, whose keys verify no signature.
  public init(_ item: CBORItem, paddingCoordinates: Bool = false) throws(COSEError) {
    try self.init(coordinatesOf: item, isPadding: paddingCoordinates)
    imported = try verificationKey()
  }

  /// Reads a COSE_Key for key agreement, which may be on X25519.
  /// - Throws: ``COSEError`` as of ``init(_:paddingCoordinates:)``.
  package init(forAgreement item: CBORItem) throws(COSEError) {
    try self.init(coordinatesOf: item)
    // Any 32 bytes are a key on X25519 (RFC 7748, 5).
    if curve != .x25519 { imported = try verificationKey() }
  }

  /// Reads a COSE_Key, and does not check that its point is on the curve.
  private init(coordinatesOf item: CBORItem, isPadding: Bool = false) throws(COSEError) {
    let map: CBORMap
    let type: Int
    let curveNumber: Int
    var x: [UInt8]
    do {
      map = try item.map()
      type = try map.required(1).integer()
      curveNumber = try map.required(-1).integer()
      x = try map.required(-2).bytes()
    } catch {
      throw COSEError(.key, "the COSE_Key is malformed: \(error.message)")
    }
    guard let curve = Curve(rawValue: curveNumber) else {
      throw COSEError(.curveUnsupported, "curve \(curveNumber) is not supported")
    }
    guard type == (curve.hasOneCoordinate ? 1 : 2) else {
      throw COSEError(.key, "key type \(type) does not match curve \(curveNumber)")
    }
    let isPadded = isPadding && !curve.hasOneCoordinate
    if isPadded { x = Self.padded(x, to: curve.coordinateSize) }
    guard x.count == curve.coordinateSize else {
      throw COSEError(.key, "the x coordinate has \(x.count) bytes, expected \(curve.coordinateSize)")
    }
    self.curve = curve
    self.x = x
    if curve.hasOneCoordinate {
      y = nil
    } else {
      y = try Self.secondCoordinate(map[-3], curve: curve, x: x, isPadded: isPadded)
    }
  }

  private static func secondCoordinate(
    _ item: CBORItem?, curve: Curve, x: [UInt8], isPadded: Bool
  ) throws(COSEError) -> [UInt8] {
    guard let item else { throw COSEError(.key, "the COSE_Key has no y coordinate") }
    if item.kind == .boolean, let sign = try? item.boolean() {
      let compressed = [sign ? 3 : 2] + x
      let full: [UInt8]?
      switch curve {
      case .p256: full = try? [UInt8](P256.Signing.PublicKey(compressedRepresentation: compressed).rawRepresentation)
      case .p384: full = try? [UInt8](P384.Signing.PublicKey(compressedRepresentation: compressed).rawRepresentation)
      case .p521: full = try? [UInt8](P521.Signing.PublicKey(compressedRepresentation: compressed).rawRepresentation)
      case .x25519, .ed25519: full = nil
      }
      guard let full else { throw COSEError(.key, "the compressed point is not on the curve") }
      return Array(full[curve.coordinateSize...])
    }
    let bytes = try? item.bytes()
    guard let y = isPadded ? bytes.map({ padded($0, to: curve.coordinateSize) }) : bytes,
      y.count == curve.coordinateSize
    else { throw COSEError(.key, "the y coordinate does not have \(curve.coordinateSize) bytes") }
    return y
  }

  private static func padded(_ number: [UInt8], to size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, size - number.count)) + number
  }

  /// Returns the key in a form that verifies signatures.
  /// - Throws: ``COSEError`` with code `cose.key` if the point is not on the curve or has a small order.
  public func verificationKey() throws(COSEError) -> VerificationKey {
    if let imported { return imported }
    guard curve != .x25519 else {
      throw COSEError(.curveUnsupported, "curve \(curve.rawValue) is for key agreement only")
    }
    let raw = x + (y ?? [])
    let edwardsKey: Curve25519.Signing.PublicKey
    do {
      switch curve {
      case .p256: return .p256(try P256.Signing.PublicKey(rawRepresentation: raw))
      case .p384: return .p384(try P384.Signing.PublicKey(rawRepresentation: raw))
      case .p521: return .p521(try P521.Signing.PublicKey(rawRepresentation: raw))
      case .x25519, .ed25519: edwardsKey = try Curve25519.Signing.PublicKey(rawRepresentation: raw)
      }
    } catch {
      throw COSEError(.key, "the point is not on the curve")
    }
    return try VerificationKey(checking: edwardsKey)
  }

  /// Reads a COSE_Key in a form for key agreement.
  /// - Throws: ``COSEError`` as of ``init(_:paddingCoordinates:)``, and with code `cose.key` for a key of another curve
  ///   than P-256.
  public static func p256KeyAgreementKey(reading item: CBORItem) throws(COSEError) -> P256.KeyAgreement.PublicKey {
    // The import checks that the point is on the curve. The one for signatures is only needed for its error.
    if let key = try? COSEKey(coordinatesOf: item).p256KeyAgreementKey() { return key }
    return try COSEKey(item).p256KeyAgreementKey()
  }

  /// Returns the key in a form for key agreement.
  /// - Throws: ``COSEError`` with code `cose.key` unless it is a point of P-256.
  public func p256KeyAgreementKey() throws(COSEError) -> P256.KeyAgreement.PublicKey {
    guard curve == .p256, let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: x + (y ?? [])) else {
      throw COSEError(.key, "the key is not a point of P-256")
    }
    return key
  }

  /// Writes the key with the labels in the order 1, -1, -2, -3, as all known implementations do.
  public func write(to writer: inout CBORWriter) {
    writer.map(y == nil ? 3 : 4)
    writer.member(1) { $0.integer(y == nil ? 1 : 2) }
    writer.member(-1) { $0.integer(curve.rawValue) }
    writer.member(-2) { $0.byteString(x) }
    if let y { writer.member(-3) { $0.byteString(y) } }
  }

  /// The key as encoded CBOR.
  public var encoded: [UInt8] { CBORWriter.encode(capacity: 80) { write(to: &$0) } }
}

extension COSEKey {
  /// Reads an encoded COSE_Key.
  /// - Throws: ``COSEError`` with code `cose.key`.
  public init(reading bytes: [UInt8]) throws(COSEError) {
    let item: CBORItem
    do {
      item = try CBORReader.read(bytes)
    } catch {
      throw COSEError(.key, "the COSE_Key is malformed: \(error.message)")
    }
    try self.init(item)
  }
}
