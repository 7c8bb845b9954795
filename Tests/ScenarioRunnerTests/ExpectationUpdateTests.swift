import BatchRuns
import Foundation
import LocatedYAML
import Reports
import Synchronization
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Updates of expectations") struct ExpectationUpdateTests {
  private static let head = """
    # Keeps its comments.
    scenario: A   # a title
    seed: 5
    world: spaceport

    """
  private static let asks = """
    steps:
      - person: { visits: spaceship-rentals }
      - person: { taps: Verify Identity }

    """
  private static let answers =
    asks + "  - person: { picks: Wallet }\n  - person: { authorizes-with: face-id }\n"
  /// A change of the world in which Wallet is the only app that can answer.
  private static let alone = "changes: { devices: { kellys-iphone: { apps: { Local Driving Authority: ~ } } } }"

  struct Updated {
    let verdict: RunReport.Verdict
    /// All that was printed, without the folder.
    let text: String
    /// The files in the end, by their names.
    let files: [String: String]
  }

  /// Writes files beside a world, and updates them.
  private func update(
    _ files: [String: String], paths: [String] = [""], _ consent: UpdateRun.Consent = .all,
    changing: (inout BatchRun) -> Void = { _ in }
  ) throws -> Updated {
    let folder = try BatchRunTests.folderWithWorld()
    for (name, text) in files { try folder.write(name, text) }
    var batch = BatchRun(paths: paths.map { folder.path + "/" + $0 })
    changing(&batch)
    let output = Mutex("")
    let update = UpdateRun(batch, consent) { path, bytes in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let verdict = update.run(
      BatchRun.Output(
        line: { text in output.withLock { $0 += text + "\n" } },
        error: { text in output.withLock { $0 += text + "\n" } })
    )
    var found: [String: String] = [:]
    for name in files.keys { found[name] = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) }
    return Updated(
      verdict: verdict, text: output.withLock { $0 }.replacing(folder.path + "/", with: ""), files: found)
  }

  /// Updates one file, and compares it with its text after some replacements.
  private func expect(
    _ text: String, becomes replacements: [(String, String)], summary: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let updated = try update(["a.yaml": text])
    var expected = text
    for (old, new) in replacements {
      #expect(expected.components(separatedBy: old).count == 2, "\(old)", sourceLocation: sourceLocation)
      expected = expected.replacing(old, with: new)
    }
    #expect(updated.files["a.yaml"] == expected, "\(updated.text)", sourceLocation: sourceLocation)
    #expect(updated.verdict == .passed, "\(updated.text)", sourceLocation: sourceLocation)
    #expect(updated.text.hasSuffix(summary + "\n"), "\(updated.text)", sourceLocation: sourceLocation)
  }

  @Test("values in brackets change, one group of expectations after the other, and the case passes")
  func brackets() throws {
    try expect(
      Self.head + Self.asks + """

          - selector: { shows: [Wallet, Other Wallet],  hides: { Other Wallet: selector.reader/unsigned } } # two apps
          - person: { picks: Wallet }
          - asked: 3
          - consent: { requester: 'Spaceship Hire', certified: true, retains: [given_name, portrait, family_name] }
          - person: { authorizes-with: face-id }
          # The result.
          - website:
              verified: { given_name: "Nelly", family_name: Rover, age_over_21: false, portrait: present }

        """,
      becomes: [
        ("[Wallet, Other Wallet]", "[Wallet, Local Driving Authority]"),
        ("selector.reader/unsigned", "selector.reader/untrusted"), ("asked: 3", "asked: once"),
        ("'Spaceship Hire'", "'Spaceship Rentals'"),
        ("[given_name, portrait, family_name]", "[given_name, family_name]"), ("\"Nelly\"", "\"Kelly\""),
        ("age_over_21: false", "age_over_21: true"),
      ], summary: "4 expectations updated in 1 file; now 1 passed, 0 failed")
  }

  @Test("values in lines of their own change, and comments between them stay") func lines() throws {
    try expect(
      Self.head + Self.asks + """
          - selector:
              # Who can answer.
              shows:
                - Wallet  # the first

                # The next one.
                - Other Wallet  # not hidden
          - person: { picks: Wallet }
          - consent:
              icon: comet.svg   # the brand
              asks:
                - given_name
                - family_name
                # A view.
                - age_over_21
                - portrait  # the last
              retains:
                - given_name
                - driving_privileges
                - family_name

        """,
      becomes: [
        ("- Other Wallet  #", "- Local Driving Authority  #"), ("comet.svg", "spaceship.svg"),
        ("        - driving_privileges\n", ""),
        ("- portrait  # the last\n", "- portrait  # the last\n        - driving_privileges\n"),
      ], summary: "2 expectations updated in 1 file; now 1 passed, 0 failed")
  }

  @Test("another exception, another rule and another count are written") func exceptions() throws {
    try expect(
      Self.head + Self.asks + """
          - person: { cancels: selector }
          - exception: { name: AbortError, code: browser.platform }
          - website: { falls-back: AbortError }
          - messages: { kind: raw request, count: never }

        """,
      becomes: [
        ("name: AbortError, code: browser.platform", "name: NotAllowedError, code: browser.choice"),
        ("falls-back: AbortError", "falls-back: NotAllowedError"),
      ], summary: "2 expectations updated in 1 file; now 1 passed, 0 failed")
    try expect(
      Self.head + Self.answers + """
          - verified: { name: spaceship-rentals, count: 3 }
          - decision: { by: server, code: device.signature, outcome: passed, count: 2 }

        """,
      becomes: [("count: 3", "count: once"), ("count: 2", "count: once")],
      summary: "2 expectations updated in 1 file; now 1 passed, 0 failed")
  }

  @Test("the text of a page and a message are written as a whole") func texts() throws {
    try expect(
      Self.head + """
        steps:
          - person: { visits: spaceship-rentals }
          - website: { step: identity, mentions: ["Comet 4, two seats", "1,240 credits"] }

        """,
      becomes: [("\"Comet 4, two seats\"", "\"Comet 3, two seats\"")],
      summary: "1 expectation updated in 1 file; now 1 passed, 0 failed")
  }

  @Test(
    "an update never turns a result into another kind of result",
    arguments: [
      ("website: { refused: response.decryption }", "the response is verified, which is another kind of result"),
      ("verified: never", "it happened once, which is another kind of result"),
      ("released: never", "it happened once, which is another kind of result"),
      ("answered: { app: Other Wallet, count: once }", "it never happened, which is another kind of result"),
      ("website: { falls-back: NotAllowedError }", "the response is verified, which is another kind of result"),
      ("website: { without: [given_name] }", "so its expectation would be lost"),
      ("website: { verified: { height: 172 } }", "so its expectation would be lost"),
      ("website: { step: identity }", "which is another kind of result"),
      ("exception: { name: NotAllowedError }", "no call threw, which is another kind of result"),
      ("consent: { certified: true }", "no app asks for consent, which is another kind of result"),
      (
        "decision: { by: server, code: device.signature, outcome: failed }",
        "the outcome is passed, which is another kind of result"
      ),
      ("decision: { by: server, code: response.decryption/transcript }", "the decision did not happen"),
    ])
  func otherKinds(step: String, reason: String) throws {
    let text = Self.head + Self.answers + "  - \(step)\n"
    let updated = try update(["a.yaml": text])
    #expect(updated.files["a.yaml"] == text)
    #expect(updated.verdict == .failed)
    #expect(updated.text.contains("not written  a.yaml:10:") && updated.text.contains(reason), "\(updated.text)")
    #expect(updated.text.hasSuffix("0 expectations updated in 0 files; now 0 passed, 1 failed\n"), "\(updated.text)")
  }

  @Test("a refused response does not become an expected one") func refusedResponse() throws {
    let text =
      Self.head + "faults: [network.response-altered]\n" + Self.answers
      + "  - website: { verified: { given_name: Kelly } }\n"
    let updated = try update(["a.yaml": text])
    #expect(updated.verdict == .failed && updated.files["a.yaml"] == text)
    #expect(updated.text.contains("the response is refused ["), "\(updated.text)")
  }

  @Test(
    "failures of other steps are listed, and not written",
    arguments: [
      (asks + "  - person: { picks: Other Wallet }\n  - asked: once\n", "this is not the value of an expectation"),
      (answers + "  - verified: once\n  - fault: network.response-altered\n", "a fault does not act"),
      (
        asks + "  - selector: { shows: [Wallet] }\n    fails: no app was selected\n", "an update keeps 'fails'"
      ),
      ("fails-because: a reason\n" + asks + "  - asked: never\n", "an update keeps 'fails-because'"),
    ])
  func otherFailures(steps: String, reason: String) throws {
    let updated = try update(["a.yaml": Self.head + steps])
    #expect(updated.files["a.yaml"] == Self.head + steps)
    #expect(updated.verdict == .failed)
    #expect(updated.text.contains("not written  a.yaml:") && updated.text.contains("   \(reason)\n"), "\(updated.text)")
  }

  @Test("a case that is expected to fail, or skipped, stays as it is", arguments: ["fails-because", "skip"])
  func untouched(key: String) throws {
    let text = Self.head + "\(key): a reason\n" + Self.asks + "  - selector: { shows: [Wallet] }\n"
    let updated = try update(["a.yaml": text])
    #expect(updated.verdict == .passed && updated.files["a.yaml"] == text, "\(updated.text)")
  }

  @Test(
    "an expectation of several cases changes only if all of them need the same value",
    arguments: [
      ("seed: 9", "[Wallet]", ""), (alone, "[Wallet]", "it holds in the case 'second'"),
      (alone, "[Other Wallet]", "the case 'second' needs another value"),
      ("skip: later", "[Wallet]", "the case 'second' has it too, and is skipped"),
      ("fails-because: later", "[Wallet]", "the case 'second' has it too, and is expected to fail"),
      (
        "changes: { websites: { spaceship-rentals: { signs-for: [] } } }", "[Wallet]",
        "the case 'second' has it too"
      ),
    ])
  func matrix(change: String, shows: String, reason: String) throws {
    let text =
      Self.head + Self.asks
      + "  - selector: { shows: \(shows) }\nmatrix:\n  - case: first\n  - case: second\n    \(change)\n"
    // The second case is asked, whether it is chosen or not.
    for caseName in [nil, "first"] {
      let updated = try update(["a.yaml": text]) { $0.selection.caseName = caseName }
      if reason.isEmpty {
        #expect(updated.files["a.yaml"] == text.replacing(shows, with: "[Wallet, Local Driving Authority]"))
        #expect(updated.verdict == .passed, "\(updated.text)")
        #expect(updated.text.contains("1 expectation updated in 1 file"), "\(updated.text)")
      } else {
        #expect(updated.files["a.yaml"] == text)
        #expect(updated.verdict == .failed && updated.text.contains(reason), "\(updated.text)")
      }
    }
  }

  @Test("a case that needs an earlier change first agrees in a later round") func laterRounds() throws {
    let text =
      Self.head + "steps:\n  - flow: presents\n" + """
        flows:
          presents:
            steps:
              visits: { person: { visits: spaceship-rentals } }
              taps: { person: { taps: Verify Identity } }
              before: { asked: never }
              picks: { person: { picks: Wallet } }
              authorizes: { person: { authorizes-with: face-id } }
              sees: { website: { verified: { given_name: Nelly } } }
        matrix:
          - case: first
          - case: second
            steps:
              - flow: presents
                changes: { before: { asked: ~, selector: { shows: [Wallet] } } }

        """
    let updated = try update(["a.yaml": text])
    #expect(
      updated.files["a.yaml"]
        == text.replacing("Nelly", with: "Kelly").replacing("[Wallet]", with: "[Wallet, Local Driving Authority]"),
      "\(updated.text)")
    #expect(updated.text.hasSuffix("2 expectations updated in 1 file; now 2 passed, 0 failed\n"), "\(updated.text)")
  }

  private static let look = """
    flow: Look   # at the apps
    steps:
      visits: { person: { visits: spaceship-rentals } }
      taps: { person: { taps: Verify Identity } }
      sees: { selector: { shows: [Wallet] } }

    """

  @Test("a flow changes only if every scenario beside it that uses it needs the same value") func flows() throws {
    let using = Self.head + "steps: [{ flow: look }]\n"
    let agreed = try update(
      ["flows/look.yaml": Self.look, "a.yaml": using, "b.yaml": using], paths: ["a.yaml"])
    #expect(agreed.verdict == .passed, "\(agreed.text)")
    #expect(
      agreed.files["flows/look.yaml"] == Self.look.replacing("[Wallet]", with: "[Wallet, Local Driving Authority]"))
    #expect(agreed.files["a.yaml"] == using)

    let other = ["flows/look.yaml": Self.look, "a.yaml": using, "below/b.yaml": using + Self.alone + "\n"]
    let refused = try update(other, paths: ["a.yaml"])
    #expect(refused.verdict == .failed && refused.files == other, "\(refused.text)")
    #expect(refused.text.contains("not written  flows/look.yaml:5:"), "\(refused.text)")
    #expect(refused.text.contains("it holds in the case below/b.yaml"), "\(refused.text)")
  }

  @Test("a flow that a case uses twice changes if both uses need the same value in the end", arguments: [false, true])
  func usedTwice(differ: Bool) throws {
    let flow = """
      flow: Look
      steps:
        visits: { person: { visits: spaceship-rentals } }
        taps: { person: { taps: Verify Identity } }
        sees: { selector: { shows: [Wallet] } }
        cancels: { person: { cancels: selector } }
        throws: { exception: { name: AbortError } }

      """
    let between = differ ? "  - person: { removes: Local Driving Authority }\n" : ""
    let using = Self.head + "steps:\n  - flow: look\n\(between)  - flow: look\n"
    let updated = try update(["flows/look.yaml": flow, "a.yaml": using])
    if differ {
      #expect(updated.verdict == .failed && updated.files["flows/look.yaml"] == flow, "\(updated.text)")
      #expect(updated.text.contains("has it too, and ends before it"), "\(updated.text)")
    } else {
      #expect(
        updated.files["flows/look.yaml"]
          == flow.replacing("[Wallet]", with: "[Wallet, Local Driving Authority]")
          .replacing("AbortError", with: "NotAllowedError"))
      #expect(updated.verdict == .passed, "\(updated.text)")
    }
  }

  @Test("a value that a use of a flow changes is written at the use") func changedFlows() throws {
    let using =
      Self.head + "steps:\n  - flow: look\n    changes: { sees: { selector: { shows: [Other Wallet] } } }\n"
    let flow = Self.look.replacing("[Wallet]", with: "[Wallet, Local Driving Authority]")
    let updated = try update(["flows/look.yaml": flow, "a.yaml": using])
    #expect(updated.verdict == .passed && updated.files["flows/look.yaml"] == flow, "\(updated.text)")
    #expect(
      updated.files["a.yaml"] == using.replacing("[Other Wallet]", with: "[Local Driving Authority, Wallet]"))
  }

  @Test("an expectation with an anchor changes for all its uses, and a value with one stays") func anchors() throws {
    let text = Self.head + Self.asks + "  - selector: &apps { shows: [Wallet] }\n  - selector: *apps\n"
    let updated = try update(["a.yaml": text])
    #expect(updated.files["a.yaml"] == text.replacing("[Wallet]", with: "[Wallet, Local Driving Authority]"))
    #expect(updated.verdict == .passed, "\(updated.text)")
    let named = Self.head + Self.asks + "  - selector: { shows: &apps [Wallet] }\n  - selector: { shows: *apps }\n"
    let kept = try update(["a.yaml": named])
    #expect(kept.files["a.yaml"] == named)
    #expect(kept.verdict == .failed && kept.text.contains("the value has an anchor"), "\(kept.text)")
  }

  private static let wrong = head + asks + "  - selector: { shows: [Wallet] }\n"
  private static let right = wrong.replacing("[Wallet]", with: "[Wallet, Local Driving Authority]")

  @Test("without consent the difference is printed, and nothing is written") func withoutConsent() throws {
    let updated = try update(["a.yaml": Self.wrong], .none)
    #expect(updated.files["a.yaml"] == Self.wrong && updated.verdict == .failed)
    #expect(
      updated.text.contains(
        """
        --- a.yaml
        +++ a.yaml
        @@ -5,4 +5,4 @@
         steps:
           - person: { visits: spaceship-rentals }
           - person: { taps: Verify Identity }
        -  - selector: { shows: [Wallet] }
        +  - selector: { shows: [Wallet, Local Driving Authority] }
        not written  a.yaml  (give --yes to write)
        """), "\(updated.text)")
    #expect(
      updated.text.hasSuffix("0 expectations updated in 0 files, 1 difference not written; now 0 passed, 1 failed\n"),
      "\(updated.text)")
  }

  @Test("each file is written if the answer is yes") func asksForEachFile() throws {
    let asked = Mutex<[String]>([])
    let updated = try update(
      ["a.yaml": Self.wrong, "b.yaml": Self.wrong],
      .asking { path in
        let name = String(path.suffix(6))
        asked.withLock { $0.append(name) }
        return name == "b.yaml"
      })
    #expect(asked.withLock { $0 } == ["a.yaml", "b.yaml"])
    #expect(updated.files == ["a.yaml": Self.wrong, "b.yaml": Self.right])
    #expect(updated.verdict == .failed)
    #expect(
      updated.text.hasSuffix("1 expectation updated in 1 file, 1 difference not written; now 1 passed, 1 failed\n"),
      "\(updated.text)")
  }

  @Test("a file that is saved between the run and the answer is not overwritten") func savedMeanwhile() throws {
    let updated = try update(
      ["a.yaml": Self.wrong],
      .asking { path in (try? Data("scenario: other\n".utf8).write(to: URL(fileURLWithPath: path))) != nil })
    #expect(updated.files["a.yaml"] == "scenario: other\n")
    #expect(updated.verdict == .undecided && updated.text.contains("was saved meanwhile"), "\(updated.text)")
  }

  @Test("a file that was saved and is not written leaves the run undecided") func notJudged() throws {
    let updated = try update(
      ["a.yaml": Self.wrong],
      .asking { path in
        try? Data("scenario: other\n".utf8).write(to: URL(fileURLWithPath: path))
        return false
      })
    #expect(updated.verdict == .undecided && updated.text.contains("was saved meanwhile"), "\(updated.text)")
  }

  @Test("a run without a failure prints no update") func nothingToDo() throws {
    let updated = try update(["a.yaml": Self.right])
    #expect(updated.verdict == .passed && updated.text.hasSuffix("\n1 passed, 0 failed\n"), "\(updated.text)")
  }

  @Test("the command writes with --yes, and elsewhere than on a terminal only then") func command() async throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("a.yaml", Self.wrong)
    let path = folder.path + "/a.yaml"
    func run(_ options: String...) async throws -> Programs.Run {
      try await Programs.run(Programs.presentment, ["run", path, "--sandbox", "in-process"] + options)
    }
    let shown = try await run("--update")
    #expect(shown.code == 1 && shown.output.contains("+  - selector: { shows: [Wallet, Local Driving"), "\(shown)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.wrong)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let written = try await run("--update", "--yes")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(written.code == 0 && written.output.contains("written  \(path)"), "\(written)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.right)
    #expect(try await run().code == 0)
    for mistake in [
      ["--yes"], ["--update", "--watch"], ["--update", "--seeds", "1..2"], ["--update", "--fail-fast"],
    ] {
      let run = try await Programs.run(Programs.presentment, ["run", path] + mistake)
      #expect(run.code == 2 && run.errors.contains(mistake[0]), "\(run)")
    }
  }
}
