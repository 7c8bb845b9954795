import COSE
import Crypto

/// The candidates for a message's secret k (RFC 6979, section 3.2), for P-256 with SHA-256. The first is nearly always
/// valid; the others are for the case that it is not a scalar from 1 to n - 1.
struct DeterministicNonces {
  /// K and V of the section.
  private var key = [UInt8](repeating: 0x00, count: SHA256.byteCount)
  private var value = [UInt8](repeating: 0x01, count: SHA256.byteCount)
  private var isFirst = true

  /// Steps b to g.
  ///
  /// - Parameters:
  ///   - privateKey: int2octets(x), 32 octets.
  ///   - digest: bits2octets(h1), 32 octets: the message's digest modulo n.
  init(privateKey: [UInt8], reducedDigest digest: [UInt8]) {
    update(with: [0x00] + privateKey + digest)
    update(with: [0x01] + privateKey + digest)
  }

  /// Returns the next candidate of step h, 32 octets.
  mutating func next() -> [UInt8] {
    if !isFirst { update(with: [0x00]) }
    isFirst = false
    value = code(of: value)
    return value
  }

  private mutating func update(with data: [UInt8]) {
    key = code(of: value + data)
    value = code(of: value)
  }

  private func code(of message: [UInt8]) -> [UInt8] { SHA256.messageCode(of: message, key: key) }
}
