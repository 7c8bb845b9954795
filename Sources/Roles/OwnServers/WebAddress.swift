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

  /// Reads an address; nil for one of another scheme, with a user's name, or without a host.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "\\" }
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

  /// The origin of a page at the address.
  package var origin: String { port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : server }

  /// True if the address is one of this machine.
  package var isLoopback: Bool { (try? Origin(serialized: "http://\(host)"))?.isPotentiallyTrustworthy == true }

  /// The address that a `Location` header leads to from this one; nil for one that cannot be read (RFC 9110, 10.2.2).
  package func following(_ location: String) -> String? {
    if WebAddress(location) != nil { return location }
    if location.hasPrefix("//") { return "\(scheme):\(location)" }
    guard !location.contains("://") else { return nil }
    let base = "\(scheme)://\(host):\(port)"
    if location.hasPrefix("/") { return base + location }
    let folder = path.prefix { $0 != "?" }
    guard let slash = folder.lastIndex(of: "/") else { return nil }
    return base + folder[...slash] + location
  }
}
