import Dispatch
import Foundation
import Synchronization

/// A program that a command starts.
package struct ChildProgram {
  /// The obstacles to a start.
  package enum Failure: Error, CustomStringConvertible {
    /// Too few descriptors are free.
    case descriptors
    /// The system does not start the program.
    case refused(any Error)

    /// The obstacle in words.
    package var description: String {
      switch self {
      case .descriptors: "this process may open too few files"
      case .refused(let error): "\(error)"
      }
    }
  }

  /// The descriptors that starting a program takes for a moment, with room. Foundation ends this program if there are
  /// fewer.
  private static let descriptors = 16
  private static let starts = Mutex(())

  /// The process.
  package let process: Process
  private let end: DispatchGroup

  /// Starts a program if enough descriptors are free.
  ///
  /// - Parameter pipes: Connects the program's streams with new pipes.
  /// - Returns: The program, and the pipes.
  package static func start<Pipes>(
    _ process: Process, connecting pipes: (Process) -> Pipes
  ) throws(Failure) -> (program: ChildProgram, pipes: Pipes) {
    try starts.withLock { _ throws(Failure) in
      let free = (0..<descriptors).map { _ in open("/dev/null", O_RDONLY) }
      for descriptor in free where descriptor >= 0 { close(descriptor) }
      guard !free.contains(where: { $0 < 0 }) else { throw .descriptors }
      let connected = pipes(process)
      let end = DispatchGroup()
      end.enter()
      process.terminationHandler = { _ in end.leave() }
      do { try process.run() } catch {
        end.leave()
        throw .refused(error)
      }
      return (ChildProgram(process: process, end: end), connected)
    }
  }

  /// Waits for the program's end.
  ///
  /// `waitUntilExit` waits until a time of the system's clock: if the clock is set back meanwhile, for as long as that.
  /// - Returns: The exit code, or the number of the signal that ended it.
  @discardableResult
  package func wait() -> Int32 {
    // The end is told on a new thread, which a machine may refuse; the state is set before.
    while end.wait(timeout: .now() + .seconds(1)) == .timedOut, process.isRunning {}
    return process.terminationStatus
  }
}
