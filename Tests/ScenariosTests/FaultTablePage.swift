import Foundation

/// docs/faults.md as it stands.
enum FaultTablePage {
  /// Where it stands.
  static let url = ShippedScenarios.root.appendingPathComponent("docs/faults.md")

  /// A line of the table that is no row.
  struct Malformed: Error, CustomStringConvertible {
    let line: String

    var description: String { "no row of five cells with something in each: \(line)" }
  }

  /// The rows of a page.
  /// - Throws: ``Malformed`` for a line of the table that is none, so that no row is passed over.
  static func rows(_ text: String) throws -> [FaultTable.Row] {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    guard lines.first.map(String.init) == FaultTable.columns, lines.count > 2 else {
      throw Malformed(line: lines.first.map(String.init) ?? "")
    }
    return try lines.dropFirst(2).map { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let cells = parts.dropFirst().dropLast()
      guard cells.count == 5, parts.first == "", parts.last == "", cells.allSatisfy({ !$0.isEmpty }) else {
        throw Malformed(line: String(line))
      }
      let row = Array(cells)
      guard row[2].hasPrefix("`"), row[2].hasSuffix("`"), row[2].count > 2 else { throw Malformed(line: String(line)) }
      return FaultTable.Row(
        fault: row[0], who: row[1], code: String(row[2].dropFirst().dropLast()), outcome: row[3], scenario: row[4])
    }
  }

  /// What a page says otherwise than a table, a line each; nothing when they are the same.
  static func differences(of text: String, from table: FaultTable) throws -> [String] {
    let (page, right) = (try rows(text), table.rows)
    let missing = Set(right).subtracting(page).map { "missing: \($0.line)" }
    let wrong = Set(page).subtracting(right).map { "no scenario shows: \($0.line)" }
    let isOtherwise = missing.isEmpty && wrong.isEmpty && text != table.text
    return missing.sorted() + wrong.sorted() + (isOtherwise ? ["rows or words stand otherwise"] : [])
  }
}
