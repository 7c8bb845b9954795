import JSON
import Primitives

/// Reading of the texts that JOSE objects consist of.
package enum JOSEText {
  /// Reads a JSON object strictly: a member that is repeated, also in other characters, and a NUL in a string are refused.
  /// - Parameter name: The name of the object, for messages.
  /// - Throws: ``JOSEError`` with code `jose.json`.
  package static func object(
    _ bytes: [UInt8], name: String, limits: JSONLimits = .message
  ) throws(JOSEError) -> JSONItem {
    let item: JSONItem
    do {
      item = try JSONReader.item(bytes, limits: limits)
    } catch {
      let isLarge = error.code == .tooLarge
      throw JOSEError(
        isLarge ? .tooLarge : .json, "\(name) is not JSON within its rules: \(error.message)",
        evidence: error.code.rawValue, at: error.location)
    }
    guard item.kind == .object else { throw JOSEError(.json, "\(name) is not a JSON object", evidence: item.kind.text) }
    guard !hasEscapedNUL(bytes) else { throw JOSEError(.json, "\(name) has a NUL in a string, which no member has") }
    return item
  }

  /// Returns whether a JSON text has the escape sequence of NUL. Other forms of NUL in a string are a syntax error.
  private static func hasEscapedNUL(_ bytes: [UInt8]) -> Bool {
    var place = 0
    let nul = Array("u0000".utf8)
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      if bytes[(place + 1)...].prefix(nul.count).elementsEqual(nul) { return true }
      place += 2
    }
    return false
  }

  /// Decodes a part in base64url.
  /// - Throws: ``JOSEError`` with code `jose.encoding`.
  package static func decode(_ part: some StringProtocol, name: String) throws(JOSEError) -> [UInt8] {
    let text = String(part)
    guard let bytes = Base64URL.decode(text) else {
      throw JOSEError(.encoding, "\(name) \(Base64URL.violation(in: text) ?? "is not base64url")")
    }
    return bytes
  }

  /// Splits a compact serialization at its dots.
  /// - Throws: ``JOSEError`` for another number of parts.
  static func parts(_ text: String, count: Int, name: String) throws(JOSEError) -> [Substring] {
    guard text.utf8.count <= JOSELimits.bytes else {
      throw JOSEError(.tooLarge, "\(name) has \(text.utf8.count) bytes, more than \(JOSELimits.bytes)")
    }
    // One more part than expected shows that there are too many; the rest need not be split.
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: count, omittingEmptySubsequences: false)
    guard parts.count == count else {
      let found = parts.count > count ? "more" : String(parts.count)
      throw JOSEError(.structure, "\(name) has \(count) parts with dots between them; found \(found)")
    }
    return parts.map { Substring($0) }
  }
}

extension JSONItem {
  /// Runs a reading of members, with its error as one of JOSE.
  package func reading<Value>(
    _ name: String, _ body: (JSONItem) throws(JSONError) -> Value
  ) throws(JOSEError) -> Value {
    do { return try body(self) } catch {
      throw JOSEError(.member, "\(name): \(error.message)", evidence: error.code.rawValue, at: error.location)
    }
  }
}
