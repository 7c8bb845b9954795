import Primitives
import ScenarioSearch
import Vocabulary

/// The result of a search for failures, as text.
package struct ExploreReport {
  private let result: ExploreResult
  private let file: String

  /// Creates the report.
  /// - Parameter file: The path of the scenario file of a failure.
  package init(_ result: ExploreResult, file: String) {
    self.result = result
    self.file = file
  }

  /// The result in lines.
  package var text: String {
    var text = ""
    print({ text += $0 }, writing: { _ in })
    return text
  }

  private var sum: String {
    "\(result.runs.counted("run")), \(result.steps.counted("step")), "
      + "\(result.faults.count.counted("fault")) that changed something"
  }

  /// What the search reached, as one page without scripts.
  package var page: String { ExplorePage(result, sum: sum).text }

  /// Prints the result and writes the scenario file of a failure. What was found is printed first, so that a file that
  /// cannot be written takes nothing away, and the lines about the file come only after it is written.
  /// - Throws: The error of the writing, after everything else is printed.
  package func print<Failure: Error>(
    _ output: (String) -> Void, writing write: (_ file: String) throws(Failure) -> Void
  ) throws(Failure) {
    guard let found = result.found else { return output("\(sum): no failure\n" + result.sandbox.searchNote) }
    func lines(_ lines: [String]) { output(lines.map { $0 + "\n" }.joined()) }
    lines(
      ["run \(found.run) fails: \(found.failure.headline) [\(found.failure.name)]"]
        + found.failure.evidence.map { "   \($0)" } + [
          "   world of: \(found.scenario.path)" + (found.scenario.caseName.map { ", case \($0)" } ?? ""),
          "   made smaller by \(found.attempts.counted("run")): \(found.steps.before.counted("step")) to "
            + "\(found.steps.after), \(found.bytes.before) bytes to \(found.bytes.after)",
        ])
    defer { output(sum + "\n" + result.sandbox.searchNote) }
    try write(found.file)
    lines([
      found.isRepeatable ? "   written: \(file)" : "   written: \(file), which does not fail in every run",
      "   again: presentment run \(file)",
    ])
  }
}

extension WorldDescription.SandboxPlace {
  /// The last line of a search whose sandboxes are not confined, with the reason; empty for one with processes.
  ///
  /// Measured with one job: 2,474 alterations of the headline take 34 s, confined 52 s; 1,500 runs of `explore` take
  /// 34 s, confined 55 s.
  var searchNote: String {
    switch self {
    case .process: ""
    case .inProcess:
      "requests are parsed in this process, not confined, to save a third of the time; --sandbox process confines it\n"
    }
  }
}
