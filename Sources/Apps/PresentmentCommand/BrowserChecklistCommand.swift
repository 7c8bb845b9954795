import ArgumentParser
import BrowserChecklist
import CommandSupport
import DigitalCredentials

/// Runs the browser checklist.
struct BrowserChecklistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browser-checklist",
    abstract: "Run the browser checklist: what a web page sees, row by row.",
    discussion: """
      The rows restate web-platform-tests and the browsers' own tests. Rows with OID do the same for OpenID4VP. Each \
      row runs through the machines of a browser profile: the page with its frames, the mediator, and the sandbox with \
      the request's real bytes. A difference from the standard that a row declares has its source.

      Exit codes: 0 if every row gave what it expects, 1 if one did not.
      """)

  @Option(help: "The browser profile; without it, the standard's text of August 2026.")
  var profile = BrowserProfile.spec2026.name

  @Option(parsing: .upToNextOption, help: "Only these rows, by identifier (GET-01) or by group (GET).")
  var only: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard BrowserProfile.named(profile) != nil else { throw ValidationError(BrowserProfile.unknown(profile)) }
    guard only.isEmpty || !BrowserChecklist.run(in: .spec2026, only: only).isEmpty else {
      throw ValidationError("no row has the identifier \(only.joined(separator: " or ")); for example GET-01 or GET")
    }
  }

  func run() throws {
    guard let profile = BrowserProfile.named(profile) else { throw ValidationError(BrowserProfile.unknown(profile)) }
    let results = BrowserChecklist.run(in: profile, only: only)
    let expected = results.filter(\.isExpected).count
    let differences = results.filter { $0.difference != nil }.count
    let otherwise = results.filter { $0.abortedAtOnce != nil }.count
    if json {
      StandardOutput.print(
        String(decoding: BrowserChecklist.report(results, in: profile), as: UTF8.self), terminator: "")
    } else {
      for result in results { StandardOutput.print(Self.text(of: result)) }
      StandardOutput.print(
        "\(profile.name): \(results.count) rows, \(expected) as expected, \(results.count - expected) not; "
          + "\(differences) differ from the standard's text, with a source")
      if otherwise > 0 {
        StandardOutput.print(
          "\(otherwise) end otherwise for a page that aborts at once, as web-platform-tests do: the rows let the sandbox "
            + "finish before the abort")
      }
    }
    if expected != results.count { throw ExitCode(1) }
  }

  private static func text(of result: ChecklistResult) -> String {
    var lines = [
      "\(result.isExpected ? "ok  " : "FAIL") \(result.row.id)",
      "     given     \(result.row.given)",
      "     expected  \(result.expected)",
      "     got       \(result.got)",
    ]
    if let atOnce = result.abortedAtOnce { lines.append("     at once   \(atOnce)") }
    if let difference = result.difference {
      lines += ["     standard  \(result.row.expected)", "     source    \(difference.source)"]
    }
    return lines.joined(separator: "\n")
  }
}

extension BrowserProfile {
  /// The message for an unknown name of a profile.
  static func unknown(_ name: String) -> String {
    "unknown browser profile '\(name)'; available: \(all.map(\.name).joined(separator: ", "))"
  }
}
