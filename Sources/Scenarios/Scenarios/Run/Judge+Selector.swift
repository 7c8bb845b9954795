import Ecosystem
import SimulationKernel

extension Judge {
  /// What the selector offers and hides.
  func judge(_ expected: SelectorExpectation) -> ExpectationFailure? {
    let decisions = decisions(after: mark).filter {
      ["offered", "hidden"].contains($0.outcome) && $0.kind == .selector
    }
    func app(of decision: Decision) -> String { decision.details.first { $0.name == "app" }?.value ?? "" }
    let offered = decisions.filter { $0.outcome == "offered" }.map(app)
    let hidden = decisions.filter { $0.outcome == "hidden" }
    let table = decisions.map { decision in
      "\(app(of: decision)): \(decision.outcome == "offered" ? "offered" : "\(decision.code), \(decision.sentence)")"
    }
    if decisions.isEmpty {
      // On a device without apps there is nobody to offer or to hide.
      let isParsed = self.decisions(after: mark).contains { $0.code == JournalCode.sandboxParsed.rawValue }
      if isParsed && expected.hides.isEmpty && expected.offers.isEmpty && expected.shows?.value.isEmpty ?? false {
        return nil
      }
      return ExpectationFailure(
        at: position, "no app was selected or hidden: the request did not come that far",
        evidence: latestFailures())
    }
    if let shows = expected.shows {
      for name in shows.value where !offered.contains(name.value) {
        let miss = hidden.first { app(of: $0) == name.value }
        return ExpectationFailure(
          at: name.position, "the selector does not offer \(name.value)", code: miss?.code, note: miss?.sentence,
          evidence: offered.isEmpty
            ? nobodyCouldAnswer()
            : miss?.details.filter { $0.name == "remedy" }.map { "it would appear: \($0.value)" } ?? table)
      }
      let names = shows.value.map(\.value)
      if let surplus = offered.first(where: { !names.contains($0) }) {
        return ExpectationFailure(
          at: shows.position, "the selector also offers \(surplus)", code: "selector.offered", evidence: table)
      }
    }
    for (name, registrations) in expected.offers {
      guard let offer = decisions.first(where: { $0.outcome == "offered" && app(of: $0) == name.value }) else {
        return ExpectationFailure(
          at: name.position, "the selector does not offer \(name.value)", evidence: table)
      }
      let found = offer.details.filter { $0.name == "registration" }.map(\.value)
      if found.sorted() != registrations.value.sorted() {
        return ExpectationFailure(
          at: registrations.position, "\(name.value) is offered with other registrations",
          note: found.joined(separator: ", "))
      }
    }
    for (name, code) in expected.hides {
      guard let miss = hidden.first(where: { app(of: $0) == name.value }) else {
        return ExpectationFailure(
          at: name.position, "the selector does not hide \(name.value)", code: "selector.offered", evidence: table)
      }
      if !Optional(miss.code).isName(expected: code) {
        return ExpectationFailure(
          at: code.position, "\(name.value) is hidden for another reason", code: miss.code, note: miss.sentence)
      }
    }
    return nil
  }
}
