import Foundation
import TestSupport
import Testing

@testable import Primitives

@Suite("Dates")
struct DateTests {
  @Test(
    "times are read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2025-09-15T17:00:00Z", 1_757_955_600), ("1969-12-31T23:59:59Z", -1),
      ("2000-02-29T12:00:00Z", 951_825_600), ("2100-03-01T00:00:00Z", 4_107_542_400),
      ("1900-03-01T00:00:00Z", -2_203_891_200), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Int64)])
  func moments(text: String, seconds: Int64) throws {
    let parsed = try #require(DateTime.parse(text))
    #expect(parsed.moment.secondsSince1970 == seconds && parsed.deviations.isEmpty)
    #expect(parsed.moment.description == text)
    #expect(parsed.moment.date == Date(timeIntervalSince1970: TimeInterval(seconds)))
    #expect(DateTime(parsed.moment.date) == parsed.moment)
  }

  @Test(
    "fractions, offsets and lower-case letters are accepted and reported",
    arguments: [
      ("2025-09-15T17:00:00.5Z", 1_757_955_600, [.fraction]),
      ("2025-09-15T17:00:00.123456789Z", 1_757_955_600, [.fraction]),
      ("2025-09-15T19:00:00+02:00", 1_757_955_600, [.offset]), ("2025-09-15T12:00:00-05:00", 1_757_955_600, [.offset]),
      ("2025-09-15T17:00:00+00:00", 1_757_955_600, [.offset]),
      ("2025-09-15T17:30:00.9+00:30", 1_757_955_600, [.fraction, .offset]),
      ("2025-09-15t17:00:00Z", 1_757_955_600, [.lowerCase]), ("2025-09-15T17:00:00z", 1_757_955_600, [.lowerCase]),
      ("2025-09-15t17:30:00.9+00:30", 1_757_955_600, [.fraction, .offset, .lowerCase]),
      ("2025-09-15t17:00:00z", 1_757_955_600, [.lowerCase]),
    ] as [(String, Int64, [DateTime.Deviation])])
  func deviations(text: String, seconds: Int64, found: [DateTime.Deviation]) throws {
    let parsed = try #require(DateTime.parse(text))
    #expect(parsed.moment.secondsSince1970 == seconds && parsed.deviations == found)
    #expect(parsed.moment.description == "2025-09-15T17:00:00Z")
  }

  @Test(
    "a time that does not exist is refused",
    arguments: [
      "", "Z", "2025-09-15", "2025-09-15T17:00:00", "2025-09-15 17:00:00Z", "2025-09-15T17:00Z", "2025-09-15T24:00:00Z",
      "2025-09-15T23:60:00Z", "2025-09-15T23:59:60Z", "2025-00-15T17:00:00Z", "2025-13-15T17:00:00Z",
      "2025-09-00T17:00:00Z", "2025-09-31T17:00:00Z", "2025-02-29T17:00:00Z", "2025-09-15T17:00:00.Z",
      "2025-09-15T17:00:00,5Z", "2025-09-15T17:00:00+24:00", "2025-09-15T17:00:00+00:60", "2025-09-15T17:00:00+0200",
      "2025-09-15T17:00:00ZZ", " 2025-09-15T17:00:00Z", "2025-09-15T17:00:00Z ", "+2025-09-15T17:00:00Z",
      "12025-09-15T17:00:00Z", "-025-09-15T17:00:00Z", "2025-9-15T17:00:00Z", "２025-09-15T17:00:00Z",
      "2025-09-15T1٧:00:00Z",
      "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    ])
  func refused(text: String) {
    #expect(DateTime.parse(text) == nil)
  }

  @Test("a time of a day is made from its hour, minute and second")
  func timesOfADay() throws {
    let day = try #require(FullDate(year: 2025, month: 9, day: 15))
    #expect(DateTime(day, hour: 17, minute: 0, second: 0)?.secondsSince1970 == 1_757_955_600)
    #expect(DateTime(day, hour: 23, minute: 59, second: 59)?.description == "2025-09-15T23:59:59Z")
    for (hour, minute, second) in [(24, 0, 0), (0, 60, 0), (0, 0, 60), (-1, 0, 0), (0, -1, 0), (0, 0, -1)] {
      #expect(DateTime(day, hour: hour, minute: minute, second: second) == nil)
    }
  }

  @Test(
    "leap years have a 29 February",
    arguments: [
      (1900, false), (2000, true), (2023, false), (2024, true), (2100, false), (2400, true), (0, true), (4, true),
    ])
  func leapYears(year: Int, isLeap: Bool) {
    #expect((FullDate(year: year, month: 2, day: 29) != nil) == isLeap)
    #expect(FullDate(year: year, month: 2, day: 28) != nil && FullDate(year: year, month: 2, day: 30) == nil)
  }

  @Test("every month has its length", arguments: zip(1...12, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]))
  func months(month: Int, length: Int) {
    #expect(FullDate(year: 2025, month: month, day: length) != nil)
    #expect(FullDate(year: 2025, month: month, day: length + 1) == nil)
    #expect(FullDate(year: 2025, month: month, day: 0) == nil)
  }

  @Test("years and months have limits")
  func bounds() {
    #expect(FullDate(year: 0, month: 1, day: 1)?.description == "0000-01-01")
    #expect(FullDate(year: 9999, month: 12, day: 31)?.description == "9999-12-31")
    for (year, month) in [(-1, 1), (10_000, 1), (2025, 0), (2025, 13), (2025, -1), (Int.max, 1), (Int.min, 1)] {
      #expect(FullDate(year: year, month: month, day: 1) == nil)
    }
  }

  @Test(
    "text that is not a date is refused",
    arguments: [
      "", "2025", "2025-09", "2025-09-1", "2025-9-15", "20250915", "2025/09/15", "2025-09-15 ", " 2025-09-15",
      "2025-09-15T00:00:00Z", "2025-02-30", "2025-04-31", "-2025-09-15", "2025-09-1O", "２０２５-09-15",
    ])
  func noDays(text: String) {
    #expect(FullDate(text) == nil)
  }

  @Test("every date survives a round trip through its day count")
  func roundTrip() throws {
    let first = try day("0000-01-01").daysSince1970
    let last = try day("9999-12-31").daysSince1970
    #expect(first == -719_528 && last == 2_932_896)
    for days in stride(from: first, through: last, by: 101) {
      let date = FullDate(daysSince1970: days)
      #expect(date.daysSince1970 == days)
      #expect(FullDate(date.description) == date)
      if days < last { #expect(date < FullDate(daysSince1970: days + 1)) }
    }
  }

  @Test("the calendar agrees with the library's around each change of year and month")
  func agreesWithLibrary() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for start in ["1899-12-01", "1999-12-01", "2024-02-01", "2099-12-01"] {
      let first = try day(start).daysSince1970
      for days in first..<(first + 100) {
        let moment = DateTime(secondsSince1970: Int64(days) * 86_400 + 86_399)
        let parts = calendar.dateComponents([.year, .month, .day], from: moment.date)
        #expect(moment.day == FullDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
      }
    }
  }

  @Test("times far outside the calendar have a description", arguments: [Int64.min, .max, -1 << 60, 1 << 60])
  func extremes(seconds: Int64) {
    #expect(DateTime(secondsSince1970: seconds).description.hasSuffix("Z"))
  }

  @Test(
    "an age is counted in full years",
    arguments: [
      ("1990-01-31", "2025-01-30", 34), ("1990-01-31", "2025-01-31", 35), ("1990-01-31", "2025-02-01", 35),
      ("2004-02-29", "2022-02-28", 17), ("2004-02-29", "2022-03-01", 18), ("2004-02-29", "2024-02-29", 20),
      ("2004-12-31", "2025-01-01", 20), ("2025-01-01", "2025-01-01", 0), ("2025-01-02", "2025-01-01", -1),
    ])
  func years(born: String, other: String, age: Int) throws {
    #expect(try day(born).years(until: day(other)) == age)
  }

  @Test("times can be added and compared")
  func arithmetic() throws {
    let start = try moment("2024-02-28T23:59:59Z")
    #expect(start.adding(seconds: 1).description == "2024-02-29T00:00:00Z")
    #expect(start.adding(days: 2).description == "2024-03-01T23:59:59Z")
    #expect(start < start.adding(seconds: 1) && start.adding(seconds: -1) < start)
    #expect(try start.day == day("2024-02-28"))
  }
}

/// A time from its text.
private func moment(_ text: String) throws -> DateTime { try #require(DateTime.parse(text)).moment }

/// A day from its text.
private func day(_ text: String) throws -> FullDate { try #require(FullDate(text)) }
