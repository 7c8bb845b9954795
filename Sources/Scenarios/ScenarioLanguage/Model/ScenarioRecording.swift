import Faults
import LocatedYAML
import Messaging
import Vocabulary

/// The steps of a world so far, as a scenario file that grows and can be run again.
public struct ScenarioRecording: Sendable {
  /// A step, with the fault that it begins.
  private struct Recorded {
    let step: Step
    var fault: String? {
      if case .fault(.begins(let planned)) = step.content, step.fails == nil { planned.fault.id } else { nil }
    }
  }

  private let header: String
  /// The last expectation; nil for the number of messages.
  private let expected: Expectation?
  private var steps: [Recorded] = []
  /// The bytes of the steps.
  private var length = 0
  /// The number of messages in the world after the last step.
  private var messages = 0
  /// The faults that have changed something.
  private var actingFaults: Set<String> = []
  /// The number of steps.
  public var count: Int { steps.count }

  /// Creates a recording without steps of a world that begins as a scenario's does.
  ///
  /// - Parameters:
  ///   - title: The title of the file; nil for that of the scenario.
  ///   - reason: The reason for the expectations.
  ///   - ending: The last expectation; nil for the number of messages, which a run of the recording has too.
  public init(
    of scenario: Scenario, seed: UInt64, title: String? = nil,
    because reason: String = "the recorded run went this way", ending: Expectation? = nil
  ) {
    expected = ending
    let keys = YAMLValue.mapping(present: [
      "scenario": .text(title ?? "Recorded: \(scenario.name)"), "because": .text(reason), "seed": .plain("\(seed)"),
      "clock": .plain("\(scenario.clock)"), "think-time": .boolean(scenario.world.takesTimeToThink),
      "world": Form<WorldDescription>.world.write(scenario.world),
    ])
    header = keys.block() + "steps:\n"
  }

  /// Appends a step.
  ///
  /// - Parameter events: The events of the world since the step before.
  public mutating func add(_ step: Step, with events: some Sequence<JournalEvent>) {
    let recorded = Recorded(step: step)
    steps.append(recorded)
    length += Self.line(of: step).utf8.count
    for event in events {
      switch event {
      case .message: messages += 1
      case .fault(let fault) where fault.effect == .applied: actingFaults.insert(fault.fault)
      default: break
      }
    }
  }

  private static func line(of step: Step) -> String { "  - \(step.text)\n" }

  /// The file, in YAML. It contains the world, so that it can be run anywhere. Its last step expects the messages of the
  /// recorded run. One that is too long begins with a comment that says so.
  public var yaml: String {
    let notice =
      "# This recording cannot be run: it has \(byteCount) bytes, and a scenario has at most \(SourceLimits.bytes).\n"
    let lines = steps.map { recorded in
      var step = recorded.step
      if let fault = recorded.fault, !actingFaults.contains(fault) { step.neverActs = true }
      return Self.line(of: step)
    }
    return (isTooLong ? notice : "") + header + lines.joined() + (steps.isEmpty ? "" : Self.line(of: ending))
  }

  /// The step that a run of the recording can fail at.
  private var ending: Step {
    if let expected { return Step(.expectation(expected)) }
    var expected = MessagesExpectation()
    expected.count = messages
    return Step(.expectation(.messages(expected)))
  }

  /// The number of bytes of the file, without its last step.
  public var byteCount: Int { header.utf8.count + length }

  /// True if the recording is longer than a scenario file may be.
  public var isTooLong: Bool { byteCount > SourceLimits.bytes - Self.reserve }

  /// Bytes for what is written at the end: the messages, and the faults that do not act.
  private static let reserve = 4_096
}
