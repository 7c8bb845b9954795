import COSE
import Ecosystem
import MobileDocument
import Simulation

/// Runs one case: makes the world, does what the steps say and judges what they expect.
public struct ScenarioRun {
  private let scenario: Scenario
  private let seed: UInt64
  private var world: World
  private var device: String
  private var website: String
  /// Journal lines before the newest action; expectations look at what came after.
  private var mark = 0
  /// Asks about everything that is checked; nil when nobody wants a second opinion.
  private let ledger: SecondOpinionLedger?

  /// Why a run stopped.
  private enum Stop: Error {
    case failed(ExpectationFailure)
    case undecided(String)
  }

  /// Runs a case to its end.
  ///
  /// - Parameters:
  ///   - seed: the seed to run with instead of the scenario's own.
  ///   - secondOpinion: another implementation to ask about every signature and certificate chain that the case checks.
  public static func run(
    _ scenario: Scenario, seed: UInt64? = nil, secondOpinion: SecondOpinionLedger.Judge? = nil
  ) -> CaseResult {
    let seed = seed ?? scenario.seed
    guard let secondOpinion else { return run(scenario, seed: seed, ledger: nil) }
    let ledger = SecondOpinionLedger(secondOpinion)
    // Whatever the world does it does below this call, on this thread: its tasks inherit the witness from here.
    var result = VerificationWitness.$current.withValue(ledger.witness) { run(scenario, seed: seed, ledger: ledger) }
    result.secondOpinions = ledger.tally
    return result
  }

  private static func run(_ scenario: Scenario, seed: UInt64, ledger: SecondOpinionLedger?) -> CaseResult {
    let world: World
    var folder: CaseFolder?
    do {
      folder = try CaseFolder(for: scenario)
      world = try World(scenario.world, seed: seed, start: scenario.clock, folder: folder?.path)
    } catch {
      folder?.removeIfTemporary()
      return CaseResult(
        scenario: scenario, seed: seed, outcome: .undecided("the world cannot be made: \(error)"), journal: Journal())
    }
    var run = ScenarioRun(scenario: scenario, seed: seed, world: world, ledger: ledger)
    let outcome = run.runSteps()
    run.world.close()
    folder?.removeIfTemporary()
    return CaseResult(scenario: scenario, seed: seed, outcome: outcome, journal: run.world.journal)
  }

  private init(scenario: Scenario, seed: UInt64, world: World, ledger: SecondOpinionLedger?) {
    self.scenario = scenario
    self.seed = seed
    self.world = world
    self.ledger = ledger
    device = scenario.world.devices.first?.identifier ?? ""
    website = scenario.world.websites.first?.identifier ?? ""
  }

  private mutating func runSteps() -> CaseResult.Outcome {
    do throws(Stop) {
      try hearing(at: scenario.position) { run throws(Stop) in try run.settle(run.world.prepare()) }
      for step in scenario.steps {
        try hearing(at: step.position, because: step.because) { run throws(Stop) in try run.perform(step) }
        try judge(step) { $0.misfit() }
      }
      return .passed
    } catch {
      switch error {
      case .failed(let failure): return .failed(failure)
      case .undecided(let sentence): return .undecided(sentence)
      }
    }
  }

  /// Does something, and stops the run when a second opinion about what was checked meanwhile is another one. That counts
  /// more than whatever else went wrong, which may follow from it.
  private mutating func hearing(
    at position: SourcePosition, because: String? = nil, _ body: (inout Self) throws(Stop) -> Void
  ) throws(Stop) {
    let stop: Stop?
    do throws(Stop) {
      try body(&self)
      stop = nil
    } catch {
      stop = error
    }
    if let ledger, let failure = ExpectationFailure(ledger, at: position, because: because) { throw .failed(failure) }
    if let stop { throw stop }
  }

  private func settle(_ outcome: WorldScheduler.Outcome) throws(Stop) {
    switch outcome {
    case .quiet: return
    case .stepsExhausted:
      throw .undecided("the world does not come to rest within \(WorldScheduler.maximumSteps) steps")
    case .leaked(let jobs):
      throw .undecided("\(jobs) jobs came from outside the world's schedule, so the run cannot be repeated")
    }
  }

  private mutating func perform(_ step: Step) throws(Stop) {
    switch step.kind {
    case .person(let action):
      if let failure = obstacle(to: action, at: step.position) { throw .failed(failure.because(step.because)) }
      beginAction("the person \(action.sentence)")
      do {
        try settle(perform(action))
      } catch let error as Stop {
        throw error
      } catch {
        throw .undecided("\(error)")
      }
      if let failure = judge(whether: action, at: step.position) { throw .failed(failure.because(step.because)) }
    case .page(let name, let action):
      let website = name?.value ?? self.website
      beginAction("the page of \(website) \(action.sentence)")
      try settle(world.page(website, on: device, action))
    case .app(let name, let action):
      if let failure = obstacle(to: action, of: name, at: step.position) {
        throw .failed(failure.because(step.because))
      }
      beginAction("\(name) \(action.sentence)")
      try settle(world.app(name, on: device, action))
    case .server(let website):
      beginAction("the server of \(website) ends and begins again")
      do {
        try settle(world.restartServer(of: website))
      } catch let error as Stop {
        throw error
      } catch {
        throw .undecided("the server of \(website) cannot begin again: \(error)")
      }
    case .authority(let name, let action): try perform(action, by: name, step)
    case .world(.restarts):
      beginAction("the world ends, and begins again from its storage")
      do {
        world = try world.restarted()
      } catch {
        throw .undecided("the world cannot begin again: \(error)")
      }
      try settle(world.prepare())
    case .disk(let isFull):
      world.note(step: "the disk of \(device) \(isFull ? "is full" : "has room again")")
      do {
        try world.setDisk(isFull: isFull, of: device)
      } catch {
        throw .undecided("the disk of \(device) cannot be changed: \(error)")
      }
    case .fault(let fault):
      world.note(step: "a fault is put in: \(fault.sentence)")
      world.add(fault)
    case .prompt(let expected): try judge(step) { $0.judge(expected, view: world.view) }
    case .selector(let expected): try judge(step) { $0.judge(expected) }
    case .consent(let expected): try judge(step) { $0.judge(expected, view: world.view) }
    case .website(let expected): try judge(step) { $0.judge(expected, view: world.view, website: website) }
    case .exception(let expected): try judge(step) { $0.judge(expected) }
    case .decision(let expected): try judge(step) { $0.judge(expected) }
    }
  }

  /// Why the person cannot do what the step says: what would be touched is not on the screen.
  private func obstacle(to action: Step.PersonAction, at position: SourcePosition) -> ExpectationFailure? {
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
  private func obstacle(
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
  private func judge(whether action: Step.PersonAction, at position: SourcePosition) -> ExpectationFailure? {
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

  private mutating func perform(
    _ action: Step.AuthorityAction, by name: String, _ step: Step
  ) throws(Stop) {
    beginAction("\(name) \(action.sentence)")
    try settle(world.authority(name, action.action(on: device)))
    let judge = Judge(entries: world.journal.entries, mark: mark, device: device, position: step.position)
    guard !judge.hasDecided(action.code) else { return }
    let failure = ExpectationFailure(
      at: step.position, "\(name) does nothing of the kind", note: judge.reason(of: .issuerStatusKept))
    throw .failed(failure.because(step.because))
  }

  private mutating func beginAction(_ sentence: String) {
    mark = world.journal.entries.count
    world.note(step: sentence)
  }

  private mutating func perform(_ action: Step.PersonAction) throws -> WorldScheduler.Outcome {
    switch action {
    case .visits(let website, let device):
      self.website = website
      if let device { self.device = device }
      return world.visit(website, on: self.device)
    case .taps(let label): return world.tap(label, on: device)
    case .picks(let app): return world.pick(app, on: device)
    case .cancelsSelector: return world.cancelSelector(on: device)
    case .authorizes(let way): return world.tap(way, on: device)
    case .waits(let duration): return world.wait(duration)
    case .deletes(let document, let app): return world.delete(document, in: app, on: device)
    case .answersPrompt(let app, let isAllowed):
      return world.answerPrompt(of: app, on: device, isAllowed: isAllowed)
    case .switches(let app, let isOn): return world.switchInSettings(app, on: device, isOn: isOn)
    case .manages(let change, let app): return world.manage(app, on: device, change)
    case .restarts(let device):
      self.device = device
      return try world.restart(device)
    }
  }

  private func judge(_ step: Step, _ body: (Judge) -> ExpectationFailure?) throws(Stop) {
    let judge = Judge(entries: world.journal.entries, mark: mark, device: device, position: step.position)
    if let failure = body(judge) { throw .failed(failure.because(step.because)) }
  }
}
