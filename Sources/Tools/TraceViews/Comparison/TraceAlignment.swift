import Foundation
import Messaging

/// The journals of two runs side by side: the lines of both in pairs, and the lines that only one run has.
package struct TraceAlignment {
  /// The relation of the two lines of a row.
  package enum Sameness: Sendable {
    /// The lines are equal apart from the values that are not compared.
    case same
    /// The lines are equal, and the right run has its line at another place of the same step.
    case moved
    /// The lines differ, or one run lacks the line.
    case different
  }

  /// A row: the positions of its lines in the journals.
  package struct Row: Sendable {
    package fileprivate(set) var left: Int?
    package fileprivate(set) var right: Int?
    package fileprivate(set) var sameness: Sameness
  }

  /// The rows, in the order of both journals.
  package private(set) var rows: [Row] = []
  /// True if keys, nonces, signatures and identifiers are not compared, since another seed draws others. Times are not
  /// compared in any case.
  package let isMasked: Bool
  private let left: [JournalEntry]
  private let right: [JournalEntry]

  /// Aligns two journals.
  /// - Parameter isMasked: False for two runs with the same seed, in which every differing byte has another cause.
  package init(_ left: [JournalEntry], _ right: [JournalEntry], isMasked: Bool) {
    (self.left, self.right, self.isMasked) = (left, right, isMasked)
    let shapes = (Self.shapes(left), Self.shapes(right))
    let alignment = SequenceAlignment([
      shapes, (left.map(Self.header), right.map(Self.header)), (left.map(Self.role), right.map(Self.role)),
    ])
    rows = alignment.pairs.map { pair in
      guard let one = pair.left, let other = pair.right else {
        return Row(left: pair.left, right: pair.right, sameness: .different)
      }
      let isSame = shapes.0[one] == shapes.1[other] && isEqual(one, other)
      return Row(left: one, right: other, sameness: isSame ? .same : .different)
    }
    pairMoved(shapes)
  }

  /// The values that are not compared.
  private var masks: MaskedText.Values { isMasked ? [.times, .draws] : .times }

  private static func shapes(_ entries: [JournalEntry]) -> [String] {
    entries.map { LineContent($0).text(without: [.times, .draws]) }
  }

  /// Returns whether two lines of the same shape are equal.
  private func isEqual(_ one: Int, _ other: Int) -> Bool {
    if isMasked { return true }
    if let message = left[one].event.message, let another = right[other].event.message,
      message.bytes == another.bytes
    {
      return true
    }
    return FieldDifferences(left[one], right[other], without: masks).fields.isEmpty
  }

  /// The party with the subject of its message or its decision.
  private static func header(_ entry: JournalEntry) -> String {
    let event = entry.event
    let subject = event.message.map { "\($0.recipient) \($0.kind.rawValue) \($0.mediaType)" } ?? event.code
    return "\(entry.party) \(event.kind.rawValue) \(subject ?? "")"
  }

  /// The role of the party, with the kind of the message or the check. Two ends of the same call are one.
  private static func role(_ entry: JournalEntry) -> String {
    let event = entry.event
    let subject = event.message.map { "\($0.recipient.role) \($0.kind.rawValue)" } ?? event.check?.check
    return "\(entry.party.role) \(event.kind.rawValue) \(subject ?? "")"
  }

  /// Pairs the lines that both runs have within the same step in another order.
  private mutating func pairMoved(_ shapes: (left: [String], right: [String])) {
    rows = steps.flatMap { Self.split(rows[$0], shapes) }
    var removed: Set<Int> = []
    for step in steps {
      var unpaired: [String: [Int]] = [:]
      for index in step.reversed() where rows[index].left == nil {
        if let line = rows[index].right { unpaired[shapes.right[line], default: []].append(index) }
      }
      for index in step where rows[index].right == nil {
        guard let line = rows[index].left, let found = unpaired[shapes.left[line]]?.last,
          let other = rows[found].right, isEqual(line, other)
        else { continue }
        unpaired[shapes.left[line]]?.removeLast()
        rows[index].right = other
        rows[index].sameness = .moved
        removed.insert(found)
      }
    }
    rows = rows.indices.filter { !removed.contains($0) }.map { rows[$0] }
  }

  /// Parts the lines that were paired for their subject alone, if the other run has one of them elsewhere in the step.
  private static func split(_ rows: ArraySlice<Row>, _ shapes: (left: [String], right: [String])) -> [Row] {
    let different = rows.filter { $0.sameness == .different }
    let all = (
      Set(different.compactMap { $0.left.map { shapes.left[$0] } }),
      Set(different.compactMap { $0.right.map { shapes.right[$0] } })
    )
    return rows.flatMap { row in
      guard row.sameness == .different, let left = row.left, let right = row.right,
        shapes.left[left] != shapes.right[right],
        all.1.contains(shapes.left[left]) || all.0.contains(shapes.right[right])
      else { return [row] }
      return [Row(left: left, right: nil, sameness: .different), Row(left: nil, right: right, sameness: .different)]
    }
  }

  /// The rows of each step that both runs have, and those before the first.
  private var steps: [Range<Int>] {
    let starts = [rows.startIndex] + rows.indices.dropFirst().filter { isCommonStep(rows[$0]) } + [rows.endIndex]
    return zip(starts, starts.dropFirst()).map { $0..<$1 }
  }

  /// Returns whether both runs begin a step at a row.
  private func isCommonStep(_ row: Row) -> Bool {
    guard let one = row.left, let other = row.right else { return false }
    return left[one].event.isStep && right[other].event.isStep
  }
}

extension TraceAlignment {
  /// The fields in which the two lines of a row differ; nil for a row of one run only.
  package func fields(of row: Row) -> FieldDifferences? {
    guard let one = row.left, let other = row.right else { return nil }
    return FieldDifferences(left[one], right[other], without: masks)
  }

  /// The first row that differs in what the parties do. A step of one run only and the line of a fault come after all
  /// others, since they were asked for; so do checks that differ in their words and not in their result.
  package var firstDifference: Int? {
    let different = rows.indices.filter { rows[$0].sameness == .different }
    return different.first { !isGiven(rows[$0]) && !hasSameResult(rows[$0]) } ?? different.first
  }

  private func isGiven(_ row: Row) -> Bool {
    let events = [row.left.map { left[$0].event }, row.right.map { right[$0].event }].compactMap(\.self)
    return events.contains { $0.kind == .fault || $0.isStep && events.count == 1 }
  }

  private func hasSameResult(_ row: Row) -> Bool {
    guard let one = row.left.flatMap({ left[$0].event.check }), let other = row.right.flatMap({ right[$0].event.check })
    else { return false }
    return one.name == other.name && one.status == other.status
  }

  /// The first difference in a sentence; nil if the runs are the same.
  package var sentence: String? {
    guard let index = firstDifference else { return nil }
    let row = rows[index]
    if let one = row.left, let other = row.right {
      return sentence(left[one], right[other], fields(of: row)?.fields ?? [])
    }
    // The other run does something else at the same place.
    let block = rows[index...].prefix { $0.sameness == .different && ($0.left == nil || $0.right == nil) }
    let one = row.left ?? block.lazy.compactMap(\.left).first
    let other = row.right ?? block.lazy.compactMap(\.right).first
    switch (one.map { Self.words(left[$0]) }, other.map { Self.words(right[$0]) }) {
    case (let left?, let right?): return "On the left, \(left). On the right instead, \(right)."
    case (let left?, nil): return "Only on the left: \(left)."
    case (nil, let right?): return "Only on the right: \(right)."
    case (nil, nil): return nil
    }
  }

  private func sentence(_ left: JournalEntry, _ right: JournalEntry, _ fields: [FieldDifferences.Field]) -> String {
    // Of a decision, the outcome says the most; a message names its first field.
    let (one, other) = (Self.words(left), Self.words(right))
    if left.event.message == nil, one != other { return "On the left, \(one). On the right instead, \(other)." }
    guard let field = fields.first else { return "\(one.prefix(1).uppercased() + one.dropFirst())." }
    let values = [field.left, field.right].map { $0.map(Self.quoted) ?? "nothing" }
    let more = fields.count > 1 ? " \(fields.count - 1) more field\(fields.count == 2 ? "" : "s") of it differ." : ""
    let start = one.prefix(1).uppercased() + one.dropFirst()
    let name = field.name.components(separatedBy: " › ").suffix(2).joined(separator: " › ")
    return "\(start): \(name) is \(values[0]) on the left and \(values[1]) on the right.\(more)"
  }

  /// The most characters of a value in a sentence.
  private static let quotedCount = 60

  private static func quoted(_ value: String) -> String {
    "“\(value.count <= quotedCount ? value : value.prefix(quotedCount) + "…")”"
  }

  /// A line in words, within a sentence.
  private static func words(_ entry: JournalEntry) -> String {
    let event = entry.event
    if let message = event.message {
      let way = "\(message.sender.titleWithArticle) to \(message.recipient.titleWithArticle)"
      return "message \(message.number) from \(way) (\(message.kind.rawValue))"
    }
    if event.isStep { return event.phrase }
    let party = entry.party.titleWithArticle
    switch event {
    case .exception(let exception): return "\(party) throws \(exception.name) (\(exception.code))"
    case .check(let check): return "\(party) makes the check \(check.name): \(check.status.rawValue)"
    default: return "\(party): \(event.phrase)"
    }
  }
}
