import ArgumentParser
import Foundation

/// The option for the number of runs at the same time, of every command that runs many worlds.
package struct JobsOptions: ParsableArguments {
  /// The number of threads: the maximum is above any machine's number of cores and within its limits.
  private static let range = 1...256
  /// As many worlds as cores, if they have space.
  private static let usual = MachineNeeds.worlds(
    upTo: min(ProcessInfo.processInfo.activeProcessorCount, range.upperBound))

  @Option(help: "The number of runs at the same time; the default is the number of cores.")
  package var jobs: Int = Self.usual

  /// Creates the options, for parsing.
  package init() {}

  /// Checks the number.
  /// - Throws: `ValidationError` outside the range, or if so many worlds do not have space at the same time.
  package func validate() throws {
    guard Self.range.contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to \(Self.range.upperBound)")
    }
    let fitting = MachineNeeds.worlds(upTo: jobs)
    guard fitting < jobs else { return }
    throw ValidationError(
      "the limit of address space is too low for --jobs \(jobs); --jobs \(fitting) fits; see 'ulimit -v'")
  }
}
