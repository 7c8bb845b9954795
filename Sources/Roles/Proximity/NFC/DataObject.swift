/// The data object around a session message by NFC: BER-TLV with tag 53 (ISO/IEC 18013-5, 8.3.3.1.2).
public enum DataObject {
  private static let tag: UInt8 = 0x53

  /// Returns a message in its data object.
  public static func encode(_ message: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      switch message.count {
      case ..<0x80: [UInt8(message.count)]
      case ..<0x100: [0x81, UInt8(message.count)]
      case ..<0x1_0000: [0x82] + NDEFMessage.bigEndian(message.count, bytes: 2)
      default: [0x83] + NDEFMessage.bigEndian(message.count, bytes: 3)
      }
    return [tag] + length + message
  }

  /// Returns the number of bytes of a data object from its start, or nil if more bytes are needed to tell.
  /// - Throws: ``ProximityError`` with `dataObject`.
  public static func length(of start: [UInt8]) throws(ProximityError) -> Int? {
    guard let first = start.first else { return nil }
    guard first == tag else {
      throw ProximityError(.dataObject, "the data object does not have tag 53", evidence: "\(first)")
    }
    guard start.count > 1 else { return nil }
    guard start[1] >= 0x80 else { return 2 + Int(start[1]) }
    let width = Int(start[1] & 0x7f)
    guard (1...3).contains(width) else {
      throw ProximityError(.dataObject, "the length of the data object has \(width) bytes, expected 1 to 3")
    }
    guard start.count >= 2 + width else { return nil }
    let length = start[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
    guard length <= ProximityLimits.messageBytes else {
      throw ProximityError(.transferBounds, "the data object is larger than the limit", evidence: "\(length) bytes")
    }
    return 2 + width + length
  }

  /// Returns the message in a whole data object.
  /// - Throws: ``ProximityError`` with `dataObject`.
  public static func decode(_ bytes: [UInt8]) throws(ProximityError) -> [UInt8] {
    guard let length = try length(of: bytes), length == bytes.count else {
      throw ProximityError(
        .dataObject, "the length of the data object is not that of its bytes", evidence: "\(bytes.count) bytes")
    }
    let head = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
    return Array(bytes[head...])
  }
}
