/// Decodes the keys in a terminal's input, which may arrive in parts.
///
/// An escape byte is the Escape key only if no byte follows it. Otherwise it starts another key (ECMA-48, 5.3.1), part
/// of which may arrive later.
public struct DemoKeyReader: Sendable {
  /// The length of the longest key, in bytes. Longer sequences do not come from a keyboard.
  private static let longestKey = 32

  private var rest: [UInt8] = []

  /// Creates a reader without pending input.
  public init() {}

  /// True if the beginning of a key waits for the rest.
  public var isWaiting: Bool { !rest.isEmpty }

  /// Returns the keys that some bytes complete, without unknown keys.
  public mutating func keys(in bytes: [UInt8]) -> [DemoKey] {
    rest += bytes
    var keys: [DemoKey] = []
    var position = 0
    while position < rest.count {
      guard let (key, length) = Self.first(of: rest[position...]) else { break }
      if let key { keys.append(key) }
      position += length
    }
    rest.removeFirst(position)
    if rest.count > Self.longestKey { rest = [] }
    return keys
  }

  /// Returns the pending keys when no more bytes follow: an escape byte is the Escape key.
  public mutating func keysWhenNothingFollows() -> [DemoKey] {
    defer { rest = [] }
    return rest == [0x1b] ? [.escape] : []
  }

  /// Returns the key at the beginning (nil if it is unknown) and its length in bytes, or nil if the key is incomplete.
  private static func first(of bytes: ArraySlice<UInt8>) -> (key: DemoKey?, length: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escaped(bytes)
    case 0x03: return (.interrupt, 1)
    case 0x0a, 0x0d: return (.enter, 1)
    case 0x20..<0x7f: return (.character(Character(UnicodeScalar(first))), 1)
    default: return (nil, 1)
    }
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> (key: DemoKey?, length: Int)? {
    guard let second = bytes.dropFirst().first else { return nil }
    if second == 0x1b { return (.escape, 1) }
    // Another key with Alt, which has no function here.
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return (nil, 2) }
    // Parameters, then one byte that identifies the key (ECMA-48, 5.4).
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3f).contains($0) }
    guard let last = bytes.dropFirst(2 + parameters.count).first else { return nil }
    let key: DemoKey? =
      switch last {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "~") where parameters.elementsEqual("5".utf8): .pageUp
      case UInt8(ascii: "~") where parameters.elementsEqual("6".utf8): .pageDown
      default: nil
      }
    return (key, 3 + parameters.count)
  }
}
