import CBOR

/// How large a response and a document in it may be. A stranger can send a response to a session of their own, and
/// every element costs a digest, every finding its evidence, before anything is known to be genuine.
public enum ResponseLimits {
  /// Most name spaces of a document: a document type has one to four.
  public static let nameSpaces = 32
  /// Most elements of a name space that are returned, digested or authorized: 123 is the most that was seen.
  public static let elements = 512
  /// Longest document type, name space or identifier in bytes: the longest of a standard has fewer than fifty.
  public static let nameLength = 256
  /// Longest digest in bytes: that of SHA-512.
  public static let digestLength = 64

  static func count(_ count: Int, atMost limit: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count <= limit else { throw CBORError(.outOfBounds, at: offset, "\(count) \(what), more than \(limit)") }
  }

  /// Refuses nothing where there must be something, or nobody writes the member at all (`+` in ISO/IEC 18013-5, 8.3.2).
  static func some(_ count: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count > 0 else { throw CBORError(.badValue, at: offset, "no \(what), where some are or the member is not") }
  }

  static func name(_ item: CBORItem) throws(CBORError) -> String {
    let name = try item.text()
    guard name.utf8.count <= nameLength else {
      throw CBORError(.outOfBounds, at: item.offset, "a name of \(name.utf8.count) bytes, more than \(nameLength)")
    }
    return name
  }

  /// Refuses names that are the same text to people and to Swift and differ in their encoding only: two spellings of
  /// one element would let one hide the other.
  static func distinct(_ names: [String], at offset: Int) throws(CBORError) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw CBORError(.badValue, at: offset, "two names differ in their encoding only")
    }
  }
}
