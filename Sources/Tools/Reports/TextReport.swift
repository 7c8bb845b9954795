import LocatedYAML
import ScenarioRunner

/// Results of cases as lines of text.
public struct TextReport: Sendable {
  /// True for a terminal that shows colours.
  public let isColored: Bool

  /// Creates a report.
  public init(isColored: Bool = false) { self.isColored = isColored }

  /// A line for a case.
  public func line(for result: CaseResult) -> String {
    let scenario = result.scenario
    let name = scenario.name + (result.seedTally.map { "  (\($0.text))" } ?? "")
    return line(result.outcome.verdict, scenario.path, name, result.outcome.reason)
  }

  /// A line for a case of a report.
  public func line(for found: CaseReport) -> String { line(found.verdict, found.place.path, found.name, found.reason) }

  private func line(_ verdict: CaseResult.Verdict, _ path: String, _ name: String, _ reason: String?) -> String {
    let color: Color =
      switch verdict {
      case .passed, .failedAsExpected: .green
      case .failed: .red
      case .undecided: .yellow
      case .skipped: .dim
      }
    let note = reason.map { "  (\(SourceText.visible($0)))" } ?? ""
    let word = verdict.isBad ? verdict.words.uppercased() : verdict.words
    return "\(colored(word, color))  \(SourceText.visible(path))  \(SourceText.visible(name))\(note)"
  }

  /// A line for a file that cannot be read.
  public func line(forUnreadable path: String) -> String {
    "\(colored("UNREADABLE", .yellow))  \(SourceText.visible(path))"
  }

  /// The failure, or nil for a case that went as it must.
  public static func detail(for result: CaseResult) -> String? {
    switch result.outcome {
    case .passed, .skipped, .failedAsExpected: nil
    case .failed(let failure): failure.rendered(for: result)
    case .undecided(let message): "   \(message)\n   again: \(result.command)"
    }
  }

  /// A failure in one line, and in another one the command that shows it again; nil for a case that went as it must.
  public func reminder(of result: CaseResult) -> String? {
    guard result.isBad, let headline = result.outcome.headline else { return nil }
    return "\(line(for: result))\n   \(SourceText.visible(headline))\n   \(result.command)"
  }

  /// The word before a file or an expectation that an update writes or keeps.
  public enum UpdateWord: Sendable {
    case written, kept
  }

  /// A word of an update.
  public func text(of word: UpdateWord) -> String {
    switch word {
    case .written: colored("written", .green)
    case .kept: colored("not written", .yellow)
    }
  }

  enum Color: String {
    case red = "31;1"
    case green = "32"
    case yellow = "33;1"
    case dim = "2"
    case bold = "1"
    case cyan = "36"
  }

  func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
