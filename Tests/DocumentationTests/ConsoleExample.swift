/// Commands of a page, each with the output that the page shows: a code block whose first line starts with "$ ".
struct ConsoleExample {
  /// A command with the output below it.
  struct Command {
    /// The command line, without line breaks.
    let line: String
    /// The lines of output, where "…" is any number of lines.
    var output: [String]
    /// The place of the output among the lines of the page.
    let place: Range<Int>
  }

  /// Reads the commands of a page, in order.
  static func commands(of lines: [String]) -> [Command] {
    var commands: [Command] = []
    var index = 0
    var isInBlock = false
    var isInExample = false
    while index < lines.count {
      let line = lines[index]
      index += 1
      if line.hasPrefix("```") {
        isInExample = !isInBlock && line == "```" && index < lines.count && lines[index].hasPrefix("$ ")
        isInBlock.toggle()
        continue
      }
      guard isInExample, line.hasPrefix("$ ") else { continue }
      var command = String(line.dropFirst(2))
      while command.hasSuffix("\\"), index < lines.count {
        command.removeLast()
        command += lines[index].drop { $0 == " " }
        index += 1
      }
      let start = index
      while index < lines.count, !lines[index].hasPrefix("$ "), !lines[index].hasPrefix("```") { index += 1 }
      commands.append(Command(line: command, output: Array(lines[start..<index]), place: start..<index))
    }
    return commands
  }
}

extension ConsoleExample.Command {
  private static let ellipsis = "…"

  private static func isEllipsis(_ line: String) -> Bool { line.drop { $0 == " " } == ellipsis }

  /// The lines with every time replaced, because some commands work with the present time.
  private static func withoutTimes(_ lines: [String]) -> [String] {
    lines.map { $0.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME") }
  }

  /// Tells whether the page shows what the command printed.
  func agrees(with printed: [String]) -> Bool {
    var rest = Self.withoutTimes(printed)[...]
    var parts = Self.withoutTimes(output).split(omittingEmptySubsequences: false, whereSeparator: Self.isEllipsis)
    let isElided = parts.count > 1
    let first = parts.removeFirst()
    guard rest.starts(with: first) else { return false }
    rest = rest.dropFirst(first.count)
    guard isElided else { return rest.isEmpty }
    let last = parts.removeLast()
    for part in parts {
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
      rest = rest[start...].dropFirst(part.count)
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// The output to show for what the command printed, with as many lines as now before and after an ellipsis.
  /// - Returns: nil if more than one place is elided.
  func shown(_ printed: [String]) -> [String]? {
    guard !agrees(with: printed) else { return output }
    let elided = output.indices.filter { Self.isEllipsis(output[$0]) }
    guard let place = elided.first else { return printed }
    guard elided.count == 1 else { return nil }
    let after = output.count - place - 1
    guard printed.count > place + after else { return printed }
    return printed.prefix(place) + [output[place]] + printed.suffix(after)
  }
}
