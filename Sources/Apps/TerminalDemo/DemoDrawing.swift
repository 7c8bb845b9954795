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
    let size = phoneSize(state, columns: columns, rows: rows)
    let screen = DemoScreen(state)
    let count = lines(screen, width: size.width, height: size.height).count
    return max(0, count - room(screen, lines: count, height: size.height).lines)
  }

  private static func isLargeEnough(columns: Int, rows: Int) -> Bool {
    columns >= smallest.columns && rows >= smallest.rows
  }

  /// The longest lines of prose that are read with ease.
  private static let readableWidth = 92
  /// The widest phone: its lines are short.
  private static let widestPhone = 76

  /// The columns and rows of the phone's side, without the bar at the top, the rows at the bottom and the help.
  private static func phoneSize(_ state: DemoState, columns: Int, rows: Int) -> (width: Int, height: Int) {
    let width =
      switch state.look {
      case .message: columns
      case .checks, .faults: min(columns, readableWidth)
      case .plain, .hiddenApps, .authentication: min(max(38, columns * 11 / 20), widestPhone)
      }
    return (width - 1, rows - 2 - footer(state, columns: columns, rows: rows).count)
  }

  static func canvas(_ state: DemoState, columns: Int, rows: Int) -> DemoCanvas {
    var canvas = DemoCanvas(width: columns, height: rows)
    guard isLargeEnough(columns: columns, rows: rows) else {
      let message = "This terminal is too small: \(smallest.columns) columns and \(smallest.rows) rows are needed."
      for piece in message.pieces(max(1, columns)) { canvas.add([.init(text: piece)]) }
      return canvas
    }
    let screen = DemoScreen(state)
    canvas.add([.init(text: header(state).filling(columns), style: .inverse)])
    let isAlone = isAlone(state.look)
    let (width, height) = phoneSize(state, columns: columns, rows: rows)
    let phone = phone(screen, state, width: width, height: height)
    let wire = isAlone ? [] : wire(state, width: min(columns - width - 3, readableWidth), height: height)
    for row in 0..<height {
      var pieces = row < phone.count ? phone[row] : [.init(text: "".filling(width))]
      if !isAlone {
        pieces.append(.init(text: " │ ", style: .dim))
        pieces += row < wire.count ? wire[row] : []
      }
      canvas.add(pieces)
    }
    for row in footer(state, columns: columns, rows: rows) { canvas.add([row]) }
    canvas.add([.init(text: help(state).filling(columns), style: .inverse)])
    return canvas
  }

  private static func header(_ state: DemoState) -> String {
    let faults = state.faults.map(\.label).joined(separator: "; ")
    return " presentment  ·  \(state.snapshot.device)  ·  \(clock(state))"
      + (faults.isEmpty ? "" : "  ·  broken: \(faults)")
  }

  /// The rows above the help: the conclusion, and the last refusal. There is at least one, so that the phone stays in its
  /// place when a refusal comes.
  private static func footer(_ state: DemoState, columns: Int, rows: Int) -> [DemoCanvas.Piece] {
    var footer: [DemoCanvas.Piece] = []
    if let conclusion = state.conclusion, state.look == .plain {
      let tone: DemoCanvas.Style =
        switch conclusion.tone {
        case .good: .good
        case .bad: .bad
        case .warning: .warning
        case .calm: .bold
        }
      // A few rows of a small terminal, so that the phone keeps most of them.
      let room = max(1, rows / 8)
      let width = min(columns, readableWidth) - 2
      let text = state.conclusionLine.pieces(width)
      // The rows that do not fit are joined to the last one, which is cut.
      let last = text.dropFirst(room - 1).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
      let shown = text.count > room ? text.prefix(room - 1) + [((room > 1 ? "  " : "") + last).shortened(width)] : text
      footer += shown.map { .init(text: " \($0)", style: tone) }
    }
    if let notice = state.notice { footer.append(.init(text: " \(notice)", style: .bad)) }
    return footer.isEmpty ? [.init(text: "")] : footer
  }

  /// True for a view without the messages beside it.
  private static func isAlone(_ look: DemoState.Look) -> Bool {
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
    case .faults: " ↑↓ and Enter, or a key   b back   q quit"
    case .message: " ↑↓ PgUp PgDn scroll   ←→ other messages   b back   q quit"
    case .authentication: " ↑↓ and Enter, or a key   b back   q quit"
    case .hiddenApps: " ↑↓ and Enter, or a key   b back   q quit   PgDn more"
    case .plain: " ↑↓ Enter or a key   b back   q quit   m messages   f faults   PgDn more"
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
    return [[.init(text: " \(screen.title)".filling(width), style: .bold)], empty] + text + [empty] + shownChoices
  }

  /// The text's rows, below the QR code if there is one. A reader needs the whole code, so it is never scrolled.
  private static func lines(_ screen: DemoScreen, width: Int, height: Int) -> [[DemoCanvas.Piece]] {
    func drawn(_ lines: [DemoScreen.Line]) -> [[DemoCanvas.Piece]] {
      lines.flatMap { line in
        line.text.pieces(width - 2).map { [.init(text: (" " + $0).filling(width), style: style(line.tone))] }
      }
    }
    var text = drawn(screen.lines)
    // The picture gives way to the text if there are too few rows.
    if text.count + screen.choices.count + 3 > height { text = drawn(screen.lines.filter { $0.tone != .picture }) }
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
    case .warning: .warning
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
        case .warned: .warning
        case .noted: .plain
        case .verified: .good
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
