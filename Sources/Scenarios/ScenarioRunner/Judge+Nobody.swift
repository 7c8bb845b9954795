import Checks
import DigitalCredentials
import Ecosystem
import LocatedYAML
import Messaging
import ScenarioLanguage

extension Journal {
  /// Returns the hidden apps with the reason and the remedy for each, if no app could answer the newest request on a
  /// device; otherwise nothing.
  public func nobodyCouldAnswer(on device: String) -> [String] { Judge.nobodyCouldAnswer(in: entries, on: device) }
}

extension Judge {
  /// Returns the hidden apps with the reason and the remedy for each, if no app could answer the newest request on the
  /// device; otherwise nothing.
  func nobodyCouldAnswer() -> [String] { Self.nobodyCouldAnswer(in: entries, on: device) }

  /// The same for any journal.
  static func nobodyCouldAnswer(in entries: [JournalEntry], on device: String) -> [String] {
    for entry in entries.reversed() where entry.party == Party(.operatingSystem, device) {
      switch entry.event {
      // A selection that did not end so belongs to a later request.
      case .selection: return []
      case .note(let note) where note.code == .osNoApp:
        return note.facts.map { $0.name == "remedy" ? "   it would appear: \($0.value)" : $0.value }
      default: continue
      }
    }
    return []
  }

  /// The message of an exception without the list of apps, which the evidence has line by line.
  func shortMessage(of exception: ExceptionEvent) -> String {
    let nobody = BrowserFinding(.platform, .nothingCanAnswer)
    return exception.code == nobody.name ? nobody.message : exception.message
  }

  /// An entry as one line: party, message and code.
  func line(of entry: JournalEntry) -> String {
    let message = entry.event.exception.map(shortMessage(of:)) ?? entry.event.phrase
    return "\(entry.party): \(message) [\(entry.event.code ?? "")]"
  }

  /// The failure of an expectation that expected a result, or another exception.
  func threw(
    _ name: String, _ exception: ExceptionEvent?, at path: StepPath, evidence: [String]? = nil
  ) -> ExpectationFailure {
    ExpectationFailure(
      at: path, "the call threw \(name)", code: exception?.code, note: exception.map(shortMessage(of:)),
      evidence: evidence ?? nobodyCouldAnswer())
  }
}
