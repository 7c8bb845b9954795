import Ecosystem
import MobileDocument

/// Steps as they were done in a world, to be done again: a scenario file that grows.
public struct ScenarioRecording: Sendable {
  private let header: String
  private var steps = ""
  /// How many steps it has.
  public private(set) var count = 0

  /// A recording of a world that begins as a scenario's does, in which nothing was done yet.
  public init(of scenario: Scenario, seed: UInt64) {
    header = """
      scenario: \(SourceNode.written("Recorded: \(scenario.name)"))
      because: what happens is what happened when it was recorded
      seed: \(seed)
      clock: \(scenario.clock)
      person-hesitates: \(scenario.world.personHesitates)
      world:
      \(scenario.worldSource.block(indentation: 2))steps:

      """
  }

  /// Writes a step down.
  public mutating func add(_ step: Step) {
    steps += "  - \(step.source.flow)\n"
    count += 1
  }

  /// The file, in YAML. Its world stands in it, so that it can be taken anywhere. One that is too long begins with a
  /// comment that says so.
  public var yaml: String {
    let length = header.utf8.count + steps.utf8.count
    let notice =
      "# This recording cannot be run: it has \(length) bytes, and a scenario has at most \(SourceLimits.bytes).\n"
    return (isTooLong ? notice : "") + header + steps
  }

  /// Whether it has grown longer than a file that is read again may be.
  public var isTooLong: Bool { header.utf8.count + steps.utf8.count > SourceLimits.bytes }
}
