import CTerminal
import Foundation
import InteractiveWorlds
import LocatedYAML

/// The demonstration on a terminal, full screen, controlled by keys.
public enum TerminalDemo {
  /// The maximum number of bytes that are read at once: a person's keys, or pasted text.
  private static let inputLength = 256
  /// The interval for drawing the clock, in milliseconds.
  private static let tick: Int32 = 1_000
  /// The time to wait for the rest of a key after an escape byte, in milliseconds: enough for a slow line, and too
  /// short for a person to notice.
  private static let keyPause: Int32 = 50

  /// Runs a demonstration until the person quits or a signal ends it.
  /// - Returns: the signal that ended it, or nil if the person quit.
  /// - Throws: ``ProgramError`` if the terminal cannot be controlled.
  public static func run(_ demonstration: Demonstration) throws(ProgramError) -> Int32? {
    let bell = terminal_enter(STDIN_FILENO, STDOUT_FILENO)
    guard bell >= 0 else { throw ProgramError(.terminal, "the terminal cannot be controlled (error \(errno))") }
    defer { terminal_leave() }
    var reader = DemoKeyReader()
    while true {
      demonstration.refresh()
      draw(demonstration)
      switch unsafe terminal_wait([STDIN_FILENO, bell], 2, reader.isWaiting ? keyPause : tick) {
      case 0:
        guard let bytes = read(STDIN_FILENO) else { return SIGHUP }
        for key in reader.keys(in: bytes) where !demonstration.take(key) { return nil }
      case 1:
        if let ending = read(bell)?.map(Int32.init).first(where: { $0 != SIGWINCH }) { return ending }
      case -1: for key in reader.keysWhenNothingFollows() where !demonstration.take(key) { return nil }
      default: return SIGHUP
      }
    }
  }

  private static func draw(_ demonstration: Demonstration) {
    var (rows, columns): (Int32, Int32) = (0, 0)
    unsafe terminal_size(STDOUT_FILENO, &rows, &columns)
    demonstration.fit(columns: Int(columns), rows: Int(rows))
    let text = DemoDrawing.output(demonstration.state, columns: Int(columns), rows: Int(rows))
    // A closed terminal is reported by a signal.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Returns the available input, or nil at its end.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: inputLength)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

/// The demonstration as lines of text, for output that is not a terminal: each screen with its choices, and one line of
/// input for each choice, its key or its label.
public enum LineDemo {
  /// Runs a demonstration until the input ends or quits.
  /// - Returns: true if every line of input was one of the choices, even if the world refused it.
  public static func run(
    _ demonstration: Demonstration, input: () -> String?, output: (String) -> Void
  ) -> Bool {
    var isUnderstood = true
    var told = 0
    var concluded = ""
    while true {
      demonstration.refresh()
      let rows = WireRow.rows(demonstration.state.told)
      for row in rows.dropFirst(told) {
        let readers = row.readers.isEmpty ? "" : "  (\(row.readers))"
        output("  " + SourceText.visible(row.text + readers))
      }
      told = rows.count
      let screen = DemoScreen(demonstration.state)
      show(screen, output)
      let conclusion = demonstration.state.conclusionLine
      if !conclusion.isEmpty, conclusion != concluded { output("= \(SourceText.visible(conclusion))") }
      concluded = conclusion
      if let notice = demonstration.state.notice { output("! \(SourceText.visible(notice))") }
      guard let line = input()?.trimmingCharacters(in: .whitespaces) else { return isUnderstood }
      guard !line.isEmpty else { continue }
      guard let choice = screen.choices.first(where: { String($0.key) == line || $0.label == line }) else {
        output("! unknown choice \(SourceText.quote(line))")
        isUnderstood = false
        continue
      }
      if case .begin = choice.action { told = 0 }
      guard demonstration.take(choice.action) else { return isUnderstood }
    }
  }

  private static func show(_ screen: DemoScreen, _ output: (String) -> Void) {
    output("")
    output("== \(SourceText.visible(screen.title)) ==")
    // A program can draw it with presentment qr.
    if let code = screen.code { output(SourceText.visible(code.text)) }
    for line in screen.lines { output(SourceText.visible(line.text)) }
    output(screen.choices.map { "[\($0.key)] \(SourceText.visible($0.label))" }.joined(separator: "  "))
  }
}
