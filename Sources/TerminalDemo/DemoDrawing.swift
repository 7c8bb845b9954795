import Scenarios

/// Draws a demonstration on a terminal: what is on the phone at the left, what passes and who can read it at the right.
public enum DemoDrawing {
  /// Columns and rows below which there is no room for both.
  private static let smallest = (columns: 60, rows: 12)

  /// What makes a terminal show where a demonstration stands.
  public static func output(_ state: DemoState, columns: Int, rows: Int) -> String {
    canvas(state, columns: columns, rows: rows).output
  }

  static func canvas(_ state: DemoState, columns: Int, rows: Int) -> DemoCanvas {
    var canvas = DemoCanvas(width: columns, height: rows)
    guard columns >= smallest.columns, rows >= smallest.rows else {
      canvas.add([.init(text: "This terminal is too small: \(smallest.columns) columns and \(smallest.rows) rows.")])
      return canvas
    }
    let screen = DemoScreen(state)
    let faults = state.faults.isEmpty ? "" : "  ·  wrong: \(state.faults.map(\.label).joined(separator: ", "))"
    canvas.add([
      .init(
        text: " presentment  ·  \(state.snapshot.device)  ·  \(clock(state))\(faults)".filling(columns), style: .inverse
      )
    ])
    let height = rows - 3
    let isWide = wantsWholeWidth(state.look)
    let left = isWide ? columns : max(38, columns * 11 / 20)
    let phone = phone(screen, state, width: left - 1, height: height)
    let wire = isWide ? [] : wire(state, width: columns - left - 2, height: height)
    for row in 0..<height {
      var pieces = row < phone.count ? phone[row] : [.init(text: "".filling(left - 1))]
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
    case .plain, .hiddenApps, .face: false
    }
  }

  private static func clock(_ state: DemoState) -> String {
    String(state.snapshot.now.description.dropFirst(11).dropLast())
  }

  private static func help(_ state: DemoState) -> String {
    switch state.look {
    case .checks: " ↑↓ scroll   b back   q quit"
    case .faults: " ↑↓ and Enter, or a key   Esc back"
    case .message: " ↑↓ scroll   ←→ other messages   b back   q quit"
    default: " ↑↓ and Enter, or a key   Esc back   m messages   f what goes wrong   q quit"
    }
  }

  /// The phone's rows, each as wide as its side.
  private static func phone(
    _ screen: DemoScreen, _ state: DemoState, width: Int, height: Int
  ) -> [[DemoCanvas.Piece]] {
    var lines: [[DemoCanvas.Piece]] = []
    for line in screen.lines {
      lines += line.text.pieces(width - 2).map { [.init(text: (" " + $0).filling(width), style: style(line.tone))] }
    }
    let choices = screen.choices.enumerated().map { number, choice -> [DemoCanvas.Piece] in
      let text = " \(number == state.selected ? "▸" : " ") \(choice.key)  \(choice.label)"
      return [.init(text: text.filling(width), style: number == state.selected ? .inverse : .accent)]
    }
    let empty: [DemoCanvas.Piece] = [.init(text: "".filling(width))]
    // Where rows are scarce the text gets what three choices leave it, and the selected one is among the three.
    let choiceRoom = min(choices.count, max(3, height - lines.count - 3))
    let firstChoice = min(max(0, state.selected - choiceRoom + 1), choices.count - choiceRoom)
    let shownChoices = Array(choices[firstChoice..<firstChoice + choiceRoom])
    let room = max(1, height - shownChoices.count - 3)
    let start = min(state.scroll, max(0, lines.count - room))
    var text = Array(lines[start..<min(lines.count, start + room)])
    if start + room < lines.count, let last = text.indices.last {
      text[last] = [.init(text: "  … \(lines.count - start - room + 1) more lines".filling(width), style: .dim)]
    }
    text += Array(repeating: empty, count: room - text.count)
    return [[.init(text: " \(screen.title)".filling(width), style: .bold)], empty] + text + [empty] + shownChoices
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

  /// The wire's rows, the newest at the bottom.
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
      if !row.readers.isEmpty { rows.append([.init(text: "    \(row.readers)", style: .dim)]) }
    }
    let heading: [[DemoCanvas.Piece]] = [[.init(text: "What passes, and who can read it", style: .bold)], []]
    return heading + rows.suffix(max(0, height - heading.count))
  }
}
