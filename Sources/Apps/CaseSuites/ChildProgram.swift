import Foundation
import Synchronization

/// The programs that a suite starts.
package enum ChildProgram {
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

  /// Starts a program if enough descriptors are free.
  ///
  /// - Parameter pipes: connects the program's streams with new pipes.
  /// - Returns: the pipes.
  package static func start<Pipes>(
    _ process: Process, connecting pipes: (Process) -> Pipes
  ) throws(Failure) -> Pipes {
    try starts.withLock { _ throws(Failure) in
      let free = (0..<descriptors).map { _ in open("/dev/null", O_RDONLY) }
      for descriptor in free where descriptor >= 0 { close(descriptor) }
      guard !free.contains(where: { $0 < 0 }) else { throw .descriptors }
      let connected = pipes(process)
      do { try process.run() } catch { throw .refused(error) }
      return connected
    }
  }
}
