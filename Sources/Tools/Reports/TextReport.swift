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
    let place = "\(SourceText.visible(result.scenario.path))  \(SourceText.visible(result.scenario.name))"
    return switch result.outcome {
    case .passed: "\(colored("passed", .green))  \(place)"
    case .failed: "\(colored("FAILED", .red))  \(place)"
    case .undecided: "\(colored("UNDECIDED", .yellow))  \(place)"
    case .skipped(let reason): "\(colored("skipped", .dim))  \(place)  (\(SourceText.visible(reason)))"
    case .failedAsExpected(_, let reason):
      "\(colored("failed as expected", .green))  \(place)  (\(SourceText.visible(reason)))"
    }
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
    let headline: String
    switch result.outcome {
    case .passed, .skipped, .failedAsExpected: return nil
    case .failed(let failure): headline = failure.headline
    case .undecided(let message): headline = message
    }
    return "\(line(for: result))\n   \(SourceText.visible(headline))\n   \(result.command)"
  }

  private enum Color: String {
    case red = "31;1"
    case green = "32"
    case yellow = "33;1"
    case dim = "2"
  }

  private func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
