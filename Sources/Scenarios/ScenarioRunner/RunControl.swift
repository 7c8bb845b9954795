import Dispatch
import LocatedYAML
import SimulationKernel
import Synchronization

/// Ends a run of many cases early, and cases that take too long. Any thread may use it.
public final class RunControl: Sendable {
  private struct State {
    var isStopped = false
    var interruption: String?
    var running: [ObjectIdentifier: RunLimits] = [:]
  }

  private let state = Mutex(State())
  /// The most steps of the world that a case may take; nil for any number.
  public let steps: Int?
  /// The longest time of this machine that a case may take; nil for any.
  public let time: Duration?

  /// Creates a control.
  ///
  /// - Parameters:
  ///   - steps: The most steps of the world that a case may take; nil for any number.
  ///   - time: The longest time of this machine that a case may take; nil for any.
  public init(steps: Int? = nil, time: Duration? = nil) {
    self.steps = steps
    self.time = time
  }

  /// True if no further case begins.
  public var isStopped: Bool { state.withLock { $0.isStopped } }

  /// True if ``interrupt()`` was called.
  public var isInterrupted: Bool { state.withLock { $0.interruption != nil } }

  /// Lets the cases that run end, and begins no other.
  public func stop() { state.withLock { $0.isStopped = true } }

  /// Ends the cases that run, and begins no other.
  public func interrupt() {
    let reason = "the run was interrupted"
    let running = state.withLock { state in
      state.isStopped = true
      state.interruption = reason
      return Array(state.running.values)
    }
    for limits in running { limits.end(because: reason) }
  }

  /// Runs a case under the limits. Returns nil if the run was interrupted meanwhile.
  func run(_ body: (RunLimits) -> CaseResult) -> CaseResult? {
    let limits = RunLimits(steps: steps ?? .max)
    state.withLock { state in
      state.running[ObjectIdentifier(limits)] = limits
      if let reason = state.interruption { limits.end(because: reason) }
    }
    var timeLimit: DispatchWorkItem?
    if let time {
      let item = DispatchWorkItem { limits.end(because: "the case takes longer than \(DurationUnit.text(time))") }
      DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1), execute: item)
      timeLimit = item
    }
    let result = body(limits)
    timeLimit?.cancel()
    return state.withLock { state in
      state.running[ObjectIdentifier(limits)] = nil
      return state.interruption != nil && result.isUndecided ? nil : result
    }
  }
}
