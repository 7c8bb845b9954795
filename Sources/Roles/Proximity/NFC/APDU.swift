import Primitives

/// A command of a card reader (ISO/IEC 7816-4, 5.1).
public struct CommandAPDU: Sendable, Equatable {
  /// The instructions that a presentation in person uses.
  public enum Instruction {
    /// SELECT.
    public static let select: UInt8 = 0xa4
    /// READ BINARY.
    public static let read: UInt8 = 0xb0
    /// UPDATE BINARY.
    public static let update: UInt8 = 0xd6
    /// ENVELOPE.
    public static let envelope: UInt8 = 0xc3
    /// GET RESPONSE.
    public static let getResponse: UInt8 = 0xc0
  }

  /// The class byte. Bit 5 says that more commands of a chain follow.
  public let `class`: UInt8
  /// The instruction.
  public let instruction: UInt8
  /// The first and second parameter as one number.
  public let parameters: Int
  /// The data.
  public let data: [UInt8]
  /// The most bytes of the response's data; nil if no data is expected.
  public let expected: Int?

  /// The class bit of a chain's commands, apart from the last.
  public static let chained: UInt8 = 0x10
  /// Indicates whether the class is that of the basic logical channel without secure messaging, in a chain or not.
  var isOfBasicClass: Bool { `class` & ~Self.chained == 0 }
  /// The most bytes of data in a short command.
  public static let shortData = 255
  /// The most bytes of data that a short command expects.
  public static let shortExpected = 256

  /// Creates a command.
  public init(class: UInt8 = 0, _ instruction: UInt8, _ parameters: Int, data: [UInt8] = [], expected: Int? = nil) {
    self.class = `class`
    self.instruction = instruction
    self.parameters = parameters
    self.data = data
    self.expected = expected
  }

  /// The encoded command: short if data and expected length allow it, else extended in both.
  public var bytes: [UInt8] {
    let head = [`class`, instruction] + NDEFMessage.bigEndian(parameters, bytes: 2)
    let isExtended = data.count > Self.shortData || (expected ?? 0) > Self.shortExpected
    let width = isExtended ? 2 : 1
    var bytes = head
    if isExtended { bytes.append(0) }
    if !data.isEmpty { bytes += NDEFMessage.bigEndian(data.count, bytes: width) + data }
    if let expected { bytes += NDEFMessage.bigEndian(expected, bytes: width) }
    return bytes
  }

  /// Reads a command of any of the seven cases.
  /// - Throws: ``ProximityError`` with `apdu`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    var cursor = ByteCursor(bytes, .apdu, "the command")
    `class` = try cursor.byte()
    instruction = try cursor.byte()
    parameters = try cursor.number(2)
    // A first zero with more bytes after it is the mark of the extended form.
    let isExtended = cursor.remaining > 1 && bytes[cursor.position] == 0
    if isExtended { _ = try cursor.byte() }
    let width = isExtended ? 2 : 1
    if cursor.remaining > width {
      let length = try cursor.number(width)
      guard length > 0 else { throw ProximityError(.apdu, "the command has data without a length") }
      data = try cursor.take(length)
    } else {
      data = []
    }
    if cursor.remaining > 0 {
      let length = try cursor.number(width)
      expected = length == 0 ? (isExtended ? 0x10000 : Self.shortExpected) : length
    } else {
      expected = nil
    }
    try cursor.requireEnd()
  }
}

/// A card's response (ISO/IEC 7816-4, 5.1).
public struct ResponseAPDU: Sendable, Equatable {
  /// A status word.
  public enum Status {
    /// Success.
    public static let success = 0x9000
    /// Success, and more data: the low byte has the number of bytes, 0 for more than 255.
    public static let moreData = 0x6100
    /// A wrong length.
    public static let wrongLength = 0x6700
    /// The conditions of use are not satisfied.
    public static let conditions = 0x6985
    /// No such file or application.
    public static let notFound = 0x6a82
    /// No such instruction.
    public static let instruction = 0x6d00
    /// No such class.
    public static let classNotSupported = 0x6e00
    /// Another error.
    public static let other = 0x6f00
  }

  /// The data.
  public let data: [UInt8]
  /// The status word.
  public let status: Int

  /// Creates a response.
  public init(_ status: Int, data: [UInt8] = []) {
    self.status = status
    self.data = data
  }

  /// The encoded response.
  public var bytes: [UInt8] { data + NDEFMessage.bigEndian(status, bytes: 2) }

  /// Reads a response.
  /// - Throws: ``ProximityError`` with `apdu`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    guard bytes.count >= 2, bytes.count <= 0x10000 + 2 else {
      throw ProximityError(.apdu, "the response has no status, or is too long", evidence: "\(bytes.count) bytes")
    }
    data = Array(bytes.dropLast(2))
    status = bytes.suffix(2).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The status in hexadecimal.
  var statusText: String { hexadecimal(NDEFMessage.bigEndian(status, bytes: 2)) }
}

/// The applications that an mdoc offers by NFC.
public enum NFCApplication {
  /// The NDEF application of a Type 4 Tag.
  public static let ndef: [UInt8] = [0xd2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
  /// The application of data transfer (ISO/IEC 18013-5, 8.3.3.1.2).
  public static let transfer: [UInt8] = [0xa0, 0x00, 0x00, 0x02, 0x48, 0x04, 0x00]
}
