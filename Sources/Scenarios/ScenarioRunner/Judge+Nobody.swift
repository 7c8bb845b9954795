import DigitalCredentials
import Ecosystem
import LocatedYAML
import ScenarioLanguage
import SimulationKernel

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
  static func nobodyCouldAnswer(in entries: [Journal.Entry], on device: String) -> [String] {
    for entry in entries.reversed() {
      guard case .decision(let made) = entry.event, made.party == Party(.operatingSystem, device) else { continue }
      // A selection with offered apps belongs to a later request.
      if made.kind == .selector { return [] }
      guard made.code == JournalCode.osNobodyCanAnswer.rawValue else { continue }
      return made.details.map { $0.name == "remedy" ? "   it would appear: \($0.value)" : $0.value }
    }
    return []
  }

  /// The message of a decision, without the list of apps in an exception's message, which the evidence has line by
  /// line.
  func shortMessage(of decision: Decision) -> String {
    let nobody = BrowserCode.platformNothingCanAnswer
    return decision.code == nobody.rawValue ? nobody.message : decision.message
  }

  /// The failure of an expectation that expected a result, or another exception.
  func threw(
    _ name: String, _ exception: Decision?, at path: StepPath, evidence: [String]? = nil
  ) -> ExpectationFailure {
    ExpectationFailure(
      at: path, "the call threw \(name)", code: exception?.code, note: exception.map(shortMessage(of:)),
      evidence: evidence ?? nobodyCouldAnswer())
  }
}
