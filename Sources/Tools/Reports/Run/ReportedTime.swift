import JSON

/// An amount of time in a report, in nanoseconds. In JSON it is a number of seconds.
public struct ReportedTime: Sendable, Hashable, Comparable {
  /// The nanoseconds.
  public var nanoseconds: Int64

  /// No time.
  static let zero = Self(nanoseconds: 0)

  /// Creates an amount.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The whole nanoseconds of a duration.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: Self.nanosecondsInSecond)
    nanoseconds = overflows ? .max : whole &+ attoseconds / Self.nanosecondsInSecond
  }

  /// A wall clock's time, rounded down to microseconds: more digits would only be noise.
  public init(wallClock duration: Duration) {
    let time = Self(duration)
    self.init(nanoseconds: time.nanoseconds / 1000 * 1000)
  }

  /// Returns the sum, or the longest amount: the times of a report may be anybody's.
  static func + (first: Self, second: Self) -> Self {
    let (sum, overflows) = first.nanoseconds.addingReportingOverflow(second.nanoseconds)
    return Self(nanoseconds: overflows ? .max : sum)
  }

  /// Shorter before longer.
  public static func < (first: Self, second: Self) -> Bool { first.nanoseconds < second.nanoseconds }

  /// The seconds in decimal, with at most `digits` digits after the point and no zeros at the end.
  func seconds(digits: Int = fractionDigits) -> String {
    let magnitude = nanoseconds.magnitude
    let nanosecondsInSecond = UInt64(Self.nanosecondsInSecond)
    let fraction = String(magnitude % nanosecondsInSecond)
    var text = String(repeating: "0", count: Self.fractionDigits - fraction.count) + fraction
    text = String(text.prefix(digits))
    while text.last == "0" { text.removeLast() }
    let whole = (nanoseconds < 0 ? "-" : "") + String(magnitude / nanosecondsInSecond)
    return text.isEmpty ? whole : whole + "." + text
  }

  private static let nanosecondsInSecond: Int64 = 1_000_000_000
  private static let fractionDigits = 9
}

extension ReportedTime: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.spelled(seconds()) }

  /// - Throws: ``JSONError``, with ``JSONError/Code/badValue`` for a negative number, an exponent, more than nine digits
  ///   after the point, or more than 292 years.
  package init(json: JSONItem) throws(JSONError) {
    let parts = try json.spelling().split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : ""
    let padding = String(repeating: "0", count: max(0, Self.fractionDigits - fraction.count))
    // Whole seconds and nine digits after the point are the nanoseconds.
    guard parts.count <= 2, fraction.count <= Self.fractionDigits,
      let nanoseconds = Int64(parts[0] + fraction + padding),
      nanoseconds >= 0
    else { throw json.error("expected seconds with at most nine digits after the point") }
    self.init(nanoseconds: nanoseconds)
  }
}
