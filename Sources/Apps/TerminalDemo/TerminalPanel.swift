import LocatedYAML
import Telling

/// The terminal at the counter: what it shows, and what a listener between it and the phone has.
struct TerminalPanel {
  private let title: String
  /// What it shows, and the way of the session.
  private let screen: [DemoScreen.Line]
  /// The messages of the session, the newest last.
  private let between: [DemoScreen.Line]

  init(_ view: TerminalView) {
    title = "Terminal of \(view.title)"
    var lines = [DemoScreen.Line("\(view.phase.title). \(view.words)", view.phase.tone)]
    if let reason = view.reason {
      lines.append(DemoScreen.Line(reason + (view.code.map { " [\($0)]" } ?? ""), view.phase.tone))
    }
    if !view.kept.isEmpty { lines.append(DemoScreen.Line("It keeps \(view.kept.joined(separator: ", ")).")) }
    lines += view.elements.map { DemoScreen.Line("  \($0.label): \($0.words)") }
    if !view.answers.isEmpty {
      lines.append(DemoScreen.Line(view.answers.map { "[ \($0.label) ]" }.joined(separator: "  "), .heading))
    }
    screen = lines + (view.way.map { [DemoScreen.Line($0, .quiet)] } ?? [])
    between = view.overheard.map { DemoScreen.Line("\($0.sealed == nil ? "○" : "●") \($0.words)", .quiet) }
  }

  /// The lines, for output that is not a terminal.
  var lines: [String] { ["-- \(title) --"] + (screen + between).map(\.text) }

  /// Below this number of rows, the panel has no frame.
  private static let scarce = 8

  /// The rows in a room. The screen goes first, and of the messages the newest.
  func rows(width: Int, height: Int) -> [DemoLayout.Row] {
    let isFramed = height >= Self.scarce
    let inner = isFramed ? width - 4 : width
    func drawn(_ lines: [DemoScreen.Line]) -> [DemoLayout.Row] {
      lines.flatMap { line in line.text.pieces(inner).map { [.init(text: $0, style: line.tone.style)] } }
    }
    let room = max(1, isFramed ? height - 2 : height - 1)
    let shown = Array(drawn(screen).prefix(room))
    let rows = shown + drawn(between).suffix(room - shown.count)
    guard isFramed else { return [[.init(text: title.shortened(width), style: .bold)]] + rows }
    let name = " \(title) ".shortened(width - 3)
    let line = String(repeating: "─", count: max(0, width - 3 - SourceText.width(name)))
    let edge = String(repeating: "─", count: max(0, width - 2))
    return [[.init(text: "┌─"), .init(text: name, style: .bold), .init(text: "\(line)┐")]]
      + rows.map { [.init(text: "│ ")] + $0.filling(inner) + [.init(text: " │")] }
      + [[.init(text: "└\(edge)┘")]]
  }
}

extension TerminalView.Phase {
  fileprivate var tone: DemoScreen.Line.Tone {
    switch self {
    case .verified: .good
    case .refused: .bad
    case .ended: .warning
    case .waiting, .reading, .connecting, .connected, .asking, .comparing: .heading
    }
  }
}
