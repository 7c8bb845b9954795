import Foundation

/// The pixels of a drawing, read without the code that drew it.
struct Picture {
  private let rows: [[Bool]]

  /// The picture as a portable bitmap, cut to a square, with four pixels for each.
  var bitmap: String {
    let width = rows.first?.count ?? 0
    let lines = rows.prefix(width).map { row in
      let line = row.map { $0 ? "1111" : "0000" }.joined() + "\n"
      return String(repeating: line, count: 4)
    }
    return "P1\n\(width * 4) \(width * 4)\n" + lines.joined()
  }

  /// Reads half blocks in black on white.
  init(terminal text: String) {
    rows = text.split(separator: "\n").flatMap { line -> [[Bool]] in
      let start = "\u{1b}[38;5;16;48;5;231m"
      let end = "\u{1b}[0m"
      guard line.hasPrefix(start), line.hasSuffix(end) else { return [] }
      let blocks = line.dropFirst(start.count).dropLast(end.count)
      return [blocks.map { "█▀".contains($0) }, blocks.map { "█▄".contains($0) }]
    }
  }

  /// Reads two columns for each pixel.
  init(plain text: String) {
    rows = text.split(separator: "\n").map { line in
      let columns = Array(line)
      return stride(from: 0, to: columns.count, by: 2).map { columns[$0] == "#" && columns[$0 + 1] == "#" }
    }
  }

  /// Reads the rectangles of a path.
  init(svg text: String) {
    let width = Int(text.firstMatch(of: /viewBox="0 0 (\d+) \d+"/)?.1 ?? "") ?? 0
    var rows = Array(repeating: Array(repeating: false, count: width), count: width)
    for found in text.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      guard let column = Int(found.1), let row = Int(found.2), let length = Int(found.3), found.3 == found.4 else {
        continue
      }
      for place in column..<column + length { rows[row][place] = true }
    }
    self.rows = rows
  }
}
