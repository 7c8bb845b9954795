import InteractiveWorlds
import JSON
import Messaging
import ScenarioLanguage
import ScenarioRunner
import TraceViews

/// The JSON of the comparison of two plays: their lines and their steps in pairs, and their first difference.
package struct BesideJSON {
  /// The differing fields of a row that both runs have.
  struct Difference: JSONObjectWritable {
    let row: Int
    /// The fields, and the differing lines of the contents of both messages.
    let found: FieldDifferences

    func writeMembers(to json: inout JSONWriter) {
      json.member("count", found.fields.count)
      json.member("fields", Array(found.fields.prefix(BesideJSON.maximumFields)))
      json.member("marks", ["left": found.marks.left, "right": found.marks.right])
      json.member("row", row)
    }
  }

  /// The first difference.
  struct First: JSONObjectWritable {
    let row: Int
    let text: String

    func writeMembers(to json: inout JSONWriter) {
      json.member("row", row)
      json.member("text", text)
    }
  }

  /// The maximum number of fields with their values in a difference: more than one reads in a list.
  static let maximumFields = 6

  var isMasked: Bool
  /// The numbers of the steps that are done in each run.
  var moments: [[Int]]
  /// The rows of the aligned journals. A page has hundreds, so a row is three numbers: its lines, 0 on the side that lacks
  /// it, and the sameness.
  var rows: [[Int]]
  var differences: [Difference]
  var first: First?

  package init(_ left: Playback, _ right: Playback) {
    isMasked = left.result.seed != right.result.seed
    moments = Self.moments(left.steps, right.steps)
    let entries = (left.result.journal.entries, right.result.journal.entries)
    let alignment = TraceAlignment(entries.0, entries.1, isMasked: isMasked)
    rows = alignment.rows.map { row in
      [row.left.map { entries.0[$0].number } ?? 0, row.right.map { entries.1[$0].number } ?? 0, row.sameness.number]
    }
    differences = alignment.rows.enumerated().compactMap { index, row in
      guard row.sameness == .different, let found = alignment.fields(of: row) else { return nil }
      return Difference(row: index, found: found)
    }
    first = alignment.firstDifference.flatMap { row in alignment.sentence.map { First(row: row, text: $0) } }
  }

  /// The steps of both plays together: equal ones at once, others one run at a time.
  private static func moments(_ left: [Playback.PlayedStep], _ right: [Playback.PlayedStep]) -> [[Int]] {
    func both(_ key: (Playback.PlayedStep) -> String) -> (left: [String], right: [String]) {
      (left.map(key), right.map(key))
    }
    let alignment = SequenceAlignment([both(\.text), both(subject), both(\.kind.rawValue)])
    var moment = [0, 0]
    return [moment]
      + alignment.pairs.map { pair in
        if let step = pair.left { moment[0] = step + 1 }
        if let step = pair.right { moment[1] = step + 1 }
        return moment
      }
  }

  /// The beginning of a step: who does what.
  private static func subject(_ step: Playback.PlayedStep) -> String {
    step.text.split(separator: ":").prefix(2).joined(separator: ":")
  }
}

extension BesideJSON: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("differences", differences)
    json.member(orNull: "first", first)
    json.member("isMasked", isMasked)
    json.member("moments", moments)
    json.member("rows", rows)
  }
}

extension TraceAlignment.Sameness {
  /// The number in a row.
  fileprivate var number: Int {
    switch self {
    case .same: 0
    case .moved: 1
    case .different: 2
    }
  }
}

extension FieldDifferences.Field: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member(orNull: "left", left)
    json.member("name", name)
    json.member(orNull: "right", right)
  }
}
