import InteractiveWorlds
import ScenarioLanguage
import Telling
import Testing
import Vocabulary

@Suite("The conclusion of a live world")
struct LiveConclusionTests {
  private func conclusion(_ faults: [String], after steps: [Action.ByPerson]) throws -> Conclusion? {
    let setting = DemoConfiguration(
      path: InteractiveSample.folder + "/headline.yaml", faults: faults.compactMap(DemoFault.named))
    let world = try setting.begin(clock: StandingClock())
    defer { world.stop() }
    for step in steps { try world.performAndWait(.person(step)) }
    return world.conclusion
  }

  private static let opened: [Action.ByPerson] = [
    .visit(website: "spaceship-rentals", device: nil), .tap("Verify Identity"),
  ]

  @Test("Hiding apps because of a fault is noticing it")
  func hidden() throws {
    let agreed = Self.opened + [.touch(.pick(app: "Other Wallet")), .tap("Accept")]
    let conclusion = try #require(try conclusion(["another-authority"], after: agreed))
    #expect(conclusion.title == "The operating system noticed.", "\(conclusion)")
    #expect(conclusion.text.contains("It hid Local Driving Authority and Wallet:"), "\(conclusion)")
    #expect(conclusion.text.contains("This was broken: Another reader authority signs the request."), "\(conclusion)")
  }

  @Test("Nothing has ended while the selector is open")
  func pending() throws {
    #expect(try conclusion([], after: Self.opened) == nil)
    #expect(try conclusion(["another-authority"], after: []) == nil)
  }

  @Test("A request without a signature is not told from a refusal")
  func unsigned() throws {
    let conclusion = try #require(try conclusion(["unsigned"], after: Self.opened))
    #expect(conclusion.title == "The operating system noticed." && conclusion.tone == .bad, "\(conclusion)")
    #expect(conclusion.text.contains("cannot tell this from a refusal"), "\(conclusion)")
  }
}
