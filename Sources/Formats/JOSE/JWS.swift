import COSE
import Crypto
import JSON
import Primitives

/// A signed object as received (RFC 7515). Trust nothing in it before ``verify(with:type:)`` succeeds.
///
/// An object whose algorithm is outside ``JWSAlgorithm`` has no value of this type.
public struct JWS: Sendable {
  /// The protected header.
  public let header: JOSEHeader
  /// The algorithm that the header names.
  public let algorithm: JWSAlgorithm
  /// The payload, not verified.
  public let unverifiedPayload: [UInt8]
  /// The payload in base64url, exactly as received.
  public let payloadText: String
  /// The signature as received.
  public let signature: [UInt8]

  /// Reads a compact serialization (RFC 7515, 7.1).
  /// - Throws: ``JOSEError``.
  public init(compact text: String) throws(JOSEError) {
    let parts = try JOSEText.parts(text, count: 3, name: "a compact JWS")
    try self.init(
      protected: String(parts[0]), payloadText: String(parts[1]),
      payload: try JOSEText.decode(parts[1], name: "the payload"), signatureText: String(parts[2]))
  }

  init(protected: String, payloadText: String, payload: [UInt8], signatureText: String) throws(JOSEError) {
    header = try JOSEHeader(encoded: protected)
    guard let algorithm = JWSAlgorithm(name: header.algorithm) else {
      throw JOSEError(
        .algorithmUnsupported, "the algorithm is not one of \(JWSAlgorithm.allCases.map(\.rawValue).listed)",
        evidence: TerminalSafe.text(String(header.algorithm.prefix(32))))
    }
    self.algorithm = algorithm
    self.payloadText = payloadText
    unverifiedPayload = payload
    signature = try JOSEText.decode(signatureText, name: "the signature")
  }

  /// The signed bytes: header and payload as received, with a dot between them (RFC 7515, 5.1).
  public var signedBytes: [UInt8] { Self.signedBytes(header.encoded, payloadText) }

  /// The compact serialization with the parts as received.
  public var compact: String { "\(header.encoded).\(payloadText).\(Base64URL.encode(signature))" }

  private static func signedBytes(_ header: String, _ payload: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.utf8.count + 1 + payload.utf8.count)
    bytes += header.utf8
    bytes.append(UInt8(ascii: "."))
    bytes += payload.utf8
    return bytes
  }

  /// Verifies the signature. The key decides the algorithm, and the header must name the same one.
  ///
  /// - Parameters:
  ///   - key: The signer's public key, found by the profile's rule and never by the header alone.
  ///   - type: The required `typ`; nil accepts any.
  /// - Throws: ``JOSEError``.
  public func verify(with key: VerificationKey, type: String? = nil) throws(JOSEError) -> VerifiedJWS {
    if let type { try header.require(type: type) }
    guard algorithm == key.jwsAlgorithm else {
      throw JOSEError(
        .algorithmKeyMismatch, "the algorithm does not fit the key, which is for \(key.jwsAlgorithm.rawValue)",
        evidence: algorithm.rawValue)
    }
    guard key.verifies(signature, over: signedBytes) else {
      guard key.isInForm(signature) else {
        throw JOSEError(.signatureForm, "the signature of \(signature.count) bytes is not r and s of the key's curve")
      }
      throw JOSEError(.signature, "the signature does not verify")
    }
    return VerifiedJWS(header: header, payload: unverifiedPayload)
  }

  /// Returns a compact serialization with ES256.
  /// - Throws: The signer's error.
  public static func sign(_ payload: [UInt8], header: JOSEHeaderDraft, with signer: some ES256Signer) throws -> String {
    let parts = try signedParts(payload, header: header, with: signer)
    return "\(parts.protected).\(parts.payload).\(parts.signature)"
  }

  /// Returns the parts of a serialization with ES256.
  static func signedParts(
    _ payload: [UInt8], header: JOSEHeaderDraft, with signer: some ES256Signer
  ) throws -> (protected: String, payload: String, signature: String) {
    let protected = header.encoded(algorithm: JWSAlgorithm.es256.rawValue)
    let payload = Base64URL.encode(payload)
    return (protected, payload, Base64URL.encode(try signer.signature(for: signedBytes(protected, payload))))
  }
}

/// A signed object whose signature verified. Trust in the key is checked separately. Only ``JWS`` makes one.
public struct VerifiedJWS: Sendable {
  /// The protected header.
  public let header: JOSEHeader
  /// The payload.
  public let payload: [UInt8]

  fileprivate init(header: JOSEHeader, payload: [UInt8]) {
    self.header = header
    self.payload = payload
  }

  /// Reads the payload as the claims of a JWT (RFC 7519, 7.2).
  /// - Throws: ``JOSEError`` with code `jose.json`.
  package func claims() throws(JOSEError) -> JSONItem { try JOSEText.object(payload, name: "the payload") }
}
