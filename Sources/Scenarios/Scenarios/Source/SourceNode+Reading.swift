extension SourceNode {
  /// The text. A plain scalar that is a number, true, false or nothing is no text until it stands in quotes.
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
  /// Where the keys are known words, use `MappingReader`.
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
