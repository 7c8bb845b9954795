import COSE
import JSON
import Primitives

/// A payload with one or more signatures as received: the JSON serialization (RFC 7515, 7.2). Trust nothing in it before a
/// signature is verified.
public struct JWSJSONSerialization: Sendable {
  /// The two forms.
  public enum Form: Sendable {
    /// Any number of signatures, in `signatures` (RFC 7515, 7.2.1).
    case general
    /// One signature, at the top level (RFC 7515, 7.2.2).
    case flattened
  }

  /// One signature.
  public struct Signature: Sendable {
    /// The signed object, or the rule that it breaks: one bad signature does not spoil the others.
    public let jws: Result<JWS, JOSEError>
    /// The members of the unprotected header, which anyone can change; nil without it.
    package let unprotected: JSONItem?
  }

  /// The payload, not verified.
  public let unverifiedPayload: [UInt8]
  /// The signatures in the order received, at least one.
  public let signatures: [Signature]

  /// Reads a serialization.
  /// - Throws: ``JOSEError`` for a missing or detached payload, or for no or too many signatures.
  package init(json: JSONItem, form: Form = .general) throws(JOSEError) {
    guard json.kind == .object else {
      throw JOSEError(.structure, "a JWS in JSON is an object", evidence: json.kind.text)
    }
    let payloadText = try json.reading("payload") { (json) throws(JSONError) in try json.member("payload") as String }
    let payload = try JOSEText.decode(payloadText, name: "the payload")
    let isFlattened = try json.has("signature")
    var items: [JSONItem] = []
    switch form {
    case .general:
      guard !isFlattened else {
        throw JOSEError(.structure, "'signature' belongs to the flattened form; expected 'signatures' alone")
      }
      items = try json.reading("signatures") { (json) throws(JSONError) in
        Array(try json.item("signatures").elements())
      }
    case .flattened:
      guard try !json.has("signatures") else {
        throw JOSEError(.structure, "'signatures' belongs to the general form; expected 'signature' alone")
      }
      items = [json]
    }
    guard !items.isEmpty else { throw JOSEError(.structure, "'signatures' is empty") }
    guard items.count <= JOSELimits.signatures else {
      throw JOSEError(.tooLarge, "\(items.count) signatures are more than \(JOSELimits.signatures)")
    }
    unverifiedPayload = payload
    signatures = items.map { Self.signature($0, payloadText: payloadText, payload: payload) }
  }

  private static func signature(_ item: JSONItem, payloadText: String, payload: [UInt8]) -> Signature {
    guard item.kind == .object else {
      return Signature(jws: .failure(JOSEError(.structure, "a signature is an object")), unprotected: nil)
    }
    var unprotected: JSONItem?
    do {
      unprotected = try item.reading("header") { (json) throws(JSONError) in try json.optionalItem("header") }
      let (protected, signature) = try item.reading("a signature") { (json) throws(JSONError) in
        (try json.member("protected") as String, try json.member("signature") as String)
      }
      let jws = try JWS(protected: protected, payloadText: payloadText, payload: payload, signatureText: signature)
      if let unprotected { try requireDistinct(jws.header.json, unprotected) }
      return Signature(jws: .success(jws), unprotected: unprotected)
    } catch {
      return Signature(jws: .failure(error), unprotected: unprotected)
    }
  }

  /// Refuses a parameter in both headers, and one that must be protected.
  private static func requireDistinct(_ protected: JSONItem, _ unprotected: JSONItem) throws(JOSEError) {
    let names = try unprotected.reading("header") { (json) throws(JSONError) in Array(try json.members()).map(\.name) }
    let taken = Set(
      try protected.reading("header") { (json) throws(JSONError) in Array(try json.members()).map { ExactText($0.name) }
      })
    for name in names {
      if taken.contains(ExactText(name)) {
        throw JOSEError(
          .headerTwice, "a header parameter is both protected and unprotected",
          evidence: TerminalSafe.text(String(name.prefix(64))))
      }
      if name.isExactly("crit") { throw JOSEError(.criticalHeader, "'crit' is not allowed in the unprotected header") }
      if name.isExactly("b64") { throw JOSEError(.unencodedPayload, "'b64' is not allowed in the unprotected header") }
    }
  }

  /// Returns a general serialization with a signature with ES256 for each header.
  /// - Throws: A signer's error.
  package static func sign(
    _ payload: [UInt8], _ signers: [(header: JOSEHeaderDraft, signer: any ES256Signer)]
  ) throws -> JSONValue {
    let signatures = try signers.map { header, signer in
      let parts = try JWS.signedParts(payload, header: header, with: signer)
      return JSONValue(members: [("protected", .string(parts.protected)), ("signature", .string(parts.signature))])
    }
    return JSONValue(members: [("payload", .string(Base64URL.encode(payload))), ("signatures", .array(signatures))])
  }
}
