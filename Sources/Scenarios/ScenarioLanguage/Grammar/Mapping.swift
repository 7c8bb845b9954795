import LocatedYAML

/// A key of a mapping that is read into a value of type `Root`.
struct Key<Root>: Sendable {
  let type: KeyType
  let read: @Sendable (SourceNode, inout Root, ReadingContext) throws -> Void
  /// Writes the key's value; nil leaves the key out.
  let write: @Sendable (Root) -> YAMLValue?
}

extension Key {
  /// Creates an optional key without a default value.
  init<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable, _ form: Form<Value>, usual: String? = nil,
    _ meaning: String
  ) {
    type = KeyType(name: name, type: form.type, usual: usual, meaning: meaning)
    read = { node, root, context in root[keyPath: path] = try form.read(node, context) }
    write = { $0[keyPath: path].map(form.write) }
  }

  /// Creates an optional key whose default value is that of an empty `Root`.
  ///
  /// - Parameter usual: The default in words, where the value itself would not say it.
  init<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ form: Form<Value>, usual: String? = nil,
    _ meaning: String
  ) {
    type = KeyType(name: name, type: form.type, usual: usual, meaning: meaning)
    read = { node, root, context in if let value = try form.read(node, context) { root[keyPath: path] = value } }
    write = { form.write($0[keyPath: path]) }
  }

  /// Creates a required key.
  init<Value>(
    _ name: String, required path: WritableKeyPath<Root, Value> & Sendable, _ form: Form<Value>, _ meaning: String
  ) {
    let optional = Key(name, path, form, meaning)
    type = KeyType(name: name, type: form.type, isRequired: true, meaning: meaning)
    read = optional.read
    write = optional.write
  }

  /// Creates an optional key for a value that is kept in several places, or as another type.
  init<Value>(
    _ name: String, _ form: Form<Value>, _ meaning: String, usual: String? = nil,
    read: @escaping @Sendable (inout Root, Value) -> Void, write: @escaping @Sendable (Root) -> Value
  ) {
    type = KeyType(name: name, type: form.type, usual: usual, meaning: meaning)
    self.read = { node, root, context in if let value = try form.read(node, context) { read(&root, value) } }
    self.write = { form.write(write($0)) }
  }

  /// Creates a key whose value is read later, from its tree.
  init(
    _ name: String, tree path: WritableKeyPath<Root, SourceNode?> & Sendable, _ type: FormType,
    isRequired: Bool = false, usual: String? = nil, _ meaning: String
  ) {
    self.type = KeyType(name: name, type: type, isRequired: isRequired, usual: usual, meaning: meaning)
    read = { node, root, _ in root[keyPath: path] = node }
    write = { _ in nil }
  }

  /// Creates a key that the reader of the whole file looks for itself.
  init(_ name: String, _ type: FormType, usual: String, _ meaning: String) {
    self.type = KeyType(name: name, type: type, usual: usual, meaning: meaning)
    read = { _, _, _ in }
    write = { _ in nil }
  }

  /// The type, with the default value that an empty `Root` has.
  fileprivate func type(empty: Root) -> KeyType {
    guard type.usual == nil, !type.isRequired, let written = write(empty)?.usualText else { return type }
    var type = type
    type.usual = written
    return type
  }
}

extension MappingType {
  /// The type of a mapping with these keys, with the default values that an empty `Root` has.
  static func of<Root>(
    _ keys: [Key<Root>], title: String, empty: @autoclosure @escaping @Sendable () -> Root
  ) -> MappingType {
    MappingType(title: title, keys: keys.map { $0.type(empty: empty()) })
  }
}

extension YAMLValue {
  /// A default value as the reference page shows it; nil for nothing.
  fileprivate var usualText: String? {
    switch self {
    case .text(""), .plain("null"), .list([]), .mapping([]): nil
    case .text(let text): "`\(SourceScalar(text).value == .text(text) ? text : flow)`"
    default: "`\(flow)`"
    }
  }
}

extension Form {
  /// A mapping with known keys.
  ///
  /// - Parameters:
  ///   - empty: The value before any key is read.
  ///   - expects: Keys that alone expect nothing; nil if the mapping is not an expectation.
  static func mapping(
    _ title: String, _ empty: @escaping @Sendable () -> Value, _ keys: [Key<Value>],
    expectsBesides others: [String]? = nil
  ) -> Form {
    let form = MappingForm(keys)
    return Form(
      type: .mapping(.of(keys, title: title, empty: empty())),
      read: { node, context in
        guard let entries = form.entries(of: node, context) else { return nil }
        // An unknown key was meant to expect something.
        if let others, node.keys.allSatisfy(form.names.contains),
          !node.keys.contains(where: { !others.contains($0) && !(node[$0]?.isEmptyMapping ?? false) })
        {
          context.problems.report(SourceProblem(.missingKey, "the expectation is empty", at: node.position))
        }
        return form.read(entries, of: node, into: empty(), context)
      },
      write: { .mapping(form.write($0, besides: empty())) })
  }

  /// A mapping from names to values with known keys, which keep their names.
  ///
  /// - Parameters:
  ///   - noun: A noun for the names.
  ///   - name: The name in a value.
  ///   - checkName: A further rule for names.
  ///   - empty: The value of a name before any key is read.
  ///   - check: A further rule for values.
  static func parts<Part>(
    _ noun: String, _ name: KeyPath<Part, String> & Sendable,
    checkName: @escaping @Sendable (Located<String>, ReadingContext) throws -> Void = { _, _ in },
    _ title: String, _ empty: @escaping @Sendable (String) -> Part, _ keys: [Key<Part>],
    check: @escaping @Sendable (Part, SourceNode, ReadingContext) throws -> Void = { _, _, _ in }
  ) -> Form where Value == [Part] {
    let form = MappingForm(keys)
    return Form(
      type: .named(noun, .mapping(.of(keys, title: title, empty: empty("")))),
      read: { node, context in
        node.eachEntry(context.problems) { key, value in
          try checkName(key, context)
          guard let entries = form.entries(of: value, context),
            let part = form.read(entries, of: value, into: empty(key.value), context)
          else { return nil }
          try check(part, value, context)
          return part
        }
      },
      write: { parts in
        .mapping(
          parts.map { part in
            let key = part[keyPath: name]
            return YAMLValue.Entry(key, .mapping(form.write(part, besides: empty(key))))
          })
      })
  }
}

/// The reading and writing of a mapping with known keys.
struct MappingForm<Value>: Sendable {
  private let keys: [Key<Value>]
  let names: [String]

  init(_ keys: [Key<Value>]) {
    self.keys = keys
    names = keys.map(\.type.name)
  }

  /// The entries of a mapping. Returns nil after reporting that the value is not a mapping.
  func entries(of node: SourceNode, _ context: ReadingContext) -> SourceNode.Entries? {
    node.entries(known: names, context.problems)
  }

  /// Reads the entries of a mapping into a value. Returns nil after reporting that a required key is missing or unreadable.
  ///
  /// - Parameter needsAll: True if nil is also returned for an optional key that is unreadable.
  func read(
    _ entries: SourceNode.Entries, of node: SourceNode, into empty: Value, needsAll: Bool = false,
    _ context: ReadingContext
  ) -> Value? {
    var value = empty
    var isComplete = true
    for key in keys {
      guard let entry = entries[key.type.name] else {
        if key.type.isRequired {
          context.problems.report(node.missing(key.type.name))
          isComplete = false
        }
        continue
      }
      let isRead: Void? = context.problems.attempt(entry.value) { try key.read($0, &value, context) }
      if isRead == nil, needsAll || key.type.isRequired { isComplete = false }
    }
    return isComplete ? value : nil
  }

  /// Writes the keys that are required or differ from those of an empty value.
  func write(_ value: Value, besides empty: Value) -> [YAMLValue.Entry] {
    keys.compactMap { key in
      guard let written = key.write(value),
        key.type.isRequired || key.type.isAlwaysWritten || written != key.write(empty)
      else { return nil }
      return YAMLValue.Entry(key.type.name, written)
    }
  }
}

/// One of several keys of which a mapping has exactly one, with its companion keys.
struct Alternative<Value>: Sendable {
  let key: KeyType
  var companions: [KeyType] = []
  let read: @Sendable (SourceNode, SourceNode.Entries, SourceNode, ReadingContext) throws -> Value?
  /// Writes the value and its companions; nil for a value of another alternative.
  let write: @Sendable (Value) -> [YAMLValue.Entry]?
}

extension Alternative {
  init<Part>(
    _ name: String, _ form: Form<Part>, _ meaning: String, _ make: @escaping @Sendable (Part) -> Value,
    _ match: @escaping @Sendable (Value) -> Part?
  ) {
    key = KeyType(name: name, type: form.type, meaning: meaning)
    read = { node, _, _, context in try form.read(node, context).map(make) }
    write = { match($0).map { [YAMLValue.Entry(name, form.write($0))] } }
  }

  /// Creates an alternative with an optional companion key.
  init<Part, Extra>(
    _ name: String, _ form: Form<Part>, optional other: String, _ otherForm: Form<Extra>, _ otherMeaning: String,
    _ meaning: String, _ make: @escaping @Sendable (Part, Extra?) -> Value,
    _ match: @escaping @Sendable (Value) -> (Part, Extra?)?
  ) {
    key = KeyType(name: name, type: form.type, meaning: meaning)
    companions = [KeyType(name: other, type: otherForm.type, meaning: otherMeaning)]
    read = { node, entries, _, context in
      let extra = entries[other].flatMap { entry in
        context.problems.attempt(entry.value) { try otherForm.read($0, context) }
      }
      return try form.read(node, context).map { make($0, extra) }
    }
    write = { value in
      match(value).map { part, extra in
        [YAMLValue.Entry(name, form.write(part))] + (extra.map { [YAMLValue.Entry(other, otherForm.write($0))] } ?? [])
      }
    }
  }

  /// Creates an alternative with a required companion key.
  init<Part, Extra>(
    _ name: String, _ form: Form<Part>, required other: String, _ otherForm: Form<Extra>, _ otherMeaning: String,
    _ meaning: String, _ make: @escaping @Sendable (Part, Extra) -> Value,
    _ match: @escaping @Sendable (Value) -> (Part, Extra)?
  ) {
    key = KeyType(name: name, type: form.type, meaning: meaning)
    companions = [KeyType(name: other, type: otherForm.type, isRequired: true, meaning: otherMeaning)]
    read = { node, entries, whole, context in
      let part = try form.read(node, context)
      guard let entry = entries[other] else { throw whole.missing(other) }
      guard let part, let extra = context.problems.attempt(entry.value, { try otherForm.read($0, context) }) else {
        return nil
      }
      return make(part, extra)
    }
    write = { value in
      match(value).map { [YAMLValue.Entry(name, form.write($0)), YAMLValue.Entry(other, otherForm.write($1))] }
    }
  }
}

extension Form {
  /// A mapping in which exactly one of several keys selects the action.
  ///
  /// - Parameters:
  ///   - subject: The party that acts, for problems.
  ///   - shared: Keys that go with every alternative.
  ///   - isLast: True if the shared keys are listed and written after the alternatives.
  static func oneOf<Shared, Part>(
    _ title: String, subject: String, _ empty: @escaping @Sendable () -> Shared, shared: [Key<Shared>],
    sharedKeysAreLast isLast: Bool = false, _ alternatives: [Alternative<Part>],
    _ make: @escaping @Sendable (Part, Shared, SourceNode, ReadingContext) throws -> Value?,
    _ parts: @escaping @Sendable (Value) -> (Part, Shared)?
  ) -> Form {
    let companions = alternatives.flatMap(\.companions).reduce(into: [KeyType]()) { companions, companion in
      if !companions.contains(where: { $0.name == companion.name }) { companions.append(companion) }
    }
    let choices = alternatives.map(\.key.name)
    let sharedForm = MappingForm(shared)
    let names = sharedForm.names + choices + companions.map(\.name)
    let before = isLast ? [] : shared.map(\.type)
    let after = isLast ? shared.map(\.type) : []
    let type = MappingType(title: title, keys: before + alternatives.map(\.key) + after + companions, choice: choices)
    let extras = companions.map(\.name)
    return Form(
      type: .mapping(type),
      read: { node, context in
        guard let entries = node.entries(known: names, context.problems) else { return nil }
        let written = node.keys.filter(choices.contains)
        for extra in extras {
          let owners = alternatives.filter { $0.companions.contains { $0.name == extra } }.map(\.key.name)
          if written.isEmpty { continue }
          guard let entry = entries[extra], !owners.contains(where: { entries[$0] != nil }) else { continue }
          context.problems.report(
            SourceProblem(
              .unknownKey, "the key '\(extra)' belongs to \(owners.map { "'\($0)'" }.joined(separator: " or "))",
              at: entry.key.position))
        }
        let common = sharedForm.read(entries, of: node, into: empty(), needsAll: true, context)
        // A misspelled action is reported as an unknown key. That the action is missing follows from that.
        if written.isEmpty, node.keys.contains(where: { !names.contains($0) }) { return nil }
        guard written.count == 1, let entry = entries[written[0]],
          let chosen = alternatives.first(where: { $0.key.name == written[0] })
        else {
          throw SourceProblem(
            .notOneKey,
            written.isEmpty
              ? "the action of \(subject) is missing"
              : "\(subject) takes one action in a step, found \(written.count)",
            at: node.position,
            hint: written.isEmpty
              ? "one of " + NearestName.list(choices) : written.map { SourceText.quote($0) }.joined(separator: " and "))
        }
        let part = context.problems.attempt(entry.value) { try chosen.read($0, entries, node, context) }
        guard let common, let part else { return nil }
        return try make(part, common, node, context)
      },
      write: { value in
        guard let (part, common) = parts(value) else { return .mapping([]) }
        let named = shared.compactMap { key in key.write(common).map { YAMLValue.Entry(key.type.name, $0) } }
        let chosen = alternatives.lazy.compactMap { $0.write(part) }.first ?? []
        return .mapping(isLast ? chosen + named : named + chosen)
      })
  }

  /// A mapping in which exactly one of several keys selects the action, without shared keys.
  static func oneOf(_ title: String, subject: String, _ alternatives: [Alternative<Value>]) -> Form {
    oneOf(title, subject: subject, {}, shared: [Key<Void>](), alternatives, { part, _, _, _ in part }, { ($0, ()) })
  }
}
