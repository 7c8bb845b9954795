import LocatedYAML

/// Lines of styled text of one width, and their output on a terminal.
struct DemoCanvas {
  /// A piece of text in one style.
  struct Piece {
    var text: String
    var style: Style = .plain
  }

  /// A style as SGR parameters (ECMA-48, 8.3.117), readable on black and on white backgrounds. Of the terminal's own
  /// colors, green, yellow and cyan are too light for white ones: they are backgrounds of black text.
  enum Style: String {
    case plain = "0"
    case bold = "1"
    case dim = "2"
    case inverse = "7"
    case good = "30;42"
    case warning = "30;43"
    case bad = "1;31"
    case accent = "35"
    /// Black on white, in which readers find a QR code: `QRSymbol.terminalStyle`.
    case symbol = "38;5;16;48;5;231"
  }

  let width: Int
  let height: Int
  private(set) var rows: [[Piece]] = []

  /// Adds a row, cut to the width of the canvas.
  mutating func add(_ pieces: [Piece]) {
    guard rows.count < height else { return }
    rows.append(pieces)
  }

  /// Adds rows.
  mutating func add(_ rows: [[Piece]]) { for row in rows { add(row) } }

  /// The output that draws the canvas on a terminal and clears the rest of the screen.
  var output: String {
    var text = ""
    for (number, row) in (rows + Array(repeating: [], count: max(0, height - rows.count))).enumerated() {
      text += "\u{1b}[\(number + 1);1H"
      var room = width
      for piece in row where room > 0 {
        let fitting = piece.text.shortened(room)
        room -= SourceText.width(fitting)
        text += "\u{1b}[0;\(piece.style.rawValue)m\(fitting)"
      }
      text += "\u{1b}[0m\u{1b}[K"
    }
    return text
  }
}

extension [DemoCanvas.Piece] {
  /// The cells of the pieces.
  var width: Int { reduce(0) { $0 + SourceText.width(SourceText.visible($1.text)) } }

  /// The pieces, cut or padded to a number of cells.
  func filling(_ cells: Int) -> [DemoCanvas.Piece] {
    var (result, room): ([DemoCanvas.Piece], Int) = ([], cells)
    for piece in self where room > 0 {
      let text = piece.text.shortened(room)
      result.append(DemoCanvas.Piece(text: text, style: piece.style))
      room -= SourceText.width(text)
    }
    if room > 0 { result.append(DemoCanvas.Piece(text: String(repeating: " ", count: room))) }
    return result
  }
}

extension String {
  /// The text, safe to print, cut to a number of cells.
  func fitting(_ cells: Int) -> String {
    var (result, room) = ("", cells)
    for character in SourceText.visible(self) {
      let width = SourceText.width(String(character))
      guard width <= room else { break }
      result.append(character)
      room -= width
    }
    return result
  }

  /// The text, safe to print, cut to a number of cells. An ellipsis shows that the rest is missing.
  func shortened(_ cells: Int) -> String {
    let whole = SourceText.visible(self)
    guard SourceText.width(whole) > cells, cells > 0 else { return fitting(cells) }
    return fitting(cells - 1) + "…"
  }

  /// The text, safe to print, shortened or padded to a number of cells.
  func filling(_ cells: Int) -> String {
    let text = shortened(cells)
    return text + String(repeating: " ", count: max(0, cells - SourceText.width(text)))
  }

  /// The text, broken into pieces of at most a number of cells, at spaces where possible. Later pieces are indented two
  /// cells more than the first.
  func pieces(_ cells: Int) -> [String] {
    let text = SourceText.visible(self)
    guard SourceText.width(text) > cells, cells > 8 else { return [text] }
    let indentation = String(repeating: " ", count: min(text.prefix { $0 == " " }.count + 2, cells / 2))
    var pieces: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isEmpty = true
    for word in text.split(separator: " ") {
      var word = String(word)
      if !isEmpty, SourceText.width(line) + 1 + SourceText.width(word) > cells {
        pieces.append(line)
        (line, isEmpty) = (indentation, true)
      }
      while SourceText.width(line) + SourceText.width(word) > cells {
        let part = word.fitting(cells - SourceText.width(line))
        guard !part.isEmpty else { break }
        pieces.append(line + part)
        word = String(word.dropFirst(part.count))
        line = indentation
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return pieces + [line]
  }
}

/// Brand icons drawn in characters.
enum BrandPicture {
  /// The picture for an icon's file name, or a plain one for other icons.
  static func lines(icon: String) -> [DemoScreen.Line] {
    let name = icon.split(separator: ".").first.map(String.init) ?? icon
    return (pictures[name] ?? pictures["site"] ?? []).map { DemoScreen.Line($0, .picture) }
  }

  private static let pictures = [
    "spaceship": ["    ╱╲    ", "   ╱◯ ╲   ", "  ╱│  │╲  ", "   └▼▼┘   "],
    "hotel": ["  ┌────┐  ", "  │▫▫▫▫│  ", "  │▫▫▫▫│  ", " ─┴─▯▯─┴─ "],
    "hangar": ["   ____   ", " ╭╯╱╲ ╰╮ ", " │╱│◯│╲│ ", " ┴─▼▼─┴─ "],
    "site": ["  ╭────╮  ", "  │ ·· │  ", "  ╰────╯  "],
  ]
}
