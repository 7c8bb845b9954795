import LocatedYAML
import Primitives
import Reports
import ScenarioLanguage
import ScenarioRunner

/// A run after which the expectations that failed are changed to what happened, in the files whose owner agrees.
public struct UpdateRun: Sendable {
  /// The files that are written.
  public enum Consent: Sendable {
    /// None: the differences are printed only.
    case none
    /// Every file.
    case all
    /// Those for which the answer is yes. Each is asked for after its difference.
    case asking(@Sendable (_ path: String) -> Bool)
  }

  private let batch: BatchRun
  private let consent: Consent
  private let write: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void

  /// Creates an update after a run.
  /// - Parameter write: Replaces the contents of a file.
  public init(
    _ batch: BatchRun, _ consent: Consent,
    write: @escaping @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void
  ) {
    self.batch = batch
    self.consent = consent
    self.write = write
  }

  /// Runs the cases and updates their files.
  /// - Returns: The result of the files as they are in the end.
  public func run(_ output: BatchRun.Output) -> RunReport.Verdict {
    let files = FilesOfRun(paths: batch.paths, threads: batch.settings.jobs)
    let (verdict, results) = batch.run(files, output)
    guard results.contains(where: \.isBad), !batch.settings.control.isInterrupted else { return verdict }
    var update = ExpectationUpdate(batch, files, results)
    update.run()
    guard !batch.settings.control.isInterrupted else { return .undecided }
    let (written, hasProblem) = propose(update.changed, output)
    for kept in update.kept {
      output.line("\(word(.kept))  \(SourceText.visible("\(kept.position)  \(kept.headline)"))")
      output.line("   " + SourceText.visible(kept.reason))
    }
    let rest = Set(update.changed.keys).subtracting(written)
    update.takeBack(rest)
    guard !batch.settings.control.isInterrupted else { return .undecided }
    let lost = Set(update.chosen.filter { update.results[$0] == nil }.map(\.file)).sorted()
    for file in lost {
      output.error("\(SourceText.visible(update.files[file]?.path ?? file)) was saved meanwhile, and is not judged")
    }
    var summary = RunSummary()
    for result in update.chosenResults { summary.add(result.outcome.verdict) }
    let count = written.reduce(0) { $0 + (update.changed[$1]?.expectations ?? 0) }
    output.line(
      "\(count.counted("expectation")) updated in \(written.count.counted("file"))"
        + (rest.isEmpty ? "" : ", \(rest.count.counted("difference")) not written") + "; now \(summary.text)")
    return hasProblem || !lost.isEmpty || verdict == .undecided ? .undecided : summary.verdict
  }

  /// Prints the differences, and writes the files for which the answer is yes.
  /// - Returns: The files that were written, and true if one could not be written.
  private func propose(
    _ changed: [String: ExpectationUpdate.Changed], _ output: BatchRun.Output
  ) -> (written: Set<String>, hasProblem: Bool) {
    var written: Set<String> = []
    var hasProblem = false
    for (file, change) in changed.sorted(by: { $0.value.old.path < $1.value.old.path }) {
      guard !batch.settings.control.isInterrupted else { break }
      let path = change.old.path
      output.line("\n" + batch.text.text(of: UnifiedDifference(of: change.old, to: change.new)))
      let (agrees, reason) =
        switch consent {
        case .none: (false, "  (give --yes to write)")
        case .all: (true, "")
        case .asking(let ask): (ask(path), "")
        }
      guard agrees else {
        output.line("\(word(.kept))  \(SourceText.visible(path))\(reason)")
        continue
      }
      do {
        // A person may have saved the file while the cases ran.
        guard try SourceFile(readingFrom: path).bytes == change.old.bytes else {
          output.error("\(SourceText.visible(path)) was saved meanwhile, and is not written")
          hasProblem = true
          continue
        }
        try write(path, change.new.bytes)
        written.insert(file)
        output.line("\(word(.written))  \(SourceText.visible(path))")
      } catch {
        output.error((error as? SourceProblem)?.rendered() ?? "\(error)")
        hasProblem = true
      }
    }
    if !changed.isEmpty { output.line("") }
    return (written, hasProblem)
  }

  private func word(_ word: TextReport.UpdateWord) -> String { batch.text.text(of: word) }
}
