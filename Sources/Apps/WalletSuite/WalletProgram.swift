import CommandSupport
import Foundation
import OwnWallets
import Primitives

/// A wallet of one's own as a program: messages go to its standard input as lines of JSON, answers come from its standard
/// output.
final class WalletProgram: WalletCaller {
  private let program: ChildProgram
  private let pipes: (input: Pipe, output: Pipe, errors: Pipe)
  private let limits: WalletTarget.Limits
  /// Output that has not been read as a line.
  private var received: [UInt8] = []
  /// The end of the program's log.
  private var log: [UInt8] = []

  /// Starts the program.
  init(_ target: WalletTarget) throws(WalletFailure) {
    limits = target.limits
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = target.program
    process.currentDirectoryURL = URL(fileURLWithPath: target.folder)
    do throws(ChildProgram.Failure) {
      (program, pipes) = try ChildProgram.start(process) { process in
        let pipes = (Pipe(), Pipe(), Pipe())
        process.standardInput = pipes.0
        process.standardOutput = pipes.1
        process.standardError = pipes.2
        return pipes
      }
    } catch {
      throw WalletFailure(.start, "the wallet's program cannot be started", evidence: error.description)
    }
    for descriptor in [writing, reading, logging] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  private var writing: Int32 { pipes.input.fileHandleForWriting.fileDescriptor }
  private var reading: Int32 { pipes.output.fileHandleForReading.fileDescriptor }
  private var logging: Int32 { pipes.errors.fileHandleForReading.fileDescriptor }

  func ask(_ message: [UInt8], number: Int) throws(WalletFailure) -> [UInt8] {
    let end = ContinuousClock.now + limits.timeout
    try send(message + [UInt8(ascii: "\n")], until: end)
    let line = try line(until: end)
    do throws(WalletFailure) { _ = try WalletAnswer(line: line, to: number) } catch {
      throw failure(error.code, error.message, error.evidence)
    }
    return line
  }

  /// Writes a line. Meanwhile the program's output is read, so that neither waits for the other.
  private func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(WalletFailure) {
    var sent = 0
    while sent < bytes.count {
      try wait(forWriting: true, until: end)
      let count = bytes[sent...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EPIPE {
        throw ended()
      }
    }
  }

  /// Reads a line.
  private func line(until end: ContinuousClock.Instant) throws(WalletFailure) -> [UInt8] {
    var searched = 0
    while true {
      if let place = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<place])
        received.removeFirst(place + 1)
        return line
      }
      searched = received.count
      try wait(forWriting: false, until: end)
    }
  }

  private static let chunk = 1 << 16
  private static let longestLog = 1 << 11

  /// Waits until something can be read, or written, and reads what there is.
  private func wait(forWriting isWriting: Bool, until end: ContinuousClock.Instant) throws(WalletFailure) {
    let rest = end - ContinuousClock.now
    guard rest > .zero else {
      throw failure(.timeout, "the wallet's program did not answer within \(limits.timeout.words)")
    }
    var descriptors = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: logging, events: Int16(POLLIN), revents: 0),
    ]
    if isWriting { descriptors.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)) }
    // A closed log is ready all the time.
    if isLogClosed { descriptors[1].fd = -1 }
    _ = poll(&descriptors, nfds_t(descriptors.count), Int32((rest / .milliseconds(1)).rounded(.up)))
    if descriptors[1].revents != 0 { isLogClosed = !readLog() }
    guard descriptors[0].revents != 0 else { return }
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    let count = read(reading, &chunk, chunk.count)
    if count == 0 { throw ended() }
    guard count > 0 else { return }
    received += chunk[..<count]
    guard received.count <= limits.answer else {
      throw failure(.tooLong, "an answer of the wallet's program is longer than \(limits.answer) bytes")
    }
  }

  private var isLogClosed = false

  /// Reads a part of the program's log. Returns false at its end.
  private func readLog() -> Bool {
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    let count = read(logging, &chunk, chunk.count)
    guard count > 0 else { return count < 0 }
    log = Array((log + chunk[..<count]).suffix(Self.longestLog))
    return true
  }

  private func ended() -> WalletFailure {
    // The reason is in the log, of which the end may not have been read.
    if !isLogClosed {
      while readLog() {
        var ready = [pollfd(fd: logging, events: Int16(POLLIN), revents: 0)]
        if poll(&ready, 1, 0) <= 0 { break }
      }
    }
    return failure(.ended, "the wallet's program ended")
  }

  private func failure(_ code: WalletFailureCode, _ message: String, _ evidence: String? = nil) -> WalletFailure {
    let last = String(decoding: log, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
    let told = last.map { "its log ends with: \(TerminalSafe.text($0))" }
    let parts = [evidence, told].compactMap(\.self)
    return WalletFailure(code, message, evidence: parts.isEmpty ? nil : parts.joined(separator: "; "))
  }

  /// The time in which a program ends after the end of its input.
  private static let patience = Duration.seconds(1)

  func end() {
    try? pipes.input.fileHandleForWriting.close()
    let end = ContinuousClock.now + Self.patience
    while program.process.isRunning, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.005) }
    // It may have been started with every other signal blocked.
    if program.process.isRunning { kill(program.process.processIdentifier, SIGKILL) }
    program.wait()
  }
}

extension Duration {
  /// The time in words, for messages.
  fileprivate var words: String {
    let (seconds, rest) = components
    return rest == 0 ? "\(seconds) s" : "\(Int((self / .milliseconds(1)).rounded())) ms"
  }
}
