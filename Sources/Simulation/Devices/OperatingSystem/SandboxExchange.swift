import DevicePlatform
import Foundation
import Glibc

/// A call and its answer on a stream to an untrusted process.
struct SandboxExchange {
  /// The outcome of an exchange.
  enum Outcome {
    /// The process gave its answer.
    case answered(SandboxAnswer)
    /// The process closed the stream without an answer.
    case ended
    /// The output is not an answer.
    case unreadable(String)
    /// The process is inactive.
    case tooSlow
    /// This machine stopped the process, or did not let it run.
    case heldUp
  }

  /// The time without activity before the process is inspected, in milliseconds: far longer than a healthy one takes.
  static let lookingMilliseconds: Int32 = 250
  /// The number of consecutive inspections that must find it asleep. A process that waits for a processor is not
  /// asleep, so a busy machine does not end it; a process that computes is ended by its own limit.
  static let looksBeforeEnd = 3
  /// The maximum duration in seconds: longer than a machine is overloaded.
  static let longestSeconds = 60

  private let stream: Int32
  private let process: pid_t
  private var pending: ArraySlice<UInt8>
  private var received: [UInt8] = []

  init(with process: SandboxProcess, call: [UInt8]) {
    stream = process.stream
    self.process = process.identifier
    pending = (SandboxFrame.header(for: call) + call)[...]
  }

  /// Indicates whether the process could read the whole call.
  var hasSentCall: Bool { pending.isEmpty }

  mutating func run() -> Outcome {
    // The process reads its next call or is about to, and a usual call fits into the stream.
    send()
    let end = Self.monotonicSeconds + Self.longestSeconds
    var looks: [ProcessLook?] = []
    while Self.monotonicSeconds < end {
      let wanted = POLLIN | (pending.isEmpty ? 0 : POLLOUT)
      var descriptor = pollfd(fd: stream, events: Int16(wanted), revents: 0)
      switch poll(&descriptor, 1, Self.lookingMilliseconds) {
      case 0:
        let look = ProcessLook(process)
        if look?.isAsleep == false || looks.last.map({ $0 != look }) ?? false { looks = [] }
        if look?.isAsleep == true { looks.append(look) }
        // The process cannot stop itself.
        if looks.count >= Self.looksBeforeEnd { return look?.isStopped == true ? .heldUp : .tooSlow }
      case 1:
        looks = []
        if Int32(descriptor.revents) & POLLOUT != 0 { send() }
        if Int32(descriptor.revents) & ~POLLOUT != 0, let outcome = receive() { return outcome }
      default: if errno != EINTR { return .ended }
      }
    }
    return .heldUp
  }

  /// Sends as much as the stream accepts. A process that has closed the stream may have answered, so its output is
  /// still read.
  private mutating func send() {
    let sent = pending.withUnsafeBytes {
      Glibc.send(stream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if sent >= 0 {
      pending = pending.dropFirst(sent)
    } else if errno != EAGAIN && errno != EINTR {
      pending = []
    }
  }

  private mutating func receive() -> Outcome? {
    let (count, error) = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(stream, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      let error = errno
      if count > 0 { received += buffer[..<count] }
      return (count, error)
    }
    if count > 0 { return take() }
    if count < 0 && (error == EAGAIN || error == EINTR) { return nil }
    return .ended
  }

  /// Checks the bytes received so far.
  private mutating func take() -> Outcome? {
    guard received.count >= SandboxFrame.headerLength else { return nil }
    let length = SandboxFrame.length(received.prefix(SandboxFrame.headerLength))
    guard length <= SandboxFrame.maximumAnswerLength else {
      return .unreadable("\(length) bytes; at most \(SandboxFrame.maximumAnswerLength) are accepted")
    }
    // The order of these checks does not depend on the sizes of the received pieces.
    let rest = received.dropFirst(SandboxFrame.headerLength)
    guard rest.count >= length else { return nil }
    let bytes = Array(rest.prefix(length))
    guard let answer = SandboxAnswer(bytes) else { return .unreadable("\(length) bytes that are not an answer") }
    guard rest.count == length else { return .unreadable("more than one answer") }
    return .answered(answer)
  }

  private static var monotonicSeconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

/// The kernel's information about a process.
private struct ProcessLook: Equatable {
  let state: Character
  /// The processor time so far, in the kernel's units.
  let processorTime: [Substring]

  /// True if the process waits for something other than a processor or a disk.
  var isAsleep: Bool { state == "S" || isStopped }

  /// True if another process stopped it.
  var isStopped: Bool { state == "T" || state == "t" }

  /// Reads the information about a process, or returns nil if it is not available.
  init?(_ process: pid_t) {
    // proc(5): the name is in parentheses and may contain parentheses; the state follows it.
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[name...].split(separator: " ")
    guard fields.count > 13, let state = fields[1].first else { return nil }
    self.state = state
    processorTime = Array(fields[12...13])
  }
}
