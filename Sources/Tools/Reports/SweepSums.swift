import Primitives

/// The sums of the sweeps of several scenarios, a line for each, and one for all.
package struct SweepSums {
  private var lines: [String] = []
  private var counts = SweepReport.Counts()
  private var unswept = 0

  /// Sums without a scenario.
  package init() {}

  /// Adds the sweep of a scenario.
  /// - Parameter path: The file of the scenario.
  package mutating func add(_ report: SweepReport, of path: String) {
    counts += report.counts
    lines.append("\(TerminalSafe.text(path)): \(report.sums)")
  }

  /// Adds a file whose scenario could not be swept.
  package mutating func addUnswept(_ path: String) {
    unswept += 1
    lines.append("\(TerminalSafe.text(path)): not swept")
  }

  /// The lines.
  package var text: String {
    let missing = unswept > 0 ? ", \(unswept) not swept" : ""
    return lines.map { $0 + "\n" }.joined() + "\n\(lines.count.counted("scenario"))\(missing): \(counts.text)\n"
  }
}
