/// The records of the tag's service protocol (NFC Forum, TNEP 1.0), by which negotiated handover starts.
public enum TagService {
  /// The name of the service of handover.
  public static let handover = "urn:nfc:sn:handover"

  private static let version: UInt8 = 0x10

  /// The parameters of a service.
  public struct Parameters: Sendable, Equatable {
    /// The name of the service.
    public let service: String
    /// The exponent of the least waiting time.
    public let waitingTime: UInt8
    /// The most extensions of the waiting time.
    public let extensions: UInt8
    /// The most bytes of a message.
    public let maximumMessage: Int

    /// Creates parameters.
    public init(service: String = handover, waitingTime: UInt8 = 0, extensions: UInt8 = 15, maximumMessage: Int) {
      self.service = service
      self.waitingTime = waitingTime
      self.extensions = extensions
      self.maximumMessage = maximumMessage
    }

    /// The record.
    public var record: NDEFRecord {
      NDEFRecord(
        .wellKnown, type: "Tp",
        payload: [version, UInt8(truncatingIfNeeded: service.utf8.count)] + service.utf8
          + [0, waitingTime, extensions] + NDEFMessage.bigEndian(maximumMessage, bytes: 2))
    }

    /// Reads a record.
    /// - Throws: ``ProximityError`` with `serviceRecord`.
    public init(_ record: NDEFRecord) throws(ProximityError) {
      var cursor = ByteCursor(record.payload, .serviceRecord, "the service parameter record")
      guard record.isA(.wellKnown, "Tp"), try cursor.byte() >> 4 == version >> 4 else {
        throw ProximityError(.serviceRecord, "the record has no service parameters of a supported version")
      }
      service = String(decoding: try cursor.take(try cursor.number(1)), as: UTF8.self)
      _ = try cursor.byte()
      waitingTime = try cursor.byte()
      extensions = try cursor.byte()
      maximumMessage = try cursor.number(2)
      try cursor.requireEnd()
    }

    /// The least waiting time before a poll, in microseconds: 2^(WT_int / 4 - 1) ms, at most a second.
    public var microseconds: Int {
      // A table of the fractions of the exponent, so that the result is the same on every machine.
      let fraction = [1000, 1189, 1414, 1682][Int(waitingTime) % 4]
      let shift = Int(waitingTime) / 4
      return min(1_000_000, shift < 12 ? fraction << shift / 2 : 1_000_000)
    }
  }

  /// Returns the record that selects a service; the empty name deselects.
  public static func select(_ service: String) -> NDEFRecord {
    NDEFRecord(
      .wellKnown, type: "Ts", payload: [UInt8(truncatingIfNeeded: service.utf8.count)] + service.utf8)
  }

  /// Returns the name of a service in a record that selects one.
  /// - Throws: ``ProximityError`` with `serviceRecord`.
  public static func selected(by record: NDEFRecord) throws(ProximityError) -> String {
    var cursor = ByteCursor(record.payload, .serviceRecord, "the service select record")
    guard record.isA(.wellKnown, "Ts") else {
      throw ProximityError(.serviceRecord, "the record does not select a service")
    }
    let name = try cursor.take(try cursor.number(1))
    try cursor.requireEnd()
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns the record with a status; 0 is success.
  public static func status(_ status: UInt8) -> NDEFRecord { NDEFRecord(.wellKnown, type: "Te", payload: [status]) }

  /// Returns the status in a record.
  /// - Throws: ``ProximityError`` with `serviceRecord`.
  public static func status(in record: NDEFRecord) throws(ProximityError) -> UInt8 {
    guard record.isA(.wellKnown, "Te"), record.payload.count == 1 else {
      throw ProximityError(.serviceRecord, "the record has no status")
    }
    return record.payload[0]
  }
}
