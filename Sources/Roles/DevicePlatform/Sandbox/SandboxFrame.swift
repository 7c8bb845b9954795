import MobileDocument
import WebPresentment

/// The frame of calls and answers between the system and a sandbox process: the length in four bytes, big-endian, and then
/// the bytes.
package enum SandboxFrame {
  /// The number of bytes of a length.
  package static let headerLength = 4
  /// The longest call in bytes: the longest request data in base64url, and room for the longest origin and the JSON around.
  package static let maximumCallLength = RequestLimit.data.maximum * 4 / 3 + (32 << 10)
  /// The longest answer in bytes: many times the longest request. The system refuses longer messages.
  package static let maximumAnswerLength = 4 << 20

  /// Returns the length as the header of a message.
  package static func header(for bytes: [UInt8]) -> [UInt8] {
    (0..<headerLength).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
  }

  /// Returns the length in a header.
  package static func length(_ header: some Sequence<UInt8>) -> Int { header.reduce(0) { $0 << 8 | Int($1) } }
}

/// The exit status of a sandbox process that ends by itself.
package enum SandboxExit: Int32, Sendable {
  /// The process has answered.
  case answered = 0
  /// The call is not readable.
  case unreadableCall = 64
  /// The kernel does not support the confinement, so the process does not read the call.
  case unconfined = 69
  /// The warm-up failed: its built-in call is not readable.
  case notReady = 70
  /// The process used up its memory. The allocator in `CConfinement` ends the process with this number.
  case outOfMemory = 71
}
