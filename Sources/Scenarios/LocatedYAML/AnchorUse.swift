extension SourceFile {
  /// Finds the anchors that no alias names, in the order of the file; none in a text that is not YAML.
  public func unusedAnchors() -> [Located<String>] {
    var anchors: [(name: Located<String>, isUsed: Bool)] = []
    var events = YAMLEvents(text)
    while let event = try? events.next(orThrow: { SourceProblem($0, in: self, openBracket: nil) }) {
      if case .streamEnd = event.kind { break }
      if case .alias(let name) = event.kind, let last = anchors.lastIndex(where: { $0.name.value == name }) {
        anchors[last].isUsed = true
      }
      guard let name = event.anchor else { continue }
      // The sign `&` is part of the token.
      let length = name.unicodeScalars.count + 1
      let position = SourcePosition(
        file: self, line: event.start.line, column: event.start.column, length: length)
      anchors.append((Located(name, at: position), false))
    }
    return anchors.filter { !$0.isUsed }.map(\.name)
  }
}
