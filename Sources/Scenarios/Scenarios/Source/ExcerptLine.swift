/// One line of a file, safe to print and cut around a token, and the carets that go below it.
struct ExcerptLine {
  let text: String
  let carets: String

  private struct Cell {
    let shown: String
    let width: Int
    let isMarked: Bool
  }

  init(_ position: SourcePosition) {
    let part = Self.part(around: position)
    let (cells, mark) = Self.cells(of: part, position)
    let isPart = part.isCutBefore || part.isCutAfter
    let window = Self.window(around: mark, in: cells, isPart: isPart)
    let isCutBefore = part.isCutBefore || window.lowerBound > 0
    let isCutAfter = part.isCutAfter || window.upperBound < cells.count
    text = (isCutBefore ? "…" : "") + cells[window].map(\.shown).joined() + (isCutAfter ? "…" : "")
    let before = cells[window.lowerBound..<mark].reduce(isCutBefore ? 1 : 0) { $0 + $1.width }
    let marked = cells[mark..<window.upperBound].prefix(while: \.isMarked).reduce(0) { $0 + $1.width }
    carets = String(repeating: " ", count: before) + String(repeating: "^", count: max(1, marked))
  }

  /// A part of a line that holds more than is ever shown, and how many scalars stand before it.
  private struct Part {
    let text: String
    let start: Int
    let isCutAfter: Bool
    var isCutBefore: Bool { start > 0 }
  }

  /// A line can be as long as the file, and looking at each of its characters would be slow.
  private static func part(around position: SourcePosition) -> Part {
    let line = position.file.line(position.line).unicodeScalars
    let reach = SourceLimits.excerptCells * 2
    let start = max(0, position.column - 1 - reach)
    let rest = line.dropFirst(start)
    let text = rest.prefix(reach * 2)
    return Part(text: String(text), start: start, isCutAfter: text.endIndex < rest.endIndex)
  }

  /// The characters of the part, and the index of the one that the position begins in.
  private static func cells(of part: Part, _ position: SourcePosition) -> ([Cell], mark: Int) {
    let start = position.column - 1
    let end = start + position.length
    var cells: [Cell] = []
    var mark: Int?
    var scalar = part.start
    for character in part.text {
      let next = scalar + character.unicodeScalars.count
      if mark == nil, next > start { mark = cells.count }
      let isMarked = mark != nil && scalar < end
      cells.append(Cell(shown: SourceText.shown(character), width: SourceText.width(character), isMarked: isMarked))
      scalar = next
    }
    return (cells, mark ?? cells.count)
  }

  /// The whole line if it fits, else a part that shows what stands before the token as well as the token.
  private static func window(around mark: Int, in cells: [Cell], isPart: Bool) -> Range<Int> {
    let limit = SourceLimits.excerptCells
    if !isPart, cells.reduce(0, { $0 + $1.width }) <= limit { return 0..<cells.count }
    // A cell is kept free at each end for the sign that something was cut.
    var room = limit - 2
    var low = mark
    var high = mark
    func take(_ index: Int) -> Bool {
      guard cells.indices.contains(index), cells[index].width <= room else { return false }
      room -= cells[index].width
      return true
    }
    while room > limit * 2 / 3, take(low - 1) { low -= 1 }
    while take(high) { high += 1 }
    while take(low - 1) { low -= 1 }
    return low..<high
  }
}
