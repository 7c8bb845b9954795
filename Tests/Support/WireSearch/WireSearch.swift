import Foundation
import Primitives

/// Searches a message for bytes, through the encodings that can contain them.
public struct WireSearch {
  /// The message's bytes, and the decoded bytes of each base64 text in it, to any depth.
  public let layers: [[UInt8]]

  /// Decodes the layers of a message.
  public init(_ bytes: [UInt8]) {
    var found = [bytes]
    var next = 0
    while next < found.count && found.count < 200 {
      found += Self.encodedTexts(in: found[next])
      next += 1
    }
    layers = found
  }

  /// Returns true if the message contains a value.
  public func finds(_ wanted: Wanted) -> Bool { !found(WantedSet([wanted])).isEmpty }

  /// Returns the positions of the members of a set that the message contains.
  public func found(_ set: WantedSet) -> Set<Int> { layers.reduce(into: []) { $0.formUnion(set.found(in: $1)) } }

  /// Bytes to search for: as they are, in hexadecimal, or inside a longer base64 text at any alignment.
  public struct Wanted: Sendable {
    let patterns: [[UInt8]]

    /// Creates the patterns of a value.
    public init(_ bytes: [UInt8]) {
      let hex = Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8)
      patterns = [bytes, hex] + WireSearch.base64Patterns(of: bytes)
    }
  }

  /// Several values to search for in one pass: a message has thousands of bytes, a world hundreds of patterns.
  public struct WantedSet {
    /// Patterns by their first four bytes, each with the position of its value.
    private var patterns: [UInt32: [(position: Int, bytes: [UInt8])]] = [:]
    /// The first two bytes of every pattern.
    private var starts = [Bool](repeating: false, count: 1 << 16)

    /// Creates the table of all patterns.
    public init(_ wanted: [Wanted]) {
      for (position, wanted) in wanted.enumerated() {
        for pattern in wanted.patterns {
          precondition(pattern.count >= 4, "a shorter pattern is found anywhere")
          let key = pattern[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
          patterns[key, default: []].append((position, pattern))
          starts[Int(key >> 16)] = true
        }
      }
    }

    fileprivate func found(in layer: [UInt8]) -> Set<Int> {
      var found: Set<Int> = []
      var key: UInt32 = 0
      for (end, byte) in layer.enumerated() {
        key = key << 8 | UInt32(byte)
        guard end >= 3, starts[Int(key >> 16)], let candidates = patterns[key] else { continue }
        let rest = layer[(end - 3)...]
        for (position, pattern) in candidates where rest.starts(with: pattern) { found.insert(position) }
      }
      return found
    }
  }

  /// Returns the text that a longer base64 text must contain if it holds the bytes: the characters that encode nothing
  /// else.
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
