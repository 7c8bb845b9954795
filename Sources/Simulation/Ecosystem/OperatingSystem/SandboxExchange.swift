import DevicePlatform
import Foundation
import Glibc

/// A call and its answer on a stream to a process that may do anything.
struct SandboxExchange {
  /// How it ended.
  enum Outcome {
    /// The process closed the stream, after an answer or without one.
    case ended(SandboxAnswer?)
    /// What it sent is no answer.
    case unreadable(String)
    /// It does nothing any more.
    case tooSlow
  }

  /// For how long nothing happens before the process is looked at, in milliseconds: far more than a healthy one takes.
  static let lookingMilliseconds: Int32 = 250
  /// How many looks in a row must find it asleep. One that waits for a processor is not asleep, however long it takes,
  /// so a busy machine ends nobody; one that computes is ended by its own limit.
  static let looksBeforeEnd = 3
  /// For how long it is borne with whatever it does, in seconds: longer than any machine is that busy.
  static let longestSeconds = 60

  private let stream: Int32
  private let process: pid_t
  private var pending: ArraySlice<UInt8>
  private var received: [UInt8] = []
  private var answer: SandboxAnswer?

  init(stream: Int32, process: pid_t, call: [UInt8]) {
    self.stream = stream
    self.process = process
    pending = (SandboxFrame.header(for: call) + call)[...]
  }

  mutating func run() -> Outcome {
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
        if looks.count >= Self.looksBeforeEnd { return .tooSlow }
      case 1:
        looks = []
        if Int32(descriptor.revents) & POLLOUT != 0 { send() }
        if Int32(descriptor.revents) & ~POLLOUT != 0, let outcome = receive() { return outcome }
      default:
        if errno != EINTR { return .ended(nil) }
      }
    }
    return .tooSlow
  }

  /// Sends what the stream takes. Whoever has closed it has perhaps said why, so that is read all the same.
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
    return .ended(answer)
  }

  /// Looks at what has come so far.
  private mutating func take() -> Outcome? {
    guard received.count >= SandboxFrame.headerLength else { return nil }
    let length = SandboxFrame.length(received.prefix(SandboxFrame.headerLength))
    guard length <= SandboxFrame.maximumAnswerLength else {
      return .unreadable("\(length) bytes; at most \(SandboxFrame.maximumAnswerLength) are accepted")
    }
    // In an order that does not depend on how much came at once.
    let rest = received.dropFirst(SandboxFrame.headerLength)
    guard rest.count >= length else { return nil }
    if answer == nil { answer = SandboxAnswer(Array(rest.prefix(length))) }
    guard answer != nil else { return .unreadable("\(length) bytes that are no answer") }
    guard rest.count == length else { return .unreadable("more than one answer") }
    // Nothing more is coming: a process that still reads ends now.
    shutdown(stream, Int32(SHUT_WR))
    return nil
  }

  private static var monotonicSeconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}

/// What the kernel says about a process at a moment.
private struct ProcessLook: Equatable {
  let state: Character
  /// Processor time so far, in the kernel's units.
  let processorTime: [Substring]

  /// Whether it waits for something that is not a processor or a disk.
  var isAsleep: Bool { state == "S" || state == "T" || state == "t" }

  /// Looks at a process; nil when the kernel says nothing.
  init?(_ process: pid_t) {
    // proc(5): the name stands in parentheses and may itself contain some; state is the field behind it.
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let name = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[name...].split(separator: " ")
    guard fields.count > 13, let state = fields[1].first else { return nil }
    self.state = state
    processorTime = Array(fields[12...13])
  }
}
