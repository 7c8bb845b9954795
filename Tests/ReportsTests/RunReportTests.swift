import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Reports

/// The reports of real runs of the command.
@Suite("The reports of a run", .backstop)
struct RunReportTests {
  /// A folder with one scenario that passes, two that fail and one that cannot be read.
  private static func workplace() throws -> Folder {
    let folder = try Folder()
    let files = FileManager.default
    let examples = Programs.package.appendingPathComponent("docs/examples")
    for name in ["misspelled.yaml", "slash.yaml", "unsigned.yaml"] {
      try files.copyItem(at: examples.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
    let shipped = Programs.package.appendingPathComponent("scenarios")
    for name in ["worlds", "headline.yaml"] {
      try files.createSymbolicLink(
        at: folder.url.appendingPathComponent(name), withDestinationURL: shipped.appendingPathComponent(name))
    }
    return folder
  }

  private static func run(_ arguments: String..., in folder: Folder) async throws -> Programs.Run {
    try await Programs.run(Programs.presentment, ["run"] + arguments, in: folder.url)
  }

  @Test("parsers of others agree on every format", .requiresPython, .requiresJUnitSchemas)
  func everyFormat() async throws {
    let folder = try Self.workplace()
    var arguments = ["run", ".", "--trace", "traces"]
    for format in ReportFormat.allCases {
      arguments += ["--report", "\(format.rawValue)=out/report.\(format == .junit ? "xml" : format.rawValue)"]
    }
    let run = try await Programs.run(Programs.presentment, arguments, in: folder.url)
    #expect(run.code == 2, "\(run)")
    #expect(run.output.hasSuffix("1 passed, 2 failed, 1 unreadable\n"))
    let script = Programs.package.appendingPathComponent("Tests/External/Reports/check.py").path
    let check = try await Programs.run(
      Programs.python, ["-B", script, folder.path("out")] + Programs.jUnitSchemas, in: folder.url)
    #expect(check.code == 0, "\(check)")

    let report = try ReportFile.read(folder.path("out/report.json"))
    #expect(report.cases.map(\.verdict) == [.passed, .failed, .failed])
    #expect(report.cases.map(\.number) == [1, 3, 4] && report.unreadable.map(\.number) == [2])
    #expect(report.cases.map(\.trace) == ["headline", "slash", "unsigned"].map { "traces/\($0).trace.jsonl" })
    #expect(report.cases.map(\.page) == [nil, "traces/slash.html", "traces/unsigned.html"])
    for found in report.cases where found.verdict.isBad {
      #expect(run.output.contains(try #require(found.failure).detail), "\(found.name)")
    }
    #expect(report.unreadable.allSatisfy { run.errors.contains($0.detail) })
  }

  @Test("the merged report of shards is the report of one run, except for times", arguments: [false, true])
  func shards(isBalanced: Bool) async throws {
    let folder = try Self.workplace()
    let scenarios = Programs.package.appendingPathComponent("scenarios/documents").path
    let whole = try await Self.run(".", scenarios, "--seed", "5", "--report", "json=whole.json", in: folder)
    let names = ["3", "1", "2"]
    for name in names {
      let balance = isBalanced ? ["--durations", "whole.json"] : []
      _ = try await Programs.run(
        Programs.presentment,
        ["run", ".", scenarios, "--seed", "5", "--shard", "\(name)/3", "--report", "json=\(name).json"] + balance,
        in: folder.url)
    }
    let merge = try await Programs.run(
      Programs.presentment, ["merge"] + names.map { "\($0).json" } + ["--report", "json=merged.json"], in: folder.url)
    #expect(merge.code == whole.code && whole.code == 2)
    #expect(merge.output.split(separator: "\n").last == whole.output.split(separator: "\n").last)
    func withoutTimes(_ name: String) throws -> [Substring] {
      try folder.text(name).split(separator: "\n").filter { !$0.contains(#""seconds":"#) }
    }
    #expect(try withoutTimes("merged.json") == withoutTimes("whole.json"))
    #expect(try ReportFile.read(folder.path("whole.json")).cases.count > 20)

    // Another seed is another run.
    _ = try await Self.run(".", scenarios, "--shard", "2/3", "--report", "json=2.json", in: folder)
    let different = try await Programs.run(
      Programs.presentment, ["merge"] + names.map { "\($0).json" }, in: folder.url)
    #expect(different.code == 2)
    #expect(
      different.errors.contains("are of different runs: seed is 5 in the first and not set in the second"),
      "\(different)")
  }

  @Test("the failures of a report can be run again")
  func onlyFailed() async throws {
    let folder = try Self.workplace()
    _ = try await Self.run(".", "--report", "json=first.json", in: folder)
    let again = try await Self.run(".", "--only-failed", "first.json", "--list", in: folder)
    let lines = again.output.split(separator: "\n").filter { !$0.hasPrefix("UNREADABLE") }
    #expect(lines == ["./slash.yaml  A wallet with a mistake", "./unsigned.yaml  An unsigned request"])
    let missing = try await Self.run(".", "--only-failed", "missing.json", in: folder)
    #expect(missing.code == 2 && missing.errors == "Error: missing.json: no such file or directory\n", "\(missing)")
  }

  @Test("a report on standard output is alone there")
  func standardOutput() async throws {
    let folder = try Self.workplace()
    let run = try await Self.run("headline", "--report", "json=-", in: folder)
    #expect(run.code == 0)
    #expect(try ReportFile.report(Array(run.output.utf8), from: "-").verdict == .passed)
    #expect(run.errors.hasSuffix("1 passed, 0 failed\n"))
    let annotated = try await Self.run("slash", "--report", "github", in: folder)
    let annotations = annotated.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(
      annotations.count == 1 && annotations[0].hasPrefix("::error file=slash.yaml,line=11,col=28,"), "\(annotated)")
    #expect(annotated.output.hasPrefix("FAILED  slash.yaml"))
  }

  @Test("a run that stops early says so in its reports")
  func failFast() async throws {
    let folder = try Self.workplace()
    let run = try await Self.run(
      "slash", "unsigned", "--fail-fast", "--jobs", "1", "--report", "json=a.json", "--report", "tap=a.tap", in: folder)
    #expect(run.code == 1, "\(run)")
    let report = try ReportFile.read(folder.path("a.json"))
    #expect(report.stopped == .failFast && report.cases.count == 1 && report.verdict == .failed)
    #expect(try folder.text("a.tap").hasSuffix("\nBail out! the run ended with the first failure\n"))
  }

  @Test("a shard without cases passes, and a run without cases does not")
  func noCases() async throws {
    let folder = try Self.workplace()
    #expect(try await Self.run("headline", "--shard", "2/2", in: folder).code == 0)
    #expect(try await Self.run("headline", "--shard", "2/2", "--filter", "none", in: folder).code == 2)
  }

  @Test("orders that do not fit together are refused")
  func refused() async throws {
    let folder = try Self.workplace()
    for (arguments, message) in [
      (["--report", "xml=a"], "unknown report 'xml=a'; expected junit=FILE"),
      (["--report", "tap=a", "--report", "junit=a"], "two reports on a: tap and junit"),
      (["--shard", "3/2"], "shard 3 of 2 does not exist"),
      (["--durations", "a.json"], "--durations balances shards; give --shard too"),
      (["--list", "--report", "tap=a"], "reports are of one run; leave out --report with --list and --watch"),
      (["--watch", "--shard", "1/2"], "--watch watches all files; leave out --shard"),
    ] {
      let run = try await Programs.run(Programs.presentment, ["run", "headline"] + arguments, in: folder.url)
      #expect(run.code == 2 && run.errors.contains(message), "\(run)")
    }
    let unwritable = try await Self.run("headline", "--report", "tap=headline.yaml/a", in: folder)
    #expect(unwritable.code == 2 && unwritable.errors.contains("headline.yaml/a: not a directory"), "\(unwritable)")
  }
}
