import Checks
import DigitalCredentials
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import RelyingParty
import ScenarioLanguage
import TranscriptDiagnosis

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
      return ExpectationFailure(
        "an injected fault changes nothing", code: fault.fault, note: reason,
        correction: .impossible(because: Correction.faultDoesNotAct))
    }
    return nil
  }
}

extension Judge {
  /// The failure of a fault that has not come about by the end of the case, or that has and must not.
  ///
  /// - Parameter begun: The lines of the journal before the fault began.
  func missedFault(_ step: Step, begun: Int) -> ExpectationFailure? {
    guard step.fails == nil, case .fault(.begins(let planned)) = step.content else { return nil }
    let id = planned.fault.id
    // A full disk does not alter a message: it shows in what the databases refuse.
    if planned.fault.party == .storage { return nil }
    let acted = entries.dropFirst(begun).contains { $0.event.fault?.fault == id && $0.event.fault?.effect == .applied }
    if step.neverActs {
      return acted
        ? ExpectationFailure(
          at: StepPath("acts"), "the fault acts", code: id, note: "it must never act",
          correction: .impossible(because: "a fault acts that must not")) : nil
    }
    return acted
      ? nil
      : ExpectationFailure(
        "the fault does not come about in this case", code: id,
        note: "it begins too late, or there is nothing that it could change; say 'acts: never' if that is meant",
        correction: .impossible(because: Correction.faultDoesNotAct))
  }
}

extension Judge {
  /// Judges if a known variant explains one of some checks.
  func judge(_ explained: String, at path: StepPath, of checks: [CheckResult]) -> ExpectationFailure? {
    let found = checks.flatMap(\.explanations)
    if found.contains(explained) { return nil }
    return ExpectationFailure(
      at: path, found.isEmpty ? "nothing explains it" : "another variant explains it",
      code: found.first ?? checks.first?.name, evidence: checks.flatMap(Self.evidence(of:)))
  }

  /// The evidence of a failed check in columns, the expected value above the found one.
  static func evidence(of check: CheckResult) -> [String] {
    let codes = check.explanations
    let rest = check.evidence.filter { $0.field != Explanation.field }
    guard !codes.isEmpty else { return rest.flatMap { lines(of: $0, found: nil) } }
    let words = words(for: check)
    // Each explanation has one field with an expected and a found value.
    let explained = rest.filter { $0.expected != nil && $0.found != nil }
    return ["\(words.headline):"]
      + zip(codes, explained).flatMap { code, evidence in
        lines(of: evidence, found: words.found, explanation: VariantCodes.message(of: code) ?? code)
      }
  }

  private static func lines(
    of evidence: CheckResult.Evidence, found word: String?, explanation: String? = nil
  ) -> [String] {
    let word = word ?? "found"
    let width = max(word.count, "expected".count)
    let note = explanation.map { "       \($0)" } ?? ""
    guard let expected = evidence.expected else {
      return evidence.found.map { ["   \(evidence.field)  \($0)\(note)"] } ?? []
    }
    return ["   \("expected".padded(to: width)) \(evidence.field)  \(expected)"]
      + (evidence.found.map { ["   \(word.padded(to: width)) \(evidence.field)  \($0)\(note)"] } ?? [])
  }

  /// The words for a value that another variant explains.
  private static func words(for check: CheckResult) -> (headline: String, found: String) {
    if check.check.hasPrefix("response.") {
      return check.name == ExchangeCheck.decryption.name(.transcript)
        ? ("the response opens with another transcript", "sealed")
        : ("the response was sealed in another way", "sealed")
    }
    return check.explanations.contains { $0.hasPrefix("transcript.") }
      ? ("the signature is good for another transcript", "signed")
      : ("the signature is good for other bytes", "signed")
  }
}

extension CheckResult {
  /// The codes of the known variants that explain the failure.
  var explanations: [String] { evidence.filter { $0.field == Explanation.field }.compactMap(\.found) }
}
