import BatchRuns
import CrossCheckTrait
import Reports
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// The judgement of keys of the language that no party of a world knows of.
@Suite("Judging of cases", .crossChecked) struct LanguageTests {
  private static func run(
    _ steps: String, keys: String = ""
  ) throws -> (verdict: RunReport.Verdict, text: String) {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("a.yaml", "scenario: A\nseed: 5\nworld: spaceport\n\(keys)steps:\n\(steps)")
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path]))
    let text = printed.output.joined(separator: "\n") + "\n" + printed.errors
    return (printed.verdict, text.replacing(folder.path + "/", with: ""))
  }

  private static let asks = "  - person: { visits: spaceship-rentals }\n  - person: { taps: Verify Identity }\n"
  private static let answers =
    asks + "  - person: { picks: Wallet }\n  - person: { authorizes-with: face-id }\n"

  @Test("expectations in a row are all judged, and the first failure is the headline")
  func together() throws {
    let ran = try Self.run(
      Self.asks + """
          - selector: { shows: [Wallet] }
          - released: never
          - asked: once
          - person: { picks: Other Wallet }
          - asked: 2

        """)
    #expect(ran.verdict == .failed)
    let headlines = ran.text.matches(of: /(?m)^a\.yaml:(\d+):\d+  (.*?)(  |$)/).map { "\($0.1) \($0.2)" }
    #expect(
      headlines == [
        "7 the selector also offers Local Driving Authority",
        "9 an app asked for consent 0 times so far, expected once",
      ],
      "\(ran.text)")
    #expect(ran.text.components(separatedBy: "again:").count == 2)
  }

  @Test(
    "a wrong number is a failure with the events that were counted",
    arguments: [
      ("released: never", "an app got the raw request once so far, expected never", "[os.raw-request-released]"),
      (
        "verified: { name: spaceship-rentals, count: 3 }", "a server verified a response once so far, expected 3 times",
        "again:"
      ),
      ("asked: { app: Other Wallet, count: once }", "an app asked for consent 0 times so far, expected once", "again:"),
      (
        "answered: { app: Wallet, on: kellys-iphone, count: never }", "an app answered once so far, expected never",
        "[provider.answered]"
      ),
      (
        "messages: { kind: raw request, to: app, count: never }", "such a message was sent once so far, expected never",
        "browser:kellys-iphone -> app:kellys-iphone/Wallet  raw request"
      ),
      (
        "decision: { by: server, code: device.signature, outcome: passed, count: 2 }",
        "the server decided this once since the last action, expected 2 times", "[device.signature]"
      ),
    ])
  func counts(step: String, headline: String, evidence: String) throws {
    let ran = try Self.run(Self.answers + "  - \(step)\n")
    #expect(ran.verdict == .failed && ran.text.contains("  \(headline)"), "\(ran.text)")
    #expect(ran.text.contains(evidence), "\(ran.text)")
  }

  @Test("a fault that does not come about fails the case, and one that must not act and acts, too")
  func missedFaults() throws {
    let late = try Self.run(Self.answers + "  - fault: network.response-altered\n  - verified: once\n")
    #expect(late.verdict == .failed, "\(late.text)")
    #expect(late.text.contains("a.yaml:9:5  the fault does not come about in this case"), "\(late.text)")
    #expect(late.text.contains("[network.response-altered]"))
    let silent = try Self.run(
      Self.answers + "  - { fault: network.response-altered, acts: never }\n  - verified: once\n")
    #expect(silent.verdict == .passed, "\(silent.text)")
    let acting = try Self.run(
      "  - { fault: network.response-altered, acts: never }\n" + Self.answers + "  - verified: never\n")
    #expect(acting.verdict == .failed && acting.text.contains("a.yaml:5:46  the fault acts"), "\(acting.text)")
    let early = try Self.run(Self.answers + "  - verified: never\n", keys: "faults: [network.response-altered]\n")
    #expect(early.verdict == .passed, "\(early.text)")
  }

  @Test("elements cannot be missing from a result before there is one")
  func withoutBefore() throws {
    let before = try Self.run(Self.asks + "  - website: { without: [portrait] }\n")
    #expect(before.verdict == .failed && before.text.contains("the page has no result yet"), "\(before.text)")
    let after = try Self.run(
      Self.asks + "  - person: { cancels: selector }\n  - website: { without: [portrait] }\n")
    #expect(after.verdict == .passed, "\(after.text)")
  }

  @Test("an expectation about a device looks at that device, and at its newest action")
  func devices() throws {
    let iPad = """
      changes:
        devices:
          kellys-ipad:
            kind: ipad
            apps:
              Local Driving Authority:
                documents: [{ type: org.iso.18013.5.1.mDL, issuer: spaceport-dmv, elements: { given_name: Robin } }]

      """
    let steps =
      Self.asks + """
          - person: { visits: spaceship-rentals, on: kellys-ipad }
          - person: { taps: Verify Identity, on: kellys-ipad }

        """
    let right = try Self.run(
      steps + """
          - selector: { shows: [Wallet, Local Driving Authority], on: kellys-iphone }
          - selector: { shows: [Local Driving Authority], on: kellys-ipad }
          - person: { cancels: selector, on: kellys-iphone }
          - website: { falls-back: NotAllowedError, on: kellys-iphone }
          - website: { falls-back: NotAllowedError, on: kellys-ipad }
            fails: the call did not throw
          - exception: { name: NotAllowedError }

        """, keys: iPad)
    #expect(right.verdict == .passed, "\(right.text)")
    let wrong = try Self.run(
      steps + "  - selector: { shows: [Local Driving Authority], on: kellys-iphone }\n", keys: iPad)
    #expect(wrong.verdict == .failed && wrong.text.contains("the selector also offers Wallet"), "\(wrong.text)")
    let closed = try Self.run(
      steps + "  - person: { cancels: selector, on: kellys-iphone }\n"
        + "  - person: { picks: Wallet, on: kellys-iphone }\n  - released: never\n", keys: iPad)
    #expect(closed.text.contains("no selector is open to pick Wallet in"), "\(closed.text)")
  }

  @Test("a run does not change a fixed seed")
  func fixedSeed() throws {
    let folder = try BatchRunTests.folderWithWorld()
    let text = "scenario: A\nseed: { fixed: 18446744073709551615 }\nworld: spaceport\nsteps: [{ asked: once }]\n"
    try folder.write("a.yaml", text)
    var batch = BatchRun(paths: [folder.path])
    batch.settings.seed = 7
    let printed = BatchRunTests.run(batch)
    #expect(printed.output.joined().contains("--seed 18446744073709551615"), "\(printed.output)")
  }
}
