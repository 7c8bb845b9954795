import Foundation
import Primitives
import WebPresentment

/// Looks for bytes in a message, whatever encodings they are wrapped in.
struct WireSearch {
  /// The message's bytes, and everything that base64 texts in it decode to, to any depth.
  let layers: [[UInt8]]
  private let searchable: [Data]

  init(_ bytes: [UInt8]) {
    var found = [bytes]
    var next = 0
    while next < found.count && found.count < 200 {
      found += Self.encodedTexts(in: found[next])
      next += 1
    }
    layers = found
    searchable = found.map { Data($0) }
  }

  /// Whether something stands anywhere in the message.
  func finds(_ wanted: Wanted) -> Bool {
    wanted.patterns.contains { pattern in searchable.contains { $0.range(of: pattern) != nil } }
  }

  /// Bytes to look for: as they are, in hexadecimal, or inside a longer base64 text at any alignment.
  struct Wanted {
    let patterns: [Data]

    init(_ bytes: [UInt8]) {
      let hex = Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8)
      patterns = ([bytes, hex] + WireSearch.base64Patterns(of: bytes)).map { Data($0) }
    }
  }

  /// What longer base64 texts that hold the bytes must contain: the characters that no neighbour touches.
  static func base64Patterns(of wanted: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { offset -> [[UInt8]] in
      let padded = [UInt8](repeating: 0, count: offset) + wanted
      let text = Array(Base64URL.encode(padded).utf8)
      let first = (offset * 8 + 5) / 6
      let last = padded.count * 8 / 6
      guard last - first >= 4 else { return [] }
      let pattern = Array(text[first..<last])
      let standard = pattern.map {
        $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
      }
      return [pattern, standard]
    }
  }

  private static func encodedTexts(in bytes: [UInt8]) -> [[UInt8]] {
    guard let json = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else { return [] }
    var found: [[UInt8]] = []
    func walk(_ value: Any) {
      switch value {
      case let text as String:
        if let decoded = Base64URL.decode(text), decoded.count >= 8 { found.append(decoded) }
        if text.utf8.first == UInt8(ascii: "{") { found.append(Array(text.utf8)) }
      case let items as [Any]: items.forEach(walk)
      case let members as [String: Any]: members.values.forEach(walk)
      default: break
      }
    }
    walk(json)
    return found
  }
}
