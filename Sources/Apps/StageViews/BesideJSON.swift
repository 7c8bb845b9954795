import InteractiveWorlds
import JSON
import Messaging
import ScenarioLanguage
import ScenarioRunner
import TraceViews

/// The JSON of the comparison of two plays: their lines and their steps in pairs, and their first difference.
package struct BesideJSON {
  /// The numbers of the steps that are done in each run.
  struct Moment: Equatable {
    var left: Int
    var right: Int
  }

  /// A row of the aligned journals: the numbers of its lines, 0 on the side that lacks it.
  struct Row {
    var left: Int
    var right: Int
    var sameness: TraceAlignment.Sameness
  }

  /// The differing fields of a row that both runs have.
  struct Difference {
    var row: Int
    /// The first fields.
    var fields: [FieldDifferences.Field]
    /// The number of all fields.
    var count: Int
    /// The differing lines of the contents of both messages.
    var marks: (left: [Int], right: [Int])
  }

  /// The first difference.
  struct First {
    var row: Int
    var text: String
  }

  /// The maximum number of fields with their values in a difference: more than one reads in a list.
  static let maximumFields = 6

  var isMasked: Bool
  var moments: [Moment]
  var rows: [Row]
  var differences: [Difference]
  var first: First?

  package init(_ left: Playback, _ right: Playback) {
    isMasked = left.result.seed != right.result.seed
    moments = Self.moments(left.steps, right.steps)
    let entries = (left.result.journal.entries, right.result.journal.entries)
    let alignment = TraceAlignment(entries.0, entries.1, isMasked: isMasked)
    rows = alignment.rows.map { row in
      Row(
        left: row.left.map { entries.0[$0].number } ?? 0, right: row.right.map { entries.1[$0].number } ?? 0,
        sameness: row.sameness)
    }
    differences = alignment.rows.enumerated().compactMap { index, row in
      guard row.sameness == .different, let found = alignment.fields(of: row) else { return nil }
      return Difference(
        row: index, fields: Array(found.fields.prefix(Self.maximumFields)), count: found.fields.count,
        marks: found.marks)
    }
    first = alignment.firstDifference.flatMap { row in alignment.sentence.map { First(row: row, text: $0) } }
  }

  /// The steps of both plays together: equal ones at once, others one run at a time.
  private static func moments(_ left: [Playback.PlayedStep], _ right: [Playback.PlayedStep]) -> [Moment] {
    func both(_ key: (Playback.PlayedStep) -> String) -> (left: [String], right: [String]) {
      (left.map(key), right.map(key))
    }
    let alignment = SequenceAlignment([both(\.text), both(subject), both(\.kind.rawValue)])
    var moment = Moment(left: 0, right: 0)
    return [moment]
      + alignment.pairs.map { pair in
        if let step = pair.left { moment.left = step + 1 }
        if let step = pair.right { moment.right = step + 1 }
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

extension BesideJSON.Moment: JSONWritable {
  func write(to json: inout JSONWriter) { json.array([left, right]) }
}

extension BesideJSON.Row: JSONWritable {
  /// A page has hundreds of rows, so a row is three numbers: the lines, and the sameness.
  func write(to json: inout JSONWriter) {
    let number =
      switch sameness {
      case .same: 0
      case .moved: 1
      case .different: 2
      }
    json.array([left, right, number])
  }
}

extension BesideJSON.Difference: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("count", count)
    json.member("fields", fields)
    json.member("marks") { json in
      json.object { json in
        json.member("left", marks.left)
        json.member("right", marks.right)
      }
    }
    json.member("row", row)
  }
}

extension FieldDifferences.Field: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member(orNull: "left", left)
    json.member("name", name)
    json.member(orNull: "right", right)
  }
}

extension BesideJSON.First: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("row", row)
    json.member("text", text)
  }
}
