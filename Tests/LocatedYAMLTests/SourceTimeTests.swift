import Testing

@testable import LocatedYAML

@Suite struct SourceTimeTests: SourceSuite {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01", 0), ("2025-09-15T17:00:00Z", 1_757_955_600),
      ("2025-09-15", 1_757_894_400), ("2000-02-29", 951_782_400), ("2024-02-29T23:59:59Z", 1_709_251_199),
      ("1969-12-31T23:59:59Z", -1), ("1900-03-01", -2_203_891_200), ("2038-01-19T03:14:08Z", 2_147_483_648),
      ("0001-01-01", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Int64)])
  func dates(text: String, seconds: Int64) throws {
    let date = try value(text) { try $0.date() }
    #expect(date.secondsSince1970 == seconds)
    #expect(date.form == (text.contains("T") ? .dateTime : .fullDate))
  }

  /// The calendar repeats after 400 years, which are 146 097 days.
  @Test func everyDayFollowsTheOneBefore() throws {
    var expected = try date("1800-01-01").secondsSince1970
    let start = expected
    func date(_ text: String) throws -> UTCDate {
      try UTCDate(text) { SourceProblem(.badDate, $0, path: "a.yaml") }
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    for year in 1800..<2200 {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = try? date("\(year)-\(two(month))-\(two(day))") else { continue }
          if date.secondsSince1970 != expected { Issue.record("\(year)-\(month)-\(day)") }
          expected += 86_400
        }
      }
    }
    #expect(expected - start == 146_097 * 86_400)
  }

  @Test(arguments: [
    ("2025-09-15t17:00:00z", "is not a date such as"), ("2025-09-15 17:00:00Z", "is not a date such as"),
    ("2025-9-15", "is not a date such as"), ("25-09-15", "is not a date such as"),
    ("2025-09-15Z", "is not a date such as"),
    ("2025-09-15T17:00Z", "is not a date such as"), ("2025-13-01", "has the month 13"),
    ("2025-00-01", "has the month 0"),
    ("2025-02-29", "has the day 29, and its month has 28"), ("1900-02-29", "has the day 29, and its month has 28"),
    ("2025-04-31", "has the day 31, and its month has 30"), ("2025-01-00", "has the day 0"),
    ("0000-01-01", "has the year 0"),
    ("2025-09-15T24:00:00Z", "has no such time of day"), ("2025-09-15T23:60:00Z", "has no such time of day"),
    ("2016-12-31T23:59:60Z", "has a leap second"), ("2025-09-15T17:00:00+02:00", "is not in UTC; it must end in Z"),
    ("2025-09-15T17:00:00.5Z", "has a fraction of a second"), ("2025-09-15T17:00:00", "has no Z at its end"),
    ("2025-09-15T17:00:00ZZ", "is not a date such as"), ("٢٠٢٥-09-15", "is not a date such as"),
    ("soon", "is not a date"),
  ])
  func notDates(text: String, clause: String) throws {
    let problem = try problem(text) { try $0.date() }
    #expect(problem.code == .badDate)
    #expect(problem.message.hasPrefix("the text '\(text)' \(clause)"))
  }

  @Test func datesOfTheFormAskedFor() throws {
    #expect(try value("2025-09-15") { try $0.date(.fullDate) }.form == .fullDate)
    #expect(try problem("2025-09-15") { try $0.date(.dateTime) }.suggestion == "2025-09-15T00:00:00Z")
    #expect(try problem("2025-09-15T17:00:00Z") { try $0.date(.fullDate) }.suggestion == "2025-09-15")
    #expect(try problem("2025") { try $0.date() }.message == "expected a date, found the number 2025")
    #expect(try problem("[]") { try $0.date() }.code == .wrongType)
  }

  @Test(
    arguments: [
      ("250 ms", .milliseconds(250)), ("1 millisecond", .milliseconds(1)), ("90 s", .seconds(90)),
      ("1 second", .seconds(1)),
      ("90 seconds", .seconds(90)), ("5 min", .seconds(300)), ("1 minute", .seconds(60)), ("2 minutes", .seconds(120)),
      ("2 h", .seconds(7200)), ("1 hour", .seconds(3600)), ("3 hours", .seconds(10_800)), ("1 day", .seconds(86_400)),
      ("40 days", .seconds(3_456_000)), ("90s", .seconds(90)), ("'007 s'", .seconds(7)), ("0 s", .zero),
      ("36525 days", SourceLimits.duration),
    ] as [(String, Duration)])
  func durations(text: String, duration: Duration) throws {
    #expect(try value(text) { try $0.duration() } == duration)
  }

  @Test(
    arguments: [
      ("90", .badDuration, "90 s"), ("90 sek", .badDuration, nil), ("90 secs", .badDuration, nil),
      ("90 secnds", .badDuration, "90 seconds"), ("2 Hours", .badDuration, "2 hours"), ("1.5 h", .badDuration, nil),
      ("s", .badDuration, nil), ("'90'", .badDuration, nil), ("-5 s", .badDuration, nil),
      ("5 h 3 min", .badDuration, nil),
      ("-5", .wrongType, nil), ("true", .wrongType, nil), ("[]", .wrongType, nil), ("36526 days", .outOfRange, nil),
      ("99999999999999999999 ms", .outOfRange, nil), ("٥ s", .badDuration, nil),
    ] as [(String, SourceProblem.Code, String?)])
  func notDurations(text: String, code: SourceProblem.Code, suggestion: String?) throws {
    let problem = try problem(text) { try $0.duration() }
    #expect(problem.code == code)
    #expect(problem.suggestion == suggestion)
  }

  @Test func durationsInARange() throws {
    #expect(
      try problem("2 h") { try $0.duration(in: .milliseconds(500)...(.seconds(5400))) }.rendered() == """
        a.yaml:1:4  the text '2 h' is not between 500 ms and 90 min                [source.out-of-range]
            1 | v: 2 h
              |    ^^^
        """)
    #expect(
      try problem("90 sex") { try $0.duration() }.rendered() == """
        a.yaml:1:4  the text '90 sex' has no known unit                            [source.bad-duration]
            1 | v: 90 sex
              |    ^^^^^^ a duration is written as 250 ms, 90 s, 5 min, 2 h or 40 days
        """)
  }
}
