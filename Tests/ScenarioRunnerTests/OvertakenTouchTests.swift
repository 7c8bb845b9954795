import DevicePlatform
import Messaging
import Primitives
import ShippedScenarios
import Testing

@testable import Ecosystem
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import Vocabulary

/// A person who chooses another document and agrees at once, before the view of the chosen document is on the screen.
@Suite("Touches that a new view overtakes")
struct OvertakenTouchTests {
  private static let system = Party(.operatingSystem, "kellys-iphone")

  /// A case with two licenses, and the actions that lead to the view of the first one.
  private static func start(
    _ file: String, _ name: String, seed: UInt64
  ) throws -> (world: World, opening: [Action.ByPerson]) {
    let scenario = try #require(try ShippedScenarios.cases().first { $0.path.hasSuffix(file) && $0.caseName == name })
    let world = try World(scenario.world, seed: seed, start: DateTime(secondsSince1970: 1_757_955_600))
    #expect(world.prepare() == .quiet)
    if file.contains("in-app") {
      return (world, [.open(app: "Rocket Rides", device: nil), .tap("Verify with Wallet")])
    }
    return (
      world,
      [
        .visit(website: "spaceship-rentals", device: "kellys-iphone"), .tap("Verify Identity"),
        .touch(.pick(app: "Wallet")),
      ]
    )
  }

  @Test(
    "The chosen document is given for an agreement to its own view only",
    arguments: [
      ("documents/choose-a-document.yaml", "the site accepts the issuer of the second only, and does not say so"),
      ("in-app/accepted.yaml", "the person chooses among two licenses"),
    ])
  func choosesAndAgreesAtOnce(file: String, name: String) throws {
    var late = 0
    for seed in 0..<40 as Range<UInt64> {
      let (world, opening) = try Self.start(file, name, seed: seed)
      defer { world.close() }
      for action in opening { _ = try world.perform(.person(action)) }
      #expect(world.view().authorization(on: "kellys-iphone")?.chosen.map(\.identifier) == ["spaceport-license"])
      let agreement = Action.Touch.authorize(OwnerAuthentication.Attempt(.faceID))
      _ = world.perform { [person = world.person] in
        await person.touch(.choose(document: "moonbase-license"), on: Self.system)
        await person.touch(agreement, on: Self.system)
      }
      let notes = world.journal.entries.compactMap(\.event.note)
      late += notes.count { $0.code == .osViewReplaced }
      #expect(!Self.hasAnswered(world), "seed \(seed)")
      // The view of the chosen document waits for an agreement of its own.
      #expect(world.view().authorization(on: "kellys-iphone")?.chosen.map(\.identifier) == ["moonbase-license"])
      _ = try world.perform(.person(.touch(agreement)))
      #expect(Self.hasAnswered(world), "seed \(seed)")
    }
    // The agreement arrives before the new view in some runs, and after it in others.
    #expect(late > 0 && late < 40, "\(late)")
  }

  private static func hasAnswered(_ world: World) -> Bool {
    world.journal.entries.contains { entry in
      if case .consent(.answered) = entry.event { true } else { false }
    }
  }
}
