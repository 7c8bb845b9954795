import CWorkerProcess
import DevicePlatform
import Foundation
import Synchronization

/// A process in which a sandbox answers calls, with the stream to it. It ends at the latest with this object.
package final class SandboxProcess: Sendable {
  /// The way that a process ended.
  struct End: Sendable, Equatable {
    /// The signal that ended it, or 0.
    let signal: Int32
    /// Its exit status.
    let status: Int32
    /// The processor time that it used, in whole seconds.
    let processorSeconds: Int
    /// True if a fault of the world killed it.
    let isKilledByFault: Bool

    init(_ end: worker_process_end, isKilledByFault: Bool) {
      signal = end.signal
      status = end.status
      processorSeconds = end.processor_seconds
      self.isKilledByFault = isKilledByFault
    }

    /// The signals by which code in the process can end it: traps, abort(), the filter and the limit of processor time.
    private static let ownSignals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS, SIGXCPU]

    /// True if SIGKILL ended it at its limit of processor time, which code that blocks SIGXCPU gets.
    var isAtTimeLimit: Bool { signal == SIGKILL && processorSeconds >= SandboxLimit.processorSeconds }

    /// True if this machine ended the process or did not let it begin, whatever its call was.
    var isByMachine: Bool {
      if signal != 0 { return !isKilledByFault && !isAtTimeLimit && !Self.ownSignals.contains(signal) }
      return [.unconfined, .notReady].contains(SandboxExit(rawValue: status))
    }

    /// The end in the same words for every architecture.
    var description: String {
      switch (signal, SandboxExit(rawValue: status)) {
      case (0, .unreadableCall): "it could not read the call"
      case (0, .unconfined): "it could not confine itself"
      case (0, .notReady): "it could not make itself ready"
      case (0, _): "exit status \(status)"
      case (SIGILL, _), (SIGTRAP, _): "a trap"
      default: "signal \(signal)"
      }
    }
  }

  /// The descriptor of the stream.
  package let stream: Int32
  /// The process's identifier, which is its own until its end was asked for.
  package let identifier: pid_t
  /// Called once: after the first call, or the end before it.
  private let afterFirstCall: Mutex<(@Sendable () -> Void)?>
  /// True if a fault of the world killed it.
  private let isKilledByFault = Mutex(false)
  /// The end, when it has ended.
  private let finalEnd = Mutex<End?>(nil)

  /// A child of this process.
  package init(_ identifier: pid_t, stream: Int32, afterFirstCall: (@Sendable () -> Void)? = nil) {
    self.identifier = identifier
    self.stream = stream
    self.afterFirstCall = Mutex(afterFirstCall)
  }

  deinit { end() }

  /// Lets the launcher make its next process. Has an effect once.
  func callEnded() {
    let action = afterFirstCall.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  /// Kills the process as a fault of the world.
  package func killAsFault() {
    isKilledByFault.withLock { $0 = true }
    kill(identifier, SIGKILL)
  }

  /// Closes the stream, ends the process if it has not ended by itself, and returns its end.
  @discardableResult
  func end() -> End {
    defer { callEnded() }
    return finalEnd.withLock { end in
      if let end { return end }
      close(stream)
      let new = End(worker_process_end(identifier), isKilledByFault: isKilledByFault.withLock { $0 })
      end = new
      return new
    }
  }

  /// Starts a program with one end of a stream as its standard input and output.
  /// - Throws: ``SandboxRefusal`` with the reason `missing`.
  package static func start(_ program: String, _ arguments: [String] = []) throws(SandboxRefusal) -> SandboxProcess {
    var stream: Int32 = -1
    // The runtime's own crash handler would be stopped by the confinement and hide the crash.
    let process = withTexts([program] + arguments) { arguments in
      withTexts(["SWIFT_BACKTRACE=enable=no"]) { environment in
        worker_process_start(program, arguments, environment, &stream)
      }
    }
    guard process > 0 else { throw .notStarted(program, error: -process) }
    return SandboxProcess(process, stream: stream)
  }

  /// The path of a program beside the one that runs.
  package static func path(of name: String) -> String { ownPath.dropLast().map { "/\($0)" }.joined() + "/\(name)" }

  /// The name of the program that runs.
  package static var ownName: String { ownPath.last.map(String.init) ?? "presentment" }

  private static var ownPath: [Substring] {
    ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "").split(separator: "/")
  }

  /// Calls a function with strings as in C: a list that ends with a null pointer.
  private static func withTexts<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}

extension SandboxRefusal {
  /// A process that could not be started.
  static func notStarted(_ program: String, error: Int32) -> SandboxRefusal {
    notStarted(program, because: String(cString: strerror(error)))
  }

  /// A process that could not be started.
  static func notStarted(_ program: String, because reason: String) -> SandboxRefusal {
    SandboxRefusal(.worker, .missing, adding: "\(program): \(reason)")
  }
}
