import CBOR
import Primitives

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
