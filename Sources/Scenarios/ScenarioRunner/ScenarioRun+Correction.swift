import ScenarioLanguage

extension ScenarioRun {
  /// The expectation that holds now, of the kind and with the keys of one that does not.
  func correction(of expected: Expectation) -> Correction {
    let corrected: Expectation
    do throws(Uncorrectable) {
      corrected = try self.corrected(expected)
    } catch {
      return .impossible(because: error.reason)
    }
    // Each key is corrected by itself, and another part of the expectation may still not hold.
    guard let failure = failure(of: corrected) else { return .expectation(corrected) }
    return .impossible(because: failure.headline)
  }

  private func corrected(_ expected: Expectation) throws(Uncorrectable) -> Expectation {
    let judge = expected.device.map { self.judge(on: $0) } ?? judge
    let view = world.view()
    switch expected {
    case .prompt(let expected): return .prompt(try judge.corrected(expected, view: view))
    case .notification(let expected): return .notification(try judge.corrected(expected, view: view))
    case .code(let expected): return .code(try judge.corrected(expected, view: view))
    case .selector(let expected): return .selector(try judge.corrected(expected, view: view))
    case .consent(let expected): return .consent(try judge.corrected(expected, view: view))
    case .website(let expected):
      let name = expected.name ?? expected.device.flatMap(world.focus.website(on:)) ?? website
      return .website(try judge.corrected(expected, on: view.page(of: name, on: judge.pageDevice), called: name))
    case .inApp(let expected):
      return .inApp(try judge.corrected(expected, view: view, app: world.focus.openApp(on: judge.device)))
    case .terminal(let expected):
      return .terminal(try judge.corrected(expected, view: view, terminal: world.focus.terminal))
    case .exception(let expected): return .exception(try judge.corrected(expected))
    case .decision(let expected): return .decision(try judge.corrected(expected))
    case .messages(var expected):
      expected.count = try Judge.corrected(expected.count, to: judge.countedEntries(of: expected).count)
      return .messages(expected)
    case .tally(var expected):
      expected.count = try Judge.corrected(expected.count, to: judge.countedEntries(of: expected).count)
      return .tally(expected)
    case .invariants: throw Uncorrectable(Correction.invariantFails)
    }
  }
}

/// The expectation that would hold in place of one that failed.
public enum Correction: Sendable {
  /// An expectation of the same kind with the same keys.
  case expectation(Expectation)
  /// No such expectation, for a reason.
  case impossible(because: String)

  /// The reason for a run in which an invariant does not hold.
  static let invariantFails = "an invariant does not hold in this case"
  /// The reason for a step with `fails`.
  static let stepMustFail = "an update keeps 'fails'"
  /// The reason for a fault that does not act.
  static let faultDoesNotAct = "a fault does not act"
}
