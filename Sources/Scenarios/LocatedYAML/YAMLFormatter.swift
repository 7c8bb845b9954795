import Primitives

/// Writes a YAML file in one layout: two spaces for each level, lists below their key indented too, one space around the
/// parts of a value in brackets, and at most one blank line in a row. The values, their quotes and the choice between
/// brackets and lines of their own stay as they are, and so do comments and anchors.
public enum YAMLFormatter {
  /// The longest line that values in brackets are joined into, in characters.
  public static let width = 120

  /// Returns the text in the layout.
  ///
  /// - Throws: ``SourceProblem``, if the text is not YAML, or holds a comment or a value that the layout cannot keep.
  public static func formatted(_ file: SourceFile) throws(SourceProblem) -> String {
    let problems = ProblemCollector()
    let before = SourceNode.parse(file, problems)
    if let problem = problems.problems.first { throw problem }
    let text = try layout(of: file)
    let again = try SourceFile(path: file.path, text: text)
    let after = SourceNode.parse(again, problems)
    // The layout is checked and not trusted: a file is never changed into another one.
    guard problems.isEmpty, let before, let after, before.value == after.value, try layout(of: again) == text else {
      throw SourceProblem(.unreadableValue, "the file cannot be formatted without changing its values", path: file.path)
    }
    return text
  }

  private static func layout(of file: SourceFile) throws(SourceProblem) -> String {
    var reader = LayoutReader(file: file)
    let root = try reader.read()
    var writer = LayoutWriter(file: file, comments: reader.comments)
    try writer.write(root)
    return writer.text
  }
}

/// A node of a file with everything that its layout depends on.
struct LayoutNode {
  indirect enum Content {
    /// A scalar as it is written, its lines without their indentation.
    case scalar([String], isBlock: Bool)
    case alias(String)
    case sequence([LayoutNode], isFlow: Bool)
    case mapping([(key: LayoutNode, value: LayoutNode)], isFlow: Bool)
  }

  let content: Content
  var anchor: String?
  let start: YAMLMark
  let end: YAMLMark

  /// True for a value whose lines are below its key.
  var isNested: Bool {
    switch content {
    case .scalar, .alias: false
    case .sequence(let items, let isFlow): !isFlow && !items.isEmpty
    case .mapping(let entries, let isFlow): !isFlow && !entries.isEmpty
    }
  }
}

/// Reads the nodes and the comments of a file.
struct LayoutReader {
  /// A comment.
  struct Comment {
    let line: Int
    let column: Int
    let text: String
    /// True if nothing else is in the line.
    let isAlone: Bool
  }

  let file: SourceFile
  private(set) var comments: [Comment] = []
  /// Parts of lines that belong to scalars, by line: columns from and up to.
  private var scalars: [Int: [Range<Int>]] = [:]
  /// The characters of the line that was read last: a line can have every scalar of the file.
  private var latest: (number: Int, characters: [Unicode.Scalar]) = (0, [])
  /// The number of characters in all lines that were read, which is a few times those of the file.
  private(set) var readCount = 0

  init(file: SourceFile) { self.file = file }

  /// Returns the characters of a line.
  private mutating func line(_ number: Int) -> [Unicode.Scalar] {
    if latest.number != number {
      latest = (number, Array(file.line(number).unicodeScalars))
      readCount += latest.characters.count
    }
    return latest.characters
  }

  /// The root of the file.
  mutating func read() throws(SourceProblem) -> LayoutNode {
    var root: LayoutNode?
    var events = YAMLEvents(file.text)
    while true {
      let event = try next(&events)
      switch event.kind {
      case .streamEnd:
        findComments()
        guard let root else { throw .empty(path: file.path, "the file holds only blank lines and comments") }
        return root
      case .documentStart, .documentEnd, .other: continue
      default: root = try node(event, &events)
      }
    }
  }

  private func next(_ events: inout YAMLEvents) throws(SourceProblem) -> YAMLEvent {
    try events.next { SourceProblem($0, in: file, openBracket: nil) }
  }

  private mutating func node(_ event: YAMLEvent, _ events: inout YAMLEvents) throws(SourceProblem) -> LayoutNode {
    switch event.kind {
    case .alias(let name): return LayoutNode(content: .alias(name), start: event.start, end: event.end)
    case .scalar(let scalar): return try scalarNode(scalar, event)
    case .sequenceStart(let isFlow):
      var items: [LayoutNode] = []
      while true {
        let next = try self.next(&events)
        if case .sequenceEnd = next.kind {
          return LayoutNode(
            content: .sequence(items, isFlow: isFlow), anchor: event.anchor, start: event.start, end: next.end)
        }
        items.append(try node(next, &events))
      }
    case .mappingStart(let isFlow):
      var entries: [(key: LayoutNode, value: LayoutNode)] = []
      while true {
        let next = try self.next(&events)
        if case .mappingEnd = next.kind {
          return LayoutNode(
            content: .mapping(entries, isFlow: isFlow), anchor: event.anchor, start: event.start, end: next.end)
        }
        let key = try node(next, &events)
        let value = try node(try self.next(&events), &events)
        entries.append((key, value))
      }
    default: throw SourceProblem(.notYAML, "not YAML", at: event.start.position(in: file))
    }
  }

  /// A scalar with its text between its marks.
  private mutating func scalarNode(_ scalar: SourceScalar, _ event: YAMLEvent) throws(SourceProblem) -> LayoutNode {
    var start = event.start
    if event.anchor != nil { start = afterAnchor(start) }
    var end = event.end
    var lines: [String] = []
    for number in start.line...max(start.line, end.line) {
      let line = self.line(number)
      let from = number == start.line ? start.column - 1 : 0
      let to = number == end.line ? min(end.column - 1, line.count) : line.count
      var text = String(String.UnicodeScalarView(line[min(from, to)..<to]))
      if scalar.style != .block { text = trimmed(text) }
      lines.append(text)
      scalars[number, default: []].append(from..<max(from, to))
    }
    if scalar.style == .block {
      // The end of a block is the start of the line after it.
      while lines.count > 1, lines.last?.allSatisfy({ $0 == " " }) ?? false {
        lines.removeLast()
        end = YAMLMark(line: end.line - 1, column: 1)
      }
      return LayoutNode(
        content: .scalar(try block(lines, event), isBlock: true), anchor: event.anchor, start: start, end: end)
    }
    if lines.dropLast().contains(where: { $0.hasSuffix("\\") }) {
      throw SourceProblem(
        .unreadableValue, "a text in quotes with a backslash at the end of a line is not formatted",
        at: event.start.position(in: file), hint: "write it in one line")
    }
    if scalar.style == .plain || !lines.contains("") {
      // A line end inside such a text is one space.
      lines = [lines.joined(separator: " ")]
    } else {
      throw SourceProblem(
        .unreadableValue, "a text in quotes with blank lines is not formatted", at: event.start.position(in: file),
        hint: "write it as a block after '|' or '>'")
    }
    return LayoutNode(content: .scalar(lines, isBlock: false), anchor: event.anchor, start: start, end: end)
  }

  /// The head of a block and its lines without their common indentation.
  private func block(_ lines: [String], _ event: YAMLEvent) throws(SourceProblem) -> [String] {
    let head = trimmed(lines[0])
    if head.contains(where: \.isNumber) || head.contains("#") {
      throw SourceProblem(
        .unreadableValue, "a block with an indentation of its own, or with a comment, is not formatted",
        at: event.start.position(in: file))
    }
    let rest = lines.dropFirst()
    let margin = rest.filter { !$0.allSatisfy { $0 == " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return [head] + rest.map { String($0.dropFirst(margin)) }
  }

  /// The place of the value after an anchor.
  private mutating func afterAnchor(_ mark: YAMLMark) -> YAMLMark {
    var (number, column) = (mark.line, mark.column)
    var line = self.line(number)
    while column <= line.count, line[column - 1] != " " { column += 1 }
    while true {
      while column <= line.count, line[column - 1] == " " { column += 1 }
      if column <= line.count || number >= file.lineCount { return YAMLMark(line: number, column: column) }
      number += 1
      column = 1
      line = self.line(number)
    }
  }

  /// Finds what begins with `#` at the start of a line or after a space, outside of scalars.
  private mutating func findComments() {
    for number in 1...max(1, file.lineCount) {
      let line = self.line(number)
      // In the order of their columns.
      var inside = scalars[number, default: []][...]
      for column in line.indices where line[column] == "#" && (column == 0 || line[column - 1] == " ") {
        while let first = inside.first, first.upperBound <= column { inside.removeFirst() }
        if inside.first?.contains(column) ?? false { continue }
        let text = trimmed(String(String.UnicodeScalarView(line[column...])))
        let isAlone = line[..<column].allSatisfy { $0 == " " }
        comments.append(Comment(line: number, column: column + 1, text: text, isAlone: isAlone))
        break
      }
    }
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
  }
}

/// Writes nodes in the layout, with the comments where they were.
private struct LayoutWriter {
  let file: SourceFile
  private var comments: ArraySlice<LayoutReader.Comment>
  private var lines: [String] = []
  /// The line of the file up to which everything is written.
  private var written = 0

  init(file: SourceFile, comments: [LayoutReader.Comment]) {
    self.file = file
    self.comments = comments[...]
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func write(_ root: LayoutNode) throws(SourceProblem) {
    begin(at: root.start.line, indentation: 0)
    if root.isNested {
      if let anchor = root.anchor { lines.append("&" + anchor) }
      try writeNested(root, indentation: 0, first: "")
    } else {
      try writeInline(root, head: "", indentation: 0)
    }
    // Comments after the last value.
    writeComments(before: .max, indentation: 0)
  }

  /// Writes the comments and at most one blank line before the entry that begins in a line.
  private mutating func begin(at line: Int, indentation: Int) {
    writeComments(before: line, indentation: indentation)
    blankLine(before: line)
  }

  private mutating func writeComments(before line: Int, indentation: Int) {
    while let comment = comments.first, comment.line < line {
      comments.removeFirst()
      blankLine(before: comment.line)
      lines.append(spaces(indentation) + comment.text)
      written = comment.line
    }
  }

  private mutating func blankLine(before line: Int) {
    guard written > 0, line > written + 1, !lines.isEmpty, lines.last != "" else { return }
    if (written + 1..<line).contains(where: { number in file.line(number).allSatisfy { $0 == " " } }) {
      lines.append("")
    }
  }

  /// Writes the entries of a list or mapping in lines of their own.
  /// - Parameter first: The beginning of the first line, as long as the indentation; empty to indent it.
  private mutating func writeNested(_ node: LayoutNode, indentation: Int, first: String) throws(SourceProblem) {
    var head = first
    switch node.content {
    case .sequence(let items, _):
      for item in items {
        if head.isEmpty { begin(at: item.start.line, indentation: indentation) }
        let lead = (head.isEmpty ? spaces(indentation) : head) + "- "
        head = ""
        if item.isNested, item.anchor == nil {
          try writeNested(item, indentation: indentation + 2, first: lead)
        } else {
          try writeValue(item, head: lead, below: item.start.line, indentation: indentation)
        }
      }
    case .mapping(let entries, _):
      for entry in entries {
        if head.isEmpty { begin(at: entry.key.start.line, indentation: indentation) }
        let key = try inline(entry.key)
        let lead = (head.isEmpty ? spaces(indentation) : head) + key + ":"
        head = ""
        try writeValue(entry.value, head: lead, below: entry.key.start.line, indentation: indentation)
      }
    case .scalar, .alias: break
    }
  }

  /// Writes a value after its key or dash: in the same line, or in the lines below.
  /// - Parameter line: The line of the key or dash in the file.
  private mutating func writeValue(
    _ node: LayoutNode, head: String, below line: Int, indentation: Int
  ) throws(SourceProblem) {
    guard node.isNested else { return try writeInline(node, head: head, indentation: indentation) }
    append(head + (node.anchor.map { (head.hasSuffix(" ") ? "&" : " &") + $0 } ?? ""), upTo: line)
    try writeNested(node, indentation: indentation + 2, first: "")
  }

  /// Writes a value in the line of its key, or, if it is too long, in several lines of brackets.
  private mutating func writeInline(_ node: LayoutNode, head: String, indentation: Int) throws(SourceProblem) {
    let last = max(node.start.line, node.end.line)
    let separator = head.isEmpty || head.hasSuffix(" ") ? "" : " "
    let anchor = node.anchor.map { "&\($0) " } ?? ""
    if case .scalar(let text, true) = node.content {
      lines.append(head + separator + anchor + text[0])
      let margin = spaces(indentation + 2)
      lines += text.dropFirst().map { $0.isEmpty ? "" : margin + $0 }
      written = last
      return
    }
    let text = try inline(node)
    let whole = head + separator + text
    // A comment inside the brackets would have no place in one line.
    if let comment = comments.first, comment.line < last {
      throw SourceProblem(
        .unreadableValue, "the comment is inside a value in brackets", at: position(of: comment),
        hint: "put it in a line of its own above the value")
    }
    if whole.count <= YAMLFormatter.width || text.isEmpty {
      append(whole.trimmingTrailingSpaces, upTo: last)
    } else if case .scalar = node.content {
      append(whole, upTo: last)
    } else {
      let parts = try broken(node, head: head + separator + anchor, margin: spaces(indentation + 2))
      lines += parts.dropLast()
      append(parts[parts.count - 1], upTo: last)
    }
  }

  /// The value in brackets in several lines, which its items fill.
  private func broken(_ node: LayoutNode, head: String, margin: String) throws(SourceProblem) -> [String] {
    var items: [String] = []
    var brackets = ("[", "]")
    switch node.content {
    case .sequence(let nodes, _): items = try nodes.map(inline)
    case .mapping(let entries, _):
      brackets = ("{ ", " }")
      items = try entries.map(inline)
    case .scalar, .alias: return [head + (try inline(node))]
    }
    var lines: [String] = []
    var line = head + brackets.0
    for (number, item) in items.enumerated() {
      let text = item + (number == items.count - 1 ? brackets.1 : ",")
      if number == 0 {
        line += text
      } else if line.count + 1 + text.count <= YAMLFormatter.width {
        line += " " + text
      } else {
        lines.append(line)
        line = margin + text
      }
    }
    return lines + [line]
  }

  /// Appends a line that ends with the content of a line of the file, and the comment at that line's end.
  private mutating func append(_ text: String, upTo line: Int) {
    var text = text
    if let comment = comments.first, comment.line <= line, !comment.isAlone {
      comments.removeFirst()
      text += "  " + comment.text
    }
    lines.append(text)
    written = max(written, line)
  }

  /// The value in one line.
  private func inline(_ node: LayoutNode) throws(SourceProblem) -> String {
    let anchor = node.anchor.map { "&\($0) " } ?? ""
    switch node.content {
    case .alias(let name): return "*" + name
    case .scalar(let lines, let isBlock):
      guard !isBlock else {
        throw SourceProblem(
          .unreadableValue, "a block inside brackets is not formatted",
          at: node.start.position(in: file))
      }
      return (anchor + lines[0]).trimmingTrailingSpaces
    case .sequence(let items, _): return anchor + "[" + (try items.map(inline)).joined(separator: ", ") + "]"
    case .mapping(let entries, _):
      if entries.isEmpty { return anchor + "{}" }
      return anchor + "{ " + (try entries.map(inline)).joined(separator: ", ") + " }"
    }
  }

  /// The entry of a mapping in one line.
  private func inline(_ entry: (key: LayoutNode, value: LayoutNode)) throws(SourceProblem) -> String {
    let key = try inline(entry.key)
    let value = try inline(entry.value)
    return value.isEmpty ? key + ":" : key + ": " + value
  }

  private func position(of comment: LayoutReader.Comment) -> SourcePosition {
    SourcePosition(file: file, line: comment.line, column: comment.column)
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
