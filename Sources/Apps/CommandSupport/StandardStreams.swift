import ArgumentParser
import Foundation
import Synchronization

/// Standard error.
package enum StandardError {
  /// Writes a line.
  package static func write(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

/// Standard output.
package enum StandardOutput {
  private static let failure = Mutex<Int32?>(nil)

  /// Writes what is still buffered.
  package static func flush() {
    // All streams: the name of the one stream is a variable of C.
    guard fflush(nil) != 0 else { return }
    let number = errno
    failure.withLock { $0 = $0 ?? number }
  }

  /// Writes what is still buffered.
  /// - Throws: exit code 2, after a message, if something that was printed could not be written, for example because a
  ///   disk is full.
  package static func requireWritten() throws {
    flush()
    guard let number = failure.withLock({ $0 }) else { return }
    StandardError.write("Error: standard output cannot be written: \(String(cString: strerror(number)))")
    throw ExitCode(2)
  }
}

/// Facts about the terminal.
package enum Terminal {
  /// True if a stream goes to a terminal.
  package static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

  /// True if standard output goes to a terminal that shows colours, and `NO_COLOR` does not forbid them.
  package static var showsColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isTerminal(STDOUT_FILENO) && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}
