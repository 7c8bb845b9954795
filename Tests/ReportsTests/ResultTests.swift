import Foundation
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import TestSupport
import Testing
import Vocabulary

@testable import Reports

/// Reports of real cases.
@Suite("Results in reports")
struct ResultTests {
  /// A folder with the examples of the documentation and the shipped worlds.
  private static func workplace() throws -> Folder {
    let folder = try Folder()
    let shipped = Programs.package.appendingPathComponent("scenarios")
    for (name, origin) in [
      ("worlds", shipped.appendingPathComponent("worlds")),
      ("slash.yaml", Programs.package.appendingPathComponent("docs/examples/slash.yaml")),
      ("headline.yaml", shipped.appendingPathComponent("headline.yaml")),
    ] {
      try FileManager.default.createSymbolicLink(
        at: folder.url.appendingPathComponent(name), withDestinationURL: origin)
    }
    return folder
  }

  private static func scenario(_ name: String, in folder: Folder) throws -> Scenario {
    let problems = ProblemCollector()
    return try #require(ScenarioReader.read(folder.path(name), problems)?.first, "\(problems.rendered())")
  }

  @Test("a report has the verdict, place, text, reason and times of each result")
  func results() throws {
    let folder = try Self.workplace()
    let failing = try Self.scenario("slash.yaml", in: folder)
    var skipped = failing
    skipped.skip = "later"
    var expected = failing
    expected.expectedFailure = "known"
    expected.tags = ["wallets"]
    let headline = try Self.scenario("headline.yaml", in: folder)
    let results = RunPlan(scenarios: [failing, skipped, expected, headline], RunSettings(jobs: 2)).run()
    let cases = results.enumerated().map { CaseReport($0.element, number: $0.offset + 1) }

    #expect(cases.map(\.verdict) == [.failed, .skipped, .failedAsExpected, .passed])
    #expect(cases.map(\.reason) == [nil, "later", "known", nil])
    #expect(cases.map(\.number) == [1, 2, 3, 4])
    #expect(cases[2].tags == ["wallets"])
    #expect(cases[0].seed == 7 && cases[0].command == results[0].command)
    #expect(cases[0].place == ReportedPlace(path: folder.path("slash.yaml"), line: 1, column: 11))
    #expect(cases[0].failure?.code == "response.decryption/transcript")
    #expect(cases[0].failure?.place == ReportedPlace(path: folder.path("slash.yaml"), line: 11, column: 28))
    #expect(cases[0].failure?.detail == TextReport.detail(for: results[0]))
    #expect(cases[2].failure?.message == cases[0].failure?.message)
    #expect(cases[1].failure == nil && cases[3].failure == nil)
    #expect(cases[3].time.nanoseconds > 0 && cases[3].worldTime.nanoseconds > 0)

    let report = RunReport(
      settings: [:], entries: RunEntries(cases: results.map { ($0.scenario, $0.seed) }, unreadable: []), cases: cases,
      time: ReportedTime(.seconds(1)))
    #expect(try ReportFile.report(report.text(.json, for: "-"), from: "a.json") == report)
    let lines = results.map { TextReport().line(for: $0) }
    #expect(lines == cases.map { TextReport().line(for: $0) })
    #expect(lines[1] == "skipped  \(folder.path("slash.yaml"))  A wallet with a mistake  (later)")
  }

  @Test("an unreadable file has every problem with its place")
  func unreadable() throws {
    let folder = try Self.workplace()
    try folder.write("scenario: x\nworld: spaceport\nstep: []\nsteps:\n  - person: { vists: x }\n", to: "bad.yaml")
    let problems = ProblemCollector()
    #expect(ScenarioReader.read(folder.path("bad.yaml"), problems) == nil)
    let file = UnreadableFile(problems, path: folder.path("bad.yaml"), number: 3)
    #expect(file.number == 3 && file.omitted == 0)
    #expect(file.problems.map(\.place.line).contains(5) && file.problems.count > 1)
    #expect(file.detail == problems.rendered())
  }

  @Test("the digest of a run changes with each case: its name, seed, world, steps and place")
  func digest() throws {
    let folder = try Self.workplace()
    let first = try Self.scenario("slash.yaml", in: folder)
    let second = try Self.scenario("headline.yaml", in: folder)
    let cases = [(first, UInt64(1)), (second, UInt64(1))]
    let entries = RunEntries(cases: cases, unreadable: ["x"])
    #expect(entries.count == 3 && entries.digest.count == 64)
    let again = [(try Self.scenario("slash.yaml", in: folder), UInt64(1)), cases[1]]
    #expect(RunEntries(cases: again, unreadable: ["x"]) == entries)

    var others = [
      RunEntries(cases: cases, unreadable: []), RunEntries(cases: cases, unreadable: ["y"]),
      RunEntries(cases: cases.reversed(), unreadable: ["x"]), RunEntries(cases: [cases[0]], unreadable: ["x"]),
      RunEntries(cases: [(first, 2), cases[1]], unreadable: ["x"]),
    ]
    try folder.write(
      folder.text("slash.yaml").replacing("picks: Wallet", with: "picks: Local Driving Authority"), to: "other.yaml")
    others.append(RunEntries(cases: [(try Self.scenario("other.yaml", in: folder), 1), cases[1]], unreadable: ["x"]))
    let digests = Set(others.map(\.digest))
    #expect(!digests.contains(entries.digest) && digests.count == others.count)
    let places = [WorldDescription.SandboxPlace.inProcess, .process].map {
      RunEntries(cases: [(first.parsing($0), 1)], unreadable: []).digest
    }
    #expect(places[0] != places[1])
  }
}
