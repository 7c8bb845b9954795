import Foundation
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel
import TestSupport

@testable import Messaging

/// Runs of shipped scenarios.
enum Runs {
  /// The result of the first case of a scenario.
  static func result(of scenario: String, seed: UInt64? = nil) throws -> CaseResult {
    let problems = ProblemCollector()
    let path = Programs.package.appendingPathComponent("scenarios/\(scenario).yaml").path
    guard let found = ScenarioReader.read(path, problems)?.first else { throw Unreadable(text: problems.rendered()) }
    return ScenarioRun.run(found, seed: seed)
  }

  static let headline = Result { try result(of: "headline") }

  /// The journal of the headline scenario.
  static func entries(seed: UInt64? = nil) throws -> [JournalEntry] {
    seed == nil ? try headline.get().journal.entries : try result(of: "headline", seed: seed).journal.entries
  }

  struct Unreadable: Error {
    let text: String
  }
}

extension JournalEntry {
  /// The line at another time.
  func delayed(by nanoseconds: Int64) -> JournalEntry {
    JournalEntry(
      number: number, time: WorldClock.Instant(nanosecondsSince1970: time.nanosecondsSince1970 + nanoseconds),
      party: party, event: event)
  }

  /// The line with another event.
  func with(_ event: JournalEvent) -> JournalEntry {
    JournalEntry(number: number, time: time, party: party, event: event)
  }
}
