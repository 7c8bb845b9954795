import ScenarioLanguage

/// Draws a demonstration on a terminal: the phone at the left, the messages and their readers at the right.
public enum DemoDrawing {
  /// The minimum number of columns and rows.
  private static let smallest = (columns: 60, rows: 12)

  /// The output that draws a demonstration on a terminal.
  public static func output(_ state: DemoState, columns: Int, rows: Int) -> String {
    canvas(state, columns: columns, rows: rows).output
  }

  /// The number of lines above the screen when the text is scrolled to its end.
  static func furthestScroll(_ state: DemoState, columns: Int, rows: Int) -> Int {
    guard isLargeEnough(columns: columns, rows: rows) else { return 0 }
    let size = phoneSize(state.look, columns: columns, rows: rows)
    let screen = DemoScreen(state)
    let count = lines(screen, width: size.width, height: size.height).count
    return max(0, count - room(screen, lines: count, height: size.height).lines)
  }

  private static func isLargeEnough(columns: Int, rows: Int) -> Bool {
    columns >= smallest.columns && rows >= smallest.rows
  }

  /// The columns and rows of the phone's side, without the bar at the top, the notice and the help.
  private static func phoneSize(_ look: DemoState.Look, columns: Int, rows: Int) -> (width: Int, height: Int) {
    ((wantsWholeWidth(look) ? columns : max(38, columns * 11 / 20)) - 1, rows - 3)
  }

  static func canvas(_ state: DemoState, columns: Int, rows: Int) -> DemoCanvas {
    var canvas = DemoCanvas(width: columns, height: rows)
    guard isLargeEnough(columns: columns, rows: rows) else {
      let message = "This terminal is too small: \(smallest.columns) columns and \(smallest.rows) rows are needed."
      for piece in message.pieces(max(1, columns)) { canvas.add([.init(text: piece)]) }
      return canvas
    }
    let screen = DemoScreen(state)
    let more = state.faults.count > 1 ? ", and \(state.faults.count - 1) more" : ""
    let faults = state.faults.first.map { "  ·  wrong: \($0.label)\(more)" } ?? ""
    canvas.add([
      .init(
        text: " presentment  ·  \(state.snapshot.device)  ·  \(clock(state))\(faults)".filling(columns), style: .inverse
      )
    ])
    let isWide = wantsWholeWidth(state.look)
    let (width, height) = phoneSize(state.look, columns: columns, rows: rows)
    let phone = phone(screen, state, width: width, height: height)
    let wire = isWide ? [] : wire(state, width: columns - width - 3, height: height)
    for row in 0..<height {
      var pieces = row < phone.count ? phone[row] : [.init(text: "".filling(width))]
      if !isWide {
        pieces.append(.init(text: " │ ", style: .dim))
        pieces += row < wire.count ? wire[row] : []
      }
      canvas.add(pieces)
    }
    canvas.add([.init(text: state.notice ?? "", style: .bad)])
    canvas.add([.init(text: help(state).filling(columns), style: .inverse)])
    return canvas
  }

  private static func wantsWholeWidth(_ look: DemoState.Look) -> Bool {
    switch look {
    case .checks, .message, .faults: true
    case .plain, .hiddenApps, .authentication: false
    }
  }

  private static func clock(_ state: DemoState) -> String {
    String(state.snapshot.now.description.dropFirst(11).dropLast())
  }

  private static func help(_ state: DemoState) -> String {
    switch state.look {
    case .checks: " ↑↓ PgUp PgDn scroll   b back   q quit"
    case .faults: " ↑↓ and Enter, or a key   Esc back"
    case .message: " ↑↓ PgUp PgDn scroll   ←→ other messages   b back   q quit"
    case .authentication: " ↑↓ and Enter, or a key   Esc back   q quit"
    case .hiddenApps: " ↑↓ and Enter, or a key   PgDn more   Esc back   q quit"
    case .plain: " ↑↓ Enter or a key   PgDn more   Esc back   m messages   f faults   q quit"
    }
  }

  /// The phone's rows, each as wide as its side.
  private static func phone(
    _ screen: DemoScreen, _ state: DemoState, width: Int, height: Int
  ) -> [[DemoCanvas.Piece]] {
    let lines = lines(screen, width: width, height: height)
    let choices = screen.choices.enumerated().map { number, choice -> [DemoCanvas.Piece] in
      let text = " \(number == state.selected ? "▸" : " ") \(choice.key)  \(choice.label)"
      return [.init(text: text.filling(width), style: number == state.selected ? .inverse : .accent)]
    }
    let empty: [DemoCanvas.Piece] = [.init(text: "".filling(width))]
    let (room, choiceRoom) = room(screen, lines: lines.count, height: height)
    let firstChoice = min(max(0, state.selected - choiceRoom + 1), choices.count - choiceRoom)
    let shownChoices = Array(choices[firstChoice..<firstChoice + choiceRoom])
    let start = min(state.scroll, max(0, lines.count - room))
    var text = Array(lines[start..<min(lines.count, start + room)])
    if start + room < lines.count, let last = text.indices.last {
      text[last] = [.init(text: "  … \(lines.count - start - room + 1) more lines".filling(width), style: .dim)]
    }
    text += Array(repeating: empty, count: room - text.count)
    return [[.init(text: " \(screen.title)".filling(width), style: .bold)], empty] + text + [empty] + shownChoices
  }

  /// The text's rows, below the QR code if there is one. A reader needs the whole code, so it is never scrolled.
  private static func lines(_ screen: DemoScreen, width: Int, height: Int) -> [[DemoCanvas.Piece]] {
    let text: [[DemoCanvas.Piece]] = screen.lines.flatMap { line in
      line.text.pieces(width - 2).map { [.init(text: (" " + $0).filling(width), style: style(line.tone))] }
    }
    guard let drawing = screen.code?.drawing, let columns = drawing.first?.count else { return text }
    let count = drawing.count + text.count
    let room = room(screen, lines: count, height: height).lines
    guard columns < width, count <= room else {
      let missing = [
        columns < width ? nil : "\(columns + 1 - width) more columns",
        count <= room ? nil : "\(count - room) more rows",
      ]
      let notice = "The QR code needs \(missing.compactMap(\.self).joined(separator: " and "))."
      return notice.pieces(width - 2).map { [.init(text: (" " + $0).filling(width), style: .bad)] } + text
    }
    return drawing.map { row in
      [.init(text: " "), .init(text: row, style: .symbol), .init(text: "".filling(width - 1 - columns))]
    } + text
  }

  /// The number of rows for the text and the choices. If rows are scarce, three choices are shown, including the
  /// selected one, and the text gets the rest.
  private static func room(_ screen: DemoScreen, lines: Int, height: Int) -> (lines: Int, choices: Int) {
    let choices = min(screen.choices.count, max(3, height - lines - 3))
    return (max(1, height - choices - 3), choices)
  }

  private static func style(_ tone: DemoScreen.Line.Tone) -> DemoCanvas.Style {
    switch tone {
    case .plain: .plain
    case .heading: .bold
    case .quiet: .dim
    case .good: .good
    case .bad: .bad
    case .picture: .accent
    }
  }

  /// The rows of messages, the newest at the bottom.
  private static func wire(_ state: DemoState, width: Int, height: Int) -> [[DemoCanvas.Piece]] {
    var rows: [[DemoCanvas.Piece]] = []
    for row in WireRow.rows(state.told) {
      let style: DemoCanvas.Style =
        switch row.kind {
        case .message: .plain
        case .sealed: .accent
        case .step: .bold
        case .failed: .bad
        case .noted: .good
        }
      rows += row.text.pieces(width).map { [.init(text: $0, style: style)] }
      if !row.readers.isEmpty {
        rows += row.readers.pieces(width - 4).map { [.init(text: "    " + $0, style: .dim)] }
      }
    }
    let heading: [[DemoCanvas.Piece]] = [[.init(text: "Messages, and who can read them", style: .bold)], []]
    return heading + rows.suffix(max(0, height - heading.count))
  }
}
