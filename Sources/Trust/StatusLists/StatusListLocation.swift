/// Where a list can be fetched: an https URI, taken apart as far as somebody needs who fetches it (RFC 3986, 3).
public struct StatusListLocation: Sendable, Hashable {
  /// The whole URI.
  public let uri: String
  /// Its host in lower case.
  public let host: String
  /// What stands behind host and port, at least `/`, without the fragment.
  public let target: String

  /// The location of a URI; nil when it is none over TLS, or names a user.
  public init?(_ uri: String) {
    let scheme = "https://"
    let bytes = Array(uri.utf8)
    guard bytes.count <= StatusLimits.uriLength, bytes.allSatisfy({ (0x21...0x7e).contains($0) }),
      bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 || $0 == $1 })
    else { return nil }
    let rest = bytes.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let host = parts.first, !host.isEmpty, host.allSatisfy(Self.standsInHost),
      parts.count == 1 || parts[1].allSatisfy({ (48...57).contains($0) })
    else { return nil }
    self.uri = uri
    self.host = String(decoding: host, as: UTF8.self).lowercased()
    let target = rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "#") }
    self.target = (target.first == UInt8(ascii: "/") ? "" : "/") + String(decoding: target, as: UTF8.self)
  }

  /// Letters, digits, hyphens and dots; names of other letters come in their ASCII form.
  private static func standsInHost(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
}
