import Foundation
import LocatedYAML
import Reports
import ScenarioFiles
import ScenarioLanguage
import Testing

@testable import ScenarioSearch

@Suite("A search for cases that pass without what they are about")
struct VacuousTests {
  /// The search in a file of a folder of its own, with the shipped worlds.
  private static func result(_ text: String, jobs: Int = 1) throws -> VacuousResult {
    let path = NSTemporaryDirectory() + "presentment-vacuous-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: SweepTests.scenarios + "/worlds", toPath: path + "/worlds")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/a.yaml"))
    let problems = ProblemCollector()
    var worlds = WorldSources()
    var plan = VacuousPlan([
      try #require(DividedFile(path + "/a.yaml", worlds: &worlds, problems), "\(problems.rendered())")
    ])
    plan.sandbox = .inProcess
    plan.jobs = jobs
    return plan.run()
  }

  /// The lines, codes and parts of findings, and the codes and messages of the rest.
  private static func list(_ result: VacuousResult) -> [String] {
    result.findings.map { "\($0.part.position.line) \($0.part.name)\($0.isSame ? ", same" : "")" }
      + (result.failures + result.unneeded).map { "\($0.position?.line ?? 0) \($0.message)" }
  }

  private static let head = """
    scenario: A
    world: spaceport
    flows:
      present:
        steps:
          visits: { person: { visits: spaceship-rentals, on: kellys-iphone } }
          taps: { person: { taps: Verify Identity } }
          picks: { person: { picks: Wallet } }
          agrees: { person: { authorizes-with: face-id } }

    """

  @Test("a fault whose effect is expected is needed; one after which only its own act is expected is not")
  func faults() throws {
    let result = try Self.result(
      Self.head + """
        matrix:
          - case: good
            steps:
              - fault: network.response-altered
              - flow: present
              - website: { refused: response.decryption }
          - case: planted
            steps:
              - fault: website.origin-in-options
              - person: { visits: spaceship-rentals, on: kellys-iphone }
              - person: { taps: Verify Identity }
              - decision: { by: page, code: website.origin-in-options, outcome: applied }
              - person: { picks: Wallet }
              - person: { authorizes-with: face-id }
              - website: { verified: { given_name: Kelly } }

        """)
    #expect(Self.list(result) == ["18 website.origin-in-options"])
    #expect(result.cases == 2 && result.parts == 2 && !result.isClean)
    #expect(result.findings.map { $0.cases.map(\.caseName) } == [["planted"]])
  }

  @Test("with a fault go its end and the decisions about it, up to the next use of the same fault")
  func faultsThatEnd() throws {
    let result = try Self.result(
      Self.head + """
        steps:
          - fault: website.origin-in-options
          - flow: present
          - website: { verified: { given_name: Kelly } }
          - fault: { ends: website.origin-in-options }
          - fault: network.response-altered
          - flow: present
          - asked: 2
          - fault: { ends: network.response-altered }
          - fault: network.response-altered
          - flow: present
          - website: { refused: response.decryption }
          - fault: { ends: network.response-altered }

        """)
    #expect(Self.list(result) == ["11 website.origin-in-options", "15 network.response-altered"])
    #expect(result.parts == 3)
  }

  @Test("a fault that must never act is an expectation itself")
  func expectations() throws {
    let result = try Self.result(
      Self.head + """
        steps:
          - fault: issuer.not-signed
            acts: never
          - flow: present
          - website: { verified: { given_name: Kelly } }

        """)
    #expect(result.isClean && result.parts == 0)
  }

  @Test("a change is judged for all cases of the file that make it; something new in the world is one part")
  func changes() throws {
    let result = try Self.result(
      Self.head + """
        changes:
          websites:
            spaceship-rentals: { session-lifetime: 1 hour }
            another: { origin: "https://another.example", brand: { name: Another }, asks: {} }
        steps:
          - flow: present
          - website: { verified: { given_name: Kelly } }
        matrix:
          - case: compared
            changes: { websites: { spaceship-rentals: { accepts-issuers: [local-driving-authority] } } }
            steps: [{ flow: present }, { website: { refused: issuer.trust } }]
          - case: comparison
            changes: { websites: { spaceship-rentals: { accepts-issuers: [spaceport-dmv] } } }

        """)
    #expect(Self.list(result) == ["12 websites/spaceship-rentals/session-lifetime, same", "13 websites/another"])
    #expect(result.findings.map(\.cases.count) == [2, 2] && result.parts == 6)
  }

  @Test("an exemption needs its finding, and names a part")
  func exemptions() throws {
    let steps = """
      steps:
        - fault: website.origin-in-options
        - flow: present
        - website: { verified: { given_name: Kelly } }

      """
    let exempted = try Self.result(
      Self.head + "passes-without: { website.origin-in-options: the browser takes no origin from a page }\n" + steps)
    #expect(Self.list(exempted) == [] && exempted.exempted == 1 && exempted.isClean)
    let unneeded = try Self.result(
      Self.head + "passes-without: { website.origin-in-option: a, network.response-altered: b }\n"
        + "steps:\n  - fault: network.response-altered\n  - flow: present\n  - website: { refused: response.decryption }\n"
    )
    #expect(
      Self.list(unneeded) == [
        "10 no case has the fault or the change 'website.origin-in-option'",
        "10 a case fails without 'network.response-altered', so the reason is not needed",
      ])
    #expect(!unneeded.isClean)
  }

  @Test("a case that does not pass with all its parts is reported as such, and judges no reason")
  func failing() throws {
    let result = try Self.result(
      Self.head + "passes-without: { issuer.not-signed: a }\n"
        + "steps:\n  - fault: issuer.not-signed\n  - flow: present\n  - website: { verified: { given_name: Kelly } }\n")
    #expect(Self.list(result) == ["1 the case does not pass, so its parts cannot be judged"])
  }

  @Test("the report is the same for any number of jobs")
  func jobs() throws {
    let problems = ProblemCollector()
    var worlds = WorldSources()
    let path = SweepTests.scenarios + "/cross-device/the-tunnel-service-is-not-trusted.yaml"
    var plan = VacuousPlan([try #require(DividedFile(path, worlds: &worlds, problems))])
    plan.sandbox = .inProcess
    let one = VacuousReport(plan.run())
    plan.jobs = 3
    let three = VacuousReport(plan.run())
    #expect(one.text == three.text)
    #expect(one.json == three.json)
  }
}
