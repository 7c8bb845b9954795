/// The advertising data of the end that is the server: flags and the service's UUID (Bluetooth Core Specification
/// Supplement, part A; ISO/IEC 18013-5, 8.3.3.1.1.3).
public enum ServiceAdvert {
  private enum Kind {
    static let flags: UInt8 = 0x01
    static let services128: UInt8 = 0x07
  }

  /// Returns the data for a service.
  public static func data(_ service: BluetoothUUID) -> [UInt8] {
    // General discoverable mode; Bluetooth Low Energy only.
    [2, Kind.flags, 0x06, UInt8(BluetoothUUID.length + 1), Kind.services128] + service.reversed
  }

  /// Indicates whether data are the advert of a service. Other devices advertise anything.
  public static func isOf(_ service: BluetoothUUID, _ data: [UInt8]) -> Bool { data == self.data(service) }
}

/// The value of a characteristic on its way: the characteristic's UUID in Bluetooth's order, then the value.
public struct BluetoothAttribute: Sendable, Equatable {
  /// The characteristic.
  public let characteristic: BluetoothCharacteristic
  /// The value.
  public let value: [UInt8]

  /// Creates a value.
  public init(_ characteristic: BluetoothCharacteristic, _ value: [UInt8]) {
    self.characteristic = characteristic
    self.value = value
  }

  /// Reads a value in a mode, or returns nil for a characteristic that the mode does not have.
  public init?(_ bytes: [UInt8], in mode: BluetoothMode) {
    guard let uuid = BluetoothUUID(reversed: Array(bytes.prefix(BluetoothUUID.length))),
      let characteristic = BluetoothCharacteristic(uuid, in: mode)
    else { return nil }
    self.init(characteristic, Array(bytes.dropFirst(BluetoothUUID.length)))
  }

  /// Returns the bytes in a mode; empty for a characteristic that the mode does not have.
  public func encoded(in mode: BluetoothMode) -> [UInt8] {
    characteristic.uuid(in: mode).map { $0.reversed + value } ?? []
  }
}
