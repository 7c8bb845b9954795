import BatchRuns
import CommandSupport
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
  private let showsProgress = Terminal.rewritesLines(STDERR_FILENO) && Terminal.isTerminal(STDOUT_FILENO)
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
        StandardOutput.print(text)
      },
      error: { [self] text in
        clear()
        StandardError.write(text)
      }, progress: { [self] in draw($0) })
  }

  /// True if the lines go to a terminal.
  var isTerminal: Bool { Terminal.isTerminal(usesStandardError ? STDERR_FILENO : STDOUT_FILENO) }

  /// Asks a question on the terminal. The answer is yes if it is `y` or `yes`.
  /// - Parameter isEnded: True if the answer is not awaited any longer.
  func asks(_ question: String, until isEnded: () -> Bool) -> Bool {
    clear()
    if usesStandardError {
      StandardError.put(question)
    } else {
      StandardOutput.print(question, terminator: "")
    }
    while !isEnded() {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 100) > 0 else { continue }
      let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
      return answer == "y" || answer == "yes"
    }
    return false
  }

  /// Ends the progress.
  func end() { clear() }

  private func draw(_ progress: BatchRun.Progress) {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      if let last = state.lastDrawn, now - last < Self.interval { return false }
      state.lastDrawn = now
      return true
    }
    if isDue { show(done: progress.done, of: progress.total, failed: progress.failed) }
  }

  /// Shows on a terminal how many cases have ended.
  /// - Parameter failed: The number of those that failed or are undecided.
  func show(done: Int, of total: Int, failed: Int) {
    guard showsProgress else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      state.isShown = true
      let seconds = max((now - start) / .seconds(1), 0.001)
      let bad = failed == 0 ? "" : ", \(failed) failed"
      StandardError.put("\r\u{1B}[K\(done) of \(total)\(bad), \(Int(Double(done) / seconds)) a second")
    }
  }

  private func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      StandardError.put("\r\u{1B}[K")
    }
  }
}
