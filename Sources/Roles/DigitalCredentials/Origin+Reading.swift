extension Origin {
  /// Reads an origin in its serialised form, such as `https://example.com` or `http://localhost:8080`.
  ///
  /// A default port and one trailing slash are accepted and dropped, and capital letters become small, because people
  /// write origins so; everything else that is not part of an origin is refused.
  /// - Throws: `OriginError`, when the text holds a user name, a path, a query, a bad host or port, or another scheme.
  public init(serialized text: String) throws(OriginError) {
    let parts = try URLParts(text)
    guard parts.rest.isEmpty || parts.rest == "/" else { throw OriginError(.path, in: text) }
    self = try Origin(parts, text)
  }

  /// The origin of an `http` or `https` URL (URL Standard, "origin"): path, query and fragment play no part.
  /// - Throws: `OriginError`, when the text is not such a URL, or holds a user name, which this reader never accepts.
  public init(url text: String) throws(OriginError) {
    self = try Origin(try URLParts(text), text)
  }

  private init(_ parts: URLParts, _ text: String) throws(OriginError) {
    guard let scheme = Scheme(rawValue: parts.scheme) else { throw OriginError(.scheme, in: text) }
    guard let host = Self.canonicalHost(parts.host) else { throw OriginError(.host, in: text) }
    guard let spelling = parts.port else {
      self.init(scheme: scheme, host: host, port: nil)
      return
    }
    // Writing it back also refuses signs and leading zeros.
    guard let port = UInt16(spelling), String(port) == spelling else { throw OriginError(.port, in: text) }
    self.init(scheme: scheme, host: host, port: port)
  }

  /// The one spelling of a host, in the sense of the URL Standard's "host serializer"; nil when it is no host.
  private static func canonicalHost(_ host: String) -> String? {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), let address = IPv6Address(String(host.dropFirst().dropLast())) else { return nil }
      return "[\(address.serialized)]"
    }
    // 253 and 63 octets are the limits of the domain name system (RFC 1035, clause 2.3.4).
    guard host.utf8.count <= 253 else { return nil }
    var labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last == "" { labels.removeLast() }
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(isHostCharacter) }) else {
      return nil
    }
    // A host whose last label is a number is an IPv4 address or nothing (URL Standard, "ends in a number").
    if let last = labels.last, last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x") {
      return IPv4Address(host).map { _ in host }
    }
    return host
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}

/// The parts of a URL that matter for an origin, in lower case.
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
    // The last colon outside brackets begins the port.
    let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
    let portColon = authority[(hostEnd ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
    host = String(decoding: authority[..<(portColon ?? authority.endIndex)], as: UTF8.self).lowercased()
    port = portColon.map { String(decoding: authority[($0 + 1)...], as: UTF8.self) }
  }
}
