import FoundationEssentials

/// A date and time in UTC, to the second, in the form of `tdate`: `2025-09-15T17:00:00Z` (ISO/IEC 18013-5, 7.2.1).
public struct DateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSince1970: Int64

  /// Creates a time from seconds since 1970.
  public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// Creates a time from Foundation's date, without fractions. A date outside the years 0 to 9999 becomes the nearest
  /// representable time.
  public init(_ date: Date) {
    let (earliest, latest) = (TimeInterval(Self.writable.lowerBound), TimeInterval(Self.writable.upperBound))
    let seconds = min(latest, max(earliest, date.timeIntervalSince1970.rounded(.down)))
    self.init(secondsSince1970: Int64(seconds))
  }

  /// Creates a time of a day in UTC, or nil if the day has no such time. Leap seconds are not represented.
  public init?(_ day: FullDate, hour: Int, minute: Int, second: Int) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
    self.init(secondsSince1970: Int64(day.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second))
  }

  /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z in seconds since 1970: the times that can be written.
  package static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// The time as Foundation's date.
  public var date: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }

  /// A departure from `tdate` that a text may still have.
  public enum Deviation: String, Sendable {
    /// Fractional seconds, which are dropped.
    case fraction = "date.fraction"
    /// An offset other than `Z`.
    case offset = "date.offset"
    /// A `t` or `z` in lower case, which only RFC 3339 allows.
    case lowerCase = "date.lower-case"
  }

  /// Reads RFC 3339. Fractions, offsets and lower-case letters are accepted and reported.
  /// - Returns: The time and its deviations, or nil if the text is not an existing date and time.
  public static func parse(_ text: String) -> (moment: DateTime, deviations: [Deviation])? {
    var reader = DigitReader(text)
    guard let day = FullDate(reading: &reader), let separator = reader.takeOne(of: "T", "t"),
      let hour = reader.number(digits: 2), reader.take(":"), let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2), let local = DateTime(day, hour: hour, minute: minute, second: second)
    else { return nil }
    var deviations: [Deviation] = []
    var hasLowerCase = separator == "t"
    if reader.take(".") {
      guard reader.skipDigits() > 0 else { return nil }
      deviations.append(.fraction)
    }
    var offsetSeconds = 0
    if let letter = reader.takeOne(of: "Z", "z") {
      hasLowerCase = hasLowerCase || letter == "z"
    } else {
      let isNegative = reader.take("-")
      guard isNegative || reader.take("+"), let hours = reader.number(digits: 2), hours < 24, reader.take(":"),
        let minutes = reader.number(digits: 2), minutes < 60
      else { return nil }
      offsetSeconds = (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
      deviations.append(.offset)
    }
    guard reader.isAtEnd else { return nil }
    if hasLowerCase { deviations.append(.lowerCase) }
    let moment = local.adding(seconds: Int64(-offsetSeconds))
    // An offset can lead out of the representable years.
    guard (0...9999).contains(moment.day.year) else { return nil }
    return (moment, deviations)
  }

  /// The time in the form of `tdate`.
  public var description: String {
    let (day, second) = dayAndSecond
    var writer = DigitWriter()
    FullDate(daysSince1970: day).write(to: &writer)
    writer.write("T")
    writer.write(second / 3600, width: 2)
    writer.write(":")
    writer.write(second / 60 % 60, width: 2)
    writer.write(":")
    writer.write(second % 60, width: 2)
    writer.write("Z")
    return writer.text
  }

  /// Orders earlier times first.
  public static func < (left: DateTime, right: DateTime) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

  /// Returns the time that is a number of seconds later.
  public func adding(seconds: Int64) -> DateTime { DateTime(secondsSince1970: secondsSince1970 + seconds) }

  /// Returns the time that is a number of 24-hour days later.
  public func adding(days: Int) -> DateTime { adding(seconds: Int64(days) * 86_400) }

  /// The day in UTC.
  public var day: FullDate { FullDate(daysSince1970: dayAndSecond.day) }

  /// Whole days since 1970, rounded down, and the seconds into the day.
  private var dayAndSecond: (day: Int, second: Int) {
    let (quotient, remainder) = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    return remainder < 0 ? (Int(quotient) - 1, Int(remainder) + 86_400) : (Int(quotient), Int(remainder))
  }
}

/// A day of the Gregorian calendar, in the form of `full-date`: `1990-01-31` (RFC 8943).
public struct FullDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Year, 0 to 9999.
  public let year: Int
  /// Month, 1 to 12.
  public let month: Int
  /// Day of the month, from 1.
  public let day: Int

  /// Creates a day, or nil if it does not exist.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysInMonth(month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `YYYY-MM-DD`.
  /// - Returns: The day, or nil if the text is not an existing day.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    self.init(reading: &reader)
    guard reader.isAtEnd else { return nil }
  }

  init?(reading reader: inout DigitReader) {
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
      reader.take("-"), let day = reader.number(digits: 2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Creates the day that is a number of days after 1970-01-01.
  init(daysSince1970: Int) {
    // Civil-from-days: years start in March, so that the leap day is the last day of a year.
    let shifted = daysSince1970 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day as `YYYY-MM-DD`.
  public var description: String {
    var writer = DigitWriter()
    write(to: &writer)
    return writer.text
  }

  fileprivate func write(to writer: inout DigitWriter) {
    writer.write(year, width: 4)
    writer.write("-")
    writer.write(month, width: 2)
    writer.write("-")
    writer.write(day, width: 2)
  }

  /// Orders earlier days first.
  public static func < (left: FullDate, right: FullDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Returns the full years from this day to another: the age of a person born on this day.
  public func years(until other: FullDate) -> Int {
    let hadBirthday = (other.month, other.day) >= (month, day)
    return other.year - year - (hadBirthday ? 0 : 1)
  }
}

/// Writes numbers in decimal digits with leading zeros.
private struct DigitWriter {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity("0000-00-00T00:00:00Z".utf8.count) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func write(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  mutating func write(_ number: Int, width: Int) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    // Years outside 0 to 9999 are written as they are.
    guard (0..<10 * divisor).contains(number) else {
      let digits = String(number).utf8
      for _ in 0..<max(0, width - digits.count) { write("0") }
      bytes.append(contentsOf: digits)
      return
    }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

/// Reads fixed-width decimal numbers from ASCII text.
package struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ text: String) { bytes = Array(text.utf8) }

  package var isAtEnd: Bool { position == bytes.count }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = next, digit.isDigit else { return nil }
      position += 1
      value = value * 10 + Int(digit - 48)
    }
    return value
  }

  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes the next character if it is one of those given; returns nil otherwise.
  package mutating func takeOne(of characters: Unicode.Scalar...) -> Unicode.Scalar? { characters.first { take($0) } }

  package mutating func skipDigits() -> Int {
    let start = position
    while let next, next.isDigit { position += 1 }
    return position - start
  }
}
