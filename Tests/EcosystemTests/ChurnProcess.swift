import CWorkerProcess
import Foundation

/// A running `RegistrationStressTool`, read line by line until it is killed.
final class ChurnProcess {
  struct DidNotStart: Error { let reason: String }

  private let process: pid_t
  private let output: Int32
  private var said: [UInt8] = []

  /// Starts the process as sandboxes are started: it inherits neither blocked signals nor the sockets of other tests.
  init(path: String, seed: UInt64, first: Int) throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("RegistrationStressTool").path
    let words: [String] = [program, path, "\(seed)", "\(first)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var stream: Int32 = -1
    process = worker_process_start(program, arguments, environ, &stream)
    output = stream
    guard process > 0 else { throw DidNotStart(reason: "\(program): \(String(cString: strerror(-process)))") }
  }

  /// Waits until the process has written a number of lines, or has ended.
  func wait(forLines count: Int) {
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < count, readSome() {}
  }

  private func readSome() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = read(output, &buffer, buffer.count)
    guard length > 0 else { return false }
    said += buffer[..<length]
    return true
  }

  /// Kills the process after it has written a number of lines and a number of microseconds have passed.
  /// - Returns: the lines that it wrote, and the signal that ended it; 0 if it ended by itself.
  @discardableResult
  func kill(afterLines count: Int, andMicroseconds microseconds: Int) -> (lines: [String], signal: Int32) {
    wait(forLines: count)
    usleep(UInt32(microseconds))
    Glibc.kill(process, SIGKILL)
    while readSome() {}
    close(output)
    let signal = worker_process_end(process).signal
    return (String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init), signal)
  }
}
