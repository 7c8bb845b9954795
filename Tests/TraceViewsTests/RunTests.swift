import Foundation
import TestSupport
import Testing

/// The command `run` with pages and kept traces.
@Suite("Runs with pages and kept traces") struct RunTests {
  /// A folder with a scenario that passes and one that fails.
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Programs.package.appendingPathComponent("scenarios/worlds"), to: folder.appendingPathComponent("worlds"))
    let start = "scenario: Two taps\nworld: spaceport\nsteps:\n  - person: { visits: spaceship-rentals }\n"
    for (name, requester) in [("passes", "Spaceship Rentals"), ("fails", "Another Site")] {
      let steps =
        "  - person: { taps: Verify Identity }\n  - person: { picks: Wallet }\n"
        + "  - consent: { requester: \(requester) }\n"
      try Data((start + steps).utf8).write(to: folder.appendingPathComponent("\(name).yaml"))
    }
    return folder
  }

  private func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("A case that fails gets a page beside its trace, with the failure that the command prints") func page()
    async throws
  {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await Programs.run(
      Programs.presentment, ["run", "passes.yaml", "fails.yaml", "--trace", "traces"], in: folder)
    #expect(run.code == 1, "\(run)")
    let traces = folder.appendingPathComponent("traces")
    #expect(try files(in: traces) == ["fails.html", "fails.trace.jsonl", "passes.trace.jsonl"])
    let page = try String(contentsOf: traces.appendingPathComponent("fails.html"), encoding: .utf8)
    #expect(page.contains("again: presentment run fails.yaml"))
  }

  @Test("A run is compared with kept traces: the same passes, another seed fails, a missing one fails")
  func golden() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(_ arguments: String...) async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, ["run", "passes.yaml"] + arguments, in: folder)
    }
    #expect(try await run("--trace", "kept").code == 0)
    let same = try await run("--golden", "kept")
    #expect(same.code == 0, "\(same)")
    let different = try await run("--golden", "kept", "--seed", "12345")
    #expect(different.code == 1 && different.output.contains("[golden."), "\(different)")
    let missing = try await run("--golden", "nothing")
    #expect(missing.code == 1 && missing.output.contains("[golden.missing]"), "\(missing)")
  }

  @Test("The command writes a page of a trace, and refuses other files") func command() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await Programs.run(Programs.presentment, ["run", "passes.yaml", "--trace", "."], in: folder)
    #expect(run.code == 0, "\(run)")
    let page = try await Programs.run(
      Programs.presentment, ["trace", "passes.trace.jsonl", "--html", "-"], in: folder)
    #expect(page.code == 0 && page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
    let input = try String(contentsOf: folder.appendingPathComponent("passes.trace.jsonl"), encoding: .utf8)
    let piped = try await Programs.run(
      Programs.presentment, ["trace", "-", "--html", "p.html"], in: folder, input: input)
    #expect(piped.code == 0 && FileManager.default.fileExists(atPath: folder.path + "/p.html"), "\(piped)")
    let wrong = try await Programs.run(Programs.presentment, ["trace", "passes.yaml", "--html", "-"], in: folder)
    #expect(wrong.code == 2 && wrong.errors.contains("line 1: not a line of a trace"), "\(wrong)")
  }

  @Test("The traces of a folder get a page each, and other files of the folder none") func severalPages() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func trace(_ arguments: String...) async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, ["trace"] + arguments, in: folder)
    }
    let run = try await Programs.run(
      Programs.presentment, ["run", "passes.yaml", "fails.yaml", "--trace", "traces"], in: folder)
    #expect(run.code == 1, "\(run)")
    let all = try await trace("traces", "--html", "pages")
    #expect(all.code == 0 && all.output.isEmpty, "\(all)")
    let pages = folder.appendingPathComponent("pages")
    #expect(try files(in: pages) == ["fails.html", "passes.html"])
    let one = try await trace("traces/passes.trace.jsonl", "--html", "-")
    #expect(try String(contentsOf: pages.appendingPathComponent("passes.html"), encoding: .utf8) == one.output)

    let partly = try await trace("fails.yaml", "missing", "traces/passes.trace.jsonl", "--html", "some")
    #expect(partly.code == 2 && partly.errors.contains("fails.yaml, line 1: ") && partly.errors.contains("missing: "))
    #expect(try files(in: folder.appendingPathComponent("some")) == ["passes.html"])
    let printed = try await trace("traces", "--html", "-")
    #expect(printed.code == 2 && printed.errors.hasPrefix("--html: standard output takes one page"), "\(printed)")
    let none = try await trace("worlds", "--html", "none")
    #expect(none.code == 2 && none.errors.hasPrefix("worlds: the folder has no file NAME.trace.jsonl"), "\(none)")
  }
}
