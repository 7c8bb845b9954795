/// Frames for screens.
enum Box {
  /// Columns of a frame with its margin; longer lines are wrapped.
  static let width = 92

  private static let inner = width - 8

  static func around(_ lines: [String], title: String) -> [String] {
    let heading = "    +- \(title) " + String(repeating: "-", count: max(0, inner - title.count - 1)) + "+"
    let foot = "    +" + String(repeating: "-", count: inner + 2) + "+"
    return [heading] + lines.flatMap(wrapped).map { "    | \($0.padded(to: inner)) |" } + [foot]
  }

  /// The line in pieces that fit, broken at spaces where there are any, the later ones indented a little more.
  private static func wrapped(_ line: String) -> [String] {
    let hanging = String(repeating: " ", count: min(line.prefix { $0 == " " }.count + 4, inner / 2))
    var pieces: [String] = []
    var rest = line
    while rest.count > inner {
      let room = rest.prefix(inner)
      let indentation = room.prefix { $0 == " " }.count
      var cut = room.lastIndex(of: " ") ?? room.endIndex
      if rest.distance(from: rest.startIndex, to: cut) <= indentation { cut = room.endIndex }
      pieces.append(String(rest[..<cut]))
      rest = hanging + rest[cut...].drop { $0 == " " }
    }
    return pieces + [rest]
  }
}

extension String {
  /// The text with spaces behind it up to a number of columns.
  func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
