import Foundation

/// A running `RegistrationStressTool`, read line by line until it is killed.
final class ChurnProcess {
  struct DidNotStart: Error { let reason: String }

  private let process: pid_t
  private let output: Int32
  private var said: [UInt8] = []

  /// Starts the process with no signal blocked: the test runner may have blocked any.
  init(path: String, seed: UInt64, first: Int) throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("RegistrationStressTool").path
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw DidNotStart(reason: String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    sigemptyset(&signals)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words: [String] = [program, path, "\(seed)", "\(first)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let status = posix_spawn(&process, program, &actions, &attributes, arguments, environ)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw DidNotStart(reason: "\(program): \(String(cString: strerror(status)))")
    }
    self.process = process
    output = ends[0]
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
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init), status & 0x7f)
  }
}
