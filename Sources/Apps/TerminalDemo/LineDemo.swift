import Foundation
import LocatedYAML

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
    for line in screen.lines { output(SourceText.visible(line.text)) }
    output(screen.choices.map { "[\($0.key)] \(SourceText.visible($0.label))" }.joined(separator: "  "))
  }
}
