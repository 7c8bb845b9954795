import CBOR

/// The bytes after an advert, in CTAP 2.3: a CBOR map from a channel to what it needs. They are not authenticated, and the
/// channel over Bluetooth is not offered here, so a client platform reads them and ignores them.
public struct AdvertSuffix: Sendable, Equatable {
  /// The protocol and service multiplexer (PSM) of the channel over Bluetooth; nil without one.
  public let bluetoothPSM: UInt16?

  /// Reads the bytes after the first 20.
  /// - Throws: ``HybridError`` with `advertSuffix` for bytes that are not one CBOR map.
  public init(_ bytes: [UInt8]) throws(HybridError) {
    do {
      let entry = try CBORReader.read(bytes, limits: CBORLimits(bytes: 1650, depth: 8, items: 256)).map()[
        Int(QRPayload.Channel.bluetooth)]
      bluetoothPSM = (try? entry?.unsigned()).flatMap(UInt16.init(exactly:))
    } catch {
      throw HybridError(.advertSuffix, error)
    }
  }
}
