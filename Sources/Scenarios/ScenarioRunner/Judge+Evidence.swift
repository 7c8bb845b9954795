import Checks
import DigitalCredentials
import Ecosystem
import LocatedYAML
import Messaging
import ScenarioLanguage

extension Journal {
  /// Returns the hidden apps with the reason and the remedy for each, if no app could answer the newest request on a
  /// device; otherwise nothing.
  public func appsThatCannotAnswer(on device: String) -> [String] {
    Judge.appsThatCannotAnswer(in: entries, on: device)
  }
}

extension Judge {
  /// Returns the hidden apps with the reason and the remedy for each, if no app could answer the newest request on the
  /// device; otherwise nothing.
  func appsThatCannotAnswer() -> [String] { Self.appsThatCannotAnswer(in: entries, on: device) }

  /// Returns the same for any journal.
  static func appsThatCannotAnswer(in entries: [JournalEntry], on device: String) -> [String] {
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
    let finding = BrowserFinding(.platform, .nothingCanAnswer)
    return exception.code == finding.name ? finding.message : exception.message
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
      evidence: evidence ?? appsThatCannotAnswer())
  }
}

/// Faults that change nothing.
extension Judge {
  /// The failure of an injected fault that changed nothing since the last action and after the lines that were judged
  /// before: the scenario does not show its subject.
  func ineffectiveFault(after judged: Int) -> ExpectationFailure? {
    for entry in entries.dropFirst(max(mark, judged)) {
      guard let fault = entry.event.fault, let reason = fault.reasonNotApplied else { continue }
      return ExpectationFailure(at: .step, "an injected fault changes nothing", code: fault.fault, note: reason)
    }
    return nil
  }
}
