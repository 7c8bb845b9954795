import Ecosystem
import LocatedYAML
import ScenarioLanguage
import SimulationKernel

extension Judge {
  /// Judges the apps that the selector offers and hides.
  func judge(_ expected: SelectorExpectation) -> ExpectationFailure? {
    let decisions = decisions(after: mark).filter {
      ["offered", "hidden"].contains($0.outcome) && $0.kind == .selector
    }
    func app(of decision: Decision) -> String { decision.details.first { $0.name == "app" }?.value ?? "" }
    let offered = decisions.filter { $0.outcome == "offered" }.map(app)
    let hidden = decisions.filter { $0.outcome == "hidden" }
    let table = decisions.map { decision in
      "\(app(of: decision)): \(decision.outcome == "offered" ? "offered" : "\(decision.code), \(decision.message)")"
    }
    if decisions.isEmpty {
      // A device without apps has no selection decisions.
      let isParsed = self.decisions(after: mark).contains { $0.code == JournalCode.sandboxParsed.rawValue }
      if isParsed && expected.hides == nil && expected.offers == nil && expected.shows?.isEmpty ?? false {
        return nil
      }
      return ExpectationFailure(
        at: .step, "no app was selected or hidden: the request did not reach the selector",
        evidence: latestFailures())
    }
    if let shows = expected.shows {
      for name in shows where !offered.contains(name) {
        let miss = hidden.first { app(of: $0) == name }
        return ExpectationFailure(
          at: StepPath("selector", "shows", end: .item(name)), "the selector does not offer \(name)", code: miss?.code,
          note: miss?.message,
          evidence: offered.isEmpty
            ? nobodyCouldAnswer()
            : miss?.details.filter { $0.name == "remedy" }.map { "it would appear: \($0.value)" } ?? table)
      }
      if let surplus = offered.first(where: { !shows.contains($0) }) {
        return ExpectationFailure(
          at: StepPath("selector", "shows"), "the selector also offers \(surplus)", code: "selector.offered",
          evidence: table)
      }
    }
    for expectedOffer in expected.offers ?? [] {
      let (name, registrations) = (expectedOffer.name, expectedOffer.value)
      guard let offer = decisions.first(where: { $0.outcome == "offered" && app(of: $0) == name }) else {
        return ExpectationFailure(
          at: StepPath("selector", "offers", name, end: .key), "the selector does not offer \(name)", evidence: table)
      }
      let found = offer.details.filter { $0.name == "registration" }.map(\.value)
      if found.sorted() != registrations.sorted() {
        return ExpectationFailure(
          at: StepPath("selector", "offers", name), "\(name) is offered with other registrations",
          note: found.joined(separator: ", "))
      }
    }
    for expectedMiss in expected.hides ?? [] {
      let (name, code) = (expectedMiss.name, expectedMiss.value)
      guard let miss = hidden.first(where: { app(of: $0) == name }) else {
        return ExpectationFailure(
          at: StepPath("selector", "hides", name, end: .key), "the selector does not hide \(name)",
          code: "selector.offered", evidence: table)
      }
      if !Optional(miss.code).isName(expected: code) {
        return ExpectationFailure(
          at: StepPath("selector", "hides", name), "\(name) is hidden for another reason", code: miss.code,
          note: miss.message)
      }
    }
    return nil
  }
}
