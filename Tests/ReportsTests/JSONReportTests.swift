import Foundation
import Testing

@testable import Reports

@Suite("JSON reports")
struct JSONReportTests {
  @Test("a report is read back as it was written", arguments: [false, true])
  func roundTrip(isHostile: Bool) throws {
    let report = isHostile ? Samples.hostileReport : Samples.everyVerdict
    let bytes = report.text(.json, for: "-")
    let read = try ReportFile.report(bytes, from: "a.json")
    #expect(read == report)
    #expect(read.text(.json, for: "-") == bytes)
  }

  @Test("what parties found is kept, and the page counts it over cases and runs")
  func findings() throws {
    let refused = CaseReport.Finding(party: "server", check: "issuer.trust", status: .failed)
    let accepted = CaseReport.Finding(party: "app", check: "certificate.profile/<b>", status: .deviates)
    var cases = (1...4).map { Samples.entry($0, name: $0 < 3 ? "first" : "case \($0)") }
    // The same case under two seeds, and another one.
    for place in [0, 1, 3] { cases[place].findings = [refused] }
    cases[2].findings = [accepted, refused]
    let report = Samples.report(cases)
    #expect(try ReportFile.report(report.text(.json, for: "-"), from: "a.json") == report)
    let page = String(decoding: report.text(.html, for: "-"), as: UTF8.self)
    let row = #/<tr><td>(.*)</td><th.*><code>(.*)</code></th><td>(.*)</td><td.*>(.*)</td><td.*>(.*)</td></tr>/#
    let rows = page.matches(of: row).map { [$0.1, $0.2, $0.3, $0.4, $0.5].joined(separator: " ") }
    #expect(rows == ["app certificate.profile/&lt;b&gt; accepted 1 1", "server issuer.trust refused 3 4"])
    let other = Samples.report([Samples.entry(1)]).text(.html, for: "-")
    #expect(!String(decoding: other, as: UTF8.self).contains("findings"))
  }

  @Test("what a program did where both are right is read back, and is in the comparison of programs")
  func reading() throws {
    let readings: [CaseReport.Reading?] = [.accepts, .refuses, nil]
    let reports = readings.map { reading in
      var found = Samples.entry(1)
      found.reading = reading
      return Samples.report([found])
    }
    for (report, reading) in zip(reports, readings) {
      let bytes = report.text(.json, for: "-")
      #expect(try ReportFile.report(bytes, from: "a.json") == report)
      let line = reading.map { "      \"reading\": \"\($0.rawValue)\"," }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.contains("\"reading\"") }
      #expect(lines.map(String.init) == (line.map { [$0] } ?? []))
    }
    let page = try TargetMatrix(reports.enumerated().map { NamedReport(name: "\($0.offset).json", report: $0.element) })
      .page
    let cells = String(decoding: page, as: UTF8.self).matches(of: #/<span class="verdict good">(.*?)</span>/#)
    #expect(cells.map { String($0.1) } == ["accepts", "refuses", "passed"])
  }

  @Test("members are in alphabetical order, one on a line, and every time is on a line of its own")
  func layout() {
    let report = Samples.report([Samples.entry(2)], shard: try? Shard(index: 1, count: 2), entries: 3)
    #expect(
      Samples.json(report) == """
        {
          "cases": [
            {
              "command": "presentment run a/one.yaml --seed 7",
              "name": "case 2",
              "number": 2,
              "place": {
                "column": 11,
                "line": 2,
                "path": "a/one.yaml"
              },
              "seconds": 0.25,
              "seed": 7,
              "verdict": "passed",
              "worldSeconds": 90
            }
          ],
          "format": 1,
          "run": {
            "digest": "00ff",
            "entries": 3,
            "seconds": 1.5,
            "settings": {
              "seed": "7"
            },
            "shard": "1/2"
          },
          "totals": {
            "failed": 0,
            "failed-as-expected": 0,
            "passed": 1,
            "skipped": 0,
            "undecided": 0
          },
          "unreadable": [],
          "verdict": "passed"
        }

        """)
  }

  @Test(
    "a report that does not fit together is refused with the place",
    arguments: [
      (
        "\"format\": 1", "\"format\": 2", "version 2 of the report; this program reads version 1 (json.bad-value, byte "
      ),
      ("\"number\": 1,", "\"number\": 0,", "the number of a case is 1 or more"),
      ("\"number\": 1,", "\"number\": 2,", "two entries have the same number"),
      ("\"number\": 1,", "\"number\": 7,", "an entry has a number above 6"),
      ("\"passed\": 1,", "\"passed\": 2,", "other totals than the cases"),
      ("\"entries\": 6", "\"entries\": 8", "2 of 8 entries are missing"),
      ("\"verdict\": \"skipped\"", "\"verdict\": \"passed\"", "the verdict 'passed' cannot have a 'reason'"),
      ("\"verdict\": \"skipped\"", "\"verdict\": \"failed\"", "the verdict 'failed' needs a 'failure'"),
      ("\"verdict\": \"skipped\"", "\"verdict\": \"lost\"", "unknown value"),
      ("\"seconds\": 0.25", "\"seconds\": -0.25", "expected seconds with at most nine digits after the point"),
      ("\"seconds\": 0.25", "\"seconds\": 1e3", "expected seconds with at most nine digits after the point"),
      ("\"seconds\": 0.25", "\"seconds\": 0.1234567891", "expected seconds with at most nine digits after the point"),
      ("\"seconds\": 0.25", "\"seconds\": 9223372037", "expected seconds with at most nine digits after the point"),
      ("\"line\": 1,", "\"line\": 0,", "lines and columns count from 1"),
      ("\"seed\": 7,", "\"seed\": -7,", "expected an integer of 64 bits"),
      ("\"name\": \"case 1\",", "", "the member 'name' is missing"),
      ("\"cases\": [", "\"cases\": {}, \"x\": [", "expected an array, found an object"),
      ("\"digest\": \"00ff\"", "\"digest\": \"00ff\", \"shard\": \"3/2\"", "shard 3 of 2 does not exist"),
      ("\"digest\": \"00ff\"", "\"digest\": \"00ff\", \"shard\": \"x\"", "'x' is not a shard"),
    ])
  func malformed(part: String, replacement: String, message: String) throws {
    let text = Samples.json(Samples.everyVerdict)
    let place = try #require(text.range(of: part))
    let changed = text.replacingCharacters(in: place, with: replacement)
    let error = #expect(throws: ReportError.self) { try ReportFile.report(Array(changed.utf8), from: "a.json") }
    #expect(error?.code == .malformed)
    #expect(
      error?.description.hasPrefix("a.json: not a report of 'run --report json=FILE': ") == true, "\(error as Any)")
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test("a reason beside a failure, as reports of suites had it, is read and left out")
  func reasonOfAFailure() throws {
    let report = Samples.report([Samples.entry(1, .failed), Samples.entry(2, .undecided)])
    let text = Samples.json(report)
    let changed = text.replacing("\"failure\": {", with: "\"reason\": \"x\", \"failure\": {")
    #expect(changed != text)
    #expect(try ReportFile.report(Array(changed.utf8), from: "a.json") == report)
  }

  @Test("every truncation of a report is refused")
  func truncations() {
    let bytes = Array(Samples.json(Samples.report([Samples.entry(1, .failed)])).utf8)
    for length in 0..<bytes.count - 2 {
      #expect(throws: ReportError.self) { try ReportFile.report(Array(bytes[..<length]), from: "a.json") }
    }
  }

  @Test("a changed byte gives an error, or another report that can be written")
  func changes() throws {
    let bytes = Array(Samples.json(Samples.everyVerdict).utf8)
    let original = try ReportFile.report(bytes, from: "a.json")
    var same: [Int] = []
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x11
      do throws(ReportError) {
        let report = try ReportFile.report(changed, from: "a.json")
        _ = report.text(.junit, for: "-")
        if report == original { same.append(place) }
      } catch {
        #expect(error.code == .malformed)
      }
    }
    // A reader judges by the cases, and leaves out the verdict at the end.
    let text = String(decoding: bytes, as: UTF8.self)
    let verdict = try #require(text.range(of: "],\n  \"verdict\"", options: .backwards))
    let start = text.utf8.distance(from: text.startIndex, to: verdict.lowerBound)
    #expect(same.allSatisfy { $0 >= start }, "\(same)")
  }

  @Test("nesting beyond the limit is refused")
  func deep() {
    let text = "{\"cases\": \(String(repeating: "[", count: 40))"
    let error = #expect(throws: ReportError.self) { try ReportFile.report(Array(text.utf8), from: "a.json") }
    #expect(error?.message.contains("json.too-deep") == true)
  }

  @Test("times are written without superfluous digits and read exactly")
  func times() {
    #expect(ReportedTime(.seconds(90)).seconds() == "90")
    #expect(ReportedTime(.milliseconds(1050)).seconds() == "1.05")
    #expect(ReportedTime(.nanoseconds(1)).seconds() == "0.000000001")
    #expect(ReportedTime(.nanoseconds(1_999_999)).seconds(digits: 3) == "0.001")
    #expect(ReportedTime(wallClock: .nanoseconds(1_234_567)).nanoseconds == 1_234_000)
    #expect(ReportedTime(.seconds(Int64.max)).nanoseconds == .max)
  }

  @Test("the verdict of a run is the worst of its entries")
  func verdicts() throws {
    #expect(Samples.report([Samples.entry(1), Samples.entry(2, .skipped)]).verdict == .passed)
    #expect(Samples.report([Samples.entry(1, .failedAsExpected)]).verdict == .passed)
    #expect(Samples.report([Samples.entry(1), Samples.entry(2, .failed)]).verdict == .failed)
    #expect(Samples.report([Samples.entry(1, .failed), Samples.entry(2, .undecided)]).verdict == .undecided)
    #expect(Samples.report([Samples.entry(1)], unreadable: [Samples.unreadable(2)]).verdict == .undecided)
    #expect(Samples.report([Samples.entry(1)], stopped: .interrupted).verdict == .undecided)
    #expect(Samples.report([Samples.entry(1, .failed)], stopped: .failFast).verdict == .failed)
    #expect(Samples.report([]).verdict == .undecided)
    // More shards than cases: one without a case has nothing to fail.
    #expect(Samples.report([], shard: try Shard(index: 3, count: 3), entries: 2).verdict == .passed)
  }

  @Test("the cases to run again are those that failed or were undecided, and all of unreadable files")
  func failures() {
    let failures = EarlierFailures(Samples.everyVerdict)
    let chosen = Samples.everyVerdict.cases.filter { failures.contains($0.identity) }.map(\.number)
    #expect(chosen == [2, 5])
    #expect(failures.contains(CaseIdentity(path: "a/bad.yaml", name: "any")))
    #expect(!failures.isEmpty && EarlierFailures(Samples.report([Samples.entry(1)])).isEmpty)
  }
}
