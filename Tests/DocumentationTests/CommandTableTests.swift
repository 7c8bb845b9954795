import Foundation
import TestSupport
import Testing

/// What pages say about the command, compared with what the command says.
@Suite("The command in the documentation")
struct CommandTableTests {
  /// A row of the guide's table of commands.
  struct Row: Sendable, CustomTestStringConvertible {
    /// The subcommands of the first cell.
    let commands: [String]
    /// The options that the row names.
    let options: [String]

    var testDescription: String { commands.joined(separator: ", ") }
  }

  private static func text(of page: String) throws -> String {
    try String(contentsOf: Programs.package.appendingPathComponent(page), encoding: .utf8)
  }

  private static let rows: [Row] = {
    guard let guide = try? text(of: "docs/guide.md"),
      let table = guide.components(separatedBy: "\n## ").first(where: { $0.hasPrefix("The commands\n") })
    else { return [] }
    return table.matches(of: /(?m)^\| (`presentment .*?) \| (.*)$/).map { match in
      Row(
        commands: match.output.1.matches(of: /presentment ([a-z-]+)/).map { String($0.output.1) },
        options: match.output.2.matches(of: /`(--[a-z-]+)/).map { String($0.output.1) })
    }
  }()

  private static func printed(_ arguments: String...) async throws -> String {
    let run = try await Programs.run(Programs.presentment, arguments)
    try #require(run.code == 0, "\(run)")
    return run.output
  }

  /// The subcommands in the command's help.
  private static func subcommands() async throws -> [String] {
    let help = try await printed("--help")
    let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().joined(separator: "\n")
    return list.matches(of: #/(?m)^  ([a-z][a-z-]+) /#).map { String($0.output.1) }
  }

  @Test("No line of a command's overview is shorter than it has to be")
  func overviews() async throws {
    for command in try await Self.subcommands() {
      let help = try await Self.printed(command, "--help")
      let lines = help.prefix(upTo: help.firstRange(of: "USAGE:")?.lowerBound ?? help.endIndex)
        .split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && !next.hasPrefix(" ") {
        guard let word = next.split(separator: " ").first else { continue }
        #expect(line.count + 1 + word.count >= 80, "\(command): \(line)")
      }
    }
  }

  @Test("Help for a width that no text fits is that for the least width", arguments: ["1", "20", "59"])
  func narrow(columns: String) async throws {
    for words in [["help"], ["run", "--help"], ["run", "--no-such-option"]] {
      let program = Programs.presentment
      let least = try await Programs.run("/usr/bin/env", ["COLUMNS=60", program] + words)
      #expect([0, 2].contains(least.code) && !(least.output + least.errors).isEmpty)
      let narrow = try await Programs.run("/usr/bin/env", ["COLUMNS=\(columns)", program] + words)
      #expect(narrow.code == least.code && narrow.output == least.output && narrow.errors == least.errors)
    }
  }

  @Test("A value of COLUMNS that is not a width is ignored", arguments: ["-1", "0", "", "wide"])
  func noWidth(columns: String) async throws {
    for words in [["help"], ["run", "--help"]] {
      let program = Programs.presentment
      let usual = try await Programs.run("/usr/bin/env", ["-u", "COLUMNS", program] + words)
      let given = try await Programs.run("/usr/bin/env", ["COLUMNS=\(columns)", program] + words)
      #expect(given.code == 0 && given.output == usual.output && usual.output.contains { $0.isNewline })
    }
  }

  @Test("No line of help is longer than the width that it is for", arguments: ["60", "80", "200"])
  func widths(columns: String) async throws {
    for command in try await Self.subcommands() {
      let help = try await Programs.run(
        "/usr/bin/env", ["COLUMNS=\(columns)", Programs.presentment, command, "--help"])
      let long = help.output.split(separator: "\n").filter { $0.count > Int(columns) ?? 0 }
      #expect(help.code == 0 && long.isEmpty, "\(command): \(long)")
      // The usage has every option with its value.
      let usage = try #require(help.output.firstMatch(of: /(?s)USAGE: (.*?)\n\n/)?.output.1)
      #expect(usage.split(separator: "\n").allSatisfy { !$0.hasSuffix("--") && !$0.contains(/^ +<[a-z-]+>\]/) })
    }
  }

  @Test(
    "A misspelled subcommand is answered with the nearest one, or where the list is",
    arguments: [
      ("rnu", "did you mean 'run'?"), ("test-verifer", "did you mean 'test-verifier'?"),
      ("nosuch", "'presentment --help' lists the known ones"),
    ])
  func misspelled(_ name: String, _ hint: String) async throws {
    for arguments in [[name], ["help", name], [name, "scenarios"]] {
      let run = try await Programs.run(Programs.presentment, arguments)
      #expect(run.code == 2 && run.output.isEmpty)
      #expect(run.errors == "Error: unknown subcommand '\(name)'; \(hint)\n")
    }
  }

  @Test(
    "A misspelled option or fault is answered with the nearest one, or where the list is",
    arguments: [
      (["run", "--sed", "7"], "Unknown option '--sed'. Did you mean '--seed'?"),
      (["demo", "--fault", "issuer.expird"], "unknown fault 'issuer.expird'; did you mean 'issuer.expired'?"),
      (["demo", "--fault", "unsinged"], "unknown fault 'unsinged'; did you mean 'unsigned'?"),
      (["demo", "--fault", "NOSUCH"], "unknown fault 'NOSUCH'; 'presentment faults' lists them"),
      (
        ["answer", "--request", "r", "--origin", "o", "--world", "w", "--fault", "NOSUCH"],
        "unknown fault 'NOSUCH'; 'presentment faults' lists them"
      ),
      (["faults", "issuer.expird"], "no party and no fault is called 'issuer.expird'; did you mean 'issuer.expired'?"),
      (["faults", "walet"], "no party and no fault is called 'walet'; did you mean 'wallet'?"),
    ])
  func misspelledNames(_ arguments: [String], _ message: String) async throws {
    let run = try await Programs.run(Programs.presentment, arguments)
    #expect(run.code == 2 && run.errors.hasPrefix("Error: \(message)\n"), "\(run)")
  }

  @Test("The guide's table has every subcommand, and no other one")
  func subcommandsInTheTable() async throws {
    let subcommands = try await Self.subcommands()
    #expect(subcommands.count > 20 && Set(Self.rows.flatMap(\.commands)) == Set(subcommands))
  }

  @Test("An option in the guide's table is in the help of its command", arguments: rows)
  func options(of row: Row) async throws {
    var help = ""
    for command in row.commands { help += try await Self.printed(command, "--help") }
    let known = Set(help.matches(of: /--[a-z-]+/).map { String($0.output) })
    #expect(row.options.filter { !known.contains($0) } == [])
  }

  @Test("The list of changes names every subcommand")
  func subcommandsInTheChanges() async throws {
    let changes = try Self.text(of: "docs/changes.md")
    let named = Set(changes.matches(of: /`(?:presentment )?([a-z-]+)[^`]*`/).map { String($0.output.1) })
    #expect(try await Self.subcommands().filter { !named.contains($0) } == [])
  }

  @Test("The numbers of cases are those of the suites, rounded", arguments: ["README.md", "docs/guide.md"])
  func numbersOfCases(in page: String) async throws {
    let text = try Self.text(of: page)
    for (suite, words) in [
      ("test-verifier", /[Ss]ome (\d+) genuine and dishonest answers/),
      ("test-wallet", /[Ss]ome (\d+) (?:genuine and dishonest )?requests/),
    ] {
      let said = try #require(text.firstMatch(of: words).flatMap { Int($0.output.1) }, "\(page) has no \(suite)")
      let cases = try await Self.printed(suite, "--list").split(separator: "\n").count
      #expect(abs(said - cases) * 20 <= cases, "\(page) says some \(said), and \(suite) has \(cases)")
    }
  }
}
