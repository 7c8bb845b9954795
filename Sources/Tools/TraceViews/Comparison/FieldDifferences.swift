import Inspection
import Messaging
import Primitives

/// The fields in which two lines of journals differ.
package struct FieldDifferences {
  /// A field with its values; nil on the side that lacks it.
  package struct Field: Equatable {
    package let name: String
    package let left: String?
    package let right: String?
  }

  /// The fields, in their order.
  package private(set) var fields: [Field] = []
  /// The indices of the differing lines of each message's content; empty for other events.
  package private(set) var marks: (left: [Int], right: [Int]) = ([], [])

  /// - Parameter values: The values that are not compared.
  init(_ left: JournalEntry, _ right: JournalEntry, without values: MaskedText.Values) {
    func compare(_ name: String, _ left: Party?, _ right: Party?) {
      guard left != right else { return }
      fields.append(Field(name: name, left: left?.description, right: right?.description))
    }
    compare(left.event.message == nil ? "party" : "from", left.party, right.party)
    compare("to", left.event.message?.recipient, right.event.message?.recipient)
    let (one, other) = (Outline(left), Outline(right))
    let alignment = SequenceAlignment([
      (one.keys(without: values), other.keys(without: values)), (one.names, other.names),
    ])
    let equal = Set(
      zip(alignment.pairs.indices, alignment.pairs).compactMap { index, pair -> Int? in
        guard let left = pair.left, let right = pair.right else { return nil }
        return one.key(left, without: values) == other.key(right, without: values) ? index : nil
      })
    var changed = (left: Set<Int>(), right: Set<Int>())
    for (index, pair) in alignment.pairs.enumerated() where !equal.contains(index) {
      if let left = pair.left { changed.left.insert(left) }
      if let right = pair.right { changed.right.insert(right) }
    }
    // A line that contains a differing line differs by its length only; a line that one side lacks has its whole content.
    var alone = (left: Set<Int>(), right: Set<Int>())
    for (index, pair) in alignment.pairs.enumerated() where !equal.contains(index) {
      switch pair {
      case (let left?, let right?):
        if one.contains(changed.left, below: left) || other.contains(changed.right, below: right) { continue }
        fields.append(Field(name: one.path(left), left: one.value(left), right: other.value(right)))
        marks.left.append(left)
        marks.right.append(right)
      case (let left?, nil):
        if !one.isBelow(alone.left, left) {
          fields.append(Field(name: one.path(left), left: one.value(left), right: nil))
        }
        alone.left.insert(left)
        marks.left.append(left)
      case (nil, let right?):
        if !other.isBelow(alone.right, right) {
          fields.append(Field(name: other.path(right), left: nil, right: other.value(right)))
        }
        alone.right.insert(right)
        marks.right.append(right)
      case (nil, nil): continue
      }
    }
    if left.event.message == nil || right.event.message == nil { marks = ([], []) }
  }
}

/// The content of a line of a journal in nested lines of text.
private struct Outline {
  private let lines: [(level: Int, text: String)]
  /// The line that contains each line.
  private let parents: [Int?]
  /// The bytes of the lines that show the two ends of a long value only.
  private var cut: [Int: String] = [:]

  init(_ entry: JournalEntry) {
    if let message = entry.event.message {
      let explanation = Inspector.explanation(of: message)
      lines = explanation.lines.map { ($0.level, $0.text) }
      for (index, line) in explanation.lines.enumerated() where line.text.contains("...") {
        guard let source = line.source, let range = line.range else { continue }
        cut[index] = hexadecimal(explanation.sources[source].bytes[range])
      }
    } else {
      let event = entry.event
      let named = [("outcome", event.outcome), ("code", event.code), ("words", event.phrase)]
      lines =
        named.compactMap { name, value in value.map { (0, "\(name): \($0)") } }
        + event.evidence.flatMap(\.named).map { (0, "\($0.name): \($0.value)") }
    }
    var open: [Int] = []
    parents = lines.indices.map { [lines] index in
      while let last = open.last, lines[last].level >= lines[index].level { open.removeLast() }
      defer { open.append(index) }
      return open.last
    }
  }

  func key(_ index: Int, without values: MaskedText.Values) -> String {
    let text = "\(lines[index].level) \(MaskedText(lines[index].text, without: values).text)"
    guard !values.contains(.draws), let bytes = cut[index] else { return text }
    return text + bytes
  }

  func keys(without values: MaskedText.Values) -> [String] { lines.indices.map { key($0, without: values) } }

  var names: [String] { lines.indices.map { "\(lines[$0].level) \(name($0))" } }

  /// The text before the first colon.
  private func name(_ index: Int) -> Substring { lines[index].text.prefix { $0 != ":" } }

  /// The most characters of a name in a path, and of a value: some lines of a page.
  private static let counts = (name: 40, value: 300)

  func value(_ index: Int) -> String {
    let text = lines[index].text
    let value = text.dropFirst(name(index).count).drop { $0 == ":" || $0 == " " }
    let shown = value.isEmpty ? text[...] : value
    return shown.count <= Self.counts.value ? String(shown) : shown.prefix(Self.counts.value) + "…"
  }

  /// Returns whether a line is in one of some lines.
  func isBelow(_ some: Set<Int>, _ index: Int) -> Bool { parents[index].map(some.contains) ?? false }

  /// The names of the lines that contain a line, and its own.
  func path(_ index: Int) -> String {
    var names = [name(index)]
    var place = index
    while let outer = parents[place] {
      names.append(name(outer))
      place = outer
    }
    return names.reversed().map { $0.prefix(Self.counts.name) }.joined(separator: " › ")
  }

  /// Returns whether one of some lines is below a line.
  func contains(_ some: Set<Int>, below index: Int) -> Bool {
    var place = index + 1
    while place < lines.count, lines[place].level > lines[index].level {
      if some.contains(place) { return true }
      place += 1
    }
    return false
  }
}
