extension SourceNode {
  /// Reads the tree of a file.
  ///
  /// Returns nil when there is none: the file is not YAML, says nothing, or goes past a limit. Problems that leave the
  /// rest readable, such as a key that comes twice, are reported and what they are about is left out of the tree.
  public static func parse(_ file: SourceFile, _ problems: ProblemCollector) -> SourceNode? {
    do {
      try refuseDirectives(file)
      return try build(file, problems)
    } catch {
      problems.report(error)
      return nil
    }
  }

  /// Reads a file and its tree. Returns nil where `SourceFile.init(readingFrom:)` throws or `parse` returns nil.
  public static func read(_ path: String, _ problems: ProblemCollector) -> SourceNode? {
    do {
      return parse(try SourceFile(readingFrom: path), problems)
    } catch {
      problems.report(error)
      return nil
    }
  }

  private static func build(_ file: SourceFile, _ problems: ProblemCollector) throws(SourceProblem) -> SourceNode {
    var builder = SourceTreeBuilder(file: file, problems: problems)
    var events = YAMLEvents(file.text)
    var event: YAMLEvent
    repeat {
      do {
        event = try events.next()
      } catch {
        throw SourceProblem(error, in: file, openBracket: builder.openBracket)
      }
    } while try builder.take(event)
    return try builder.root()
  }

  /// Directives are refused before parsing: the parser compares each with all before it, so a file of them takes long.
  private static func refuseDirectives(_ file: SourceFile) throws(SourceProblem) {
    guard let line = file.firstLine(beginningWith: UInt8(ascii: "%")) else { return }
    throw SourceProblem(
      .directive, "a line must not begin with '%'", at: SourcePosition(file: file, line: line, column: 1),
      hint: "YAML directives are not read: every file is YAML 1.2")
  }
}
