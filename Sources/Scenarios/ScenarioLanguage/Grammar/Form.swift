import JSON
import LocatedYAML
import MobileDocument
import Primitives
import Vocabulary

/// One kind of value in a scenario file: its type for people and editors, its reading and its writing.
package struct Form<Value>: Sendable {
  /// The type, for the schema and the reference page.
  let type: FormType
  /// Reads a value. Returns nil after it has reported a problem itself.
  package let read: @Sendable (SourceNode, ReadingContext) throws -> Value?
  /// Writes a value, so that it reads as the same.
  let write: @Sendable (Value) -> YAMLValue
}

/// The type of a value in a scenario file.
indirect enum FormType: Sendable {
  case text
  /// Any scalar, as it is written.
  case scalar
  case boolean
  case integer(ClosedRange<Int>)
  /// A whole number from 0 to 2^64-1.
  case unsigned
  case duration
  case date
  /// One of some words.
  case words([String])
  /// A name that the world defines.
  case name(NameKind)
  /// A code of a check, a rule or an exception; the noun names the kind.
  case code([String], noun: String)
  case list(FormType)
  /// A mapping with names of a kind as keys.
  case named(String, FormType)
  case mapping(MappingType)
  case either([FormType])
  /// A mapping with a key of this name, and with any of the keys of another mapping.
  case partial(String)
  /// A mapping, or nothing, with other rules, described in words.
  case other(String)
}

/// A mapping with known keys.
struct MappingType: Sendable {
  /// The name of the section in the reference page.
  let title: String
  /// Keys of which the mapping has exactly one; empty for a mapping without such a choice.
  let choice: [String]
  private let makeKeys: @Sendable () -> [KeyType]

  /// Creates a type. The keys, with their default values in words, are made for the schema and the reference page only.
  init(title: String, keys: @autoclosure @escaping @Sendable () -> [KeyType], choice: [String] = []) {
    self.title = title
    self.choice = choice
    makeKeys = keys
  }

  /// The keys in the order in which they are listed.
  var keys: [KeyType] { makeKeys() }
}

/// A key of a mapping.
struct KeyType: Sendable {
  let name: String
  let type: FormType
  var isRequired = false
  /// The default value in words.
  var usual: String?
  /// True if the key is written with its default value, too.
  var isAlwaysWritten = false
  /// The meaning, for the reference page and for editors.
  let meaning: String
}

/// A kind of name that a world defines.
enum NameKind: String, Sendable, CaseIterable {
  case website, device, app, document, element, frame
  case requestingApp = "requesting app"
  case issuer = "issuing authority"
  case readerAuthority = "reader authority"
  case listOperator = "list operator"
  case terminal
}

/// The world that a step is for, and the collector of problems.
package struct ReadingContext: Sendable {
  package let world: WorldDescription
  package let problems: ProblemCollector
  /// The tree of a world that is not read yet.
  private let tree: SourceNode?

  package init(world: WorldDescription, problems: ProblemCollector) {
    self.world = world
    self.problems = problems
    tree = nil
  }

  /// A context with the names that the tree of a world defines, for the reading of its parts.
  init(namingPartsOf tree: SourceNode, problems: ProblemCollector) {
    world = WorldDescription()
    self.problems = problems
    self.tree = tree
  }

  /// The names of a kind that the world defines.
  func names(of kind: NameKind) -> [String] {
    if let tree { return Self.names(of: kind, in: tree) }
    return namesOfParts(of: kind).uniqued()
  }

  /// Returns a name as the world defines it, or nil for an unknown one.
  func name(_ written: String, of kind: NameKind) -> String? {
    (tree.map { Self.names(of: kind, in: $0) } ?? namesOfParts(of: kind)).first { $0 == written }
  }

  /// The names of the parts of the world that are of a kind. Several parts can have one name.
  private func namesOfParts(of kind: NameKind) -> [String] {
    let apps = world.devices.flatMap(\.apps)
    switch kind {
    case .website: return world.websites.map(\.identifier)
    case .device: return world.devices.map(\.identifier)
    case .app: return apps.map(\.name)
    case .document: return apps.flatMap(\.documents).map(\.identifier)
    case .element:
      let requests = world.websites.flatMap(\.asks) + world.terminals.flatMap(\.asksInAll)
      let asked = requests.flatMap(\.nameSpaces).flatMap(\.elements).map(\.identifier)
      let held = apps.flatMap(\.documents).flatMap(\.nameSpaces).flatMap(\.elements).map(\.identifier)
      return asked + held
    case .frame: return world.websites.flatMap(\.page.frames).map(\.name)
    case .requestingApp: return world.requestingApps.map(\.name)
    case .issuer: return world.issuers.map(\.identifier)
    case .readerAuthority: return world.readerAuthorities.map(\.identifier)
    case .listOperator: return world.listOperators.map(\.identifier)
    case .terminal: return world.terminals.map(\.identifier)
    }
  }

  /// The names of websites, devices, requesting apps and authorities, to which parts of the world refer.
  private static func names(of kind: NameKind, in tree: SourceNode) -> [String] {
    switch kind {
    case .website: return tree["websites"]?.keys ?? []
    case .device: return tree["devices"]?.keys ?? []
    case .requestingApp: return tree["requesting-apps"]?.keys ?? []
    case .issuer: return tree["authorities"]?["issuers"]?.keys ?? []
    case .readerAuthority:
      let readers = tree["authorities"]?["readers"]
      let listed = (try? readers?.sequence())?.compactMap { try? $0.string() } ?? []
      return listed + (readers?.keys ?? [])
    case .listOperator: return tree["authorities"]?["list-operators"]?.keys ?? []
    case .terminal: return tree["terminals"]?.keys ?? []
    case .app, .document, .element, .frame: return []
    }
  }
}

extension ReadingContext {
  /// The names of the issuing authorities outside the world, whose root it has.
  var outsideIssuers: [String] {
    guard let tree else { return world.issuers.filter { $0.outsideRoot != nil }.map(\.identifier) }
    let issuers = tree["authorities"]?["issuers"]
    return issuers?.keys.filter { issuers?[$0]?["root"] != nil } ?? []
  }
}

extension Form {
  /// The form with a change to what was read, by several of its keys together.
  func completed(_ complete: @escaping @Sendable (inout Value, SourceNode, ReadingContext) throws -> Void) -> Form {
    Form(
      type: type,
      read: { node, context in
        guard var value = try read(node, context) else { return nil }
        try complete(&value, node, context)
        return value
      }, write: write)
  }

  /// The form with a further rule.
  func checked(_ check: @escaping @Sendable (Value, SourceNode, ReadingContext) throws -> Void) -> Form {
    completed { value, node, context in try check(value, node, context) }
  }

  /// The form of another type of value.
  func mapped<Other>(
    _ make: @escaping @Sendable (Value) -> Other, _ back: @escaping @Sendable (Other) -> Value
  ) -> Form<Other> {
    Form<Other>(type: type, read: { try read($0, $1).map(make) }, write: { write(back($0)) })
  }
}

extension Form where Value == String {
  static var text: Form { Form(type: .text, read: { node, _ in try node.string() }, write: YAMLValue.text) }

  /// Any scalar, as it is written.
  static let scalar = Form(
    type: .scalar,
    read: { node, _ in
      guard let scalar = node.scalar else { throw node.wrongType("a value in words") }
      return scalar.text
    }, write: YAMLValue.text)

  static func name(_ kind: NameKind) -> Form {
    Form(
      type: .name(kind),
      read: { node, context in
        if let text = node.scalar?.text, !node.isNull, let name = context.name(text, of: kind) { return name }
        return try node.oneOf(context.names(of: kind), kind.rawValue)
      },
      write: YAMLValue.text)
  }

  static func code(_ codes: [String], _ noun: String) -> Form {
    // There are hundreds of them.
    let known = Set(codes)
    return Form(
      type: .code(codes, noun: noun),
      read: { node, _ in
        guard let text = node.scalar?.text else { return try node.oneOf(codes, noun) }
        if known.contains(text) { return text }
        if let place = CodeRegistry.place(of: text) {
          throw SourceProblem(
            .unknownName, "\(SourceText.quote(text)) is not a \(noun) that belongs here", at: node.position, hint: place
          )
        }
        return try node.oneOf(codes, noun)
      }, write: YAMLValue.text)
  }

  /// One of some words.
  static func words(_ words: [String], _ noun: String) -> Form {
    Form(type: .words(words), read: { node, _ in try node.oneOf(words, noun) }, write: YAMLValue.text)
  }
}

extension Form where Value == String {
  /// Any value, as JSON in one spelling: lists and mappings, texts, numbers, `true`, `false` and `null`.
  static let json = Form(
    type: .other("mapping"), read: { node, _ in String(decoding: JSONValue(node.value).bytes, as: UTF8.self) },
    write: { text in (try? JSONReader.read(Array(text.utf8))).map(YAMLValue.init) ?? .null })
}

extension JSONValue {
  /// The value that YAML writes. A number keeps its spelling if JSON has it too.
  init(_ value: YAMLValue) {
    switch value {
    case .text(let text): self = .string(text)
    case .list(let items): self = .array(items.map(JSONValue.init))
    case .mapping(let entries): self = .object(entries.map { .init(name: $0.key, value: JSONValue($0.value)) })
    case .plain(let spelling):
      switch SourceScalar(spelling).value {
      case .null: self = .null
      case .boolean(let value): self = .boolean(value)
      case .text(let text): self = .string(text)
      default: self = (try? JSONReader.read(Array(spelling.utf8))) ?? .string(spelling)
      }
    }
  }
}

extension YAMLValue {
  /// The value that reads as the same JSON.
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let spelling): self = .plain(spelling)
    case .string(let text): self = .text(text)
    case .array(let items): self = .list(items.map(YAMLValue.init))
    case .object(let members): self = .mapping(members.map { Entry($0.name, YAMLValue($0.value)) })
    }
  }
}

extension Form where Value == Bool {
  static var boolean: Form { Form(type: .boolean, read: { node, _ in try node.boolean() }, write: YAMLValue.boolean) }

  /// Two words, one for true and one for false.
  static func flag(_ yes: String, _ no: String, _ noun: String) -> Form {
    Form<String>.words([yes, no], noun).mapped({ $0 == yes }, { $0 ? yes : no })
  }
}

extension Form where Value == Int {
  static func integer(in range: ClosedRange<Int>) -> Form {
    Form(type: .integer(range), read: { node, _ in try node.integer(in: range) }, write: YAMLValue.number)
  }
}

extension Form where Value == UInt64 {
  static let unsigned = Form(
    type: .unsigned, read: { node, _ in try node.unsignedInteger() }, write: { .plain("\($0)") })
}

extension Form where Value == Duration {
  static let duration = Form(
    type: .duration, read: { node, _ in try node.duration() },
    write: { .text(DurationUnit.text(.milliseconds(Int(($0 / .milliseconds(1)).rounded())))) })
}

extension Form where Value == DateTime {
  static let date = Form(
    type: .date, read: { node, _ in DateTime(secondsSince1970: try node.date().secondsSince1970) },
    write: { .text("\($0)") })
}

extension Form {
  /// One of the words of an enumeration.
  static func oneOf(_ choice: Value.Type, _ noun: String) -> Form
  where Value: RawRepresentable<String> & CaseIterable & Sendable {
    Form(
      type: .words(Value.allCases.map(\.rawValue)), read: { node, _ in try node.oneOf(Value.self, noun) },
      write: { .text($0.rawValue) })
  }

  /// A list of values.
  static func list<Item>(_ item: Form<Item>) -> Form where Value == [Item] {
    Form(
      type: .list(item.type),
      read: { node, context in node.each(context.problems) { try item.read($0, context) } },
      write: { .list($0.map(item.write)) })
  }

  /// A mapping from names to values.
  static func named<Item: Sendable & Equatable>(
    _ key: String, _ item: Form<Item>,
    check: @escaping @Sendable (Located<String>, ReadingContext) throws -> Void = { _, _ in }
  ) -> Form where Value == [Named<Item>] {
    Form(
      type: .named(key, item.type),
      read: { node, context in
        node.eachEntry(context.problems) { name, value in
          try check(name, context)
          return try item.read(value, context).map { Named(name.value, $0) }
        }
      }, write: { .mapping($0.map { YAMLValue.Entry($0.name, item.write($0.value)) }) })
  }

  /// A mapping from names that the world defines to values.
  static func named<Item: Sendable & Equatable>(
    _ kind: NameKind, _ item: Form<Item>
  ) -> Form where Value == [Named<Item>] {
    named(kind.rawValue, item) { name, context in
      let known = context.names(of: kind)
      guard !known.contains(name.value) else { return }
      throw SourceProblem(
        .unknownName, "unknown \(kind.rawValue) \(SourceText.quote(name.value))", at: name.position,
        suggestion: NearestName.of(name.value, in: known))
    }
  }
}
