import Ecosystem
import LocatedYAML
import Primitives

/// The keys of a scenario file, or of one of its cases, before its world, flows and steps are read.
struct ScenarioFile: Sendable {
  var title = ""
  var because: String?
  var seed = 1
  var clock = Scenario.defaultClock
  var takesTimeToThink = WorldDescription().takesTimeToThink
  var world: SourceNode?
  var flows: SourceNode?
  var steps: SourceNode?

  private static let beforeMatrix: [Key<ScenarioFile>] = [
    Key("scenario", required: \.title, .text, "the title"),
    Key("because", \.because, .text, usual: "none", "the reason for the expectations, shown when one fails"),
    Key("seed", \.seed, .integer(in: 0...Int.max), "the seed of the world, unless the run sets another"),
    Key(
      "clock", \.clock, .start,
      "the world's time at the start, from 1950 to 2150; all waits together are at most 100 years"),
    Key(
      "think-time", \.takesTimeToThink, .boolean,
      "the person takes a moment, drawn from the seed, before each action; a [recording](guide.md#serve-the-demo) has "
        + "its pauses written down and says `false`"),
    Key(
      "world", tree: \.world, .either([.text, Form<WorldDescription>.world.type]),
      usual: "required, here or in each entry of the matrix", "the name of a world file, or the world"),
    Key("changes", .other("mapping"), usual: "none", "[changes](#changes) to the world"),
    Key(
      "flows", tree: \.flows, .named("flow", Form<Flow>.flow.type), usual: "none",
      "[flows](#flows) of the file; others are in `flows` folders next to it or above"),
  ]

  private static let afterMatrix: [Key<ScenarioFile>] = [
    Key(
      "steps", tree: \.steps, .list(.either([.mapping(StepForm.type), Form<FlowUse>.use.type])),
      usual: "required, here or in each entry of the matrix", "the steps in order, not empty")
  ]

  private static let matrix: Key<ScenarioFile> = {
    let entry = MappingType(
      title: "matrix",
      keys: [KeyType(name: "case", type: .text, isRequired: true, meaning: "the name of the case")]
        + (beforeMatrix + afterMatrix).map { key in
          KeyType(name: key.type.name, type: key.type.type, usual: "the file's", meaning: key.type.meaning)
        })
    return Key("matrix", .list(.mapping(entry)), usual: "one case", "[cases](#matrix) of the file, not empty")
  }()

  /// A file, or one case with the keys of the file that it does not replace.
  static let form = Form.mapping("scenario", { ScenarioFile() }, beforeMatrix + [matrix] + afterMatrix)

  /// The names of the keys.
  static let names = (beforeMatrix + [matrix] + afterMatrix).map(\.type.name)
}

extension Form where Value == DateTime {
  /// The time at which a world starts.
  fileprivate static var start: Form {
    Form.date.checked { moment, node, _ in
      let range = Scenario.clockRange
      guard range.contains(moment) else {
        throw SourceProblem(
          .outOfRange, "a world starts between \(range.lowerBound) and \(range.upperBound)", at: node.position)
      }
    }
  }
}

/// The keys of a flow.
struct Flow: Sendable {
  var title: String?
  var because: String?
  var steps: SourceNode?
}

extension Form where Value == Flow {
  static let flow = Form.mapping(
    "flows", { Flow() },
    [
      Key("flow", \.title, .text, usual: "the file's name", "the title"),
      Key("because", \.because, .text, usual: "none", "the purpose of the flow, for readers of the file"),
      Key(
        "steps", tree: \.steps, .named("step's name", .mapping(StepForm.type)), isRequired: true,
        "the steps in order, each with a name"),
    ])
}

/// The keys of a step that uses a flow.
struct FlowUse: Sendable {
  var flow: SourceNode?
  var changes: SourceNode?
}

extension Form where Value == FlowUse {
  static let use = Form.mapping(
    "flow", { FlowUse() },
    [
      Key("flow", tree: \.flow, .text, isRequired: true, "the name of a flow"),
      Key(
        "changes", tree: \.changes, .named("step's name", .other("mapping")), usual: "none",
        "changes to the flow's steps by their names, as in [changes](#changes): single values, `~` for a step to leave out"
      ),
    ])
}
