import Checks
import DevicePlatform
import Foundation
import Synchronization
import Vocabulary

/// The sandbox in confined processes of its own. Their output counts if it is exactly one readable answer for each call;
/// everything else is a refusal.
///
/// A process answers several calls only for one page origin, and only in one sandbox: that of one device in one world. So
/// code of a website that took over a process meets only requests of the same website. The process of a refused request
/// ends before the call returns.
///
/// The result does not depend on timing, except that waiting for a process has a limit.
final class SandboxWorker: Sendable {
  /// A process that has answered, and waits for the next call.
  private struct Kept {
    let process: SandboxProcess
    let origin: String
    /// The number of answered calls.
    let calls: Int
  }

  /// The maximum number of calls of a process: more than a person makes in a row, and an end of what it could collect.
  static let maximumCalls = 64

  /// The longest call in bytes after which a process gets another: parsing it takes little of the memory that the process can
  /// map, so every call has nearly all of it. Usual calls have some thousand bytes.
  static let maximumKeptLength = 64 << 10

  /// The most processor time in nanoseconds that a process may have used before a call: a twentieth of its limit, so that
  /// every call has nearly all of it.
  static let maximumEarlierTime = 100_000_000

  private let launcher: any SandboxLauncher
  private let maximumEarlierTime: Int
  private let kept = Mutex<Kept?>(nil)

  /// - Parameters:
  ///   - launcher: Starts the processes.
  ///   - maximumEarlierTime: The most processor time in nanoseconds that a process may have used before a call.
  package init(launcher: any SandboxLauncher, maximumEarlierTime: Int = maximumEarlierTime) {
    self.launcher = launcher
    self.maximumEarlierTime = maximumEarlierTime
  }

  /// Gets a process's answer to a call.
  ///
  /// - Parameters:
  ///   - call: The JSON of a `ParseBody`.
  ///   - origin: The origin of the page, known to the device; nil if only another device names it. Such a call has a
  ///     process of its own.
  ///   - station: The sandbox's place in the world; nil outside a world.
  /// - Throws: ``SandboxRefusal`` with a reason of `sandbox.worker`.
  func answer(
    to call: [UInt8], from origin: String? = nil, at station: Station? = nil
  ) throws(SandboxRefusal) -> SandboxAnswer {
    // A call that is too long for any process is refused without one.
    guard call.count <= SandboxFrame.maximumCallLength else { return RequestSandbox.answer(to: call) }
    let earlier = takeKept(for: origin, at: station)
    let process = if let earlier { earlier.process } else { try start(at: station) }
    defer { process.callEnded() }
    var exchange = SandboxExchange(with: process, call: call)
    switch exchange.run() {
    case .answered(let answer):
      let calls = (earlier?.calls ?? 0) + 1
      if let origin, case .partialRequest = answer.content, exchange.hasSentCall, calls < Self.maximumCalls,
        call.count <= Self.maximumKeptLength
      {
        kept.withLock { $0 = Kept(process: process, origin: origin, calls: calls) }
      } else {
        process.end()
      }
      return answer
    case .unreadable(let found):
      process.end()
      throw SandboxRefusal(.worker, .garbage, evidence: [CheckResult.Evidence("answer", found: found)])
    case .tooSlow:
      process.end()
      throw SandboxRefusal(.worker, .time)
    case .heldUp:
      process.end()
      station?.scheduler.disturb("the sandbox's process was stopped, or did not get a processor, on this machine")
      throw SandboxRefusal(.worker, .time)
    case .ended:
      let end = process.end()
      if end.isByMachine {
        station?.scheduler.disturb(
          "the sandbox's process was ended on this machine, not by its input: \(end.description)")
      }
      throw .ended(end)
    }
  }

  /// Starts a process. That it cannot be started is never the outcome of a world.
  private func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess {
    do {
      return try launcher.start(at: station)
    } catch {
      station?.scheduler.disturb(error.message)
      throw error
    }
  }

  /// Ends the process that waits for a call.
  func end() { takeKept()?.process.end() }

  private func takeKept() -> Kept? {
    kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
  }

  /// The process for the next call from an origin, or nil if it gets a new one. A process that cannot have it is ended.
  private func takeKept(for origin: String?, at station: Station?) -> Kept? {
    guard let kept = takeKept() else { return nil }
    if kept.origin == origin, !launcher.needsStart(at: station), kept.process.isReady(within: maximumEarlierTime) {
      return kept
    }
    kept.process.end()
    return nil
  }
}

extension SandboxProcess {
  /// The processor time so far in nanoseconds, or nil if the process does not exist.
  var processorTime: Int? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Indicates whether a process that has answered can get another call: it is there, has sent nothing since, and its limit
  /// of processor time is nearly unused.
  fileprivate func isReady(within maximumTime: Int) -> Bool {
    var byte: UInt8 = 0
    // Nothing to read and not closed.
    guard recv(stream, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0, errno == EAGAIN,
      let processorTime
    else { return false }
    return processorTime <= maximumTime
  }
}

extension SandboxRefusal {
  /// A process that ended in place of an answer.
  fileprivate static func ended(_ end: SandboxProcess.End) -> SandboxRefusal {
    switch (end.signal, SandboxExit(rawValue: end.status)) {
    case (0, .outOfMemory): SandboxRefusal(.worker, .memory)
    case (SIGSYS, _): SandboxRefusal(.worker, .forbidden)
    case (SIGXCPU, _): SandboxRefusal(.worker, .time)
    case _ where end.isAtTimeLimit: SandboxRefusal(.worker, .time)
    default: .died(end)
    }
  }

  /// A process that ended for a reason that has no code.
  static func died(_ end: SandboxProcess.End) -> SandboxRefusal {
    SandboxRefusal(.worker, .died, evidence: [CheckResult.Evidence("end", found: end.description)])
  }
}

/// Starts the processes in which a sandbox answers calls.
package protocol SandboxLauncher: Sendable {
  /// Starts a process.
  /// - Parameter station: The sandbox's place in the world; nil outside a world.
  /// - Throws: ``SandboxRefusal`` with a reason of `sandbox.worker`.
  func start(at station: Station?) throws(SandboxRefusal) -> SandboxProcess

  /// Indicates whether the next call needs a new process, even if one waits for it.
  func needsStart(at station: Station?) -> Bool
}

extension SandboxLauncher {
  package func needsStart(at station: Station?) -> Bool { false }
}
