import Ecosystem
import SimulationKernel

/// What stands in the way of a step.
extension ScenarioRun {
  /// Why the person cannot do what the step says: what would be touched is not on the screen.
  func obstacle(to action: Step.PersonAction, at position: SourcePosition) -> ExpectationFailure? {
    switch action {
    case .picks(let app):
      guard let selector = world.view.selector(on: device) else {
        return ExpectationFailure(
          at: position, "no selector is open to pick \(app) in",
          evidence: Judge.nobodyCouldAnswer(in: world.journal.entries, on: device))
      }
      if selector.offered.contains(where: { $0.app == app }) { return nil }
      let hidden = selector.hidden.first { $0.app == app }
      return ExpectationFailure(
        at: position, "the selector does not offer \(app)", code: hidden?.code, note: hidden?.sentence,
        evidence: hidden.map { ["it would appear: \($0.remedy)"] } ?? [])
    case .cancelsSelector where world.view.selector(on: device) == nil:
      return ExpectationFailure(at: position, "no selector is open to cancel")
    case .authorizes(let way):
      guard let view = world.view.authorization(on: device) else {
        return ExpectationFailure(at: position, "no app asks for consent")
      }
      if view.buttons.contains(way) { return nil }
      return ExpectationFailure(
        at: position, "\(view.app) does not take \(way)", note: "it takes \(view.buttons.joined(separator: ", "))")
    case .taps(let label):
      // Nobody here knows what a page shows whose script runs elsewhere.
      let isOutside = scenario.world.websites.contains { $0.identifier == website && $0.script == .outside }
      if isOutside, world.view.authorization(on: device) == nil { return nil }
      let labels =
        world.view.authorization(on: device)?.buttons ?? world.view.page(of: website, on: device)?.buttons ?? []
      if labels.contains(label) { return nil }
      return ExpectationFailure(
        at: position, "there is nothing called \(label) to tap",
        note: labels.isEmpty ? "the screen has no button" : "the screen has \(labels.joined(separator: ", "))")
    case .deletes(let document, let app):
      if world.documents(of: app, on: device).contains(document) { return nil }
      return ExpectationFailure(at: position, "\(app) on \(device) holds no document called \(document)")
    case .answersPrompt(let app, _):
      let asking = world.view.prompt(on: device)?.app
      if asking == app { return nil }
      return ExpectationFailure(
        at: position, "no prompt for \(app) is on the screen", note: asking.map { "there is one for \($0)" })
    default: return nil
    }
  }

  /// Why an app cannot do what the step says.
  func obstacle(
    to action: World.AppAction, of name: String, at position: SourcePosition
  ) -> ExpectationFailure? {
    guard
      let app = scenario.world.devices.first(where: { $0.identifier == device })?.apps.first(where: { $0.name == name }
      ),
      world.isInstalled(name, on: device)
    else { return ExpectationFailure(at: position, "\(name) is not on \(device)") }
    switch action {
    case .renews(let document) where !app.documents.contains { $0.identifier == document }:
      return ExpectationFailure(at: position, "\(name) on \(device) has no document called \(document)")
    case .answersUnasked where world.view.authorization(on: device)?.app != name:
      return ExpectationFailure(at: position, "\(name) has no view on the screen to answer from")
    default: return nil
    }
  }

  /// Why what the person did to an app changed nothing, if it did not.
  func judge(whether action: Step.PersonAction, at position: SourcePosition) -> ExpectationFailure? {
    let (code, sentence): (JournalCode, String)
    switch action {
    case .switches(let app, let isOn):
      (code, sentence) = (isOn ? .osAppSwitchedOn : .osAppSwitchedOff, "Settings has no switch of \(app) to turn")
    case .manages(let change, let app):
      (code, sentence) =
        switch change {
        case .install: (.osAppInstalled, "\(app) is not installed on \(device)")
        case .update: (.osAppUpdated, "\(app) is not updated on \(device)")
        case .remove: (.osAppRemoved, "\(app) is not removed from \(device)")
        }
    default: return nil
    }
    let judge = Judge(entries: world.journal.entries, mark: mark, device: device, position: position)
    return judge.hasDecided(code)
      ? nil : ExpectationFailure(at: position, sentence, evidence: judge.latestFailures())
  }
}
