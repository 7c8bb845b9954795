import Foundation
import LocatedYAML
import MobileDocument
import Primitives
import ScenarioFiles
import ScenarioLanguage
import Vocabulary

/// The time at which an interactive world starts.
public enum StartTime: Sendable {
  /// The scenario's clock.
  case fromScenario
  /// The current time, for parties outside the world.
  case now
}

/// The configuration of a demonstration: a world, a seed and faults.
public struct DemoConfiguration: Sendable {
  /// Path of the scenario or the world.
  public var path: String
  /// Name of a case, when the scenario has several; the first when nil.
  public var caseName: String?
  /// The seed; the scenario's own when nil.
  public var seed: UInt64?
  /// The faults.
  public var faults: [DemoFault]
  /// Further changes to the world, as under `changes` in a scenario.
  public var changes: [YAMLValue]
  /// The time at which the world starts.
  public var moment = StartTime.fromScenario
  /// The place where the sandbox of every device parses requests; nil for each device's own.
  public var sandbox: WorldDescription.SandboxPlace?
  /// The language of every device; nil for each device's own.
  public var language: Language?

  /// The number of steps of the case after which the world is taken over, 0 for a world without a scenario; nil for a
  /// world whose time follows a clock outside, in which only the faults of the case act.
  public var steps: Int?

  /// True for a world that an external page joins: its server is outside the world.
  public var isServerOutside = false

  /// Creates a configuration.
  public init(
    path: String, caseName: String? = nil, seed: UInt64? = nil, faults: [DemoFault] = [], changes: [YAMLValue] = []
  ) {
    self.path = path
    self.caseName = caseName
    self.seed = seed
    self.faults = faults
    self.changes = changes
  }

  /// The changes to the world that leave no line in its journal, in words.
  var changesInWords: [String] { faults.filter(\.isChange).map(\.label) }

  /// The configuration without its faults, which are steps of a case that is taken over.
  var withoutFaults: DemoConfiguration {
    var plain = self
    plain.faults = []
    plain.steps = steps.map { max(0, $0 - faults.compactMap(\.step).count) }
    return plain
  }

  /// Reads the world, with its changes made.
  ///
  /// - Parameter more: Further changes, chosen after the world is read.
  /// - Throws: ``InteractiveWorldError``.
  public func scenario(
    changing more: (WorldDescription) -> [YAMLValue] = { _ in [] }
  ) throws(InteractiveWorldError) -> Scenario {
    let changed = try read(isPlayed: false, changing: more)
    switch moment {
    case .fromScenario: return changed
    case .now: return changed.beginning(at: DateTime(Date()))
    }
  }

  /// Reads the case with all of its steps, as a run has it: the configuration's faults begin before its first step.
  ///
  /// - Throws: ``InteractiveWorldError``.
  public func playedScenario() throws(InteractiveWorldError) -> Scenario { try read(isPlayed: true) }

  /// Reads the case, and reads it again if there are changes that depend on its world.
  private func read(
    isPlayed: Bool, changing more: (WorldDescription) -> [YAMLValue] = { _ in [] }
  ) throws(InteractiveWorldError) -> Scenario {
    let plain = try read(changes, only: caseName, isPlayed: isPlayed)
    let further = more(plain.world) + faults.compactMap { $0.changes(to: plain.world) }
    return set(further.isEmpty ? plain : try read(changes + further, only: plain.caseName, isPlayed: isPlayed))
  }

  /// The scenario with the settings of every device.
  private func set(_ scenario: Scenario) -> Scenario {
    let placed = sandbox.map(scenario.parsing) ?? scenario
    return language.map(placed.speaking) ?? placed
  }

  private func read(
    _ changes: [YAMLValue], only name: String?, isPlayed: Bool
  ) throws(InteractiveWorldError) -> Scenario {
    let problems = ProblemCollector()
    let cases =
      isPlayed
      ? ScenarioReader.read(path, changes: changes, faults: faults.compactMap(\.step), only: name, problems)
      : ScenarioReader.readInteractive(path, changes: changes, only: name, problems)
    guard let cases else { throw InteractiveWorldError(.unreadable, problems.rendered()) }
    guard let scenario = caseName.map({ name in cases.first { $0.caseName == name } }) ?? cases.first else {
      let names = cases.compactMap(\.caseName).joined(separator: ", ")
      throw InteractiveWorldError(
        .unreadable,
        "\(path) has no case '\(caseName ?? "")'; \(names.isEmpty ? "its one case has no name" : "it has: \(names)")")
    }
    return scenario
  }

  /// Starts the world with its faults, or takes over the case after some steps. Waits until every party in it is ready.
  /// The time of a world that is taken over stands still, except for the waits of the person.
  ///
  /// - Parameter more: Further changes, chosen after the world is read.
  /// - Throws: ``InteractiveWorldError``.
  public func begin(
    clock: some InteractiveClock = WallClock(), changing more: (WorldDescription) -> [YAMLValue] = { _ in [] }
  ) throws(InteractiveWorldError) -> InteractiveWorld {
    let world: InteractiveWorld
    if let steps {
      let isScenario = ScenarioOutline(readingFrom: path) != nil
      world = try InteractiveWorld(
        isScenario ? try playedScenario() : try scenario(changing: more), seed: seed, takenOverAfter: steps,
        clock: StandingClock(), setting: self)
      if isScenario { return world }
    } else {
      world = try InteractiveWorld(try scenario(changing: more), seed: seed, clock: clock, setting: self)
    }
    for step in faults.compactMap(\.step) { try world.performAndWait(step) }
    return world
  }
}
