import Primitives

/// The advertising data of a phone: structures of a length, a type and a value (Bluetooth Core Specification Supplement,
/// part A).
package enum AdvertisingData {
  /// The 16-bit identifiers of the advert's service, the current one first.
  package static let services: [UInt16] = [0xfff9, 0xfde2]
  /// The current identifier as 128 bits.
  package static let serviceUUID = "0000fff9-0000-1000-8000-00805f9b34fb"

  private enum Kind {
    static let flags: UInt8 = 0x01
    static let services16: UInt8 = 0x03
    static let serviceData16: UInt8 = 0x16
  }

  /// Returns advertising data with flags, the list of services, and service data. With an advert of 20 bytes these are 31
  /// bytes, the most of legacy advertising.
  package static func make(serviceData: [UInt8]) -> [UInt8] {
    let service = [UInt8(truncatingIfNeeded: services[0]), UInt8(truncatingIfNeeded: services[0] >> 8)]
    // General discoverable mode; Bluetooth Low Energy only.
    return structure(Kind.flags, [0x06]) + structure(Kind.services16, service)
      + structure(Kind.serviceData16, service + serviceData)
  }

  private static func structure(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] {
    // A value that is too long for its length byte is cut; only a misbehaving phone makes one.
    [UInt8(truncatingIfNeeded: min(value.count, 254) + 1), kind] + value.prefix(254)
  }

  /// Returns the service data of this transport.
  /// - Throws: ``HybridError`` with `advertStructure` if the data is malformed or has none.
  package static func serviceData(in data: [UInt8]) throws(HybridError) -> [UInt8] {
    guard data.count <= HybridLimits.advertisingBytes else {
      throw HybridError(.advertStructure, "the advertising data is too long", evidence: "\(data.count) bytes")
    }
    var offset = 0
    // A length of zero ends the data early.
    while offset < data.count, data[offset] > 0 {
      let end = offset + 1 + Int(data[offset])
      guard end <= data.count else {
        throw HybridError(.advertStructure, "the advertising data ends inside a structure", at: "byte \(offset)")
      }
      let value = data[offset + 2..<end]
      if data[offset + 1] == Kind.serviceData16, value.count >= 2 {
        let service = UInt16(value[value.startIndex]) | UInt16(value[value.startIndex + 1]) << 8
        if services.contains(service) { return Array(value.dropFirst(2)) }
      }
      offset = end
    }
    throw HybridError(.advertStructure, "the advertising data has no service data of this transport")
  }
}
