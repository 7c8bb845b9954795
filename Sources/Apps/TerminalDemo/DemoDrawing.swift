import ScenarioLanguage

/// Draws a demonstration on a terminal: the device at the left, the messages and their readers at the right.
public enum DemoDrawing {
  /// The output that draws a demonstration on a terminal.
  public static func output(_ state: DemoState, columns: Int, rows: Int) -> String {
    canvas(state, columns: columns, rows: rows).output
  }

  /// The number of lines above the screen when the text is scrolled to its end.
  static func furthestScroll(_ state: DemoState, columns: Int, rows: Int) -> Int {
    DemoLayout(state, columns: columns, rows: rows).map { PhoneFrame($0, state).furthestScroll } ?? 0
  }

  static func canvas(_ state: DemoState, columns: Int, rows: Int) -> DemoCanvas {
    var canvas = DemoCanvas(width: columns, height: rows)
    guard let layout = DemoLayout(state, columns: columns, rows: rows) else {
      let smallest = DemoLayout.smallest
      let message = "This terminal is too small: \(smallest.columns) columns and \(smallest.rows) rows are needed."
      for piece in message.pieces(max(1, columns)) { canvas.add([.init(text: piece)]) }
      return canvas
    }
    canvas.add([.init(text: header(state).filling(columns), style: .inverse)])
    let device = PhoneFrame(layout, state).rows
    let wire = wire(state, layout)
    let steps = steps(state, layout)
    for row in 0..<layout.height {
      var pieces = row < device.count ? device[row] : [.init(text: "".filling(layout.width))]
      if layout.wireWidth > 0 {
        pieces.append(.init(text: " │ ", style: .dim))
        let line = row < wire.count ? wire[row] : []
        pieces += layout.stepsWidth > 0 ? line.filling(layout.wireWidth) : line
      }
      if layout.stepsWidth > 0 {
        pieces.append(.init(text: " │ ", style: .dim))
        pieces += row < steps.count ? steps[row] : []
      }
      canvas.add(pieces)
    }
    canvas.add(general(state, layout))
    canvas.add(layout.footer)
    canvas.add([.init(text: help(state).filling(columns), style: .inverse)])
    return canvas
  }

  private static func header(_ state: DemoState) -> String {
    let faults = state.faults.map(\.label).joined(separator: "; ")
    let clock = String(state.snapshot.now.description.dropFirst(11).dropLast())
    let parts = [
      "presentment", clock, faults.isEmpty ? nil : "broken: \(faults)",
      state.story?.title ?? state.names.device(state.snapshot.device),
    ]
    return " " + parts.compactMap(\.self).joined(separator: "  ·  ")
  }

  /// The choices of every screen, in one row.
  private static func general(_ state: DemoState, _ layout: DemoLayout) -> DemoLayout.Row {
    let screen = layout.screen
    let own = screen.ownChoices.count
    let row = screen.choices.enumerated().dropFirst(own).flatMap { number, choice -> DemoLayout.Row in
      if number == state.selected {
        return [.init(text: "  "), .init(text: "\(choice.key)  \(choice.label)", style: .inverse)]
      }
      return [.init(text: "  "), .init(text: "\(choice.key)", style: .bold), .init(text: "  \(choice.label)")]
    }
    return row.filling(layout.columns)
  }

  private static func help(_ state: DemoState) -> String {
    switch state.look {
    case .checks: " ↑↓ PgUp PgDn scroll   b back   q quit"
    case .faults, .byHand, .authentication: " ↑↓ and Enter, or a key   b back   q quit"
    case .entry: " Enter scans   Esc back"
    case .message: " ↑↓ PgUp PgDn scroll   ←→ other messages   b back   q quit"
    case .hiddenApps: " ↑↓ and Enter, or a key   b back   q quit   PgDn more"
    case .plain:
      switch state.story {
      case nil: " ↑↓ Enter or a key   b back   q quit   m messages   f faults   PgDn more"
      case let story? where story.live != nil:
        " Space next step   ↑↓ Enter or a key   b back   m messages   PgDn more   q quit"
      case let story?:
        " Space next  ← back  p \(story.isPlaying ? "pause" : "play")  Home End  ↑↓ Enter or a key: act  m messages"
      }
    }
  }

  /// The column of the readers beside a message, if both fit into a row.
  private static let readersColumn = 50

  /// The rows of messages, the newest at the bottom.
  private static func wire(_ state: DemoState, _ layout: DemoLayout) -> [DemoLayout.Row] {
    guard layout.wireWidth > 0 else { return [] }
    var rows: [DemoLayout.Row] = []
    for row in WireRow.rows(state.told, words: state.words) {
      let style: DemoCanvas.Style =
        switch row.kind {
        case .message, .noted, .sealed: .plain
        case .step: .bold
        case .failed: .bad
        case .warned: .warning
        case .verified: .good
        }
      var lines: [DemoLayout.Row] = row.text.pieces(layout.wireWidth).map { [.init(text: $0, style: style)] }
      let readersStyle: DemoCanvas.Style = row.kind == .sealed ? .accent : .dim
      let readers = DemoCanvas.Piece(text: row.readers, style: readersStyle)
      let isBeside = lines.count == 1 && lines[0].width < readersColumn
      if isBeside, readersColumn + [readers].width <= layout.wireWidth {
        lines[0] = lines[0].filling(readersColumn) + [readers]
      } else if !row.readers.isEmpty {
        lines += row.readers.pieces(layout.wireWidth - 4).map {
          [.init(text: "    "), .init(text: $0, style: readersStyle)]
        }
      }
      rows += lines
    }
    let title = "Messages, and who can read them".shortened(layout.wireWidth)
    let terminal = state.terminal.map { TerminalPanel($0).rows(width: layout.wireWidth, height: layout.height / 2) }
    let heading: [DemoLayout.Row] = (terminal ?? []) + [[.init(text: title, style: .bold)], []]
    return heading + rows.suffix(max(0, layout.height - heading.count))
  }

  /// The steps of the scenario, with the current one in view.
  private static func steps(_ state: DemoState, _ layout: DemoLayout) -> [DemoLayout.Row] {
    guard layout.stepsWidth > 0, let story = state.story else { return [] }
    var rows: [DemoLayout.Row] = []
    var current = 0
    for (index, step) in story.steps.enumerated() {
      let isCurrent = index == story.done - 1
      if isCurrent { current = rows.count }
      let style: DemoCanvas.Style = isCurrent ? .bold : index < story.done ? .plain : .dim
      let text = "\(story.mark(of: index)) \(step.words)"
      rows += text.pieces(layout.stepsWidth).map { [.init(text: $0, style: style)] }
    }
    let heading: [DemoLayout.Row] = [[.init(text: "Steps", style: .bold)], []]
    let room = layout.height - heading.count
    let first = max(0, min(current - room / 2, rows.count - room))
    return heading + rows.dropFirst(first).prefix(room)
  }
}
