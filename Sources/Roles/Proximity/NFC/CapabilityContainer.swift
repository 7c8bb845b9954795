/// The capability container of a Type 4 Tag (NFC Forum, Type 4 Tag 1.0, 4.2), with one NDEF file.
public struct CapabilityContainer: Sendable, Equatable {
  /// The most bytes that a READ BINARY may expect.
  public var maximumRead = 0x7fff
  /// The most bytes of data of an UPDATE BINARY.
  public var maximumWrite = 0x7fff
  /// The identifier of the NDEF file.
  public var file = ndefFile
  /// The most bytes of the NDEF file, its length included.
  public var fileSize = 0x7fff
  /// Indicates whether the file can be written, as negotiated handover requires.
  public var isWritable: Bool

  /// The file of the container itself.
  public static let containerFile = 0xe103
  /// The NDEF file of all known implementations.
  public static let ndefFile = 0xe104
  /// The number of bytes.
  public static let length = 15

  private static let version: UInt8 = 0x20
  private static let fileControl: [UInt8] = [0x04, 0x06]
  private static let granted: UInt8 = 0x00
  private static let denied: UInt8 = 0xff
}

extension CapabilityContainer {
  /// The encoded container.
  public var bytes: [UInt8] {
    var bytes = NDEFMessage.bigEndian(Self.length, bytes: 2) + [Self.version]
    bytes += NDEFMessage.bigEndian(maximumRead, bytes: 2) + NDEFMessage.bigEndian(maximumWrite, bytes: 2)
    bytes += Self.fileControl + NDEFMessage.bigEndian(file, bytes: 2) + NDEFMessage.bigEndian(fileSize, bytes: 2)
    return bytes + [Self.granted, isWritable ? Self.granted : Self.denied]
  }

  /// Reads the first 15 bytes of a container. A longer one has proprietary files after the NDEF file.
  /// - Throws: ``ProximityError`` with `capabilityContainer`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    var cursor = ByteCursor(bytes, .capabilityContainer, "the capability container")
    let length = try cursor.number(2)
    let version = try cursor.byte()
    maximumRead = try cursor.number(2)
    maximumWrite = try cursor.number(2)
    let control = try cursor.take(2)
    file = try cursor.number(2)
    fileSize = try cursor.number(2)
    let read = try cursor.byte()
    isWritable = try cursor.byte() == Self.granted
    try cursor.requireEnd()
    guard length >= Self.length, version >> 4 == Self.version >> 4, control == Self.fileControl else {
      throw ProximityError(
        .capabilityContainer, "the capability container is not that of a Type 4 Tag of version 2 with an NDEF file",
        evidence: "version \(version), length \(length)")
    }
    // The least values of the specification; a smaller one would make a reader send commands forever.
    guard maximumRead >= Self.length, maximumWrite >= 1, fileSize >= 5, read == Self.granted else {
      throw ProximityError(
        .capabilityContainer, "the capability container has a limit or an access that does not allow reading",
        evidence: "reading \(maximumRead), writing \(maximumWrite), file \(fileSize)")
    }
  }
}
