import Primitives

/// The origin of a document (HTML, "Origin"): a scheme, a host and a port, or an opaque value that equals only itself.
///
/// The session transcript of ISO/IEC TS 18013-7 Annex C binds the ASCII serialization, so each origin has one spelling:
/// lower-case host, no default port, no trailing slash.
public struct Origin: Hashable, Sendable {
  private enum Value: Hashable, Sendable {
    case tuple(scheme: Scheme, host: String, port: UInt16?)
    case opaque(Int)
  }

  enum Scheme: String, Hashable, Sendable {
    case http, https

    var defaultPort: UInt16 {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  private let value: Value

  /// An opaque origin, for example of a sandboxed document (HTML, "Origin", "opaque origin").
  ///
  /// In the standard each opaque origin is unique. Here `identity` distinguishes them, so that a run can be repeated.
  public static func opaque(_ identity: Int = 0) -> Origin { Origin(value: .opaque(identity)) }

  /// The scheme, `http` or `https`, or nil for an opaque origin.
  public var scheme: String? {
    guard case .tuple(let scheme, _, _) = value else { return nil }
    return scheme.rawValue
  }

  /// The host in lower-case ASCII, an IPv6 address in brackets, or nil for an opaque origin.
  public var host: String? {
    guard case .tuple(_, let host, _) = value else { return nil }
    return host
  }

  /// The port, or nil for the scheme's default port and for an opaque origin.
  public var port: UInt16? {
    guard case .tuple(_, _, let port) = value else { return nil }
    return port
  }

  /// Indicates whether the origin is opaque (HTML, "opaque origin").
  public var isOpaque: Bool {
    guard case .opaque = value else { return false }
    return true
  }

  /// The ASCII serialization (HTML, "ASCII serialization of an origin"); `null` for an opaque origin.
  public var serialized: String {
    switch value {
    case .tuple(let scheme, let host, let port?): "\(scheme.rawValue)://\(host):\(port)"
    case .tuple(let scheme, let host, nil): "\(scheme.rawValue)://\(host)"
    case .opaque: "null"
    }
  }

  /// Indicates whether documents of this origin may be secure contexts (Secure Contexts, clause 3.1, "Is origin potentially
  /// trustworthy?"): every `https` origin, and `http` on a loopback address or a name of `localhost`.
  public var isPotentiallyTrustworthy: Bool {
    guard case .tuple(let scheme, let host, _) = value else { return false }
    if scheme == .https { return true }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" || name.hasSuffix(".localhost") || host == "[::1]" { return true }
    return IPv4Address(name)?.isLoopback ?? false
  }
}

extension Origin: CustomStringConvertible {
  /// The ASCII serialization.
  public var description: String { serialized }
}

extension Origin {
  /// Reads a serialized origin, such as `https://example.com` or `http://localhost:8080`.
  ///
  /// A default port and one trailing slash are dropped, and upper-case letters become lower-case, because people write
  /// origins like this. Everything else that is not part of an origin is refused.
  /// - Throws: `OriginError` if the text has a user name, a path, a query, an invalid host or port, or another scheme.
  public init(serialized text: String) throws(OriginError) {
    let parts = try URLParts(text)
    guard parts.rest.isEmpty || parts.rest == "/" else { throw OriginError(.path, in: text) }
    self = try Origin(parts, text)
  }

  /// Reads an origin that is exactly in its serialized form, or returns nil for any other text.
  package init?(exactly text: String) {
    guard let origin = try? Origin(serialized: text), origin.serialized.isExactly(text) else { return nil }
    self = origin
  }

  /// Reads the origin of an `http` or `https` URL (URL Standard, "origin"). Path, query and fragment are ignored.
  /// - Throws: `OriginError` if the text is not such a URL, or has a user name, which this reader never accepts.
  public init(url text: String) throws(OriginError) { self = try Origin(try URLParts(text), text) }

  private init(_ parts: URLParts, _ text: String) throws(OriginError) {
    guard let scheme = Scheme(rawValue: parts.scheme) else { throw OriginError(.scheme, in: text) }
    guard let host = Self.canonicalHost(parts.host) else { throw OriginError(.host, in: text) }
    guard let spelling = parts.port else {
      self.init(value: .tuple(scheme: scheme, host: host, port: nil))
      return
    }
    // The comparison with the written port also refuses signs and leading zeros.
    guard let port = UInt16(spelling), String(port) == spelling else { throw OriginError(.port, in: text) }
    self.init(value: .tuple(scheme: scheme, host: host, port: port == scheme.defaultPort ? nil : port))
  }

  /// The canonical spelling of a host (URL Standard, "host serializer"), or nil if the text is not a host.
  private static func canonicalHost(_ host: String) -> String? {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), let address = IPv6Address(String(host.dropFirst().dropLast())) else { return nil }
      return "[\(address.serialized)]"
    }
    // 253 and 63 octets are the limits of the domain name system (RFC 1035, clause 2.3.4).
    guard host.utf8.count <= 253 else { return nil }
    var labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(isHostCharacter) }) else { return nil }
    // A host whose last label is a number must be an IPv4 address (URL Standard, "ends in a number").
    if let last = labels.last, last.allSatisfy(\.isDigit) || last.starts(with: "0x".utf8) {
      return IPv4Address(host).map { _ in host }
    }
    return host
  }

  /// Indicates whether a host in lower case may have a byte.
  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-_".utf8.contains(byte)
  }
}

/// An error in the text of an origin.
public struct OriginError: CodedError, Hashable {
  /// The rule that a text violates.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The text does not begin with `http://` or `https://`.
    case scheme = "origin.scheme"
    /// The text holds a user name or a password.
    case userInfo = "origin.user-info"
    /// The host is missing, or neither an ASCII domain name nor an IP address.
    case host = "origin.host"
    /// The port is not a decimal number from 0 to 65535 without leading zeros.
    case port = "origin.port"
    /// The text continues after the origin with more than `/`.
    case path = "origin.path"
    /// A space, a control character or a character outside ASCII.
    case character = "origin.character"
  }

  /// The rule that the text violates.
  public let code: Code

  /// The text.
  public let text: String

  init(_ code: Code, in text: String) {
    self.code = code
    self.text = text
  }

  /// A human-readable description of the rule.
  public var message: String {
    switch code {
    case .scheme: "an origin starts with https:// or http://"
    case .userInfo: "an origin does not have a user name or a password"
    case .host: "the host is neither a domain name in ASCII nor an IP address in its usual form"
    case .port: "a port is a decimal number from 0 to 65535 without leading zeros"
    case .path: "only one slash may follow an origin"
    case .character: "an origin consists of visible ASCII characters; write a name in another script in its xn-- form"
    }
  }

  /// The text in quotation marks, cut if it is long.
  public var evidence: String? { quoted(text) }
}

/// The parts of a URL that form its origin, in lower case, and the rest.
private struct URLParts {
  var scheme: String
  var host: String
  var port: String?
  var rest: String

  init(_ text: String) throws(OriginError) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw OriginError(.character, in: text) }
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      throw OriginError(.scheme, in: text)
    }
    scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let afterScheme = bytes[(colon + 3)...]
    let end = afterScheme.firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.endIndex
    let authority = afterScheme[..<end]
    rest = String(decoding: bytes[end...], as: UTF8.self)
    guard !authority.contains(UInt8(ascii: "@")) else { throw OriginError(.userInfo, in: text) }
    // The port follows the last colon outside brackets.
    let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    let portColon = authority[(hostEnd ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
    host = String(decoding: authority[..<(portColon ?? authority.endIndex)], as: UTF8.self).lowercased()
    port = portColon.map { String(decoding: authority[($0 + 1)...], as: UTF8.self) }
  }
}

/// An IPv4 address in its four-part decimal form.
struct IPv4Address: Hashable, Sendable {
  var octets: [UInt8]

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
    guard parts.count == 4, octets.count == 4 else { return nil }
  }

  var isLoopback: Bool { octets.first == 127 }
}

/// An IPv6 address of eight pieces (URL Standard, "IPv6 parser"), without a zone and without an IPv4 tail.
struct IPv6Address: Hashable, Sendable {
  var pieces: [UInt16]

  init?(_ text: String) {
    guard text.utf8.count <= 39 else { return nil }
    var left: [UInt16] = []
    var right: [UInt16] = []
    var isCompressed = false
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // "::" makes one empty part, or two at either end of the text.
    if text.hasPrefix("::") { parts.removeFirst() }
    if text.hasSuffix("::"), parts.count > 1 { parts.removeLast() }
    for part in parts {
      if part.isEmpty {
        guard !isCompressed, text.contains("::") else { return nil }
        isCompressed = true
      } else {
        guard part.utf8.count <= 4, part.allSatisfy(\.isHexDigit), let piece = UInt16(part, radix: 16) else {
          return nil
        }
        if isCompressed { right.append(piece) } else { left.append(piece) }
      }
    }
    let missing = 8 - left.count - right.count
    guard isCompressed ? missing >= 1 : missing == 0 else { return nil }
    pieces = left + Array(repeating: 0, count: missing) + right
  }

  /// The address with its first longest run of zeros compressed (URL Standard, "IPv6 serializer").
  var serialized: String {
    var best = 0..<0
    var index = 0
    while index < pieces.count {
      let end = pieces[index...].firstIndex { $0 != 0 } ?? pieces.count
      if end - index > max(best.count, 1) { best = index..<end }
      index = max(end, index + 1)
    }
    let words = pieces.map { String($0, radix: 16) }
    guard !best.isEmpty else { return words.joined(separator: ":") }
    return words[..<best.lowerBound].joined(separator: ":") + "::"
      + words[best.upperBound...].joined(separator: ":")
  }
}
