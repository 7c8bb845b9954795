/// What is wrong with a file, and where. What it says is safe to print as `rendered()` or `description`.
public struct SourceProblem: Error, Hashable, Sendable {
  /// What kind of problem it is.
  public let code: Code
  /// What is wrong, in a sentence without its full stop.
  public let sentence: String
  /// The file, as it was named.
  public let path: String
  /// The token it is about; nil when it is about the file as a whole.
  public let position: SourcePosition?
  /// What was probably meant, to be written in place of the token.
  public let suggestion: String?
  /// What to do or where else to look, printed under the token when there is no suggestion.
  public let hint: String?

  /// A problem with a token.
  public init(
    _ code: Code, _ sentence: String, at position: SourcePosition, suggestion: String? = nil, hint: String? = nil
  ) {
    self.code = code
    self.sentence = sentence
    self.path = position.file.path
    self.position = position
    self.suggestion = suggestion
    self.hint = hint
  }

  /// A problem with a whole file.
  public init(_ code: Code, _ sentence: String, path: String, hint: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.path = path
    self.position = nil
    self.suggestion = nil
    self.hint = hint
  }

  /// The suggestion as a question, or the hint.
  public var advice: String? {
    guard let suggestion else { return hint }
    return "did you mean \(SourceText.quote(suggestion))?"
  }

  /// The problem with the line it is about and a caret under the token, without a line end after the last line.
  public func rendered() -> String {
    guard let position else {
      let heading = SourceExcerpt.heading(place: path, headline: sentence, code: code.text)
      return hint.map { heading + "\n   " + SourceText.visible($0) } ?? heading
    }
    return SourceExcerpt.render(position: position, headline: sentence, code: code.text, caretNote: advice)
  }
}

extension SourceProblem: CustomStringConvertible {
  /// `path:line:column: sentence; advice [code]`, on one line.
  public var description: String {
    let place = position.map(\.description) ?? path
    return SourceText.visible("\(place): \(sentence)\(advice.map { "; " + $0 } ?? "") [\(code)]")
  }
}

extension SourceProblem {
  static func tooLarge(path: String) -> SourceProblem {
    SourceProblem(.tooLarge, "larger than a scenario file may be, \(SourceLimits.bytes) bytes", path: path)
  }

  static func tooDeep(at position: SourcePosition) -> SourceProblem {
    SourceProblem(.tooDeep, "lists and mappings nest deeper than \(SourceLimits.depth)", at: position)
  }

  static func empty(path: String, _ sentence: String) -> SourceProblem {
    SourceProblem(.empty, sentence, path: path)
  }
}
