import JSON
import Primitives

/// A protected header as received (RFC 7515, 4). It is untrusted until the signature or the ciphertext that covers it is
/// verified.
public struct JOSEHeader: Sendable {
  /// The header in base64url, exactly as received.
  public let encoded: String
  /// `alg`, which may be unsupported.
  public let algorithm: String
  /// `typ`, exactly as received; nil without it.
  public let type: String?
  /// `kid`; nil without it.
  public let keyID: String?
  /// The DER certificates of `x5c`, leaf first (RFC 7515, 4.1.6); nil without it.
  public let x5c: [[UInt8]]?
  /// Every member.
  package let json: JSONItem

  /// Reads a header.
  ///
  /// Members that name keys (`jwk`, `jku`, `x5u`) are never used: a key comes from the rule of the profile. A critical
  /// parameter is refused, because none is understood here, and `b64` with or without `crit`.
  /// - Throws: ``JOSEError``.
  init(encoded: some StringProtocol) throws(JOSEError) {
    guard encoded.utf8.count <= JOSELimits.headerBytes else {
      throw JOSEError(.tooLarge, "the header has \(encoded.utf8.count) bytes, more than \(JOSELimits.headerBytes)")
    }
    self.encoded = String(encoded)
    let bytes = try JOSEText.decode(encoded, name: "the header")
    json = try JOSEText.object(bytes, name: "the header", limits: JOSELimits.header)
    guard !(try json.has("crit")) else {
      throw JOSEError(.criticalHeader, "the header has 'crit', and no critical parameter is understood")
    }
    guard !(try json.has("b64")) else {
      throw JOSEError(.unencodedPayload, "the header has 'b64', which is not used in these profiles")
    }
    guard try json.has("alg") else { throw JOSEError(.algorithmMissing, "the header has no 'alg'") }
    (algorithm, type, keyID) = try json.reading("the header") { (json) throws(JSONError) in
      (try json.member("alg"), try json.optionalMember("typ"), try json.optionalMember("kid"))
    }
    if let keyID, keyID.utf8.count > JOSELimits.keyIDBytes {
      throw JOSEError(.tooLarge, "'kid' has \(keyID.utf8.count) bytes, more than \(JOSELimits.keyIDBytes)")
    }
    x5c = try Self.certificates(json)
  }

  private static func certificates(_ header: JSONItem) throws(JOSEError) -> [[UInt8]]? {
    guard let item = try header.reading("x5c", { (json) throws(JSONError) in try json.optionalItem("x5c") }) else {
      return nil
    }
    let texts = try item.reading("x5c") { (json) throws(JSONError) in try [String](json: json) }
    guard !texts.isEmpty else { throw JOSEError(.member, "'x5c' is empty") }
    guard texts.count <= JOSELimits.certificates else {
      throw JOSEError(.tooLarge, "'x5c' has \(texts.count) certificates, more than \(JOSELimits.certificates)")
    }
    return try texts.enumerated().map { (place, text) throws(JOSEError) in
      // The one place in JOSE with base64 instead of base64url.
      guard let certificate = Base64.decode(text) else {
        throw JOSEError(.encoding, "x5c[\(place)] is not base64 with padding (RFC 7515, 4.1.6)")
      }
      return certificate
    }
  }

  /// Requires a type.
  /// - Throws: ``JOSEError`` with code `jose.type`.
  public func require(type wanted: String) throws(JOSEError) {
    guard let type else { throw JOSEError(.type, "the header has no 'typ'", evidence: "expected \(wanted)") }
    guard type.isExactly(wanted) else {
      throw JOSEError(.type, "'typ' is not '\(wanted)'", evidence: TerminalSafe.text(String(type.prefix(64))))
    }
  }
}

extension JSONItem {
  /// Returns whether an object has a member, also with the value null.
  package func has(_ name: String) throws(JOSEError) -> Bool {
    try reading(name) { (json) throws(JSONError) in try json.members().contains { $0.name.isExactly(name) } }
  }
}

/// The protected header of an object to be signed.
public struct JOSEHeaderDraft: Sendable {
  /// `typ`, or nil to omit it.
  public var type: String?
  /// `kid`, or nil to omit it.
  public var keyID: String?
  /// The DER certificates of `x5c`, leaf first; none to omit it.
  public var x5c: [[UInt8]]
  /// Further members, in their order.
  package var others: [(name: String, value: JSONValue)] = []

  /// Creates a header.
  public init(type: String?, keyID: String? = nil, x5c: [[UInt8]] = []) {
    self.type = type
    self.keyID = keyID
    self.x5c = x5c
  }

  /// The header in base64url, with `alg` first.
  func encoded(algorithm: String) -> String {
    var members: [(String, JSONValue)] = [("alg", .string(algorithm))]
    if let type { members.append(("typ", .string(type))) }
    if let keyID { members.append(("kid", .string(keyID))) }
    if !x5c.isEmpty { members.append(("x5c", .array(x5c.map { .string(Base64.encode($0)) }))) }
    return Base64URL.encode(JSONValue(members: members + others.map { ($0.name, $0.value) }).bytes)
  }
}
