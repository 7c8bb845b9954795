import Primitives

extension SourceNode {
  /// A duration: a whole number and a unit, as in `250 ms`, `90 s`, `5 min`, `2 h`, `1 day` or `40 days`.
  ///
  /// Throws `source.wrong-type`, `source.bad-duration`, or `source.out-of-range` when it is not in `range`.
  public func duration(
    in range: ClosedRange<Duration> = .zero...SourceLimits.duration
  ) throws(SourceProblem) -> Duration {
    guard let scalar else { throw wrongType("a duration") }
    switch scalar.value {
    case .text(let text):
      let duration = try duration(of: text)
      guard range.contains(duration) else { throw outOfRange(range) }
      return duration
    case .integer(let amount) where amount >= 0:
      throw SourceProblem(.badDuration, "the duration \(amount) has no unit", at: position, suggestion: "\(amount) s")
    default: throw wrongType("a duration")
    }
  }

  private func duration(of text: String) throws(SourceProblem) -> Duration {
    let amount = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(amount.count).drop { $0 == " " }
    guard !amount.isEmpty, !unit.isEmpty else { throw badDuration("is not a whole number and a unit") }
    guard let known = DurationUnit.all.first(where: { $0.names.contains(String(unit)) }) else {
      let near = NearestName.of(String(unit), in: DurationUnit.all.flatMap(\.names))
      throw badDuration("has no known unit", suggestion: near.map { "\(amount) \($0)" })
    }
    // No such number overflows when multiplied by the longest unit.
    let longestAmount = 9
    let digits = amount.drop { $0 == "0" }
    guard digits.count <= longestAmount, let count = Int64(amount.suffix(longestAmount)) else {
      throw outOfRange(.zero...SourceLimits.duration)
    }
    return known.length * Int(count)
  }

  private func badDuration(_ clause: String, suggestion: String? = nil) -> SourceProblem {
    SourceProblem(
      .badDuration, "\(phrase) \(clause)", at: position, suggestion: suggestion,
      hint: "a duration is written as 250 ms, 90 s, 5 min, 2 h or 40 days")
  }

  private func outOfRange(_ range: ClosedRange<Duration>) -> SourceProblem {
    let (low, high) = (DurationUnit.text(range.lowerBound), DurationUnit.text(range.upperBound))
    return SourceProblem(.outOfRange, "\(phrase) is not between \(low) and \(high)", at: position)
  }
}

/// A unit of duration and its names, the printed one first.
public struct DurationUnit: Sendable {
  let names: [String]
  let length: Duration

  fileprivate static let all = [
    DurationUnit(names: ["ms", "millisecond", "milliseconds"], length: .milliseconds(1)),
    DurationUnit(names: ["s", "second", "seconds"], length: .seconds(1)),
    DurationUnit(names: ["min", "minute", "minutes"], length: .seconds(60)),
    DurationUnit(names: ["h", "hour", "hours"], length: .seconds(3600)),
    DurationUnit(names: ["days", "day"], length: .seconds(86_400)),
  ]

  /// Returns a duration in the longest unit of which it is a multiple, as files write it.
  public static func text(_ duration: Duration) -> String {
    guard duration != .zero else { return "0 s" }
    for unit in all.reversed() {
      let count = Int(exactly: (duration / unit.length).rounded())
      if let count, unit.length * count == duration { return "\(count) \(unit.names[0])" }
    }
    return "\(duration)"
  }
}

/// A point in time as written in a file: RFC 3339 in UTC, or a full date, which means its first second.
public struct UTCDate: Hashable, Sendable {
  /// The two ways of writing one.
  public enum Form: Hashable, Sendable {
    /// `2025-09-15T17:00:00Z`: whole seconds, a capital T and a capital Z.
    case dateTime
    /// `2025-09-15`.
    case fullDate
  }

  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSince1970: Int64
  /// The form in the file.
  public let form: Form

  /// Reads the text of a date between the years 1 and 9999.
  ///
  /// - Parameter problem: Makes a problem of the reason why a text is not exactly of one form, a clause that goes after
  ///   "the text 'x'": "is not a date…".
  /// - Throws: The problem.
  init(_ text: String, orThrow problem: (String) -> SourceProblem) throws(SourceProblem) {
    let bytes = Array(text.utf8)
    let isFullDate = bytes.count == 10
    guard isFullDate || bytes.count == Self.shape.count, Self.beginsLikeADate(bytes) else {
      throw problem(Self.refusal(ofShape: bytes))
    }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    guard year >= 1, let date = FullDate(year: year, month: month, day: day) else {
      throw problem(Self.refusal(year: year, month: month, day: day))
    }
    let (hour, minute, second) = isFullDate ? (0, 0, 0) : (number(11..<13), number(14..<16), number(17..<19))
    guard let moment = DateTime(date, hour: hour, minute: minute, second: second) else {
      throw problem(second == 60 ? "has a leap second, which no clock here has" : "has no such time of day")
    }
    form = isFullDate ? .fullDate : .dateTime
    secondsSince1970 = moment.secondsSince1970
  }

  private static let shape = Array("0000-00-00T00:00:00Z".utf8)

  /// Returns true if the bytes have the shape, as far as both go: a digit for each 0, and the same byte for all else.
  private static func beginsLikeADate(_ bytes: some Sequence<UInt8>) -> Bool {
    zip(bytes, shape).allSatisfy { byte, expected in expected == UInt8(ascii: "0") ? byte.isDigit : byte == expected }
  }

  private static func refusal(ofShape bytes: [UInt8]) -> String {
    let withoutZ = shape.count - 1
    if bytes.count >= withoutZ, beginsLikeADate(bytes.prefix(withoutZ)) {
      switch bytes.dropFirst(withoutZ).first {
      case UInt8(ascii: "+"), UInt8(ascii: "-"): return "is not in UTC; it must end in Z"
      case UInt8(ascii: "."): return "has a fraction of a second; whole seconds only"
      case nil: return "has no Z at its end"
      default: break
      }
    }
    return "is not a date such as 2025-09-15T17:00:00Z or 2025-09-15"
  }

  private static func refusal(year: Int, month: Int, day: Int) -> String {
    guard year >= 1 else { return "has the year 0, which is not in the calendar" }
    guard (1...12).contains(month) else { return "has the month \(month)" }
    let length = (28...31).last { FullDate(year: year, month: month, day: $0) != nil } ?? 28
    return "has the day \(day), and its month has \(length)"
  }
}

extension SourceNode {
  /// A date of either form, or of the one asked for. Throws `source.wrong-type` or `source.bad-date`.
  public func date(_ form: UTCDate.Form? = nil) throws(SourceProblem) -> UTCDate {
    guard let scalar, case .text(let text) = scalar.value else { throw wrongType("a date") }
    let date = try UTCDate(text) { SourceProblem(.badDate, "\(phrase) \($0)", at: position) }
    switch (form, date.form) {
    case (.dateTime, .fullDate):
      throw SourceProblem(.badDate, "\(phrase) has no time of day", at: position, suggestion: text + "T00:00:00Z")
    case (.fullDate, .dateTime):
      throw SourceProblem(.badDate, "\(phrase) has a time of day", at: position, suggestion: String(text.prefix(10)))
    default: return date
    }
  }
}
