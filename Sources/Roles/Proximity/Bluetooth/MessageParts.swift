/// The parts of a message: values of a characteristic, each with a first byte that tells whether more parts follow
/// (ISO/IEC 18013-5, 8.3.3.1.1.6).
public struct MessageParts: Sendable {
  private enum Marker {
    static let last: UInt8 = 0
    static let more: UInt8 = 1
  }

  /// The smallest maximum transmission unit of the attribute protocol.
  public static let leastUnit = 23
  /// The header of the attribute protocol in each packet.
  public static let headerBytes = 3
  /// The longest value of an attribute. A larger unit does not help: Android cuts longer values.
  public static let mostBytes = 512

  private var joined: [UInt8] = []
  /// The bytes of all parts, with their first bytes: parts without content are bounded too.
  private var received = 0

  private let limit: Int

  /// Creates an empty message.
  /// - Parameter limit: The most bytes of all parts, with their first bytes.
  public init(limit: Int = ProximityLimits.messageBytes) { self.limit = limit }

  /// Returns the most bytes of a part.
  /// - Parameter unit: The maximum transmission unit of the connection.
  public static func bytes(unit: Int) -> Int { min(max(unit, leastUnit) - headerBytes, mostBytes) }

  /// Splits a message into parts.
  public static func split(_ message: [UInt8], unit: Int) -> [[UInt8]] {
    let size = bytes(unit: unit) - 1
    guard message.count > size else { return [[Marker.last] + message] }
    return stride(from: 0, to: message.count, by: size).map { start in
      let end = min(start + size, message.count)
      return [end == message.count ? Marker.last : Marker.more] + message[start..<end]
    }
  }

  /// Takes the next part. Parts that are not the last may be shorter than the unit allows, as deployed peers send them.
  /// - Returns: The whole message after its last part.
  /// - Throws: ``ProximityError`` with `linkPart` or `linkSize`.
  public mutating func append(_ part: [UInt8]) throws(ProximityError) -> [UInt8]? {
    guard let marker = part.first, marker <= Marker.more else {
      throw ProximityError(
        .linkPart, "a part of a message does not start with 0 or 1",
        evidence: part.first.map { "\($0)" } ?? "an empty value")
    }
    guard part.count <= Self.mostBytes else {
      throw ProximityError(
        .linkSize, "a part is longer than \(Self.mostBytes) bytes", evidence: "\(part.count) bytes")
    }
    received += part.count
    guard received <= limit else { throw ProximityError(.linkSize, "a message in parts is larger than \(limit) bytes") }
    joined += part.dropFirst()
    guard marker == Marker.last else { return nil }
    defer { self = Self(limit: limit) }
    return joined
  }

  /// Indicates whether parts wait for the last one.
  public var isIncomplete: Bool { received > 0 }
}

/// The frames of an L2CAP channel: a length of four bytes, big-endian, and the message. The standard does not name the
/// order of the bytes; other implementations use this one.
public struct ChannelFrames: Sendable {
  private static let headBytes = 4
  private var buffer: [UInt8] = []

  /// Creates an empty stream.
  public init() {}

  /// Returns the frame of a message.
  public static func frame(_ message: [UInt8]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: message.count >> $0) } + message
  }

  /// Takes received bytes, in pieces of any size.
  /// - Returns: The messages that are whole.
  /// - Throws: ``ProximityError`` with `linkSize` before a larger message is buffered.
  public mutating func append(_ bytes: [UInt8]) throws(ProximityError) -> [[UInt8]] {
    buffer += bytes
    var messages: [[UInt8]] = []
    var start = 0
    while buffer.count - start >= Self.headBytes {
      let length = buffer[start..<start + Self.headBytes].reduce(0) { $0 << 8 | Int($1) }
      guard length <= ProximityLimits.messageBytes else {
        throw ProximityError(
          .linkSize, "a frame is larger than \(ProximityLimits.messageBytes) bytes", evidence: "\(length) bytes")
      }
      guard buffer.count - start - Self.headBytes >= length else { break }
      start += Self.headBytes
      messages.append(Array(buffer[start..<start + length]))
      start += length
    }
    buffer.removeFirst(start)
    return messages
  }
}
