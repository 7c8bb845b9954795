import Foundation

/// The result of the web server's measurement, which it prints as JSON: the time and the memory of answers over HTTP.
package struct MeasuredAnswers: Codable {
  /// The number of connections at the same time.
  package static let connections = 16

  /// The elapsed time of an answer in each half, in microseconds.
  package let microseconds: [Double]
  /// The resident memory after each half, in bytes; empty if the system does not report it.
  package let memory: [Int]

  /// Creates a result.
  package init(microseconds: [Double], memory: [Int]) {
    self.microseconds = microseconds
    self.memory = memory
  }
}

/// The resident memory of this process, as Linux counts it.
package enum ResidentMemory {
  /// Returns the current size and the maximum since the last reset in bytes, or nil if the system does not report them.
  package static func read() -> (now: Int, most: Int)? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    func bytes(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix(name) }
        .flatMap { Int($0.dropFirst(name.count).filter(\.isNumber)) }.map { $0 * 1024 }
    }
    guard let now = bytes("VmRSS:"), let most = bytes("VmHWM:") else { return nil }
    return (now, most)
  }

  /// Resets the maximum to the current size.
  package static func reset() {
    // Without permission the maximum is not reset, and the reported value is too high rather than too low.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }
}
