import DigitalCredentials

/// An absolute address of HTTP: as much of it as decides whether a call may go there.
package struct WebAddress: Sendable, Equatable {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case, an IPv6 address in brackets.
  package let host: String
  /// The port, the scheme's own if the address names none.
  package let port: Int
  /// The path with the query, without the fragment.
  package let path: String

  /// Reads an address; nil for one of another scheme, with a user's name, without a host, or with a character that an
  /// address does not have (RFC 3986, 2): other readers end the host elsewhere at a backslash, and leave out white space.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
    guard let colon = text.firstRange(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else { return nil }
    let tail = rest[authority.endIndex...]
    path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end].lowercased()
      guard let port = Self.port(authority[authority.index(after: end)...], scheme) else { return nil }
      self.port = port
    } else {
      let name = authority.prefix { $0 != ":" }
      host = name.lowercased()
      guard !host.isEmpty, let port = Self.port(authority[name.endIndex...], scheme) else { return nil }
      self.port = port
    }
  }

  private static func port(_ text: Substring, _ scheme: String) -> Int? {
    if text.isEmpty || text == ":" { return scheme == "https" ? 443 : 80 }
    guard text.hasPrefix(":"), text.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text.dropFirst()).flatMap { (1...65535).contains($0) ? $0 : nil }
  }

  /// The server: scheme, host and port.
  package var server: String { "\(scheme)://\(host):\(port)" }

  /// The address with its port, without a fragment.
  package var text: String { server + path }

  /// The origin of a page at the address.
  package var origin: String { port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : server }

  /// True if the address is one of this machine.
  package var isLoopback: Bool { (try? Origin(serialized: "http://\(host)"))?.isPotentiallyTrustworthy == true }

  /// The address that a `Location` header leads to from this one (RFC 9110, 10.2.2; RFC 3986, 5.2.2); nil for one that
  /// cannot be read.
  package func following(_ location: String) -> WebAddress? {
    let ownPath = path.prefix { $0 != "?" }
    let first = location.prefix { !"/?#".contains($0) }
    if first.contains(":") { return WebAddress(location) }
    if location.hasPrefix("//") { return WebAddress("\(scheme):\(location)") }
    if location.hasPrefix("/") { return WebAddress(server + location) }
    if location.hasPrefix("?") { return WebAddress(server + ownPath + location) }
    if first.isEmpty { return WebAddress(server + path) }
    guard let slash = ownPath.lastIndex(of: "/") else { return nil }
    return WebAddress(server + ownPath[...slash] + location)
  }
}
