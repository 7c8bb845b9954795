import Checks
import Messaging
import Primitives
import ScenarioLanguage
import Vocabulary

extension Judge {
  /// Judges the apps that the selector offers and hides.
  func judge(_ expected: SelectorExpectation, view: PersonView) -> ExpectationFailure? {
    let shownTexts = view.selector(on: device)?.shownTexts
    if let failure = judge(says: expected.says, of: "selector", found: shownTexts) { return failure }
    if let offers = expected.offersAnotherDevice {
      guard let selector = view.selector(on: device) else {
        return ExpectationFailure(
          at: StepPath("selector", "another-device"), "no selector is open", evidence: latestFailures())
      }
      guard (selector.anotherDevice != nil) == offers else {
        return ExpectationFailure(
          at: StepPath("selector", "another-device"),
          offers ? "the selector does not offer another device" : "the selector offers another device")
      }
    }
    if let notice = expected.notice {
      let found = view.selector(on: device)?.notice ?? view.notice(on: device)
      if let failure = judge(notice, of: "selector", found: found) { return failure }
    }
    if let origin = expected.origin {
      let found = view.selector(on: device)?.origin
      guard found == origin else {
        return ExpectationFailure(
          at: StepPath("selector", "origin"), "the selector shows another origin",
          note: found.map { "it shows \($0)" } ?? "no selector is open", evidence: latestFailures())
      }
    }
    if !expected.comparesApps, expected.comparesOtherParts { return nil }
    let selection = selection
    let offers = selection.compactMap(\.offer)
    let misses = selection.compactMap(\.miss)
    let table =
      offers.map { "\($0.app): offered" } + misses.map { "\($0.app): \($0.finding.name), \($0.finding.message)" }
    if offers.isEmpty && misses.isEmpty {
      // A device without apps offers and hides none.
      if !selection.isEmpty && expected.hides == nil && expected.offers == nil && expected.shows?.isEmpty ?? false {
        return nil
      }
      return ExpectationFailure(
        "no app was selected or hidden: the request did not reach the selector", evidence: latestFailures())
    }
    if let shows = expected.shows {
      for name in shows where !offers.contains(where: { $0.app == name }) {
        let miss = misses.first { $0.app == name }
        return ExpectationFailure(
          at: StepPath("selector", "shows", end: .item(name)), "the selector does not offer \(name)",
          code: miss?.finding.name, note: miss?.finding.message,
          evidence: offers.isEmpty ? appsThatCannotAnswer() : miss.map { ["it would appear: \($0.remedy)"] } ?? table)
      }
      if let surplus = offers.map(\.app).first(where: { !shows.contains($0) }) {
        return ExpectationFailure(
          at: StepPath("selector", "shows"), "the selector also offers \(surplus)", code: "selector.offered",
          evidence: table)
      }
    }
    for expectedOffer in expected.offers ?? [] {
      let (name, registrations) = (expectedOffer.name, expectedOffer.value)
      guard let offer = offers.first(where: { $0.app == name }) else {
        return ExpectationFailure(
          at: StepPath("selector", "offers", name, end: .key), "the selector does not offer \(name)", evidence: table)
      }
      let found = offer.registrations.map(\.identifier)
      if found.sorted() != registrations.sorted() {
        return ExpectationFailure(
          at: StepPath("selector", "offers", name), "\(name) is offered with other registrations",
          note: found.joined(separator: ", "))
      }
    }
    for expectedMiss in expected.hides ?? [] {
      let (name, code) = (expectedMiss.name, expectedMiss.value)
      guard let miss = misses.first(where: { $0.app == name }) else {
        return ExpectationFailure(
          at: StepPath("selector", "hides", name, end: .key), "the selector does not hide \(name)",
          code: "selector.offered", evidence: table)
      }
      if !Optional(miss.finding.name).isName(expected: code) {
        return ExpectationFailure(
          at: StepPath("selector", "hides", name), "\(name) is hidden for another reason", code: miss.finding.name,
          note: miss.finding.message)
      }
    }
    return nil
  }

  /// The selections since the last action.
  var selection: [SelectionEvent] {
    recent.filter { !isDeviceNamed || $0.party == Party(.operatingSystem, device) }.compactMap(\.event.selection)
  }

  /// A selector with other apps.
  func corrected(_ expected: SelectorExpectation, view: PersonView) throws(Uncorrectable) -> SelectorExpectation {
    var corrected = expected
    let screen = view.selector(on: device)
    if let notice = expected.notice {
      corrected.notice = try Self.corrected(notice, to: screen?.notice ?? view.notice(on: device))
    }
    if let origin = expected.origin {
      guard let screen else { throw .otherKind("no selector is open") }
      if origin != screen.origin { corrected.origin = screen.origin }
    }
    if expected.offersAnotherDevice != nil {
      guard let screen else { throw .otherKind("no selector is open") }
      corrected.offersAnotherDevice = screen.anotherDevice != nil
    }
    if expected.says != nil {
      guard let screen else { throw .otherKind("no selector is open") }
      corrected.says = try Self.corrected(expected.says, in: screen.shownTexts)
    }
    guard expected.comparesApps else { return corrected }
    let selection = selection
    guard !selection.isEmpty else { throw .otherKind("the request did not reach the selector") }
    let offers = selection.compactMap(\.offer)
    if let shows = expected.shows {
      let found = offers.map(\.app)
      let kept = shows.filter(found.contains)
      corrected.shows = try Self.corrected(
        list: shows, to: kept + found.filter { !kept.contains($0) }.uniqued(), "the selector offers")
    }
    for (place, offer) in (expected.offers ?? []).enumerated() {
      guard let found = offers.first(where: { $0.app == offer.name }) else {
        throw .otherKind("the selector does not offer \(offer.name)")
      }
      corrected.offers?[place].value = try Self.corrected(
        list: offer.value, to: found.registrations.map(\.identifier), "\(offer.name) is offered with")
    }
    for (place, hidden) in (expected.hides ?? []).enumerated() {
      guard let found = selection.compactMap(\.miss).first(where: { $0.app == hidden.name }) else {
        throw .otherKind("the selector does not hide \(hidden.name)")
      }
      corrected.hides?[place].value = Self.corrected(hidden.value, toName: found.finding.name)
    }
    return corrected
  }
}

extension SelectionEvent {
  fileprivate var offer: (app: String, registrations: [Registration])? {
    if case .offered(let app, let registrations) = self { (app, registrations) } else { nil }
  }

  fileprivate var miss: (app: String, finding: CheckResult, remedy: String)? {
    if case .hidden(let app, let finding, let remedy) = self { (app, finding, remedy) } else { nil }
  }
}

extension SelectorExpectation {
  /// True if apps are expected.
  fileprivate var comparesApps: Bool { shows != nil || offers != nil || hides != nil }

  /// True if anything of the screen but its apps is expected.
  fileprivate var comparesOtherParts: Bool {
    says != nil || offersAnotherDevice != nil || notice != nil || origin != nil
  }
}
