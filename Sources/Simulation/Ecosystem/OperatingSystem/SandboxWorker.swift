import Checks
import DevicePlatform
import Foundation

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
    let process = try launcher.start(at: station)
    var exchange = SandboxExchange(stream: process.stream, process: process.identifier, call: call)
    let outcome = exchange.run()
    return try Self.judge(outcome, process.end())
  }

  private static func judge(
    _ outcome: SandboxExchange.Outcome, _ end: SandboxProcess.End
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
      throw .died(end)
    }
  }
}

extension SandboxRefusal {
  /// A process that ended without an answer.
  static func died(_ end: SandboxProcess.End) -> SandboxRefusal {
    SandboxRefusal(.worker, .died, evidence: [CheckResult.Evidence("end", found: end.description)])
  }
}

/// Starts the process in which a sandbox answers one call.
package protocol SandboxLauncher: Sendable {
  /// Starts a process.
  /// - Parameter station: the sandbox's place in the world; nil outside a world.
  /// - Throws: ``SandboxRefusal`` with a reason of `sandbox.worker`.
  func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess
}
