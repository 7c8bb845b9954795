import Ecosystem
import SimulationKernel

/// What steps do.
extension ScenarioRun {
  /// Does what a step says, or judges what it expects.
  mutating func perform(_ step: Step) throws(Stop) {
    switch step.kind {
    case .person(let action):
      if let failure = obstacle(to: action, at: step.position) { throw .failed(failure.because(step.because)) }
      beginAction("the person \(action.sentence)")
      try settle(elseSaying: "the person cannot do that") { run in try run.perform(action) }
      if let failure = judge(whether: action, at: step.position) { throw .failed(failure.because(step.because)) }
    case .page(let name, let device, let action):
      let website = name?.value ?? self.website
      beginAction("the page of \(website) \(action.sentence)")
      try settle(world.page(website, on: device ?? self.device, action))
    case .app(let name, let action):
      if let failure = obstacle(to: action, of: name, at: step.position) {
        throw .failed(failure.because(step.because))
      }
      beginAction("\(name) \(action.sentence)")
      try settle(world.app(name, on: device, action))
    case .server(let website):
      beginAction("the server of \(website) ends and begins again")
      try settle(elseSaying: "the server of \(website) cannot begin again") { run in
        try run.world.restartServer(of: website)
      }
    case .authority(let name, let action): try perform(action, by: name, step)
    case .world(.restarts):
      beginAction("the world ends, and begins again from its storage")
      try settle(elseSaying: "the world cannot begin again") { run in
        run.world = try run.world.restarted()
        run.openPage = nil
        return run.world.prepare()
      }
    case .fault(let change):
      world.note(step: change.sentence)
      try settle(elseSaying: "the fault \(change.fault.id) cannot be injected") { run in
        try run.faults.apply(change, to: run.world, device: run.device)
        return .quiet
      }
    case .prompt(let expected): try judge(step) { $0.judge(expected, view: world.view) }
    case .selector(let expected): try judge(step) { $0.judge(expected) }
    case .consent(let expected): try judge(step) { $0.judge(expected, view: world.view) }
    case .website(let expected): try judge(step) { $0.judge(expected, view: world.view, website: website) }
    case .exception(let expected): try judge(step) { $0.judge(expected) }
    case .decision(let expected): try judge(step) { $0.judge(expected) }
    }
  }

  /// Does something in the world that may be impossible.
  private mutating func settle(
    elseSaying sentence: String, _ body: (inout Self) throws -> WorldScheduler.Outcome
  ) throws(Stop) {
    let outcome: WorldScheduler.Outcome
    do {
      outcome = try body(&self)
    } catch {
      throw .undecided("\(sentence): \(error)")
    }
    try settle(outcome)
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
      openPage = (website, self.device)
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
      openPage = nil
      return try world.restart(device)
    }
  }

  /// Judges what a step expects.
  func judge(_ step: Step, _ body: (Judge) -> ExpectationFailure?) throws(Stop) {
    let judge = Judge(entries: world.journal.entries, mark: mark, device: device, position: step.position)
    if let failure = body(judge) { throw .failed(failure.because(step.because)) }
  }
}
