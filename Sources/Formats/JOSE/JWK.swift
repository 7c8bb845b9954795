import COSE
import Crypto
import JSON
import Primitives

/// A public key as JSON Web Key (RFC 7517): type EC with two coordinates, or OKP with one.
public struct JWK: Sendable, Equatable {
  /// The curve and the coordinates.
  public let publicKey: COSEKey
  /// `kid`; nil without it.
  public let keyID: String?
  /// `use`; nil without it.
  public let use: String?
  /// `alg`; nil without it.
  public let algorithm: String?

  /// Creates a key.
  public init(_ publicKey: COSEKey, keyID: String? = nil, use: String? = nil, algorithm: String? = nil) {
    self.publicKey = publicKey
    self.keyID = keyID
    self.use = use
    self.algorithm = algorithm
  }

  /// Reads a public key. Unknown members are ignored.
  /// - Throws: ``JOSEError`` with code `jose.key` for a private or malformed key and for a point that is not on its curve,
  ///   and with `jose.curve-unsupported` for an unsupported curve.
  package init(json: JSONItem) throws(JOSEError) {
    guard json.kind == .object else { throw JOSEError(.key, "the JWK is not an object", evidence: json.kind.text) }
    // A private key where a public one belongs is known to others than its owner.
    guard try !json.has("d") else { throw JOSEError(.key, "the JWK has a private key") }
    let type: String
    let name: String
    let x: [UInt8]
    do throws(JSONError) {
      type = try json.member("kty")
      guard type.isExactly("EC") || type.isExactly("OKP") else {
        throw json.error("key type '\(TerminalSafe.text(String(type.prefix(16))))' is not supported")
      }
      name = try json.member("crv")
      x = try json.base64URLMember("x")
      (keyID, use, algorithm) = (
        try json.optionalMember("kid"), try json.optionalMember("use"), try json.optionalMember("alg")
      )
    } catch {
      throw JOSEError(.key, "the JWK is malformed: \(error.message)", evidence: error.code.rawValue, at: error.location)
    }
    guard let curve = COSEKey.Curve(jwkName: name) else {
      throw JOSEError(
        .curveUnsupported, "the curve is not supported", evidence: TerminalSafe.text(String(name.prefix(32))))
    }
    var raw = x
    try Self.require(x, of: curve, name: "x")
    let hasTwoCoordinates = curve != .x25519 && curve != .ed25519
    guard type.isExactly(hasTwoCoordinates ? "EC" : "OKP") else {
      throw JOSEError(.key, "the key type does not match the curve", evidence: name)
    }
    if hasTwoCoordinates {
      let y: [UInt8]
      do { y = try json.base64URLMember("y") } catch {
        throw JOSEError(.key, "the JWK is malformed: \(error.message)", evidence: error.code.rawValue)
      }
      try Self.require(y, of: curve, name: "y")
      raw += y
    }
    publicKey = COSEKey(curve, raw: raw)
    // Any 32 bytes are a key on X25519 (RFC 7748, 5).
    if curve != .x25519 { _ = try verificationKey() }
  }

  private static func require(_ coordinate: [UInt8], of curve: COSEKey.Curve, name: String) throws(JOSEError) {
    guard coordinate.count == curve.coordinateSize else {
      throw JOSEError(
        .key, "the coordinate '\(name)' has \(coordinate.count) bytes, expected \(curve.coordinateSize)")
    }
  }

  /// Returns the key in a form that verifies signatures.
  /// - Throws: ``JOSEError`` if the point is not on the curve, or for X25519.
  public func verificationKey() throws(JOSEError) -> VerificationKey {
    do { return try publicKey.verificationKey() } catch {
      throw JOSEError(error.code == .curveUnsupported ? .curveUnsupported : .key, error.message)
    }
  }

  /// Returns the key in a form for key agreement.
  /// - Throws: ``JOSEError`` unless it is a point of P-256.
  public func p256KeyAgreementKey() throws(JOSEError) -> P256.KeyAgreement.PublicKey {
    guard publicKey.curve == .p256 else {
      throw JOSEError(.curveUnsupported, "keys are agreed on P-256 only", evidence: publicKey.curve.jwkName)
    }
    do { return try publicKey.p256KeyAgreementKey() } catch { throw JOSEError(.key, error.message) }
  }

  /// The thumbprint with SHA-256 (RFC 7638): over type, curve and coordinates alone.
  public var thumbprint: [UInt8] { Self.thumbprint(members: keyMembers.map { ($0.0, $0.1) }) }

  /// The members that are the key itself, in alphabetical order.
  private var keyMembers: [(String, String)] {
    [
      ("crv", publicKey.curve.jwkName), ("kty", publicKey.y == nil ? "OKP" : "EC"),
      ("x", Base64URL.encode(publicKey.x)),
    ] + (publicKey.y.map { [("y", Base64URL.encode($0))] } ?? [])
  }

  private static func thumbprint(members: [(String, String)]) -> [UInt8] {
    SHA256.hash(data: JSONValue(members: members.map { ($0.0, .string($0.1)) }).bytes).bytes
  }

  /// Returns the thumbprint of a key of any type, with the members as received (RFC 7638, 3.2), also of keys that nothing
  /// here can use.
  /// - Throws: ``JOSEError`` for another type, or a missing member.
  package static func thumbprint(ofReceived json: JSONItem) throws(JOSEError) -> [UInt8] {
    let type = try json.reading("the JWK") { (json) throws(JSONError) in try json.member("kty") as String }
    let names =
      switch type {
      case "EC": ["crv", "kty", "x", "y"]
      case "OKP": ["crv", "kty", "x"]
      case "RSA": ["e", "kty", "n"]
      case "oct": ["k", "kty"]
      default: [] as [String]
      }
    guard !names.isEmpty else { throw JOSEError(.key, "the key type has no thumbprint") }
    var members: [(String, String)] = []
    for name in names {
      members.append(
        (name, try json.reading("the JWK") { (json) throws(JSONError) in try json.member(name) as String }))
    }
    return thumbprint(members: members)
  }

  /// The key as JSON.
  package var json: JSONValue {
    var members = keyMembers.map { ($0.0, JSONValue.string($0.1)) }
    for (name, value) in [("use", use), ("alg", algorithm), ("kid", keyID)] {
      if let value { members.append((name, .string(value))) }
    }
    return JSONValue(members: members)
  }
}

extension COSEKey.Curve {
  /// Finds a curve by the value of `crv` (RFC 7518, 6.2.1.1; RFC 8037, 2); nil for every other value.
  init?(jwkName name: String) {
    guard let curve = Self.all.first(where: { $0.jwkName.isExactly(name) }) else { return nil }
    self = curve
  }

  private static let all: [Self] = [.p256, .p384, .p521, .x25519, .ed25519]

  /// The value of `crv`.
  package var jwkName: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .x25519: "X25519"
    case .ed25519: "Ed25519"
    }
  }
}
