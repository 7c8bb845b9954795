import JSON
import Messaging

/// The end of the last presentment of a journal in two sentences: the party that noticed something, or what was verified.
/// Every view shows the same.
public struct Conclusion: Sendable, Equatable {
  /// The meaning of the end.
  public enum Tone: String, Sendable, CaseIterable, JSONWritable {
    /// A response was verified, and nothing was wrong.
    case good
    /// A party refused something.
    case bad
    /// A party accepted a deviation or less than it asked for, or no party noticed a fault.
    case warning
    /// The person or the page ended the presentment.
    case calm
  }

  /// The meaning.
  public let tone: Tone
  /// The result in a short sentence.
  public let title: String
  /// The explanation, in whole sentences.
  public let text: String
  /// The code of the check or event; nil for a verified response and for faults that no party noticed.
  public let code: String?
  /// The number of the journal line that shows the result.
  public let line: Int?
  /// The number of the line with which the presentment ended, or its run; nil if neither has ended. The text tells the end,
  /// so a view that plays a run shows the conclusion from this line on, or from ``line`` on without it.
  public private(set) var end: Int?
  /// True if a party noticed something: a check failed or found a deviation, or an app was hidden because of a fault.
  public let isNoticed: Bool

  init(_ tone: Tone, _ title: String, _ text: [String?], code: String? = nil, line: Int?, isNoticed: Bool = false) {
    self.isNoticed = isNoticed
    self.tone = tone
    self.title = title
    self.text = text.compactMap(\.self).joined(separator: " ")
    self.code = code
    self.line = line
  }

  /// Concludes the last presentment of a journal, or returns nil if it has not ended or none began. A run that is over has
  /// a conclusion without the end of a presentment, too, if a party refused something.
  ///
  /// - Parameters:
  ///   - entries: The journal.
  ///   - changes: What was broken in the world before it began, in words. The journal itself has the faults that steps
  ///     injected.
  ///   - names: The names of the world's parts; nil for the journal's.
  ///   - lastLine: The number of the last line of the last step, if the run is over. Lines after it are about what still
  ///     waited when the world ended, and do not count.
  ///   - isServerOutside: True if the site's server is not in the journal: the presentment ends when its page gets the answer.
  ///   - honest: The journal of the same presentment without faults, if there is one. It shows which apps the selector hides
  ///     anyway, and is needed only if no check failed.
  public init?(
    of entries: [JournalEntry], changes: [String] = [], names: WorldNames? = nil,
    lastLine: Int? = nil, isServerOutside: Bool = false,
    honest: @escaping () -> [JournalEntry]? = { nil }
  ) {
    let entries = lastLine.map { last in Array(entries.prefix { $0.number <= last }) } ?? entries
    let attempt = Attempt(entries, isServerOutside: isServerOutside)
    let storyteller = Storyteller(
      attempt, changes: changes, names: names ?? .identifiers, honest: honest, isRunOver: lastLine != nil)
    guard let told = storyteller.conclusion else { return nil }
    self = told
    end = attempt.end?.number ?? lastLine
  }
}

extension Conclusion {
  /// A text as a sentence, for what is said beside a conclusion. An identifier at its beginning keeps its spelling.
  package static func sentence(_ text: String) -> String { Storyteller.sentence(text) }
}

extension Conclusion: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("end", end)
    json.member("line", line)
    json.member("text", text)
    json.member("title", title)
    json.member("tone", tone)
  }
}
