import JSON
import Primitives

extension JSONItem {
  /// Returns the time of a member with a NumericDate (RFC 7519, 2), or nil if the object lacks it. A fraction of a second is
  /// dropped.
  /// - Throws: ``JOSEError`` with code `jose.member` for another kind of value, null included, and for a time outside the
  ///   years 0 to 9999.
  package func dateMember(_ name: String) throws(JOSEError) -> DateTime? {
    guard try has(name) else { return nil }
    let spelling = try reading(name) { (json) throws(JSONError) in
      try json.members().first { $0.name.isExactly(name) }?.item.spelling() ?? ""
    }
    // An integer is read as one: a floating-point number has fewer digits.
    if let seconds = Int64(spelling), DateTime.writable.contains(seconds) { return DateTime(secondsSince1970: seconds) }
    guard let number = Double(spelling), number.isFinite, Self.writableNumbers.contains(number.rounded(.down)) else {
      throw JOSEError(.member, "'\(name)' is not a time in the years 0 to 9999")
    }
    return DateTime(secondsSince1970: Int64(number.rounded(.down)))
  }

  private static let writableNumbers = Double(DateTime.writable.lowerBound)...Double(DateTime.writable.upperBound)
}
