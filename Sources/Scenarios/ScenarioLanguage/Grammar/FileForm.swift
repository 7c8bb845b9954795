import Faults
import LocatedYAML
import Primitives
import Vocabulary

/// The keys of a scenario file, or of one of its cases, before its world, flows and steps are read.
package struct ScenarioFile: Sendable {
  package var title = ""
  package var because: String?
  package var seed = Seed()
  package var clock = Scenario.defaultClock
  package var takesTimeToThink = WorldDescription().takesTimeToThink
  package var tags: [String] = []
  package var skip: String?
  package var expectedFailure: String?
  package var limit: Duration?
  package var world: SourceNode?
  package var flows: SourceNode?
  package var faults: SourceNode?
  package var passesWithout: SourceNode?
  package var steps: SourceNode?

  private static let beforeMatrix: [Key<ScenarioFile>] = [
    Key("scenario", required: \.title, .text, "the title"),
    Key("because", \.because, .text, usual: "none", "the reason for the expectations, shown when one fails"),
    Key(
      "seed", \.seed, .seed,
      "the seed of the world, unless the run sets another; with `{ fixed: 7 }` no run sets another"),
    Key(
      "clock", \.clock, .start,
      "the world's time at the start, from 1950 to 2150; all waits together are at most 100 years"),
    Key(
      "think-time", \.takesTimeToThink, .boolean,
      "the person takes a moment, drawn from the seed, before each action; a [recording](guide.md#serve-the-demo) has "
        + "its pauses written down and says `false`"),
    Key("tags", \.tags, .list(.tag), usual: "none", "labels to select cases by"),
    Key("skip", \.skip, .reason, usual: "the case runs", "the reason not to run the case"),
    Key(
      "fails-because", \.expectedFailure, .reason, usual: "the case must pass",
      "the reason why the case fails for now; a case with it that passes is a failure"),
    Key(
      "limit", \.limit, .duration, usual: "none",
      "the longest time of the world from the start of the case to the end of its last step"),
    Key(
      "world", tree: \.world, .either([.text, Form<WorldDescription>.worldType]),
      usual: "required, here or in each entry of the matrix", "the name of a world file, or the world"),
    Key("changes", .other("mapping"), usual: "none", "[changes](#changes) to the world"),
    Key(
      "flows", tree: \.flows, .named("flow", Form<Flow>.flow.type), usual: "none",
      "[flows](#flows) of the file; others are in `flows` folders next to it or above"),
    Key(
      "faults", tree: \.faults, .list(Form<FaultChange>.fault.type), usual: "none",
      "[faults](#fault) that act from the first step on"),
    Key(
      "passes-without", tree: \.passesWithout, .named("part", Form<String>.reason.type), usual: "none",
      "faults and changes without which the case passes too, each with the reason, for "
        + "[`presentment vacuous`](searching.md#vacuous-cases)"),
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
    let entries = FormType.list(.mapping(entry))
    return Key(
      "matrix", .either([entries, .named("axis", entries)]), usual: "one case",
      "[cases](#matrix) of the file, or axes with the entries of which every combination is a case")
  }()

  /// A file, or one case with the keys of the file that it does not replace.
  package static let form = Form.mapping("scenario", { ScenarioFile() }, beforeMatrix + [matrix] + afterMatrix)

  /// The names of the keys.
  package static let names = (beforeMatrix + [matrix] + afterMatrix).map(\.type.name)
}

/// The seed of a case.
package struct Seed: Sendable, Equatable {
  package var value = Scenario.defaultSeed
  /// True if no run sets another.
  package var isFixed = false
}

extension Form where Value == Seed {
  private static let fixed = Form.mapping(
    "seed", { Seed(isFixed: true) }, [Key("fixed", required: \.value, .unsigned, "the seed")])

  /// A number, or a mapping with a fixed number.
  fileprivate static let seed = Form(
    type: .either([Form<UInt64>.unsigned.type, fixed.type]),
    read: { node, context in
      guard case .mapping = node.content else { return Seed(value: try node.unsignedInteger()) }
      return try fixed.read(node, context)
    }, write: { $0.isFixed ? fixed.write($0) : .plain("\($0.value)") })
}

extension Form where Value == String {
  /// A label: people type it in commands, where other characters mean something.
  fileprivate static let tag = Form.text.checked { text, node, _ in
    let isPlain = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
    guard isPlain, !text.isEmpty else {
      throw SourceProblem(
        .unreadableValue, "a tag has letters, digits, '-', '_' and '.', not \(SourceText.quote(text))",
        at: node.position)
    }
  }

  /// A reason, which must not be empty.
  static let reason = Form.text.checked { text, node, _ in
    if text.isEmpty { throw SourceProblem(.missingKey, "the reason is empty", at: node.position) }
  }
}

extension Form where Value == DateTime {
  /// The time at which a world starts.
  fileprivate static let start = Form.date.checked { moment, node, _ in
    let range = Scenario.clockRange
    guard range.contains(moment) else {
      throw SourceProblem(
        .outOfRange, "a world starts between \(range.lowerBound) and \(range.upperBound)", at: node.position)
    }
  }
}

/// The keys of a flow.
package struct Flow: Sendable {
  var title: String?
  var because: String?
  package var steps: SourceNode?
}

extension Form where Value == Flow {
  package static let flow = Form.mapping(
    "flows", { Flow() },
    [
      Key("flow", \.title, .text, usual: "the file's name", "the title"),
      Key("because", \.because, .text, usual: "none", "the purpose of the flow, for readers of the file"),
      Key(
        "steps", tree: \.steps, .named("step's name", .either([.mapping(StepForm.type), Form<FlowUse>.use.type])),
        isRequired: true, "the steps in order, each with a name; a step can use another flow"),
    ])
}

/// The keys of a step that uses a flow.
package struct FlowUse: Sendable {
  package var flow: SourceNode?
  package var changes: SourceNode?
}

extension Form where Value == FlowUse {
  package static let use = Form.mapping(
    "flow", { FlowUse() },
    [
      Key("flow", tree: \.flow, .text, isRequired: true, "the name of a flow"),
      Key(
        "changes", tree: \.changes, .named("step's name", .other("mapping")), usual: "none",
        "changes to the flow's steps by their names, as in [changes](#changes): single values, `~` for a step to leave out"
      ),
    ])
}
