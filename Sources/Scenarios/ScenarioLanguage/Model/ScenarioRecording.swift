import Ecosystem
import LocatedYAML
import MobileDocument

/// The steps of a world so far, as a scenario file that grows and can be run again.
public struct ScenarioRecording: Sendable {
  private let header: String
  private var steps = ""
  /// The number of steps.
  public private(set) var count = 0

  /// Creates a recording without steps of a world that begins as a scenario's does.
  public init(of scenario: Scenario, seed: UInt64) {
    let keys: [YAMLValue.Entry] = [
      YAMLValue.Entry("scenario", .text("Recorded: \(scenario.name)")),
      YAMLValue.Entry("because", .text("the recorded run went this way")),
      YAMLValue.Entry("seed", .plain("\(seed)")), YAMLValue.Entry("clock", .plain("\(scenario.clock)")),
      YAMLValue.Entry("think-time", .boolean(scenario.world.takesTimeToThink)),
      YAMLValue.Entry("world", Form<WorldDescription>.world.write(scenario.world)),
    ]
    header = YAMLValue.mapping(keys).block() + "steps:\n"
  }

  /// Appends a step.
  public mutating func add(_ step: Step) {
    steps += "  - \(step.text)\n"
    count += 1
  }

  /// The file, in YAML. It contains the world, so that it can be run anywhere. One that is too long begins with a comment
  /// that says so.
  public var yaml: String {
    let length = header.utf8.count + steps.utf8.count
    let notice =
      "# This recording cannot be run: it has \(length) bytes, and a scenario has at most \(SourceLimits.bytes).\n"
    return (isTooLong ? notice : "") + header + steps
  }

  /// True if the recording is longer than a scenario file may be.
  public var isTooLong: Bool { header.utf8.count + steps.utf8.count > SourceLimits.bytes }
}
