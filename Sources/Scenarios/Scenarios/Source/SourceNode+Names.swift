extension SourceNode {
  /// One of the names of `Choice`, in the order of its cases. Throws `source.wrong-type` or `source.unknown-name`.
  ///
  /// `noun` says in a sentence what is named, as in "step".
  public func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
    _ choice: Choice.Type, _ noun: String = "value"
  ) throws(SourceProblem) -> Choice {
    let name = try oneOf(Choice.allCases.map(\.rawValue), noun)
    guard let value = Choice(rawValue: name) else { throw unknownName(name, noun, known: []) }
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
    let hint = known.isEmpty ? "there is none" : "known here: " + NearestName.list(known)
    return SourceProblem(
      .unknownName, "unknown \(noun) \(SourceText.quote(name))", at: position, suggestion: suggestion, hint: hint)
  }
}
