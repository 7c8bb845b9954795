extension SourceNode {
  /// The text. A plain scalar that is a number, true, false or nothing is text only in quotes.
  ///
  /// Throws `source.wrong-type`.
  public func string() throws(SourceProblem) -> String {
    guard let scalar else { throw wrongType("text") }
    if case .text(let text) = scalar.value { return text }
    let quoted = scalar.text.isEmpty ? nil : "in quotes it is text: \"\(SourceText.visible(scalar.text))\""
    throw wrongType("text", hint: quoted)
  }

  /// The whole number. Throws `source.wrong-type`, or `source.out-of-range` when it is not in `range`.
  public func integer(in range: ClosedRange<Int>) throws(SourceProblem) -> Int {
    switch scalar?.value {
    case .integer(let value) where range.contains(value): return value
    case .integer: throw outOfRange(range)
    case .number where scalar?.text.contains { ".eEfF".contains($0) } == false: throw outOfRange(range)
    case .text(let text) where Int(text) != nil: throw wrongType("a number", hint: "take the quotes away")
    default: throw wrongType("a whole number")
    }
  }

  /// The whole number from 0 to 2^64-1, in decimal. Throws `source.wrong-type`, or `source.out-of-range`.
  public func unsignedInteger() throws(SourceProblem) -> UInt64 {
    switch scalar?.value {
    case .integer(let value) where value >= 0: return UInt64(value)
    case .integer, .number:
      guard let text = scalar?.text, !text.contains(where: { ".eEfF".contains($0) }) else { break }
      if let value = UInt64(text) { return value }
      throw SourceProblem(.outOfRange, "\(phrase) is not between 0 and \(UInt64.max)", at: position)
    case .text(let text) where UInt64(text) != nil: throw wrongType("a number", hint: "take the quotes away")
    default: break
    }
    throw wrongType("a whole number")
  }

  /// The truth value, written `true` or `false`. Throws `source.wrong-type`.
  public func boolean() throws(SourceProblem) -> Bool {
    switch scalar?.value {
    case .boolean(let value): return value
    case .text(let text):
      let meanings = ["yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"]
      throw wrongType("true or false", suggestion: meanings[text.lowercased()])
    default: throw wrongType("true or false")
    }
  }

  /// The values of a list. Throws `source.wrong-type`.
  public func sequence() throws(SourceProblem) -> [SourceNode] {
    guard case .sequence(let items) = content else { throw wrongType("a list") }
    return items
  }

  /// The keys and values of a mapping whose keys are names of the writer's choice. Throws `source.wrong-type`.
  ///
  /// For known keys, use `entries(known:_:)`.
  public func mapping() throws(SourceProblem) -> [Entry] {
    guard case .mapping(let entries) = content else { throw wrongType("a mapping") }
    return entries
  }

  /// The value that `read` makes of this, and where it stands. Throws what `read` throws.
  public func located<Value, Failure: Error>(
    _ read: (SourceNode) throws(Failure) -> Value
  ) throws(Failure) -> Located<Value> {
    Located(try read(self), at: position)
  }

  /// The problem that something else belongs here, `expected` being a phrase such as "a list".
  public func wrongType(_ expected: String, suggestion: String? = nil, hint: String? = nil) -> SourceProblem {
    SourceProblem(
      .wrongType, "expected \(expected), found \(phrase)", at: position, suggestion: suggestion, hint: hint)
  }

  private func outOfRange(_ range: ClosedRange<Int>) -> SourceProblem {
    SourceProblem(
      .outOfRange, "\(phrase) is not between \(range.lowerBound) and \(range.upperBound)", at: position)
  }
}

extension SourceNode {
  /// One of the names of `Choice`, in the order of its cases. Throws `source.wrong-type` or `source.unknown-name`.
  ///
  /// `noun` says in a message what is named, as in "step".
  public func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
    _ choice: Choice.Type, _ noun: String = "value"
  ) throws(SourceProblem) -> Choice {
    guard let scalar, !isNull else { throw wrongType("the name of a \(noun)") }
    guard let value = Choice(rawValue: scalar.text) else {
      throw unknownName(scalar.text, noun, known: Choice.allCases.map(\.rawValue))
    }
    return value
  }

  /// One of these names, such as the websites of a world. Throws `source.wrong-type` or `source.unknown-name`.
  public func oneOf(_ names: [String], _ noun: String = "value") throws(SourceProblem) -> String {
    guard let scalar, !isNull else { throw wrongType("the name of a \(noun)") }
    guard let name = names.first(where: { $0 == scalar.text }) else {
      throw unknownName(scalar.text, noun, known: names)
    }
    return name
  }

  private func unknownName(_ name: String, _ noun: String, known: [String]) -> SourceProblem {
    let suggestion = NearestName.of(name, in: known)
    let hint = known.isEmpty ? "the world has none" : "known here: " + NearestName.list(known)
    return SourceProblem(
      .unknownName, "unknown \(noun) \(SourceText.quote(name))", at: position, suggestion: suggestion, hint: hint)
  }
}

extension SourceNode {
  /// The only key of a mapping and its value, as in a step `- website: { … }`.
  ///
  /// Throws `source.wrong-type` or `source.not-one-key`, of an empty mapping with the hint.
  public func onlyEntry(hint: @autoclosure () -> String) throws(SourceProblem) -> Entry {
    let entries = try mapping()
    guard let entry = entries.first, entries.count == 1 else {
      throw SourceProblem(
        .notOneKey, "expected exactly one key, found \(entries.count)",
        at: entries.dropFirst().first?.key.position ?? position, hint: entries.isEmpty ? hint() : nil)
    }
    return entry
  }

  /// Reads a mapping and reports its unknown keys. Returns nil after reporting that the value is not a mapping.
  public func entries(known names: [String], _ problems: ProblemCollector) -> Entries? {
    guard let entries = problems.attempt(self, { try $0.mapping() }) else { return nil }
    for entry in entries where !names.contains(entry.key.value) {
      problems.report(.unknownKey(entry.key, known: names))
    }
    return Entries(entries)
  }

  /// The entries of a mapping, found by their keys. A mapping has few, so they are compared one after the other.
  public struct Entries: Sendable {
    private let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// The number of entries.
    public var count: Int { entries.count }

    /// The entry of a key; nil for an unknown key.
    public subscript(key: String) -> Entry? { entries.first { $0.key.value == key } }
  }

  /// The problem that a mapping lacks a key.
  public func missing(_ key: String) -> SourceProblem {
    SourceProblem(.missingKey, "the key \(SourceText.quote(key)) is missing in this mapping", at: position)
  }
}

extension SourceProblem {
  /// The problem of a key that does not belong in its mapping.
  public static func unknownKey(_ key: Located<String>, known: [String]) -> SourceProblem {
    SourceProblem(
      .unknownKey, "unknown key \(SourceText.quote(key.value))", at: key.position,
      suggestion: NearestName.of(key.value, in: known),
      hint: known.isEmpty ? "no key belongs here" : "known here: " + NearestName.list(known))
  }
}

extension SourceNode {
  /// The values that `read` returns for each item of a list. Those with a problem are left out, and it is kept.
  ///
  /// Returns nil, and keeps the problem, when this is not a list.
  public func each<Value>(_ problems: ProblemCollector, _ read: (SourceNode) throws -> Value?) -> [Value]? {
    problems.attempt(self) { try $0.sequence() }?.compactMap { problems.attempt($0, read) }
  }

  /// The values that `read` returns for each key and value of a mapping, in order. Those with a problem are left out, and it is kept.
  ///
  /// Returns nil, and keeps the problem, when this is not a mapping.
  public func eachEntry<Value>(
    _ problems: ProblemCollector, _ read: (Located<String>, SourceNode) throws -> Value?
  ) -> [Value]? {
    problems.attempt(self) { try $0.mapping() }?.compactMap { entry in
      problems.attempt(entry.value) { try read(entry.key, $0) }
    }
  }
}
