import Foundation
import Messaging
import ScenarioRunner
import TestSupport
import Testing

@testable import TraceViews

/// Files and folders of traces.
@Suite("Comparisons of traces") struct TraceComparisonTests {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("traces-\(UUID().uuidString)").path
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      return "\(path)/\(name)"
    }
  }

  private func headline() throws -> [UInt8] { try Runs.headline.get().journal.trace() }

  @Test("The command exits like diff: 0 for the same, 1 for a difference, 2 for trouble") func exitCodes() async throws
  {
    let folder = try Folder()
    let one = try folder.write("one.trace.jsonl", try headline())
    let other = try folder.write(
      "other.trace.jsonl", try headline().split(separator: 0x0a).dropLast().joined(separator: [0x0a]))
    let bad = try folder.write("bad.trace.jsonl", Array("{}\n".utf8))
    func diff(_ left: String, _ right: String) async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, ["diff", left, right])
    }
    let same = try await diff(one, one)
    #expect(same.code == 0 && same.output.isEmpty, "\(same)")
    let different = try await diff(one, other)
    #expect(different.code == 1 && different.output.contains("differ: content"), "\(different)")
    #expect(different.output.contains("the trace has ended"), "\(different)")
    for (left, right) in [(one, bad), (bad, bad), (one, folder.path), (folder.path + "/none", one)] {
      let trouble = try await diff(left, right)
      #expect(trouble.code == 2 && trouble.output.isEmpty && !trouble.errors.isEmpty, "\(trouble)")
    }
  }

  @Test("Folders are compared by name, and files in one folder only are named") func folders() throws {
    let (left, right) = (try Folder(), try Folder())
    for folder in [left, right] { _ = try folder.write("same.trace.jsonl", try headline()) }
    _ = try left.write("changed.trace.jsonl", try headline())
    _ = try right.write(
      "changed.trace.jsonl", try headline().split(separator: 0x0a).dropLast().joined(separator: [0x0a]))
    _ = try left.write("gone.trace.jsonl", try headline())
    _ = try right.write("ignored.txt", [])
    let report = try TraceComparison.compare(left.path, right.path)
    #expect(!report.isSame)
    #expect(report.text.contains("only in \(left.path): gone.trace.jsonl"))
    #expect(report.text.contains("changed.trace.jsonl differ: content"))
    #expect(report.text.hasSuffix("1 same, 1 different, 1 in one folder only"), "\(report.text)")
  }

  @Test("A file without an end is read up to one byte more than the limit") func withoutEnd() throws {
    #expect(try TraceFile.contents(of: "/dev/zero", upTo: 100_000).count == 100_001)
    #expect(try TraceFile.contents(of: "/dev/null", upTo: 100_000).isEmpty)
    let error = #expect(throws: TraceViewError.self) { try TraceFile.contents(of: "/dev") }
    #expect(error?.code == .unreadable)
  }

  @Test(
    "A line that is not of a trace is refused with its number",
    arguments: [("", TraceViewError.Code.empty), ("{}\n", .line), ("nothing\n", .line), ("\u{0}", .line)])
  func malformed(text: String, code: TraceViewError.Code) throws {
    let error = #expect(throws: TraceViewError.self) { try TraceFile(Array(text.utf8), name: "x") }
    #expect(error?.code == code)
    if code == .line { #expect(error?.message.hasPrefix("x, line 1: ") == true) }
  }

  @Test("Every truncation of a trace is read up to its last whole line, or refused") func truncated() throws {
    let whole = try headline()
    let firstLines = whole.prefix(4_000)
    for length in stride(from: 1, to: firstLines.count, by: 37) {
      let start = Array(whole.prefix(length))
      let lines = start.split(separator: 0x0a).count
      if let read = try? TraceFile(start, name: "x") { #expect(read.entries.count == lines) }
    }
  }

  @Test("A run is compared with its kept trace") func golden() throws {
    let folder = try Folder()
    let result = try Runs.headline.get()
    let missing = try #require(GoldenTraces(folder.path).finding(on: result))
    #expect(missing.code == "golden.missing")
    let name = result.scenario.fileStem + TraceComparison.ending
    _ = try folder.write(name, try headline())
    #expect(GoldenTraces(folder.path).finding(on: result) == nil)
    _ = try folder.write(name, Runs.result(of: "headline", seed: 8).journal.trace())
    let finding = try #require(GoldenTraces(folder.path).finding(on: result))
    #expect(finding.code.hasPrefix("golden.") && finding.evidence.contains { $0.hasPrefix("line ") }, "\(finding)")
    _ = try folder.write(name, [0x7b])
    #expect(GoldenTraces(folder.path).finding(on: result)?.code == "golden.unreadable")
  }
}
