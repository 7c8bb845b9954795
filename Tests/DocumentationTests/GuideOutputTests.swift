import Foundation
import TestSupport
import Testing

/// Runs every command that a page shows with its output; `make reference` writes the output into the page.
@Suite("Output in the documentation")
struct GuideOutputTests {
  private static let documentation = Programs.package.appendingPathComponent("docs")
  /// The pages of the package with a command and its output, by their paths in the package.
  private static let pages: [String] = {
    let files = FileManager.default
    let folders = ["", "docs", "docs/howto"]
    let pages = folders.flatMap { folder in
      let names = (try? files.contentsOfDirectory(atPath: Programs.package.appendingPathComponent(folder).path)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }
    return pages.filter { page in (try? lines(of: page)).map { !ConsoleExample.commands(of: $0).isEmpty } ?? false }
  }()

  private static func lines(of page: String) throws -> [String] {
    try String(contentsOf: Programs.package.appendingPathComponent(page), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Runs a command in a folder, with both of its outputs in one.
  private static func printed(_ line: String, in folder: URL) async throws -> [String] {
    let programs = URL(fileURLWithPath: Programs.presentment).deletingLastPathComponent().path
    let run = try await Programs.run("/bin/sh", ["-c", "PATH='\(programs)':\"$PATH\"; { \(line); } 2>&1"], in: folder)
    var lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Makes a folder with the shipped scenarios and worlds and the examples of the documentation.
  private static func workplace() throws -> URL {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let scenarios = Programs.package.appendingPathComponent("scenarios")
    try files.createSymbolicLink(at: folder.appendingPathComponent("scenarios"), withDestinationURL: scenarios)
    try files.createSymbolicLink(
      at: folder.appendingPathComponent("worlds"), withDestinationURL: scenarios.appendingPathComponent("worlds"))
    let examples = documentation.appendingPathComponent("examples")
    for example in try files.contentsOfDirectory(at: examples, includingPropertiesForKeys: nil) {
      try files.copyItem(at: example, to: folder.appendingPathComponent(example.lastPathComponent))
    }
    return folder
  }

  @Test("The start page, the guide and the other pages with output are found")
  func pagesAreFound() {
    #expect(
      Set(Self.pages).isSuperset(of: [
        "README.md", "docs/guide.md", "docs/searching.md", "docs/trace.md", "docs/your-site.md",
      ]))
  }

  /// Output outside an example stays as it is when the program changes.
  @Test("A message that a page quotes by its number is in the output of an example of the page", arguments: pages)
  func quotedMessages(name: String) throws {
    let lines = try Self.lines(of: name)
    let shown = Set(ConsoleExample.commands(of: lines).flatMap(\.place))
    let number = /message \d+ of \d+/
    let outputs = shown.sorted().map { lines[$0] }.joined(separator: "\n")
    for (place, line) in lines.enumerated() where !shown.contains(place) {
      for match in line.matches(of: number) {
        #expect(outputs.contains(match.output), "\(name):\(place + 1): \(match.output)")
      }
    }
  }

  @Test("Every command in a page prints what the page shows", arguments: pages)
  func commandsPrintWhatThePageShows(name: String) async throws {
    let lines = try Self.lines(of: name)
    let commands = ConsoleExample.commands(of: lines)
    #expect(!commands.isEmpty)
    let folder = try Self.workplace()
    defer { try? FileManager.default.removeItem(at: folder) }
    var shown: [[String]] = []
    for command in commands {
      let printed = try await Self.printed(command.line, in: folder)
      shown.append(command.shown(printed) ?? command.output)
      if !GeneratedPage.isWriting || command.shown(printed) == nil {
        #expect(
          command.agrees(with: printed), "\(name): $ \(command.line)\n\(printed.joined(separator: "\n"))")
      }
    }
    guard GeneratedPage.isWriting else { return }
    // The page as it is now: another test may have written its own parts meanwhile.
    try GeneratedPage(name).check { page in
      var result = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for (command, output) in zip(ConsoleExample.commands(of: result), shown).reversed() {
        result.replaceSubrange(command.place, with: output)
      }
      return result.joined(separator: "\n")
    }
  }

  @Test("The JSON of verify in the guide is that of its example, with what an ellipsis leaves out")
  func jsonOfVerify() async throws {
    let lines = try Self.lines(of: "docs/guide.md")
    let heading = try #require(lines.firstIndex(of: "#### The JSON of verify"))
    let example = lines[heading...].drop { $0 != "```" }.dropFirst().prefix { $0 != "```" }
    let folder = try Self.workplace()
    defer { try? FileManager.default.removeItem(at: folder) }
    let commands = ConsoleExample.commands(of: lines).map(\.line)
    for start in ["presentment request --origin", "presentment respond exchange.json"] {
      _ = try await Self.printed(try #require(commands.first { $0.hasPrefix(start) }), in: folder)
    }
    let printed = try await Self.printed("presentment verify answered.json --issuer-root issuer.pem --json", in: folder)
    var rest = try #require(printed.first)[...]
    let shown = example.map { String($0.drop { $0 == " " }) }.joined()
    for (place, part) in shown.components(separatedBy: "…").enumerated() {
      let range = try #require(rest.range(of: part), "\(part)")
      #expect(place > 0 || range.lowerBound == rest.startIndex)
      rest = rest[range.upperBound...]
    }
    #expect(rest.isEmpty && shown.contains("…"))
  }

  @Test("The scenario in the guide passes")
  func theScenarioInTheGuidePasses() async throws {
    let guide = try String(contentsOf: Self.documentation.appendingPathComponent("guide.md"), encoding: .utf8)
    let scenario = try #require(guide.components(separatedBy: "```yaml\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let folder = try Self.workplace()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(scenario.utf8).write(to: folder.appendingPathComponent("guide.yaml"))
    let run = try await Programs.run(Programs.presentment, ["run", "guide.yaml"], in: folder)
    #expect(run.code == 0, "\(run)")
  }

  @Test("An example with other output than shown is a difference")
  func differentOutputIsADifference() throws {
    let page = ["```", "$ a \\", "    b", "one", "…", "  two", "$ c", "```", "$ d"]
    let commands = ConsoleExample.commands(of: page)
    #expect(commands.map(\.line) == ["a b", "c"])
    #expect(commands.map(\.place) == [3..<6, 7..<7])
    let command = commands[0]
    #expect(command.agrees(with: ["one", "x", "y", "  two"]))
    #expect(command.agrees(with: ["one", "  two"]))
    #expect(!command.agrees(with: ["one", "two"]))
    #expect(!command.agrees(with: ["one"]))
    #expect(!command.agrees(with: ["one", "  two", "three"]))
    #expect(command.shown(["eins", "x", "y", "  zwei"]) == ["eins", "…", "  zwei"])
    #expect(commands[1].agrees(with: []))
    #expect(!commands[1].agrees(with: ["x"]))
  }
}
