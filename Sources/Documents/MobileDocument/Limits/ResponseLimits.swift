import CBOR

/// Limits for a response and its documents. Responses are untrusted input: every element costs a digest, and every
/// finding its evidence, before the response is authenticated.
public enum ResponseLimits {
  /// The largest number of name spaces of a document. A document type has one to four.
  public static let nameSpaces = 32
  /// The largest number of returned, digested or authorized elements of a name space. Real documents have up to 123.
  public static let elements = 512
  /// The longest document type, name space or identifier, in bytes. Those of standards have fewer than fifty.
  public static let nameLength = 256
  /// The longest digest in bytes: that of SHA-512.
  public static let digestLength = 64

  static func count(_ count: Int, atMost limit: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count <= limit else { throw CBORError(.outOfBounds, at: offset, "\(count) \(what), more than \(limit)") }
  }

  /// Rejects an empty array or map that must have entries if the member is present (`+` in ISO/IEC 18013-5, 8.3.2).
  static func some(_ count: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count > 0 else { throw CBORError(.badValue, at: offset, "an empty list of \(what)") }
  }

  static func name(_ item: CBORItem) throws(CBORError) -> String {
    let name = try item.text()
    guard name.utf8.count <= nameLength else {
      throw CBORError(.outOfBounds, at: item.offset, "a name of \(name.utf8.count) bytes, more than \(nameLength)")
    }
    return name
  }

  /// Rejects names that are equal as text and differ in their Unicode encoding only: one element could hide another.
  static func distinct(_ names: [String], at offset: Int) throws(CBORError) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw CBORError(.badValue, at: offset, "two names differ only in their encoding")
    }
  }
}
