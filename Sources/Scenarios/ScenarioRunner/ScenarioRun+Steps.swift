import Ecosystem
import Faults
import Messaging
import ScenarioLanguage
import SimulationKernel

extension ScenarioRun {
  /// Does a step, or judges its expectation.
  mutating func perform(_ step: Step) throws(Stop) {
    let reason = step.because ?? scenario.because
    switch step.content {
    case .action(let action):
      if let failure = obstacle(to: action) { throw .failed(failure.because(reason)) }
      mark = world.journal.entries.count
      world.note(step: action.message(in: world.focus))
      try settle(elseSaying: action.failure(in: world.focus)) { run in try run.world.perform(action) }
      if let failure = judgeEffect(of: action) { throw .failed(failure.because(reason)) }
    case .restartWorld:
      mark = world.journal.entries.count
      world.note(step: "the world is restarted from its storage")
      try settle(elseSaying: "the world cannot be restarted") { run in
        run.world = try run.world.restarted()
        return run.world.prepare()
      }
    case .fault(let change):
      // A fault is not an action: expectations still look at the last action.
      world.note(step: change.message)
      try settle(elseSaying: "the fault \(change.fault.id) cannot be injected") { run in
        try run.faults.apply(change, to: run.world, device: run.device)
        return .quiet
      }
    case .expectation(let expected):
      let judge = Judge(entries: world.journal.entries, mark: mark, device: device)
      let failure =
        switch expected {
        case .prompt(let expected): judge.judge(expected, view: world.view())
        case .selector(let expected): judge.judge(expected)
        case .consent(let expected): judge.judge(expected, view: world.view())
        case .website(let expected): judge.judge(expected, view: world.view(), website: website)
        case .exception(let expected): judge.judge(expected)
        case .decision(let expected): judge.judge(expected)
        }
      if let failure { throw .failed(failure.because(reason)) }
    }
  }

  /// Does something in the world that may be impossible.
  private mutating func settle(
    elseSaying message: String, _ body: (inout Self) throws -> WorldScheduler.Outcome
  ) throws(Stop) {
    let outcome: WorldScheduler.Outcome
    do {
      outcome = try body(&self)
    } catch {
      throw .undecided("\(message): \(error)")
    }
    try settle(outcome)
  }
}

extension Action {
  /// The beginning of the report about an action that the world cannot do.
  fileprivate func failure(in focus: World.Focus) -> String {
    switch self {
    case .restartServer(let website): "the server of \(website) cannot be restarted"
    default: "the action cannot be done"
    }
  }
}
