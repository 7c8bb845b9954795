import MobileDocument
import WebPresentment

/// How calls and answers travel between the system and a sandbox in a process of its own: their length in four bytes,
/// the highest first, and then they themselves.
package enum SandboxFrame {
  /// Bytes of a length.
  package static let headerLength = 4
  /// Longest call in bytes: the longest request data in base64url, and room for the longest origin and the JSON around.
  package static let maximumCallLength = RequestLimit.data.maximum * 4 / 3 + (32 << 10)
  /// Longest answer in bytes: a request within its limits fits many times over, and the system reads no longer
  /// messages.
  package static let maximumAnswerLength = 4 << 20

  /// The length that comes first.
  package static func header(for bytes: [UInt8]) -> [UInt8] {
    (0..<headerLength).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
  }

  /// The length that a header announces.
  package static func length(_ header: some Sequence<UInt8>) -> Int { header.reduce(0) { $0 << 8 | Int($1) } }
}

/// How a sandbox's process ends when it ends by itself.
package enum SandboxExit: Int32, Sendable {
  /// It has answered.
  case answered = 0
  /// The call is none.
  case unreadableCall = 64
  /// The kernel does not let it confine itself, so it reads nothing.
  case unconfined = 69
  /// It could not make itself ready: the call that it warms up with is none any more.
  case notReady = 70
  /// Its memory is used up. The allocator in `CConfinement` ends the process with this number.
  case outOfMemory = 71
}
