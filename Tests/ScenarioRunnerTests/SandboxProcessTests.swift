import BatchRuns
import Checks
import Crypto
import DevicePlatform
import Faults
import Foundation
import Messaging
import Reports
import ShippedScenarios
import Testing
import Vocabulary

@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Worlds whose sandbox is a process")
struct SandboxProcessTests {
  private static func needsProcess(_ scenario: Scenario) -> Bool { scenario.parsing(.inProcess).sandbox == nil }

  private static func places(_ scenario: Scenario) -> Set<WorldDescription.SandboxPlace> {
    Set(scenario.world.devices.map(\.sandbox))
  }

  private static func checks(_ result: CaseResult) -> [CheckResult] {
    result.journal.entries.filter { $0.party.role == .sandbox }.compactMap(\.event.check)
  }

  private static func parsed(_ result: CaseResult) -> [Note] {
    result.journal.entries.filter { $0.party.role == .sandbox }.compactMap(\.event.note)
      .filter { $0.code == .sandboxParsed }
  }

  @Test("the process is the default, and a story says if a request is parsed without it")
  func confinedByDefault() throws {
    let headline = try ShippedScenarios.headline()
    #expect(Self.places(headline) == [.process])
    #expect(!StoryReport.text(of: ScenarioRun.run(headline)).contains("notice:"))
    #expect(
      StoryReport.text(of: ScenarioRun.run(headline.parsing(.inProcess))).contains(
        "notice: requests are parsed in this process, not in a confined one: on kellys-iphone"))
  }

  @Test("a scenario with a sandbox fault keeps the process, whatever the run's option")
  func casesWithASandboxFaultKeepTheirProcess() throws {
    let faulty = try ShippedScenarios.cases().filter(Self.needsProcess)
    var acted: Set<String> = []
    for scenario in faulty {
      #expect(Self.places(scenario.parsing(.inProcess)) == [.process])
      let result = ScenarioRun.run(scenario.parsing(.inProcess))
      #expect(result.isPassed)
      let checks = Self.checks(result)
      let faults = result.journal.entries.compactMap(\.event.fault?.fault)
      #expect(faults.count == 1)
      acted.formUnion(faults)
      #expect(checks.count { $0.check == "sandbox.worker" && $0.reason != nil } == 1)
      // The fault takes one request; every other one is parsed, on each device.
      let asked = result.journal.entries.count { $0.event.message?.kind == .parse }
      #expect(asked > 1 && Self.parsed(result).count == asked - 1)
    }
    #expect(acted.count == SandboxFault.allCases.count)
  }

  @Test("the journal lists the input, the output and the withheld parts of each request")
  func record() throws {
    let result = ScenarioRun.run(try ShippedScenarios.headline().parsing(.process))
    let parsed = try #require(Self.parsed(result).first)
    func values(_ name: String) -> [String] { parsed.facts.filter { $0.name == name }.map(\.value) }
    struct Collected: Decodable { let requestData: String }
    struct Announced: Decodable { let origin: String }
    let messages = SecrecyTests.messages(of: result)
    func body<Body: Decodable>(_ kind: MessageKind) throws -> Body {
      try JSONDecoder().decode(Body.self, from: Data(#require(messages.first { $0.kind == kind }).bytes))
    }
    let collected: Collected = try body(.requestData)
    let announced: Announced = try body(.announce)
    let digest = SHA256.hash(data: Data(collected.requestData.utf8)).map { String(format: "%02x", $0) }.joined()
    #expect(values("in") == ["\(collected.requestData.utf8.count) bytes"])
    #expect(values("in: SHA-256") == [digest])
    #expect(values("in: origin") == [announced.origin])
    #expect(
      values("out: document") == [
        "org.iso.18013.5.1.mDL, org.iso.18013.5.1: age_over_21, driving_privileges, family_name (retained), "
          + "given_name (retained), portrait"
      ])
    #expect(values("out: reader chain").count == 2)
    #expect(values("withheld").count == 1)
  }

  @Test("the journal lists only the code for a refused request")
  func refusal() throws {
    let scenario = try #require(
      try ShippedScenarios.cases().first { $0.path.hasSuffix("faults/network/reader-signature-altered.yaml") })
    let refused = try #require(
      Self.checks(ScenarioRun.run(scenario)).first { $0.status == .failed })
    func values(_ name: String) -> [String] { refused.evidence.filter { $0.field == name }.compactMap(\.found) }
    #expect(values("out") == ["sandbox.reader-signature"])
    #expect(values("withheld") == ["everything"])
    #expect(values("in").count == 1 && values("in: SHA-256").count == 1)
  }

  @Test("the run's option is part of the line that repeats a failure")
  func option() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write(
      "wrong.yaml",
      try BatchRunTests.headlineText { $0.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly") })
    var batch = BatchRun(paths: [folder.path])
    batch.settings.sandbox = .inProcess
    let printed = BatchRunTests.run(batch)
    #expect(printed.verdict == .failed)
    #expect(printed.output.joined().contains("wrong.yaml --seed 7 --sandbox in-process"))
  }

  @Test("a sandbox fault requires a device with a sandbox process")
  func needed() throws {
    let folder = try BatchRunTests.folderWithWorld()
    let text =
      "scenario: a\nbecause: b\nworld: spaceport\nsteps:\n  - fault: sandbox.loop\n"
      + "  - person: { visits: spaceship-rentals }\n  - person: { taps: Verify Identity }\n  - released: never\n"
    try folder.write(
      "without.yaml", text + "changes: { devices: { kellys-iphone: { sandbox: in-process } } }\n")
    let without = BatchRunTests.run(BatchRun(paths: [folder.path]))
    #expect(without.verdict == .undecided)
    #expect(without.errors.contains("without.yaml:5:12  no device of this world has its sandbox in a process"))
    #expect(without.errors.contains("remove 'sandbox: in-process' from a device"))
    try folder.write("without.yaml", text)
    #expect(BatchRunTests.run(BatchRun(paths: [folder.path])).verdict == .passed)
  }
}
