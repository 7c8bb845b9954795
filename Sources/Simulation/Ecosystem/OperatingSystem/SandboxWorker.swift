import CWorkerProcess
import Checks
import DevicePlatform
import Foundation
import MobileDocument

/// The sandbox in a process of its own: a small program that runs once, confined, for each call. Its output counts if
/// it is exactly one readable answer and the process then ended by itself; everything else is a refusal. When a call
/// returns, its process is gone.
///
/// The result does not depend on timing, except that waiting for a process has a limit.
struct SandboxWorker: Sendable {
  /// Starts the process of a call.
  let launcher: any SandboxLauncher

  /// Gets the answer of a new process to a call.
  ///
  /// - Parameters:
  ///   - call: the JSON of a `ParseBody`.
  ///   - station: the sandbox's place in the world; nil outside a world.
  /// - Throws: ``SandboxRefusal`` with a reason of `sandbox.worker`.
  func answer(to call: [UInt8], at station: Station? = nil) throws(SandboxRefusal) -> SandboxAnswer {
    // A call that is too long for any process is refused without one.
    guard call.count <= SandboxFrame.maximumCallLength else { return RequestSandbox.answer(to: call) }
    var stream: Int32 = -1
    let process = launcher.start(&stream, at: station)
    guard process > 0 else {
      throw SandboxRefusal(
        .worker, .missing, adding: "\(launcher.program): \(String(cString: strerror(-process)))")
    }
    var exchange = SandboxExchange(stream: stream, process: process, call: call)
    let outcome = exchange.run()
    close(stream)
    return try Self.judge(outcome, worker_process_end(process))
  }

  private static func judge(
    _ outcome: SandboxExchange.Outcome, _ end: worker_process_end
  ) throws(SandboxRefusal) -> SandboxAnswer {
    switch outcome {
    case .tooSlow: throw SandboxRefusal(.worker, .time)
    case .unreadable(let found):
      throw SandboxRefusal(.worker, .garbage, evidence: [CheckResult.Evidence("answer", found: found)])
    case .ended(let answer):
      switch (end.signal, SandboxExit(rawValue: end.status)) {
      case (0, .answered): if let answer { return answer }
      case (0, .outOfMemory): throw SandboxRefusal(.worker, .memory)
      case (SIGSYS, _): throw SandboxRefusal(.worker, .forbidden)
      case (SIGXCPU, _): throw SandboxRefusal(.worker, .time)
      default: break
      }
      throw SandboxRefusal(.worker, .died, evidence: [CheckResult.Evidence("end", found: description(of: end))])
    }
  }

  /// The way that a process ended, in the same words for every architecture.
  private static func description(of end: worker_process_end) -> String {
    switch (end.signal, SandboxExit(rawValue: end.status)) {
    case (0, .unreadableCall): "it could not read the call"
    case (0, .unconfined): "it could not confine itself"
    case (0, .notReady): "it could not make itself ready"
    case (0, _): "exit status \(end.status)"
    case (SIGILL, _), (SIGTRAP, _): "a trap"
    default: "signal \(end.signal)"
    }
  }
}

/// Starts the process in which a sandbox answers one call.
package protocol SandboxLauncher: Sendable {
  /// Path of the program, for messages.
  var program: String { get }

  /// Starts a process.
  /// - Parameters:
  ///   - stream: receives the descriptor of the stream to the process.
  ///   - station: the sandbox's place in the world; nil outside a world.
  /// - Returns: the process, or a negative error number.
  func start(_ stream: inout Int32, at station: Station?) -> pid_t
}

/// The launcher of a world without faults: starts the program `presentment-sandbox` without arguments.
package struct StandardSandboxLauncher: SandboxLauncher {
  /// Path of the program.
  package let program: String

  /// Creates a launcher for a program.
  package init(program: String = SandboxProcess.path(of: "presentment-sandbox")) { self.program = program }

  /// Starts a process.
  package func start(_ stream: inout Int32, at station: Station?) -> pid_t {
    SandboxProcess.start(program, [], &stream)
  }
}

/// The processes of sandboxes.
package enum SandboxProcess {
  /// The path of a program beside the one that runs.
  package static func path(of name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }

  /// Starts a program with one end of a stream as its standard input and output.
  /// - Returns: the process, or a negative error number.
  package static func start(_ program: String, _ arguments: [String], _ stream: inout Int32) -> pid_t {
    // The runtime's own crash handler would be stopped by the confinement and hide the crash.
    withTexts([program] + arguments) { arguments in
      withTexts(["SWIFT_BACKTRACE=enable=no"]) { environment in
        worker_process_start(program, arguments, environment, &stream)
      }
    }
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
