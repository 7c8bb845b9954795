import BatchRuns
import CrossCheckTrait
import Foundation
import Messaging
import MobileDocument
import ScenarioFiles
import ShippedScenarios
import StatusLists
import Testing

@testable import LocatedYAML
@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Revocation in worlds", .crossChecked)
struct RevocationTests {
  /// A scenario in the usual world with other settings for its issuer, site and steps.
  private static func scenario(
    issuer: String = "publishes-status: status-list", site: String = "brand: { icon: spaceship.svg }", steps: String
  ) -> String {
    """
    scenario: A list
    because: a test
    seed: 7
    world: spaceport
    changes:
      authorities: { issuers: { spaceport-dmv: { \(issuer) } } }
      websites: { spaceship-rentals: { \(site) } }
    steps:
    \(steps)
    """
  }

  private static let verifies = """
      - person: { visits: spaceship-rentals, on: kellys-iphone }
      - person: { taps: Verify Identity }
      - person: { picks: Wallet }
      - person: { authorizes-with: face-id }
    """

  private static func read(_ text: String) throws -> (scenarios: [Scenario], problems: String) {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("list.yaml", text)
    let problems = ProblemCollector()
    let scenarios = ScenarioReader.read(folder.path + "/list.yaml", problems) ?? []
    return (scenarios, problems.rendered())
  }

  private static func run(_ text: String) throws -> CaseResult {
    let (scenarios, problems) = try read(text)
    return ScenarioRun.run(try #require(scenarios.first, "\(problems)"))
  }

  private static func fetches(_ result: CaseResult) -> Int {
    result.journal.entries.count { $0.event.message?.kind == .getList }
  }

  @Test("every status check decides a shipped scenario")
  func coverage() throws {
    var shown: Set<String> = []
    for step in try ShippedScenarios.cases().flatMap(\.steps) {
      switch step.step.content {
      case .expectation(.website(let expected)): if let code = expected.refused { shown.insert(code) }
      case .expectation(.decision(let expected)) where expected.outcome == "deviates": shown.insert(expected.code)
      default: continue
      }
    }
    for name in StatusCheck.definitions.flatMap(\.findings) { #expect(shown.contains(name), "\(name)") }
  }

  @Test("a list is fetched once, over HTTP, after the other checks passed")
  func fetched() throws {
    let verified = "  - website: { verified: { given_name: Kelly } }"
    let result = try Self.run(Self.scenario(steps: Self.verifies + "\n" + verified))
    #expect(result.isPassed && Self.fetches(result) == 1)
    let request = try #require(
      result.journal.entries.compactMap { entry -> Message? in
        guard case .message(let message) = entry.event, message.mediaType == "message/http" else { return nil }
        return message
      }.first)
    #expect(
      String(decoding: request.bytes, as: UTF8.self).hasPrefix(
        "GET /status/1 HTTP/1.1\r\nHost: spaceport-dmv.example\r\nAccept: application/statuslist+cwt, "))
    #expect(request.recipient.description == "issuer:spaceport-dmv")
  }

  @Test("no list is fetched for a refused response, or by a site without status checks")
  func notFetched() throws {
    let asked = "asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { issuing_country: show } } }"
    let refused = try Self.run(
      Self.scenario(
        issuer: "publishes-status: both, country: CA", site: asked,
        steps: Self.verifies + "\n  - website: { refused: issuer.country }"))
    #expect(refused.isPassed && Self.fetches(refused) == 0)
    let unchecked = try Self.run(
      Self.scenario(
        site: "revocation: none", steps: Self.verifies + "\n  - website: { verified: { given_name: Kelly } }"))
    #expect(unchecked.isPassed && Self.fetches(unchecked) == 0)
  }

  @Test("an impossible action of an authority fails the step with the reason")
  func cannot() throws {
    let revoke = "  - authority: { name: spaceport-dmv, revokes: mDL, in: Wallet, on: kellys-iphone }"
    let reinstate = "  - authority: { name: spaceport-dmv, reinstates: mDL, in: Wallet }"
    let rows = [
      (revoke + "\n" + reinstate, "what was revoked stays revoked"), (reinstate, "the document is not suspended"),
      (
        "  - authority: { name: spaceport-dmv, revokes: mDL, in: Missing Wallet, on: kellys-iphone }",
        "no document was issued for kellys-iphone/Missing Wallet/mDL"
      ),
    ]
    for (steps, reason) in rows {
      let other = "devices: { kellys-iphone: { apps: { Missing Wallet: { documents: [] } } } }"
      let text = Self.scenario(steps: steps + "\n  - released: never").replacingOccurrences(
        of: "\nsteps:", with: "\n  \(other)\nsteps:")
      let result = try Self.run(text)
      guard case .failed(let failure) = result.outcome else {
        Issue.record("\(reason): \(result.outcome)")
        continue
      }
      #expect(failure.caretNote == reason)
    }
  }

  @Test("a contradiction in a file is reported at its position")
  func unreadable() throws {
    let nothing = "  - authority: { name: spaceport-dmv }"
    let suspends = "  - authority: { name: spaceport-dmv, suspends: mDL, in: Wallet }"
    let rows: [(issuer: String, site: String, steps: String, said: String)] = [
      ("country: US", "revocation: none", suspends, "spaceport-dmv does not publish a list"),
      (
        "publishes-status: identifier-list", "revocation: none", suspends,
        "an identifier list cannot say that a document is suspended"
      ),
      ("publishes-status: list", "revocation: none", suspends, "unknown kind of list"),
      ("publishes-status: both", "revocation: loose", suspends, "unknown policy"),
      ("publishes-status: both", "revocation: { revokd: accept }", suspends, "did you mean 'revoked'?"),
      ("publishes-status: both", "revocation: { stale: maybe }", suspends, "unknown treatment"),
      ("publishes-status: both", "revocation: none", nothing, "the action of the authority is missing"),
      (
        "publishes-status: both", "revocation: none",
        "  - authority: { name: spaceport-dmv, revokes: mDL, suspends: mDL, in: Wallet }",
        "the authority takes one action in a step, found 2"
      ),
      (
        "publishes-status: both", "revocation: none", "  - authority: { name: spaceport-dmv, revokes: mDL }",
        "the key 'in' is missing"
      ),
    ]
    for row in rows {
      let (scenarios, problems) = try Self.read(Self.scenario(issuer: row.issuer, site: row.site, steps: row.steps))
      #expect(scenarios.isEmpty && problems.contains(row.said), "\(problems)")
    }
  }
}
