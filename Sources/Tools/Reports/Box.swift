/// Frames for screens.
enum Box {
  /// Columns of a frame with its margin; longer lines are wrapped.
  static let width = 92

  private static let inner = width - 8

  static func around(_ lines: [String], title: String) -> [String] {
    let heading = "    +- \(title) " + String(repeating: "-", count: max(0, inner - title.count - 1)) + "+"
    let foot = "    +" + String(repeating: "-", count: inner + 2) + "+"
    return [heading] + lines.flatMap { $0.wrapped(to: inner) }.map { "    | \($0.padded(to: inner)) |" } + [foot]
  }
}

extension String {
  /// The text in pieces of a number of columns, broken at spaces where there are any, the later ones indented: by four
  /// columns more than the first when not said otherwise.
  func wrapped(to columns: Int, hanging: Int? = nil) -> [String] {
    let hanging = String(repeating: " ", count: min(hanging ?? prefix { $0 == " " }.count + 4, columns / 2))
    var pieces: [String] = []
    var rest = self
    while rest.count > columns {
      let room = rest.prefix(columns)
      let indentation = room.prefix { $0 == " " }.count
      var cut = room.lastIndex(of: " ") ?? room.endIndex
      if rest.distance(from: rest.startIndex, to: cut) <= indentation { cut = room.endIndex }
      pieces.append(String(rest[..<cut]))
      rest = hanging + rest[cut...].drop { $0 == " " }
    }
    return pieces + [rest]
  }

  /// The text, padded with spaces to a number of columns.
  func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
