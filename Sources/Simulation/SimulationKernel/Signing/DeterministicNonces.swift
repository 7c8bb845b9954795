import COSE
import Crypto

/// The candidates for a message's secret k (RFC 6979, section 3.2), for P-256 with SHA-256. The first is nearly always
/// valid; the others are for the case that it is not a scalar from 1 to n - 1.
struct DeterministicNonces {
  /// K and V of the section.
  private var key = initialKey
  private var value = initialValue
  private var isFirst = true

  private static let initialKey = MessageCodeKey([UInt8](repeating: 0x00, count: SHA256.byteCount))
  private static let initialValue = [UInt8](repeating: 0x01, count: SHA256.byteCount)

  /// Steps b to g.
  ///
  /// - Parameters:
  ///   - privateKey: Int2octets(x), 32 octets.
  ///   - digest: Bits2octets(h1), 32 octets: the message's digest modulo n.
  init(privateKey: [UInt8], reducedDigest digest: [UInt8]) {
    let data = privateKey + digest
    update(0x00, with: data)
    update(0x01, with: data)
  }

  /// Returns the next candidate of step h, 32 octets.
  mutating func next() -> [UInt8] {
    if !isFirst { update(0x00) }
    isFirst = false
    value = key.code(of: value)
    return value
  }

  private mutating func update(_ separator: UInt8, with data: [UInt8] = []) {
    var message: [UInt8] = []
    message.reserveCapacity(value.count + 1 + data.count)
    message += value
    message.append(separator)
    message += data
    key = MessageCodeKey(key.code(of: message))
    value = key.code(of: value)
  }
}
