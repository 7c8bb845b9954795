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
  /// The time for a step of a scenario that plays by itself: long enough to read it.
  private static let stepTime = Duration.milliseconds(2_000)
  /// The time to wait for the rest of a key or of a character, in milliseconds: enough for a slow line, and too short for
  /// a person to notice.
  private static let keyPause: Int32 = 50

  /// Runs a demonstration until the person quits or a signal ends it.
  /// - Returns: The signal that ended it, or nil if the person quit.
  /// - Throws: ``ProgramError`` if the terminal cannot be controlled.
  public static func run(_ demonstration: Demonstration) throws(ProgramError) -> Int32? {
    let bell = terminal_enter(STDIN_FILENO, STDOUT_FILENO)
    guard bell >= 0 else { throw ProgramError(.terminal, "the terminal cannot be controlled (error \(errno))") }
    defer { terminal_leave() }
    var reader = DemoKeyReader()
    var lastStep = ContinuousClock.now
    while true {
      if demonstration.state.story?.isPlaying != true {
        lastStep = .now
      } else if ContinuousClock.now - lastStep >= stepTime {
        demonstration.advance()
        lastStep = .now
      }
      demonstration.refresh()
      draw(demonstration)
      switch unsafe terminal_wait([STDIN_FILENO, bell], 2, reader.isWaiting ? keyPause : tick) {
      case 0:
        guard let bytes = read(STDIN_FILENO) else { return SIGHUP }
        for key in reader.keys(in: bytes) where !demonstration.take(key) { return nil }
      case 1: if let ending = read(bell)?.map(Int32.init).first(where: { $0 != SIGWINCH }) { return ending }
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
/// input for each choice, its key or its label, or a word that moves in the scenario. A line may be the text of an act.
public enum LineDemo {
  /// Runs a demonstration until the input ends or quits.
  /// - Returns: True if every line of input was one of the choices, even if the world refused it.
  public static func run(_ demonstration: Demonstration, input: () -> String?, output: (String) -> Void) -> Bool {
    var isUnderstood = true
    var told = 0
    var narrated: [String] = []
    var terminal: [String] = []
    while true {
      demonstration.refresh()
      let rows = WireRow.rows(demonstration.state.told, words: demonstration.state.words)
      for row in rows.dropFirst(told) {
        let readers = row.readers.isEmpty ? "" : "  (\(row.readers))"
        output("  " + SourceText.visible(row.text + readers))
      }
      told = rows.count
      let screen = DemoScreen(demonstration.state)
      show(screen, demonstration.state, output)
      let shown = demonstration.state.terminal.map { TerminalPanel($0).lines } ?? []
      if shown != terminal { for line in shown { output(SourceText.visible(line)) } }
      terminal = shown
      let narration = lines(of: DemoNarration(demonstration.state))
      if narration != narrated { for line in narration { output(SourceText.visible(line)) } }
      narrated = narration
      if let notice = demonstration.state.notice { output("! \(SourceText.visible(notice))") }
      if demonstration.state.story?.isPlaying == true {
        demonstration.advance()
        continue
      }
      guard let given = input() else { return isUnderstood }
      if case .entry(let entry) = demonstration.state.look {
        isUnderstood = enter(given, for: entry, demonstration, output) && isUnderstood
        continue
      }
      let line = given.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty else { continue }
      let choice = screen.choices.first { String($0.key) == line || $0.label == line }?.action
      guard let action = choice ?? transport(demonstration.state.story).first(where: { $0.key == line })?.value else {
        output("! unknown choice \(SourceText.quote(line))")
        isUnderstood = false
        continue
      }
      if case .begin = action { told = 0 }
      guard demonstration.take(action) else { return isUnderstood }
    }
  }

  /// Takes a line as the text of an act. An empty one goes back.
  /// - Returns: False if the text is too long.
  private static func enter(
    _ text: String, for entry: DemoState.TextEntry, _ demonstration: Demonstration, _ output: (String) -> Void
  ) -> Bool {
    guard text.count <= ByHand.Deed.longestText else {
      output("! the text has more than \(ByHand.Deed.longestText) characters")
      return false
    }
    _ = demonstration.take(text.isEmpty ? .look(demonstration.state.back) : .deed(entry.deed.action(with: text)))
    return true
  }

  /// The words that move in a scenario.
  private static func transport(_ story: DemoStory?) -> KeyValuePairs<String, DemoAction> {
    guard let story else { return [:] }
    if story.live != nil { return ["next": .next] }
    return ["next": .next, "previous": .back, "start": .start, "end": .end, "play": .play]
  }

  private static func lines(of narration: DemoNarration) -> [String] {
    (narration.heading.map { ["# \($0.text)"] } ?? []) + narration.details.map { "  \($0.text)" }
      + narration.verdict.map { "= \($0.text)" }
  }

  private static func show(_ screen: DemoScreen, _ state: DemoState, _ output: (String) -> Void) {
    output("")
    output("== \(SourceText.visible(screen.title)) ==")
    // A program can draw it with presentment qr.
    if let code = screen.code { output(SourceText.visible(code.text)) }
    for line in screen.lines { output(SourceText.visible(line.text)) }
    if case .entry = state.look { return output("The next line is the text; an empty one goes back.") }
    let choices = screen.choices.map { "[\($0.key)] \(SourceText.visible($0.label))" }
    output((choices + transport(state.story).map { "[\($0.key)]" }).joined(separator: "  "))
  }
}
