import Primitives

/// Shows a line of a file with a caret under a token: the one look of every problem and of every failed expectation.
///
/// ```
/// scenarios/two-apps.yaml:14:16  device signature does not verify            [device.signature]
///    14 |   - website: { verified: { given_name: Kelly } }
///       |                ^^^^^^^^ refused by the verifier server
///       | because: the site trusts this issuer and this device
///    message 9 of 11  Wallet -> OS  EncryptedResponse, 1702 bytes
/// ```
public enum SourceExcerpt {
  /// The excerpt, without a line end after the last line.
  ///
  /// - Parameters:
  ///   - position: The token under which the carets stand.
  ///   - headline: What is wrong, in a message without its full stop.
  ///   - code: The stable code, shown in brackets.
  ///   - caretNote: A few words after the carets.
  ///   - because: Why it was expected, shown below the carets.
  ///   - notes: Lines of evidence. Their own leading spaces set them in further.
  public static func render(
    position: SourcePosition, headline: String, code: String? = nil, caretNote: String? = nil, because: String? = nil,
    notes: [String] = []
  ) -> String {
    let number = String(position.line)
    let gutterWidth = max(5, number.count + 2)
    let gutter = padding(gutterWidth) + " |"
    let line = ExcerptLine(position)
    var lines = [heading(place: position.description, headline: headline, code: code)]
    lines.append((padding(gutterWidth - number.count) + number + " | " + line.text).trimmingTrailingSpaces)
    lines.append(gutter + " " + line.carets + (caretNote.map { " " + SourceText.visible($0) } ?? ""))
    if let because { lines.append(gutter + " because: " + SourceText.visible(folded(because).trimmingTrailingSpaces)) }
    lines += notes.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .map { ("   " + SourceText.visible(String($0))).trimmingTrailingSpaces }
    return lines.joined(separator: "\n")
  }

  /// The first line: place, message, and the code in a column of its own where it fits.
  static func heading(place: String, headline: String, code: String?) -> String {
    let text = SourceText.visible(place) + "  " + SourceText.visible(headline)
    guard let code else { return text }
    return text + padding(max(2, codeColumn - SourceText.width(text))) + "[" + SourceText.visible(code) + "]"
  }

  private static let codeColumn = 75

  private static func padding(_ cells: Int) -> String { String(repeating: " ", count: max(0, cells)) }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

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

  /// The part of a line around a position, and the number of scalars before it.
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

  /// The whole line if it fits, else the part around the token, with some text before it.
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

/// Text from a file on its way to a person: safe to print, of known width, and short inside messages.
public enum SourceText {
  /// The text with every control character replaced by a sign that shows it, so that no file can steer a terminal.
  ///
  /// Direction marks and other invisible characters are replaced too, as they can make a line look like another one.
  /// The joiners that scripts and emoji need stay.
  public static func visible(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = ""
    for character in text { result += shown(character) }
    return result
  }

  /// The text in single quotes, visible and cut to `SourceLimits.quotedCharacters`.
  public static func quote(_ text: String) -> String {
    let kept = text.prefix(SourceLimits.quotedCharacters)
    return "'" + visible(String(kept)) + (kept.endIndex == text.endIndex ? "'" : "…'")
  }

  /// The number of terminal cells that the visible form of this text takes: two for wide East Asian characters and
  /// emoji.
  public static func width(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// One character as it is printed.
  static func shown(_ character: Character) -> String {
    var result = ""
    for scalar in character.unicodeScalars.prefix(SourceLimits.scalarsOfCharacter) {
      result.unicodeScalars.append(shown(scalar))
    }
    return result
  }

  /// The cells of one character as it is printed. One made of several wide parts is drawn as one.
  static func width(_ character: Character) -> Int {
    min(2, character.unicodeScalars.prefix(SourceLimits.scalarsOfCharacter).reduce(0) { $0 + width(shown($1)) })
  }

  static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x20..<0x7F: scalar
    case 0x09: "→"
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? replacement
    case 0x7F: "\u{2421}"
    case 0x200C, 0x200D: scalar
    default: isInvisible(scalar) ? replacement : scalar
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .unassigned: scalar.properties.isNoncharacterCodePoint
    default: false
    }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// The blocks that Unicode's East Asian Width calls wide or fullwidth, and what is drawn as emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF,
      0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    case 0x1F1E6...0x1F1FF: false
    default: scalar.properties.isEmojiPresentation
    }
  }
}
