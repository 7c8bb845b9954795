import BatchRuns
import CrossCheckTrait
import Reports
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Requests that no app can answer", .crossChecked)
struct NobodyCanAnswerTests {
  /// A step with a wrong expectation, and the headline of its report.
  static let steps = [
    ("website: { verified: { given_name: Kelly } }", "the call threw NotAllowedError"),
    ("website: { falls-back: SyntaxError }", "the call threw NotAllowedError"),
    ("exception: { name: SyntaxError }", "the call threw NotAllowedError"),
    ("exception: { code: browser.choice }", "the call was rejected by another rule"),
    ("selector: { shows: [Wallet] }", "the selector does not offer Wallet"),
    ("person: { picks: Wallet }", "no selector is open to pick Wallet in"),
    ("consent: { certified: true }", "no app asks for consent"),
  ]

  private func report(_ step: String, apps: String) throws -> String {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write(
      "wrong.yaml",
      """
      scenario: Nobody
      world: spaceport
      changes:
        websites: { spaceship-rentals: { signs-for: [harbor-authority] } }
        devices: { kellys-iphone: { apps: \(apps) } }
      steps:
        - person: { visits: spaceship-rentals }
        - person: { taps: Verify Identity }
        - \(step)
        - released: never
      """)
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .failed, "\(printed.errors)")
    return printed.output.joined(separator: "\n")
  }

  @Test("the report of a failure lists every app with its reason and what would make it appear", arguments: steps)
  func hiddenApps(step: String, headline: String) throws {
    let text = try report(step, apps: "{ Other Wallet: { entitlement: [org.iso.23220.photoid.1] } }")
    #expect(text.contains(headline), "\(text)")
    for line in [
      "\n   Wallet: the request is not signed for a reader authority that the app trusts [selector.reader/untrusted]\n",
      "\n      it would appear: sign the request with a valid certificate of an authority that Wallet trusts (",
      "\n   Local Driving Authority: the request is not signed for a reader authority that the app trusts [",
      "\n   Other Wallet: the app has registered no document [selector.registration]\n",
      "\n      it would appear: add a document to Other Wallet\n",
    ] {
      #expect(text.split(separator: line).count == 2, "\(line) is not in it once: \(text)")
    }
  }

  @Test("the report names a device without apps")
  func noApps() throws {
    let text = try report("website: { falls-back: SyntaxError }", apps: "null")
    #expect(text.contains("\n   no app on the device provides documents\n"), "\(text)")
  }

  @Test("an earlier request without an answer does not explain a later failure")
  func laterRequest() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write(
      "later.yaml",
      """
      scenario: First nobody, then somebody
      world: spaceport
      changes:
        websites:
          harbor:
            origin: https://harbor.example
            brand: { name: Harbor }
            asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { given_name: show } } }
      steps:
        - person: { visits: harbor }
        - person: { taps: Verify Identity }
        - exception: { code: browser.platform/nothing-can-answer }
        - person: { visits: spaceship-rentals }
        - person: { taps: Verify Identity }
        - consent: { certified: true }
      """)
    let text = BatchRunTests.run(BatchRun(paths: [folder.path])).output.joined(separator: "\n")
    #expect(text.contains("no app asks for consent"), "\(text)")
    #expect(!text.contains("it would appear"), "\(text)")
  }

  @Test("a missing mention is pointed at, and the message is shown")
  func mention() throws {
    let text = try report("exception: { mentions: [Wallet, Harbor Wallet] }", apps: "{ Other Wallet: null }")
    #expect(text.contains("the exception's message does not say this"), "\(text)")
    #expect(text.contains("message: Nothing on this platform can answer the request: Local Driving Authority: "))
  }

  @Test("an empty list of mentions is refused")
  func noMention() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("empty.yaml", "scenario: a\nworld: spaceport\nsteps: [exception: { mentions: [] }]\n")
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .undecided)
    #expect(printed.errors.contains("the expectation is empty"))
  }
}
