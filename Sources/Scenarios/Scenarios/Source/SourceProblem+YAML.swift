extension SourceProblem {
  /// The parser's reason, at the token that a person would mend. `openBracket` is where the innermost list or mapping
  /// in brackets begins that was not closed so far.
  init(_ failure: YAMLFailure, in file: SourceFile, openBracket: YAMLMark?) {
    // The parser has a limit of its own, on what it looks ahead at.
    if failure.reason.hasPrefix("Maximum nesting level reached") {
      self = .tooDeep(at: SourcePosition(file: file, line: failure.mark.line, column: failure.mark.column))
      return
    }
    let reason = "not YAML: " + failure.reason + (failure.context.map { ", " + $0 } ?? "")
    let end = file.endOfContent
    func place(_ mark: YAMLMark) -> SourcePosition { SourcePosition(file: file, line: mark.line, column: mark.column) }
    let found = place(failure.mark)
    let began = failure.context == nil ? end : place(failure.contextMark)
    if failure.reason == "could not find expected ':'", began < end {
      // The parser notices it in the next line.
      self.init(.notYAML, reason, at: began, hint: "a key has ': ' after it")
    } else if found < end {
      let hint = Self.hint(for: failure, at: found)
      self.init(.notYAML, reason, at: found, hint: hint ?? (began < found ? "it begins at \(Self.short(began))" : nil))
    } else {
      // What is never closed is noticed at the end of the file, far from where it was opened.
      let opened = began < end ? began : openBracket.map(place) ?? end
      let isOpening = file.scalar(at: opened).map { "[{'\"".unicodeScalars.contains($0) } ?? false
      self.init(.notYAML, reason, at: opened, hint: isOpening ? "this has no end" : nil)
    }
  }

  private static func short(_ place: SourcePosition) -> String { "\(place.line):\(place.column)" }

  private static func hint(for failure: YAMLFailure, at place: SourcePosition) -> String? {
    if place.file.line(place.line).first == "\t" || place.file.scalar(at: place) == "\t" {
      return "YAML is indented with spaces, not with tabs"
    }
    switch failure.reason {
    case "mapping values are not allowed in this context": return "text with ': ' in it must stand in quotes"
    case "found character that cannot start any token": return "text that begins like this must stand in quotes"
    default: return nil
    }
  }
}

extension SourceFile {
  /// The place after the last character that is no blank.
  fileprivate var endOfContent: SourcePosition {
    var line = lineCount
    while line > 1, self.line(line).allSatisfy(\.isWhitespace) { line -= 1 }
    return SourcePosition(file: self, line: line, column: self.line(line).unicodeScalars.count + 1, length: 1)
  }

  fileprivate func scalar(at place: SourcePosition) -> Unicode.Scalar? {
    line(place.line).unicodeScalars.dropFirst(place.column - 1).first
  }
}
