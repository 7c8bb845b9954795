/// A record of an NDEF message, chunks joined (NFC Forum, NDEF 1.0).
public struct NDEFRecord: Sendable, Equatable {
  /// The format of a record's type.
  public enum TypeFormat: UInt8, Sendable, CaseIterable {
    /// No record.
    case empty
    /// A type of the NFC Forum.
    case wellKnown
    /// A media type.
    case media
    /// A URI.
    case uri
    /// A type of another organization.
    case external
    /// No type.
    case unknown
    /// A later chunk of a record.
    case unchanged
    /// Reserved.
    case reserved
  }

  /// The format of the type.
  public let format: TypeFormat
  /// The type.
  public let type: [UInt8]
  /// The identifier, by which other records refer to the record.
  public let identifier: [UInt8]
  /// The payload.
  public var payload: [UInt8]

  /// Creates a record.
  public init(_ format: TypeFormat, type: String, identifier: String = "", payload: [UInt8]) {
    self.init(format, type: Array(type.utf8), identifier: Array(identifier.utf8), payload: payload)
  }

  init(_ format: TypeFormat, type: [UInt8], identifier: [UInt8], payload: [UInt8]) {
    self.format = format
    self.type = type
    self.identifier = identifier
    self.payload = payload
  }

  /// Returns whether the record has a type.
  func isA(_ format: TypeFormat, _ type: String) -> Bool { self.format == format && self.type.elementsEqual(type.utf8) }
}

/// An NDEF message: one or more records.
public struct NDEFMessage: Sendable, Equatable {
  private enum Flag {
    static let begin: UInt8 = 0x80
    static let end: UInt8 = 0x40
    static let chunk: UInt8 = 0x20
    static let short: UInt8 = 0x10
    static let identifier: UInt8 = 0x08
    static let format: UInt8 = 0x07
  }

  /// The records.
  public let records: [NDEFRecord]
  /// The message as received or written. A transcript has exactly these bytes.
  public let bytes: [UInt8]

  /// Creates a message of whole records, short where they can be.
  public init(_ records: [NDEFRecord]) {
    self.records = records
    var bytes: [UInt8] = []
    for (place, record) in records.enumerated() {
      let isShort = record.payload.count < 256
      var head = record.format.rawValue
      if place == 0 { head |= Flag.begin }
      if place == records.count - 1 { head |= Flag.end }
      if isShort { head |= Flag.short }
      if !record.identifier.isEmpty { head |= Flag.identifier }
      bytes += [head, UInt8(truncatingIfNeeded: record.type.count)]
      bytes += Self.bigEndian(record.payload.count, bytes: isShort ? 1 : 4)
      if !record.identifier.isEmpty { bytes.append(UInt8(truncatingIfNeeded: record.identifier.count)) }
      bytes += record.type + record.identifier + record.payload
    }
    self.bytes = bytes
  }

  /// Reads one message, to its last byte.
  /// - Throws: ``ProximityError`` with `ndef`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    guard bytes.count <= ProximityLimits.ndefBytes else {
      throw ProximityError(.ndef, "the NDEF message is too long", evidence: "\(bytes.count) bytes")
    }
    var records: [NDEFRecord] = []
    var cursor = ByteCursor(bytes, .ndef, "the NDEF message")
    var isChunked = false
    var count = 0
    var isLast = false
    while !isLast {
      let place = cursor.position
      func refused(_ message: String) -> ProximityError { ProximityError(.ndef, message, at: "byte \(place)") }
      count += 1
      guard count <= ProximityLimits.ndefRecords else { throw refused("the NDEF message has too many records") }
      let head = try cursor.byte()
      guard (head & Flag.begin != 0) == (count == 1) else {
        throw refused("the NDEF message does not begin with its first record")
      }
      isLast = head & Flag.end != 0
      let continues = head & Flag.chunk != 0
      guard !(isLast && continues) else { throw refused("the NDEF message ends with a chunk that others follow") }
      let format = NDEFRecord.TypeFormat(rawValue: head & Flag.format) ?? .reserved
      let typeLength = try cursor.number(1)
      let payloadLength = try cursor.number(head & Flag.short != 0 ? 1 : 4)
      let identifierLength = head & Flag.identifier != 0 ? try cursor.number(1) : 0
      let type = try cursor.take(typeLength)
      let identifier = try cursor.take(identifierLength)
      let payload = try cursor.take(payloadLength)
      guard isChunked == (format == .unchanged) else {
        throw refused("a later chunk of a record is missing, or there is no first one")
      }
      if isChunked {
        guard typeLength == 0, identifierLength == 0, head & Flag.identifier == 0 else {
          throw refused("a later chunk has a type or an identifier")
        }
        records[records.count - 1].payload += payload
      } else {
        let isBare = typeLength == 0 && identifierLength == 0 && payloadLength == 0
        guard format != .empty || isBare && !continues else { throw refused("an empty record has content") }
        guard format != .unknown || typeLength == 0 else { throw refused("a record of unknown type has a type") }
        records.append(NDEFRecord(format, type: type, identifier: identifier, payload: payload))
      }
      isChunked = continues
    }
    try cursor.requireEnd()
    self.records = records
    self.bytes = bytes
  }

  /// Returns the bytes of a number, the highest first.
  static func bigEndian(_ number: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// Reads bytes in order and refuses to read past the end.
struct ByteCursor {
  private let bytes: [UInt8]
  private let code: ProximityError.Code
  private let name: String
  private(set) var position = 0

  init(_ bytes: [UInt8], _ code: ProximityError.Code, _ name: String) {
    self.bytes = bytes
    self.code = code
    self.name = name
  }

  var remaining: Int { bytes.count - position }

  mutating func take(_ count: Int) throws(ProximityError) -> [UInt8] {
    guard count <= remaining else { throw ProximityError(code, "\(name) is truncated", at: "byte \(position)") }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func byte() throws(ProximityError) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }

  /// Reads a number of at most 4 bytes, the highest first.
  mutating func number(_ count: Int) throws(ProximityError) -> Int { try take(count).reduce(0) { $0 << 8 | Int($1) } }

  func requireEnd() throws(ProximityError) {
    guard remaining == 0 else {
      throw ProximityError(code, "\(name) has bytes after its end", evidence: "\(remaining) bytes")
    }
  }
}
