import CBOR
import Primitives

/// The type of a data element's CBOR value (ISO/IEC 18013-5, 7.2.1 and its successors).
package enum DataElementType: Sendable, Equatable {
  /// Text of Latin-1 characters, at most 150 of them.
  case latinText
  /// Text.
  case text
  /// `full-date`: tag 1004 around `YYYY-MM-DD`.
  case fullDate
  /// `tdate` or `full-date`.
  case date
  /// `tdate`: tag 0 around a time in UTC.
  case dateTime
  /// An unsigned integer.
  case unsigned
  /// True or false.
  case boolean
  /// A picture in JPEG or JPEG 2000.
  case picture
  /// Bytes.
  case bytes
  /// Two upper-case letters of ISO 3166-1.
  case countryCode
  /// A subdivision of ISO 3166-2.
  case subdivisionCode
  /// One of a list of words.
  case oneOf([String])
  /// `DrivingPrivileges` (7.2.4).
  case drivingPrivileges
  /// An array of values of one type.
  case array(of: Simple)
  /// A structure that is not checked further.
  case structure

  /// Types of the items of arrays.
  package enum Simple: Sendable, Equatable {
    /// Two upper-case letters of ISO 3166-1.
    case countryCode
    /// Anything.
    case any
  }

  /// Returns what is wrong with a value, as the predicate of a message, or nil if the value has this type.
  package func problem(with value: CBORValue) -> String? { dateFault(in: value)?.message ?? typeProblem(with: value) }

  private func typeProblem(with value: CBORValue) -> String? {
    switch self {
    case .latinText: Self.latinProblem(value)
    case .text: if case .text = value { nil } else { "is not text" }
    case .fullDate: Self.fullDateProblem(value)
    case .date: Self.fullDateProblem(value) == nil ? nil : Self.dateTimeProblem(value).map { _ in "is not a date" }
    case .dateTime: Self.dateTimeProblem(value)
    case .unsigned: if case .unsigned = value { nil } else { "is not an unsigned integer" }
    case .boolean: if case .boolean = value { nil } else { "is neither true nor false" }
    case .picture: Self.pictureProblem(value)
    case .bytes: if case .bytes = value { nil } else { "is not a byte string" }
    case .countryCode: Self.isCountryCode(value) ? nil : "is not a country code of two upper-case letters"
    case .subdivisionCode: Self.isSubdivisionCode(value) ? nil : "is not a subdivision code, for example US-CA"
    case .oneOf(let words):
      if case .text(let word) = value, words.contains(word) {
        nil
      } else {
        "is not one of \(words.joined(separator: ", "))"
      }
    case .drivingPrivileges: Self.privilegesProblem(value)
    case .array(let item): Self.arrayProblem(value, of: item)
    case .structure: nil
    }
  }

  private static func latinProblem(_ value: CBORValue) -> String? {
    guard case .text(let text) = value else { return "is not text" }
    // A text has at least as many bytes in UTF-8 as characters.
    if text.utf8.count > 150, text.unicodeScalars.count > 150 { return "is longer than 150 characters" }
    // U+0080 to U+00FF begin with 0xC2 or 0xC3 in UTF-8, and every later character with more.
    let bytes = text.utf8.span
    for place in bytes.indices where bytes[place] > 0xc3 { return "has characters outside Latin-1" }
    return nil
  }

  private static func fullDateProblem(_ value: CBORValue) -> String? {
    if case .tagged(1004, .text(let text)) = value, FullDate(text) != nil { return nil }
    return "is not a full-date (tag 1004 around YYYY-MM-DD)"
  }

  private static func dateTimeProblem(_ value: CBORValue) -> String? {
    if case .tagged(0, .text(let text)) = value, let parsed = DateTime.parse(text), parsed.deviations.isEmpty {
      return nil
    }
    return "is not a tdate (tag 0 around a time in UTC)"
  }

  private static func pictureProblem(_ value: CBORValue) -> String? {
    guard case .bytes(let bytes) = value else { return "is not a byte string" }
    return PictureFormat(of: bytes) == nil ? "is neither JPEG nor JPEG 2000" : nil
  }

  private static func isCountryCode(_ value: CBORValue) -> Bool {
    guard case .text(let text) = value else { return false }
    return text.utf8.count == 2 && text.utf8.allSatisfy { (65...90).contains($0) }
  }

  private static func isSubdivisionCode(_ value: CBORValue) -> Bool {
    guard case .text(let text) = value else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && isCountryCode(.text(String(parts[0]))) && (1...3).contains(parts[1].utf8.count)
  }

  private static func arrayProblem(_ value: CBORValue, of item: Simple) -> String? {
    guard case .array(let items) = value else { return "is not an array" }
    return item == .any || items.allSatisfy(isCountryCode) ? nil : "has an item that is not a country code"
  }

  private static func privilegesProblem(_ value: CBORValue) -> String? {
    guard case .array(let privileges) = value else { return "is not an array of driving privileges" }
    for privilege in privileges {
      guard case .map(let entries) = privilege else { return "has an item that is not a driving privilege" }
      guard entries.contains(where: { $0.key == .text("vehicle_category_code") }) else {
        return "has a driving privilege without vehicle_category_code"
      }
      for entry in entries {
        switch entry.key {
        case .text("vehicle_category_code"):
          guard case .text = entry.value else { return "has a vehicle_category_code that is not text" }
        case .text("issue_date"), .text("expiry_date"):
          if fullDateProblem(entry.value) != nil { return "has a driving privilege with a malformed date" }
        default: continue
        }
      }
    }
    return nil
  }
}

extension DataElementType {
  /// An error of a date itself, independent of its encoding. A verifier refuses it, while it accepts a missing tag.
  enum DateFault: Sendable, Equatable {
    /// The day or time does not exist, or a tagged value is not a date.
    case impossible
    /// A time with another offset than `Z`.
    case offset

    /// A human-readable description of the error, as the predicate of a message about the element.
    var message: String {
      switch self {
      case .impossible: "is not an existing date"
      case .offset: "is not in UTC"
      }
    }
  }

  /// Returns the error of a date in a value of this type, or nil.
  func dateFault(in value: CBORValue) -> DateFault? {
    switch self {
    case .fullDate, .date, .dateTime:
      if case .text(let text) = value { Self.fault(of: text, isTagged: false) } else { Self.dateFault(inside: value) }
    case .drivingPrivileges, .structure: Self.dateFault(inside: value)
    default: nil
    }
  }

  /// Checks tagged dates, and the members that are dates without a tag.
  private static func dateFault(inside value: CBORValue) -> DateFault? {
    switch value {
    case .tagged(0, .text(let text)), .tagged(1004, .text(let text)): return fault(of: text, isTagged: true)
    case .array(let items): return items.lazy.compactMap(dateFault(inside:)).first
    case .map(let entries):
      return entries.lazy.compactMap { entry in
        switch (entry.key, entry.value) {
        case (.text("issue_date"), .text(let text)), (.text("expiry_date"), .text(let text)):
          fault(of: text, isTagged: false)
        default: dateFault(inside: entry.value)
        }
      }.first
    default: return nil
    }
  }

  private static func fault(of text: String, isTagged: Bool) -> DateFault? {
    if FullDate(text) != nil { return nil }
    if let parsed = DateTime.parse(text) { return parsed.deviations.contains(.offset) ? .offset : nil }
    return isTagged || isImpossible(text) ? .impossible : nil
  }

  /// Returns whether a text has the form of a date or time that does not exist.
  private static func isImpossible(_ text: String) -> Bool {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
      reader.take("-"), let day = reader.number(digits: 2)
    else { return false }
    if FullDate(year: year, month: month, day: day) == nil { return true }
    guard reader.takeOne(of: "T", "t", " ") != nil, let hour = reader.number(digits: 2), reader.take(":"),
      let minute = reader.number(digits: 2)
    else { return false }
    let second = reader.take(":") ? reader.number(digits: 2) ?? 0 : 0
    return hour > 23 || minute > 59 || second > 59
  }
}
