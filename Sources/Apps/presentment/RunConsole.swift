import BatchRuns
import Foundation
import Synchronization

/// The standard streams of a run: each line leaves at once, and a terminal shows the run's progress below the last one.
final class RunConsole: Sendable {
  private struct State {
    var isShown = false
    var lastDrawn: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now
  private let showsProgress = Terminal.isTerminal(STDERR_FILENO) && Terminal.isTerminal(STDOUT_FILENO)
  /// Prints lines on standard error, because a report has standard output.
  private let usesStandardError: Bool
  /// The shortest time between two drawings of the progress.
  private static let interval = Duration.milliseconds(50)

  /// Creates a console.
  init(usesStandardError: Bool) { self.usesStandardError = usesStandardError }

  /// The output of a run.
  var output: BatchRun.Output {
    BatchRun.Output(
      line: { [self] text in
        clear()
        if usesStandardError { return StandardError.write(text) }
        print(text)
        StandardOutput.flush()
      },
      error: { [self] text in
        clear()
        StandardError.write(text)
      }, progress: { [self] in draw($0) })
  }

  /// Ends the progress.
  func end() { clear() }

  private func draw(_ progress: BatchRun.Progress) {
    guard showsProgress else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.lastDrawn, now - last < Self.interval { return }
      state.lastDrawn = now
      state.isShown = true
      let seconds = max((now - start) / .seconds(1), 0.001)
      let failed = progress.failed == 0 ? "" : ", \(progress.failed) failed"
      Self.write(
        "\r\u{1B}[K\(progress.done) of \(progress.total)\(failed), \(Int(Double(progress.done) / seconds)) a second")
    }
  }

  private func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      Self.write("\r\u{1B}[K")
    }
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
