import Crypto
import Primitives

/// The address of a tunnel: the host of its service, and a path with the identifiers.
public struct TunnelAddress: Sendable, Hashable {
  /// An end of a tunnel.
  public enum End: Sendable, Hashable {
    /// The phone asks for a tunnel.
    case new(tunnelID: [UInt8])
    /// The client platform connects to a phone that waits.
    case connect(routingID: [UInt8], tunnelID: [UInt8])
  }

  /// The number of bytes of a tunnel's identifier.
  public static let tunnelIDLength = 16
  /// The number of bytes of a routing identifier.
  public static let routingIDLength = 3

  /// The host of the tunnel service.
  public let host: String
  /// The end of the tunnel.
  public let end: End

  /// Creates an address.
  public init(host: String, end: End) {
    self.host = host
    self.end = end
  }

  /// The path, with upper-case digits as Chromium writes them.
  public var path: String { Self.path(of: end) }

  /// The URL.
  public var url: String { Self.scheme + host + path }

  private static let scheme = "wss://"

  /// Returns the path of an end.
  public static func path(of end: End) -> String {
    switch end {
    case .new(let tunnelID): "/cable/new/\(hexadecimal(tunnelID).uppercased())"
    case .connect(let routingID, let tunnelID):
      "/cable/connect/\(hexadecimal(routingID).uppercased())/\(hexadecimal(tunnelID).uppercased())"
    }
  }
}

extension TunnelAddress {
  /// Reads a URL.
  /// - Throws: ``HybridError`` with `tunnelURL`, or an error of the path.
  public init(url text: String) throws(HybridError) {
    guard text.utf8.starts(with: Self.scheme.utf8) else {
      throw HybridError(.tunnelURL, "the URL does not start with \(Self.scheme)", evidence: TerminalSafe.text(text))
    }
    let rest = text.dropFirst(Self.scheme.count)
    let host = rest.prefix { $0 != "/" }
    guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostCharacter) else {
      throw HybridError(.tunnelURL, "the URL has no host name", evidence: TerminalSafe.text(text))
    }
    self.init(host: String(host), end: try Self.end(ofPath: String(rest.dropFirst(host.count))))
  }

  private static func isHostCharacter(_ character: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character) || character.isDigit || "-.".utf8.contains(character)
  }

  /// Reads a path, with digits in either case.
  /// - Throws: ``HybridError`` with `tunnelPath`, or `tunnelLinked` for the path of a state-assisted transaction.
  public static func end(ofPath path: String) throws(HybridError) -> End {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0].isEmpty, parts[1] == "cable" else { throw unknown(path) }
    switch (parts[2], parts.count) {
    case ("new", 4): return .new(tunnelID: try identifier(parts[3], tunnelIDLength, of: path))
    case ("connect", 5):
      return .connect(
        routingID: try identifier(parts[3], routingIDLength, of: path),
        tunnelID: try identifier(parts[4], tunnelIDLength, of: path))
    case ("contact", 4):
      throw HybridError(
        .tunnelLinked, "state-assisted (linked) transactions are not offered", evidence: TerminalSafe.text(path))
    default: throw unknown(path)
    }
  }

  private static func identifier(_ text: String, _ length: Int, of path: String) throws(HybridError) -> [UInt8] {
    guard text.utf8.count == 2 * length, let bytes = Hexadecimal.decode(text) else { throw unknown(path) }
    return bytes
  }

  private static func unknown(_ path: String) -> HybridError {
    HybridError(.tunnelPath, "unknown path of a tunnel service", evidence: TerminalSafe.text(path))
  }
}

/// The number of a tunnel service. The first two are assigned; from 256 the number determines the name.
public struct TunnelServiceNumber: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: UInt16

  /// Creates a number.
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
