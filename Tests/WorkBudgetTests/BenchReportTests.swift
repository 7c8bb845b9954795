import Foundation
import TestSupport
import Testing

/// Reports of `presentment bench`, whatever the times in them.
@Suite struct BenchReportTests {
  private static func bench(_ arguments: [String]) async throws -> Programs.Run {
    try await Programs.run(Programs.presentment, ["bench", "formats", "--milliseconds", "1"] + arguments)
  }

  private static func withFile<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
  }

  @Test("A report is compared with another one, figure by figure") func comparesReports() async throws {
    let first = try await Self.bench(["--json"])
    #expect(first.code == 0 && first.errors.isEmpty, "\(first)")
    // A report in which everything took a thousandth: all of the new one is worse.
    let faster = first.output.replacing(/"(best|median)" : ([-+.e0-9]+)/) { found in
      "\"\(found.1)\" : \((Double(found.2) ?? 0) / 1000)"
    }
    let second = try await Self.withFile(faster) { try await Self.bench(["--tsv", "--compare", $0]) }
    #expect(second.code == 0, "\(second)")
    let figures = second.output.split(separator: "\n").filter { $0.hasPrefix("formats\t") }
    #expect(figures.count >= 10)
    #expect(second.errors.split(separator: "\n").filter { $0.hasSuffix("  worse") }.count == figures.count)
  }

  @Test("The page has every figure, and the change since an older report") func page() async throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    let first = try await Self.bench(["--json", "--html", page.path])
    #expect(first.code == 0, "\(first)")
    let alone = try String(contentsOf: page, encoding: .utf8)
    let names = first.output.matches(of: /"name" : "([^"]+)"/).map { String($0.output.1) }
    #expect(names.count >= 10)
    for name in names { #expect(alone.contains(">\(name)</th>"), "\(name)") }
    #expect(!alone.contains("<script") && !alone.contains("worse"))
    let faster = first.output.replacing(/"(best|median)" : ([-+.e0-9]+)/) { found in
      "\"\(found.1)\" : \((Double(found.2) ?? 0) / 1000)"
    }
    let second = try await Self.withFile(faster) { try await Self.bench(["--compare", $0, "--html", page.path]) }
    #expect(second.code == 0, "\(second)")
    let compared = try String(contentsOf: page, encoding: .utf8)
    #expect(compared.matches(of: />worse</).count == names.count)
  }

  @Test("An unusable report is an error", arguments: ["", "{}", "[]", "{\"cores\":2,\"figures\":[{}]}"])
  func refusesOtherFiles(text: String) async throws {
    try await Self.withFile(text) { path in
      let run = try await Self.bench(["--compare", path])
      #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(path), "\(run)")
    }
    let run = try await Self.bench(["--compare", "/nowhere/report.json"])
    #expect(run.code == 2 && run.errors.contains("/nowhere/report.json"), "\(run)")
  }

  @Test(
    "Options out of range are refused",
    arguments: [["--milliseconds", "0"], ["--json", "--tsv"], ["--registrations", "0"]])
  func refusesOptions(options: [String]) async throws {
    let run = try await Programs.run(Programs.presentment, ["bench", "formats"] + options)
    #expect(run.code == 2 && !run.errors.isEmpty, "\(run)")
  }
}
