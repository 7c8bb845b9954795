import CrossCheckTrait
import Devices
import Foundation
import IdentityDocumentServices
import LocatedYAML
import Messaging
import ProviderStyles
import SampleProvider
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import TestSupport
import Testing

@Suite("Sample provider: in a world", .crossChecked)
struct SampleWorldTests {
  /// Cases in which the sample answers instead of Local Driving Authority's own code.
  private static let scenario = """
    scenario: The sample app in a world
    because: an app written against IdentityDocumentServices is put into a world by its name
    seed: 5
    clock: 2025-09-15T17:00:00Z
    world: spaceport
    changes: { devices: { kellys-iphone: { apps: { Local Driving Authority: { style: sample } } } } }
    matrix:
      - case: the person agrees
        steps:
          - person: { visits: spaceship-rentals, on: kellys-iphone }
          - person: { taps: Verify Identity }
          - selector: { shows: [Wallet, Local Driving Authority] }
          - person: { picks: Local Driving Authority }
          - consent:
              requester: Spaceship Rentals
              certified: true
              retains: [given_name, family_name]
              mentions: ["Show your documents to Spaceship Rentals?", Given Name will be stored.]
          - person: { taps: Show }
          - decision: { by: app, code: provider.message }
          - website: { verified: { given_name: Kelly, age_over_21: "true" } }
      - case: the person does not agree
        steps:
          - person: { visits: spaceship-rentals, on: kellys-iphone }
          - person: { taps: Verify Identity }
          - person: { picks: Local Driving Authority }
          - person: { taps: Do Not Show }
          - website: { falls-back: NotAllowedError }
      - case: the certificate is that of another website
        changes: { websites: { spaceship-rentals: { certified-domain: other.example } } }
        steps:
          - person: { visits: spaceship-rentals, on: kellys-iphone }
          - person: { taps: Verify Identity }
          - person: { picks: Local Driving Authority }
          - website: { falls-back: NotAllowedError }
      - case: the system asks for the registrations
        steps:
          - app: { name: Local Driving Authority, removes: mDL }
          - person: { waits: 8 days }
          - person: { visits: spaceship-rentals, on: kellys-iphone }
          - person: { taps: Verify Identity }
          - selector: { shows: [Wallet, Local Driving Authority] }
    """

  private static func cases() throws -> [Scenario] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sample-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Programs.package.appendingPathComponent("scenarios/worlds"), to: folder.appendingPathComponent("worlds"))
    let file = folder.appendingPathComponent("sample.yaml")
    try Self.scenario.write(to: file, atomically: true, encoding: .utf8)
    let problems = ProblemCollector()
    return try #require(ScenarioReader.read(file.path, problems), "\(problems.rendered())")
  }

  @Test("Scenarios drive the sample app")
  func scenarios() throws {
    for scenario in try Self.cases() {
      let result = ScenarioRun.run(scenario)
      guard case .passed = result.outcome else {
        Issue.record("\(scenario.name): \(result.outcome)")
        continue
      }
    }
  }

  @Test("The same seed gives the same bytes")
  func sameBytes() throws {
    let scenario = try #require(try Self.cases().first)
    #expect(ScenarioRun.run(scenario).journal.trace() == ScenarioRun.run(scenario).journal.trace())
  }

  /// An app of another package.
  private struct OtherStyle: ProviderStyle {
    let name: String
    let meaning = "for tests"

    func provider(in surroundings: ProviderSurroundings) async -> any IdentityDocumentProvider {
      await SampleStyle().provider(in: surroundings)
    }
  }

  @Test("A catalogue has shipped names, and those that a program adds; none is replaced")
  func catalogue() {
    #expect(ProviderCatalogue.shipped.map(\.name) == ["wallet", "custom", "question", "sample"])
    #expect(ProviderCatalogue.add(OtherStyle(name: "other")))
    #expect(!ProviderCatalogue.add(OtherStyle(name: "other")))
    #expect(!ProviderCatalogue.add(OtherStyle(name: "sample")))
    #expect(ProviderCatalogue.style(named: "other") is OtherStyle)
    #expect(ProviderCatalogue.style(named: "sample") is SampleStyle)
    #expect(ProviderCatalogue.style(named: "unknown") == nil)
  }
}
