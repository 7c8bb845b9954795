import Crypto

/// The number of a tunnel service. The first two are assigned; from 256 the number determines the name.
public struct TunnelServiceNumber: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: UInt16

  /// Makes a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Google's service.
  public static let google = TunnelServiceNumber(rawValue: 0)
  /// Apple's service.
  public static let apple = TunnelServiceNumber(rawValue: 1)

  private static let assigned = ["cable.ua5v.com", "cable.auth.com"]
  private static let firstComputed = 256
  private static let label = Array("caBLEv2 tunnel server domain".utf8)
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let endings = ["com", "org", "net", "info"]

  /// The host of the service; nil for the numbers 2 to 255, which are not assigned.
  public var host: String? {
    let number = Int(rawValue)
    if Self.assigned.indices.contains(number) { return Self.assigned[number] }
    guard number >= Self.firstComputed else { return nil }
    let input = Self.label + [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 0]
    var value = Array(SHA256.hash(data: input)).prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let ending = Self.endings[Int(value & 3)]
    value >>= 2
    var name: [UInt8] = []
    while value != 0 {
      name.append(Self.letters[Int(value & 31)])
      value >>= 5
    }
    return "cable.\(String(decoding: name, as: UTF8.self)).\(ending)"
  }
}
