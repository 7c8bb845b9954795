import CBOR
import Primitives

extension DataElementType {
  /// What is wrong with a date by itself, however it is written: a verifier refuses it, where it lets pass that a tag is
  /// missing.
  enum DateFault: Sendable, Equatable {
    /// No such day or time exists, or a tag calls something a date that is none.
    case impossible
    /// A time with another offset than `Z`.
    case offset

    /// What is wrong, to go behind the name of what it is wrong with.
    var sentence: String {
      switch self {
      case .impossible: "is no date that exists"
      case .offset: "is not in UTC"
      }
    }
  }

  /// What is wrong with a date that a value of this type is or holds; nil when nothing is, or there is none.
  func dateFault(in value: CBORValue) -> DateFault? {
    switch self {
    case .fullDate, .date, .dateTime:
      if case .text(let text) = value { Self.fault(of: text, isTagged: false) } else { Self.dateFault(inside: value) }
    case .drivingPrivileges, .structure: Self.dateFault(inside: value)
    default: nil
    }
  }

  /// Looks at what stands in the tag of a date, and at the members that are dates without one.
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

  /// Whether a text is written as a day or a moment and there is none such.
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
