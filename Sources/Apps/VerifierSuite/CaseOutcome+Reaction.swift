import CaseSuites
import OwnServers

extension ServerReaction {
  /// The reaction in words.
  var words: String { words(of: "server") }

  /// The reaction in words.
  /// - Parameter subject: The kind of program, such as `server`.
  func words(of subject: String) -> String {
    switch self {
    case .accepted: "the \(subject) accepted"
    case .refused: "the \(subject) refused"
    case .unclear(let words): words
    case .broken(let words): "the \(subject) failed: \(words)"
    }
  }
}

extension CaseOutcome {
  /// True if an answer of a phone was handed in.
  var isOfAnswer: Bool { ![.http, .request].contains(suiteCase.group) }

  /// The reason why a case counts for nothing whose genuine answer was not accepted.
  static func withoutTwin(_ id: String, _ reaction: ServerReaction, of subject: String = "server") -> String {
    "the \(subject) must accept \(id) first: \(reaction.words(of: subject))"
  }

  /// Judges a reaction by what the case expects.
  init(suiteCase: SuiteCase, _ reaction: ServerReaction, of subject: String = "server") {
    let verdict: Verdict
    switch (suiteCase.expects, reaction) {
    case (_, .unclear): verdict = .unclear
    case (.accept, .accepted), (.refuse, .refused), (.warn, .refused): verdict = .right
    case (.accept, .refused), (.accept, .broken): verdict = .wronglyRefused
    case (.refuse, .accepted), (.warn, .accepted): verdict = .wronglyAccepted
    case (.refuse, .broken), (.warn, .broken), (.either, .broken): verdict = .notRefusedCleanly
    case (.either, .accepted): verdict = .accepts
    case (.either, .refused): verdict = .refuses
    }
    self.init(suiteCase: suiteCase, verdict: verdict, detail: reaction.words(of: subject))
  }
}
