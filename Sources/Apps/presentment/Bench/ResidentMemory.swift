import Foundation

/// The memory of this process that is resident, as Linux counts it.
enum ResidentMemory {
  /// Bytes now, and the most since the last reset; nil where the system does not say.
  static func read() -> (now: Int, most: Int)? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    func bytes(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix(name) }
        .flatMap { Int($0.dropFirst(name.count).filter(\.isNumber)) }.map { $0 * 1024 }
    }
    guard let now = bytes("VmRSS:"), let most = bytes("VmHWM:") else { return nil }
    return (now, most)
  }

  /// Lets the most be what is resident now.
  static func reset() {
    // Where this is not allowed the most stays that of before, and what is reported is too much rather than too little.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }
}
