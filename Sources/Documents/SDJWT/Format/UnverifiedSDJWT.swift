import JOSE
import JSON
import Primitives

/// An SD-JWT with or without key binding as received (RFC 9901, 4). Trust nothing in it before ``SDJWTVerifier`` has
/// verified it.
public struct UnverifiedSDJWT: Sendable {
  /// The issuer-signed JWT.
  public let issuerJWT: JWS
  /// The disclosures in the order received.
  public let disclosures: [Disclosure]
  /// The key binding JWT; nil without key binding.
  public let keyBindingJWT: JWS?
  /// Everything up to and including the last tilde, which `sd_hash` covers (RFC 9901, 4.3.1).
  public let presentedText: String

  /// Reads the compact serialization. The last tilde decides whether there is key binding.
  /// - Throws: ``SDJWTError``.
  public init(compact text: String) throws(SDJWTError) {
    guard text.utf8.count <= SDJWTLimits.bytes else {
      throw SDJWTError(.tooLarge, "an SD-JWT has \(text.utf8.count) bytes, more than \(SDJWTLimits.bytes)")
    }
    let most = SDJWTLimits.disclosures + 2
    let parts = text.utf8.split(separator: UInt8(ascii: "~"), maxSplits: most, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      throw SDJWTError(.structure, "the text has no tilde: it is not an SD-JWT")
    }
    guard parts.count <= most else {
      throw SDJWTError(.tooLarge, "the SD-JWT has more than \(SDJWTLimits.disclosures) disclosures")
    }
    issuerJWT = try Self.jws(first, .issuerJWT, "the issuer-signed JWT")
    keyBindingJWT = last.isEmpty ? nil : try Self.jws(last, .keyBindingJWT, "the key binding JWT")
    disclosures = try parts.dropFirst().dropLast().enumerated().map { (place, text) throws(SDJWTError) in
      try Disclosure(text, at: place)
    }
    presentedText = String(text.dropLast(last.count))
  }

  /// Reads the JSON serialization (RFC 9901, 8): the disclosures and the key binding JWT are in the first unprotected
  /// header. `sd_hash` covers the compact form of the same parts.
  /// - Throws: ``SDJWTError``.
  package init(json: JSONItem, form: JWSJSONSerialization.Form) throws(SDJWTError) {
    do {
      let object = try JWSJSONSerialization(json: json, form: form)
      for other in object.signatures.dropFirst() {
        for name in ["disclosures", "kb_jwt"] where try other.unprotected?.has(name) == true {
          throw SDJWTError(.structure, "'\(name)' belongs to the header of the first signature alone")
        }
      }
      let first = object.signatures[0]
      guard let header = first.unprotected else {
        throw SDJWTError(.structure, "the first signature has no unprotected header with disclosures")
      }
      let texts = try header.reading("disclosures") { (json) throws(JSONError) in
        try json.member("disclosures") as [String]
      }
      let binding = try header.reading("kb_jwt") { (json) throws(JSONError) in
        try json.optionalMember("kb_jwt") as String?
      }
      let jws = try first.jws.get()
      try self.init(compact: ([jws.compact] + texts + [binding ?? ""]).joined(separator: "~"))
    } catch let error as SDJWTError {
      throw error
    } catch {
      throw SDJWTError(.structure, "the JSON serialization is malformed: \(error)")
    }
  }

  private static func jws(_ text: String, _ code: SDJWTErrorCode, _ name: String) throws(SDJWTError) -> JWS {
    do { return try JWS(compact: text) } catch {
      throw SDJWTError(code, "\(name) is malformed: \(error.message)", evidence: error.code.rawValue)
    }
  }
}
