import Crypto
import Messaging
import Primitives
import ScenarioLanguage

/// All cases and unreadable files of a run, over all its shards.
public struct RunEntries: Sendable, Equatable {
  /// The number of cases and unreadable files.
  public var count: Int
  /// A digest of the cases, in hexadecimal: of their files, names, seeds, worlds and steps, in the order of the run. Runs
  /// of the same cases have the same digest on every machine.
  public var digest: String

  /// Entries with a known digest, or without one.
  public init(count: Int, digest: String = "") {
    self.count = count
    self.digest = digest
  }

  /// The entries of a run.
  ///
  /// - Parameters:
  ///   - cases: Every case of the run with its seed, in the order of the run.
  ///   - unreadable: The paths of the unreadable files.
  public init(cases: [(scenario: Scenario, seed: UInt64)], unreadable: [String]) {
    count = cases.count + unreadable.count
    var hash = SHA256()
    func add(_ text: String) {
      // Without the length, two texts could be taken for one.
      hash.update(data: Array("\(text.utf8.count):".utf8))
      hash.update(data: Array(text.utf8))
    }
    for (scenario, seed) in cases {
      var recording = ScenarioRecording(of: scenario, seed: seed)
      for step in scenario.steps { recording.add(step.step, with: EmptyCollection()) }
      add(scenario.path)
      add(scenario.name)
      add(recording.yaml)
    }
    for path in unreadable { add(path) }
    digest = hexadecimal(hash.finalize())
  }
}
