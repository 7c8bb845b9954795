import DigitalCredentials
import Ecosystem
import LocatedYAML
import ScenarioLanguage
import SimulationKernel

extension Journal {
  /// When nobody could answer the newest request on a device: each app that was hidden, why, and what would make it
  /// appear. Nothing when the newest request did not end so.
  public func nobodyCouldAnswer(on device: String) -> [String] { Judge.nobodyCouldAnswer(in: entries, on: device) }
}

extension Judge {
  /// When nobody could answer the newest request on the device: each app that was hidden, why, and what would make it
  /// appear. Nothing when the newest request did not end so.
  func nobodyCouldAnswer() -> [String] { Self.nobodyCouldAnswer(in: entries, on: device) }

  /// The same for any journal.
  static func nobodyCouldAnswer(in entries: [Journal.Entry], on device: String) -> [String] {
    for entry in entries.reversed() {
      guard case .decision(let made) = entry.event, made.party == Party(.operatingSystem, device) else { continue }
      // A selection that did not end so belongs to a later request.
      if made.kind == .selector { return [] }
      guard made.code == JournalCode.osNobodyCanAnswer.rawValue else { continue }
      return made.details.map { $0.name == "remedy" ? "   it would appear: \($0.value)" : $0.value }
    }
    return []
  }

  /// What a decision says, without the list of apps that an exception's message carries: evidence has it line by line.
  func shortMessage(of decision: Decision) -> String {
    let nobody = BrowserCode.platformNothingCanAnswer
    return decision.code == nobody.rawValue ? nobody.message : decision.message
  }

  /// The failure of an expectation that did not expect an exception, or another one.
  func threw(
    _ name: String, _ exception: Decision?, at path: StepPath, evidence: [String]? = nil
  ) -> ExpectationFailure {
    ExpectationFailure(
      at: path, "the call threw \(name)", code: exception?.code, note: exception.map(shortMessage(of:)),
      evidence: evidence ?? nobodyCouldAnswer())
  }
}
