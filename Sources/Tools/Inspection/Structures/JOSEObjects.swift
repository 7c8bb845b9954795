import Certificates
import JOSE
import JSON
import Primitives
import SDJWT

/// Signed and encrypted objects in JSON: compact serializations, and SD-JWTs.
extension Outline {
  /// Returns whether a text has the form of a compact serialization: a header that is an object, and dots.
  static func isJOSE(_ text: String) -> Bool { text.hasPrefix("ey") && text.contains(".") }

  /// Writes a compact serialization of a signed or encrypted object, or an SD-JWT.
  /// - Throws: ``InspectionFailure`` for another text. Nothing is written then.
  mutating func jose(_ text: String) throws(InspectionFailure) {
    guard canNest else { throw InspectionFailure("nested deeper than \(Self.maximumLevel) levels") }
    guard Self.isJOSE(text) else { throw InspectionFailure("no text of parts with dots between them") }
    if text.contains("~") { return try sdJWT(text) }
    let parts = Self.parts(of: text, at: ".")
    switch parts.count {
    case 3: try jws(text)
    case 5: try jwe(text, parts)
    default: throw InspectionFailure("\(parts.count.counted("part")) instead of three or five")
    }
  }

  private static func parts(of text: String, at separator: Character) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  private mutating func jws(_ text: String) throws(InspectionFailure) {
    let parts = Self.parts(of: text, at: ".")
    guard parts.count == 3 else { throw InspectionFailure("\(parts.count.counted("part")) instead of three") }
    try under("signed object, JWS in compact serialization") { (inside) throws(InspectionFailure) in
      try inside.part("header", parts[0])
      inside.partOrText("payload", parts[1])
      inside.line("signature: \((Base64URL.decode(parts[2])?.count ?? 0).counted("byte"))")
      inside.judgement(of: text)
    }
  }

  /// Says whether a signature verifies with the object's own certificate, which proves no trust.
  private mutating func judgement(of text: String) {
    do throws(JOSEError) {
      let jws = try JWS(compact: text)
      guard let encoded = jws.header.x5c?.first, let leaf = try? CertificateChain.read([encoded]).first else {
        return line("well-formed: the signer's key is not in the object")
      }
      let isGood = (try? jws.verify(with: leaf.verificationKey())) != nil
      line(
        isGood
          ? "the signature verifies with the certificate in x5c"
          : "would be refused: the signature does not verify with the certificate in x5c")
    } catch {
      line("would be refused: \(Printed.onOneLine(error.message)) (\(error.code.rawValue))")
    }
  }

  private mutating func jwe(_ text: String, _ parts: [String]) throws(InspectionFailure) {
    try under("encrypted object, JWE in compact serialization") { (inside) throws(InspectionFailure) in
      try inside.part("header", parts[0])
      for (name, part) in zip(["encrypted key", "initialization vector", "ciphertext", "tag"], parts.dropFirst()) {
        inside.line("\(name): \(part.isEmpty ? "empty" : (Base64URL.decode(part)?.count ?? 0).counted("byte"))")
      }
      do throws(JOSEError) {
        let jwe = try JWE(compact: text)
        guard let key = inside.recipientKey else {
          return inside.line("well-formed: decryption needs the recipient's private key")
        }
        let content = try jwe.decrypt(with: key)
        inside.decrypted(content) { (inside) throws(InspectionFailure) in
          inside.json(try Self.readJSON(content), of: content)
        }
      } catch {
        inside.line("would be refused: \(Printed.onOneLine(error.message)) (\(error.code.rawValue))")
      }
    }
  }

  private mutating func sdJWT(_ text: String) throws(InspectionFailure) {
    let parts = Self.parts(of: text, at: "~")
    let binding = parts.last ?? ""
    try under("SD-JWT\(binding.isEmpty ? "" : " with key binding") (RFC 9901)") {
      (inside) throws(InspectionFailure) in
      try inside.under("issuer-signed JWT") { (inside) throws(InspectionFailure) in try inside.jws(parts[0]) }
      for (place, disclosure) in parts.dropFirst().dropLast().enumerated() {
        inside.partOrText("disclosure \(place)", disclosure)
      }
      if !binding.isEmpty {
        try inside.under("key binding JWT") { (inside) throws(InspectionFailure) in try inside.jws(binding) }
      }
      inside.judgement(ofSDJWT: text)
    }
  }

  private mutating func judgement(ofSDJWT text: String) {
    do {
      let received = try UnverifiedSDJWT(compact: text)
      let payload = try JOSEText.object(received.issuerJWT.unverifiedPayload, name: "the payload")
      _ = try DisclosedClaims(payload, disclosures: received.disclosures)
      line("each disclosure belongs to one digest")
    } catch let error as SDJWTError {
      line("would be refused: \(Printed.onOneLine(error.message)) (\(error.code.rawValue))")
    } catch {
      line("would be refused: \(Printed.onOneLine("\(error)"))")
    }
  }

  /// Writes a part in base64url that is JSON.
  private mutating func part(_ name: String, _ text: String) throws(InspectionFailure) {
    guard let bytes = Base64URL.decode(text) else { throw InspectionFailure("\(name) is not base64url") }
    let value = try Self.readJSON(bytes)
    under("\(name): \(bytes.count.counted("byte")) of JSON") { $0.within(bytes) { $0.json(value, of: bytes) } }
  }

  /// Writes a part in base64url that is JSON, or the text of another part.
  private mutating func partOrText(_ name: String, _ text: String) {
    if (try? part(name, text)) == nil { line("\(name): \(Printed.quoted(text, full: isFull))") }
  }
}
