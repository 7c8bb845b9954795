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

  init(scheme: Scheme, host: String, port: UInt16?) {
    value = .tuple(scheme: scheme, host: host, port: port == scheme.defaultPort ? nil : port)
  }

  private init(opaque identity: Int) {
    value = .opaque(identity)
  }

  /// An opaque origin, for example of a sandboxed document (HTML, "Origin", "opaque origin").
  ///
  /// In the standard each opaque origin is unique. Here `identity` distinguishes them, so that a run can be repeated.
  public static func opaque(_ identity: Int = 0) -> Origin {
    Origin(opaque: identity)
  }

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
