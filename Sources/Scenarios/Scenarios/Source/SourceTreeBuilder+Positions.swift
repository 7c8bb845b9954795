extension SourceTreeBuilder {
  /// The place where an event starts. Without a length it takes the event's own where that ends in the same line.
  func start(_ event: YAMLEvent, length: Int? = nil) -> SourcePosition {
    let own = event.end.line == event.start.line ? event.end.column - event.start.column : 1
    return position(event.start, length: length ?? max(1, own))
  }

  func position(of scalar: SourceScalar, _ event: YAMLEvent) -> SourcePosition {
    let own = event.end.column - event.start.column
    return position(
      event.start, length: event.end.line == event.start.line ? own : lengthOfFirstLine(of: scalar, event))
  }

  /// A collection in brackets takes them and what is between, if that is one line; any other takes its first token.
  func position(of collection: Open, end: YAMLMark) -> SourcePosition {
    let start = collection.first.start
    let length =
      if collection.isFlow {
        end.line == start.line ? end.column - start.column : 1
      } else if let anchor = collection.first.anchor {
        anchor.unicodeScalars.count + 1
      } else if let key = collection.entries.first?.key.position, (key.line, key.column) == (start.line, start.column) {
        key.length
      } else {
        1
      }
    return position(start, length: max(1, length))
  }

  /// The parser counts a line more than there is when the last one has no end.
  private func position(_ mark: YAMLMark, length: Int) -> SourcePosition {
    let last = file.lineCount
    guard mark.line > last else {
      return SourcePosition(file: file, line: mark.line, column: mark.column, length: length)
    }
    return SourcePosition(file: file, line: last, column: file.line(last).unicodeScalars.count + 1, length: 0)
  }

  private func lengthOfFirstLine(of scalar: SourceScalar, _ event: YAMLEvent) -> Int {
    let rest = file.line(event.start.line).unicodeScalars.dropFirst(event.start.column - 1)
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    if scalar.style == .block { return rest.prefix { !isBlank($0) }.count }
    return rest.count - rest.reversed().prefix(while: isBlank).count
  }
}
