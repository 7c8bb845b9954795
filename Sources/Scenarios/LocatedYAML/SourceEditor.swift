/// Changes values of a file, and leaves every other byte as it is: comments, layout, quotes and line ends.
public struct SourceEditor: Sendable {
  /// A token, or a list or mapping, in the file.
  private struct Span: Sendable {
    let start: YAMLMark
    let end: YAMLMark
  }

  private struct List: Sendable {
    let isFlow: Bool
    var items: [Span] = []
  }

  /// New text for a part of the file.
  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  /// The file.
  public let file: SourceFile
  private let bytes: [UInt8]
  private var scalars: [YAMLMark: (span: Span, scalar: SourceScalar)] = [:]
  private var lists: [YAMLMark: List] = [:]
  private var anchored: Set<YAMLMark> = []

  /// Finds the values of a file.
  /// - Throws: ``SourceProblem`` if the file is not YAML.
  public init(_ file: SourceFile) throws(SourceProblem) {
    self.file = file
    bytes = Array(file.text.utf8)
    var events = YAMLEvents(file.text)
    var open: [(start: YAMLMark, list: List?)] = []
    func place(_ span: Span) { if !open.isEmpty { open[open.count - 1].list?.items.append(span) } }
    while true {
      let event = try events.next { SourceProblem($0, in: file, openBracket: nil) }
      if event.anchor != nil { anchored.insert(event.start) }
      let span = Span(start: event.start, end: event.end)
      switch event.kind {
      case .streamEnd: return
      case .scalar(let scalar):
        scalars[event.start] = (span, scalar)
        place(span)
      case .alias: place(span)
      case .sequenceStart(let isFlow): open.append((event.start, List(isFlow: isFlow)))
      case .mappingStart: open.append((event.start, nil))
      case .sequenceEnd, .mappingEnd:
        guard let last = open.popLast() else { continue }
        if let list = last.list { lists[last.start] = list }
        place(Span(start: last.start, end: event.end))
      case .documentStart, .documentEnd, .other: continue
      }
    }
  }

  /// Returns the file with changed values.
  /// - Throws: ``SourceProblem`` if a value cannot be changed by itself, for example because it has an anchor.
  public func applying(_ changes: [SourceChange]) throws(SourceProblem) -> SourceFile {
    var edits: [Edit] = []
    for change in changes { edits += try self.edits(for: change) }
    var changed = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      changed.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    let mark = file.bytes.prefix(file.bytes.count - bytes.count)
    return try SourceFile(path: file.path, bytes: mark + changed)
  }

  private func edits(for change: SourceChange) throws(SourceProblem) -> [Edit] {
    let mark = YAMLMark(change.position)
    if (change.containers.map { YAMLMark($0) } + [mark]).contains(where: anchored.contains) {
      throw problem("the value has an anchor, by which other places of the file use it", at: mark)
    }
    switch change.content {
    case .scalar(let value):
      guard let (span, scalar) = scalars[mark] else { throw problem("the value is not a scalar", at: mark) }
      return [Edit(range: range(of: span), text: try written(value, like: scalar, at: mark))]
    case .list(let list):
      guard let found = lists[mark], found.items.count == list.old.count else {
        throw problem("the value is not a list of these items", at: mark)
      }
      return try edits(for: list, in: found, at: mark)
    }
  }

  private func edits(for change: ListChange, in list: List, at mark: YAMLMark) throws(SourceProblem) -> [Edit] {
    guard !list.items.isEmpty, !change.items.isEmpty else {
      throw problem("every item would be removed, or the list is empty", at: mark)
    }
    var edits: [Edit] = []
    for (place, item) in list.items.enumerated() where change.places[place] != change.old[place] {
      guard !anchored.contains(item.start) else {
        throw problem("the item has an anchor, by which other places of the file use it", at: item.start)
      }
      guard let text = change.places[place] else { continue }
      let scalar = scalars[item.start]?.scalar ?? SourceScalar(change.old[place])
      edits.append(Edit(range: range(of: item), text: try written(.text(text), like: scalar, at: item.start)))
    }
    edits += list.isFlow ? try flowRemovals(of: change, in: list) : try blockRemovals(of: change, in: list)
    guard !change.added.isEmpty, let last = list.items.last else { return edits }
    let scalar = scalars[last.start]?.scalar ?? SourceScalar("")
    var added: [String] = []
    for text in change.added { added.append(try written(.text(text), like: scalar, at: last.start)) }
    return edits + [list.isFlow ? flowAddition(of: added, after: last) : try blockAddition(of: added, after: last)]
  }

  /// Removes items from a list in brackets, each with the comma after it; the last ones with the comma before them.
  private func flowRemovals(of change: ListChange, in list: List) throws(SourceProblem) -> [Edit] {
    let ranges = list.items.map(range)
    guard let lastKept = change.places.lastIndex(where: { $0 != nil }) else { return [] }
    var removed: [Range<Int>] = []
    for place in 0..<lastKept where change.places[place] == nil {
      removed.append(ranges[place].lowerBound..<ranges[place + 1].lowerBound)
    }
    if lastKept + 1 < ranges.count { removed.append(ranges[lastKept].upperBound..<ranges[ranges.count - 1].upperBound) }
    for range in removed where bytes[range].contains(UInt8(ascii: "#")) {
      throw problem("a comment is next to an item that would be removed", at: list.items[0].start)
    }
    return removed.map { Edit(range: $0, text: "") }
  }

  private func flowAddition(of items: [String], after last: Span) -> Edit {
    let end = range(of: last).upperBound
    return Edit(range: end..<end, text: items.map { ", " + $0 }.joined())
  }

  /// Removes items from a list with an item in each line.
  private func blockRemovals(of change: ListChange, in list: List) throws(SourceProblem) -> [Edit] {
    var edits: [Edit] = []
    for (place, item) in list.items.enumerated() where change.places[place] == nil {
      let line = try line(of: item)
      guard isBlank(range(of: item).upperBound..<line.upperBound) else {
        throw problem("a comment is next to an item that would be removed", at: item.start)
      }
      edits.append(Edit(range: line, text: ""))
    }
    return edits
  }

  private func blockAddition(of items: [String], after last: Span) throws(SourceProblem) -> Edit {
    let line = try line(of: last)
    let head = bytes[line.lowerBound..<range(of: last).lowerBound]
    let end = bytes[line].reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed()
    // The last line of a file may be without an end.
    let text = items.map { item in
      end.isEmpty
        ? "\n" + String(decoding: head, as: UTF8.self) + item
        : String(decoding: head, as: UTF8.self) + item + String(decoding: Array(end), as: UTF8.self)
    }
    return Edit(range: line.upperBound..<line.upperBound, text: text.joined())
  }

  /// The line of an item of a list with an item in each line, with its end.
  private func line(of item: Span) throws(SourceProblem) -> Range<Int> {
    let own = range(of: item)
    let start = file.lineStart(item.start.line)
    let end = item.start.line < file.lineCount ? file.lineStart(item.start.line + 1) : bytes.count
    let head = bytes[start..<own.lowerBound].drop { $0 == UInt8(ascii: " ") }
    let isAlone = head.first == UInt8(ascii: "-") && head.dropFirst().allSatisfy { $0 == UInt8(ascii: " ") }
    guard own.upperBound <= end, isAlone else { throw problem("the item is not in a line of its own", at: item.start) }
    return start..<end
  }

  private func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { " \t\r\n".utf8.contains($0) } }

  /// A value as YAML, in the quotes of the scalar that it replaces.
  private func written(
    _ value: YAMLValue, like scalar: SourceScalar, at mark: YAMLMark
  ) throws(SourceProblem) -> String {
    guard case .text(let text) = value else { return value.flow }
    switch scalar.style {
    case .block: throw problem("the value is a block of lines", at: mark)
    case .plain:
      // A number or a truth value in this place shows that its reader takes any scalar.
      let takesAny = if case .text = scalar.value { false } else { true }
      return Self.isPlain(text, orAny: takesAny) ? text : value.flow
    case .quoted:
      let isSingle = bytes[offset(of: mark)] == UInt8(ascii: "'")
      let fits = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0xa0).contains($0.value) }
      return isSingle && fits ? "'" + text.replacing("'", with: "''") + "'" : YAMLValue.quoted(text)
    }
  }

  /// True if a text reads as itself without quotes, also in brackets.
  private static func isPlain(_ text: String, orAny takesAny: Bool) -> Bool {
    let problems = ProblemCollector()
    guard let file = try? SourceFile(path: "value", text: "- { key: \(text) }\n- key: \(text)\n"),
      case .sequence(let items)? = SourceNode.parse(file, problems)?.content, problems.isEmpty, items.count == 2
    else { return false }
    return items.allSatisfy { item in
      guard item.keys == ["key"], let scalar = item["key"]?.scalar, scalar.style == .plain, scalar.text == text else {
        return false
      }
      switch scalar.value {
      case .text: return true
      case .null: return false
      case .boolean, .integer, .number: return takesAny
      }
    }
  }

  /// The bytes of a value, without blanks after it.
  private func range(of span: Span) -> Range<Int> {
    let start = offset(of: span.start)
    var end = max(start, offset(of: span.end))
    while end > start, " \t\r\n".utf8.contains(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private func offset(of mark: YAMLMark) -> Int {
    guard mark.line <= file.lineCount else { return bytes.count }
    let before = file.line(mark.line).unicodeScalars.prefix(mark.column - 1)
    return file.lineStart(mark.line) + before.reduce(0) { $0 + UTF8.width($1) }
  }

  private func problem(_ message: String, at mark: YAMLMark) -> SourceProblem {
    SourceProblem(.unreadableValue, message, at: mark.position(in: file))
  }
}

extension YAMLMark {
  fileprivate init(_ position: SourcePosition) { self.init(line: position.line, column: position.column) }
}
