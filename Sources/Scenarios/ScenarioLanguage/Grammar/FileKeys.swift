/// Keys of a kind of mapping, each with its declaration.
protocol DeclaredKeys: RawRepresentable<String>, CaseIterable, Sendable {
  /// The declaration of the key.
  var declaration: Declaration { get }
}

/// A key's type, default value and meaning.
struct Declaration: Sendable {
  let type: FormType
  let isRequired: Bool
  let usual: String?
  let meaning: String

  init(_ type: FormType, required: Bool = false, usual: String? = nil, _ meaning: String) {
    self.type = type
    isRequired = required
    self.usual = usual
    self.meaning = meaning
  }
}

extension DeclaredKeys {
  /// The mapping with these keys.
  static func type(_ title: String) -> MappingType {
    MappingType(
      title: title,
      keys: allCases.map { key in
        let declared = key.declaration
        return KeyType(
          name: key.rawValue, type: declared.type, isRequired: declared.isRequired, usual: declared.usual,
          meaning: declared.meaning)
      })
  }
}

/// The keys of a scenario file.
enum FileKey: String, DeclaredKeys {
  case scenario, because, seed, clock
  case takesTimeToThink = "think-time"
  case world, changes, flows, matrix, steps

  var declaration: Declaration {
    switch self {
    case .scenario: Declaration(.text, required: true, "the title")
    case .because: Declaration(.text, usual: "none", "the reason for the expectations, shown when one fails")
    case .seed:
      Declaration(.integer(0...Int.max), usual: "1", "the seed of the world, unless the run sets another")
    case .clock:
      Declaration(
        .date, usual: "`2025-09-15T17:00:00Z`",
        "the world's time at the start, from 1950 to 2150; all waits together are at most 100 years")
    case .takesTimeToThink:
      Declaration(
        .boolean, usual: "`true`",
        "the person takes a moment, drawn from the seed, before each action; a [recording](guide.md#serve-the-demo) has its "
          + "pauses written down and says `false`")
    case .world:
      Declaration(
        .either([.text, .mapping(WorldKey.type("world"))]), usual: "required, here or in each entry of the matrix",
        "the name of a world file, or the world")
    case .changes: Declaration(.other("mapping"), usual: "none", "[changes](#changes) to the world")
    case .flows:
      Declaration(
        .named("flow", .mapping(FlowKey.type("flows"))), usual: "none",
        "[flows](#flows) of the file; others are in `flows` folders next to it or above")
    case .matrix:
      Declaration(.list(.mapping(Self.entry)), usual: "one case", "[cases](#matrix) of the file, not empty")
    case .steps:
      Declaration(
        .list(.either([.mapping(StepForm.type), .mapping(FlowUseKey.type("flow"))])),
        usual: "required, here or in each entry of the matrix",
        "the steps in order, not empty")
    }
  }

  /// An entry of a matrix: its name, and keys that replace the file's.
  private static var entry: MappingType {
    let keys = allCases.filter { $0 != .matrix }.map { key in
      KeyType(name: key.rawValue, type: key.declaration.type, usual: "the file's", meaning: key.declaration.meaning)
    }
    return MappingType(
      title: "matrix",
      keys: [KeyType(name: "case", type: .text, isRequired: true, meaning: "the name of the case")] + keys)
  }
}
