import ArgumentParser
import Foundation
import Synchronization

/// The three standard descriptors of a program.
package enum StandardStreams {
  /// Prepares them, before the program opens a file.
  ///
  /// A closed descriptor would become the next file that is opened, and texts would be written into that file. So each
  /// one that is closed opens a device in the wrong direction: reading and writing fail, as with a closed one. Signals
  /// for a closed pipe and a file that is too large are ignored, so that the write fails, and is reported.
  package static func prepare() {
    // In this order, because a new descriptor is the lowest that is free.
    for (descriptor, direction) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", direction) }
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Writes a whole text.
  /// - Returns: The number of the error, or nil if the text is written.
  fileprivate static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(descriptor, part.baseAddress, part.count)
        guard count < 0 else {
          rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Another process made the stream one that does not wait.
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
        case let number: return number
        }
      }
      return nil
    }
  }
}

/// Standard error. Text that it does not take is lost, because no other place can say so.
package enum StandardError {
  /// Writes a line.
  package static func write(_ text: String) { put(text + "\n") }

  /// Writes a text as it is.
  package static func put(_ text: String) { _ = StandardStreams.write(text, to: STDERR_FILENO) }
}

extension ExitCode {
  /// Writes a message to standard error, and returns exit code 2.
  package static func failing(_ message: String) -> ExitCode {
    StandardError.write(message)
    return ExitCode(2)
  }
}

/// Standard output, which is not buffered: a reader of a pipe gets each text at once.
package enum StandardOutput {
  /// The number of the first error. No text after it is written, so that what is there is a beginning.
  private static let failure = Mutex<Int32?>(nil)

  /// Writes a line, or a text with another end.
  package static func print(_ text: String, terminator: String = "\n") {
    failure.withLock { failure in
      guard failure == nil else { return }
      failure = StandardStreams.write(text + terminator, to: STDOUT_FILENO)
    }
  }

  /// True if everything that was printed is written.
  package static var isWritten: Bool { failure.withLock { $0 == nil } }

  /// Ends a command whose result could not be printed.
  /// - Throws: Exit code 2, after a message, if something that was printed could not be written, for example because a
  ///   disk is full.
  package static func requireWritten() throws {
    guard let number = failure.withLock({ $0 }) else { return }
    throw ExitCode.failing("Error: standard output cannot be written: \(String(cString: strerror(number)))")
  }
}

/// Facts about the terminal.
package enum Terminal {
  /// The least width that help is wrapped to, in columns: the library for arguments loses its texts in a narrower one.
  private static let leastWidth = 60

  /// Widens a narrower `COLUMNS`, or the width of a narrower terminal, for the help of this process. A value of `COLUMNS`
  /// that is not a width is ignored.
  package static func widenHelp() {
    guard let width = statedWidth ?? knownWidth, width < leastWidth else { return }
    setenv("COLUMNS", "\(helpWidth)", 1)
  }

  private static var statedWidth: Int? { ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init) }

  private static var knownWidth: Int? {
    if let statedWidth, statedWidth > 0 { return statedWidth }
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// The width of help in columns, as the library for arguments wraps it: 80 if none is known.
  package static var helpWidth: Int { max(leastWidth, knownWidth ?? 80) }

  /// True if a stream goes to a terminal.
  package static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

  /// True if a stream goes to a terminal that can write a line again.
  package static func rewritesLines(_ stream: Int32) -> Bool {
    isTerminal(stream) && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// True if standard output goes to a terminal that shows colours, and `NO_COLOR` does not forbid them.
  package static var showsColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isTerminal(STDOUT_FILENO) && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}
