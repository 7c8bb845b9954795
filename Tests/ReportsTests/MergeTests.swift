import Testing

@testable import Reports

@Suite("Merged reports")
struct MergeTests {
  private static let whole = Samples.everyVerdict

  /// The reports of the shards of a run: the cases dealt out, each unreadable file in every report.
  private static func shards(_ count: Int) throws -> [NamedReport] {
    try (1...count).map { index in
      let shard = try Shard(index: index, count: count)
      var report = whole
      report.shard = shard
      report.cases = shard.places(of: whole.cases.map(\.identity)).map { whole.cases[$0] }
      report.time = ReportedTime(.milliseconds(index == count ? 1500 : 20))
      return NamedReport(name: "\(index).json", report: report)
    }
  }

  @Test("the reports of all shards are joined into the report of one run, byte for byte", arguments: [1, 2, 3, 8])
  func whole(count: Int) throws {
    for parts in [try Self.shards(count), try Self.shards(count).reversed()] {
      let merged = try RunReport(merging: parts)
      #expect(merged == Self.whole)
      for format in ReportFormat.allCases {
        #expect(merged.text(format, for: "-") == Self.whole.text(format, for: "-"))
      }
    }
  }

  @Test("a report of a whole run stays as it is")
  func single() throws {
    #expect(try RunReport(merging: [NamedReport(name: "a.json", report: Self.whole)]) == Self.whole)
  }

  private func message(_ change: (inout [NamedReport]) throws -> Void) throws -> String? {
    var parts = try Self.shards(3)
    try change(&parts)
    let error = #expect(throws: ReportError.self) { try RunReport(merging: parts) }
    #expect(error?.code == .merge)
    return error?.message
  }

  private func changed(_ part: NamedReport, _ change: (inout RunReport) throws -> Void) rethrows -> NamedReport {
    var report = part.report
    try change(&report)
    return NamedReport(name: part.name, report: report)
  }

  @Test("a missing shard is named")
  func missing() throws {
    #expect(try message { $0.remove(at: 1) } == "missing shard: 2/3")
    #expect(try message { $0.removeLast(2) } == "missing shards: 2/3, 3/3")
    let part = try #require(try Self.shards(3).first)
    let large = try changed(part) { $0.shard = try Shard(index: 1, count: 100_000) }
    let error = #expect(throws: ReportError.self) { try RunReport(merging: [large]) }
    #expect(error?.message.hasSuffix("20/100000, 21/100000 and 99979 more") == true)
    #expect(throws: ReportError.self) { try RunReport(merging: []) }
  }

  @Test("a shard that is there twice is named")
  func doubled() throws {
    #expect(
      try message { $0.append(NamedReport(name: "x.json", report: $0[1].report)) }
        == "shard 2/3 is there twice: 2.json and x.json")
  }

  @Test("an incomplete shard is named")
  func stopped() throws {
    #expect(
      try message { $0[1] = changed($0[1]) { $0.stopped = .interrupted } }
        == "2.json is incomplete: the run was interrupted")
  }

  @Test("reports of different runs are not joined")
  func different() throws {
    #expect(
      try message { $0[2] = changed($0[2]) { $0.settings["seed"] = "8" } }
        == "1.json and 3.json are of different runs: seed is 7 in the first and 8 in the second")
    #expect(
      try message { $0[2] = changed($0[2]) { $0.settings["version"] = "2" } }
        == "1.json and 3.json are of different runs: version is not set in the first and 2 in the second")
    #expect(
      try message { $0[1] = changed($0[1]) { $0.entries.digest = "11" } }
        == "1.json and 2.json are of different runs: their scenarios differ")
    #expect(
      try message { $0[1] = changed($0[1]) { $0.unreadable = [] } }
        == "1.json and 2.json are of different runs: their scenarios differ")
    #expect(
      try message { $0[1] = changed($0[1]) { $0.entries.count = 9 } }
        == "1.json and 2.json are of different runs: 6 cases and unreadable files in the first, and 9 in the second")
    #expect(
      try message { $0[1] = try changed($0[1]) { $0.shard = try Shard(index: 2, count: 4) } }
        == "1.json is shard 1/3, but 2.json is shard 2/4")
    #expect(
      try message { $0[1] = changed($0[1]) { $0.shard = nil } } == "2.json is the report of a whole run, not of a shard"
    )
  }

  @Test("shards that were dealt out differently are noticed")
  func overlapping() throws {
    #expect(
      try message { parts in parts[1] = changed(parts[1]) { $0.cases.append(parts[0].report.cases[0]) } }
        == "1.json and 2.json both have the case 'case 1'; give every shard the same --durations")
    #expect(
      try message { $0[1] = changed($0[1]) { $0.cases = [] } }
        == "2 cases are in none of the reports; give every shard the same --durations")
  }
}
