/// The permissions policy of a document for the feature `digital-credentials-get` (Digital Credentials, "Permissions Policy
/// integration"; the feature's default allowlist is `'self'`).
public struct PermissionsPolicy: Hashable, Sendable {
  /// The name of the policy-controlled feature.
  public static let feature = "digital-credentials-get"

  private let origin: Origin
  private let isInherited: Bool
  private let declared: PolicyAllowlist?

  /// Makes the policy of a top-level document.
  /// - Parameter declared: The allowlist for the feature in the response's `Permissions-Policy` header, if any.
  public init(topLevel origin: Origin, declared: PolicyAllowlist? = nil) {
    self.init(origin: origin, isInherited: true, declared: declared)
  }

  private init(origin: Origin, isInherited: Bool, declared: PolicyAllowlist?) {
    self.origin = origin
    self.isInherited = isInherited
    self.declared = declared
  }

  /// Returns the policy of a document in an `iframe` of this document (Permissions Policy, "Define an inherited policy for
  /// feature in container at origin").
  /// - Parameters:
  ///   - origin: The origin of the framed document.
  ///   - allow: The allowlist for the feature in the element's `allow` attribute, if any.
  ///   - declared: The allowlist for the feature in the framed document's own header, if any.
  public func framing(
    _ origin: Origin, allow: PolicyAllowlist? = nil, declared: PolicyAllowlist? = nil
  ) -> PermissionsPolicy {
    var isInherited = isEnabled(for: self.origin) && isEnabled(for: origin)
    if isInherited { isInherited = allow?.matches(origin) ?? (origin == self.origin) }
    return PermissionsPolicy(origin: origin, isInherited: isInherited, declared: isInherited ? declared : nil)
  }

  /// Indicates whether the document may call `get()` for a digital credential (HTML, "allowed to use").
  public var allowsGet: Bool { isEnabled(for: origin) }

  private func isEnabled(for origin: Origin) -> Bool {
    isInherited && (declared?.matches(origin) ?? true)
  }
}

/// The origins to which a permissions policy grants a feature (Permissions Policy, "Allowlists").
public enum PolicyAllowlist: Hashable, Sendable {
  /// The special value `*`.
  case everyOrigin

  /// The listed origins. An empty list denies the feature to every origin, as `'none'` does.
  case origins([Origin])

  /// Returns whether the list grants the feature to an origin (Permissions Policy, "matches").
  public func matches(_ origin: Origin) -> Bool {
    switch self {
    case .everyOrigin: true
    case .origins(let origins): origins.contains(origin)
    }
  }

  /// Reads the allowlist for `digital-credentials-get` in an `allow` attribute (Permissions Policy, "Parse policy
  /// directive"). Words that are not origins are ignored.
  /// - Parameters:
  ///   - allow: The attribute's text, such as `digital-credentials-get 'self' https://example.com; camera`.
  ///   - container: The origin of the document with the `iframe`, for `'self'`.
  ///   - source: The origin of the URL that the `iframe` loads, for `'src'` and for a feature without words.
  /// - Returns: The list, or nil if the attribute does not name the feature.
  public static func reading(allow: String, container: Origin, source: Origin) -> PolicyAllowlist? {
    var found: PolicyAllowlist?
    for declaration in allow.split(separator: ";") {
      let words = declaration.split { " \t\n\u{c}\r\r\n".contains($0) }
      guard words.first == PermissionsPolicy.feature[...] else { continue }
      found = reading(words.dropFirst(), container: container, source: source)
    }
    return found
  }

  private static func reading(
    _ words: ArraySlice<Substring>, container: Origin, source: Origin
  ) -> PolicyAllowlist {
    if words.contains("*") { return .everyOrigin }
    if words.isEmpty { return .origins([source]) }
    return .origins(
      words.compactMap { word in
        switch word.lowercased() {
        case "'self'": container
        case "'src'": source
        default: try? Origin(url: String(word))
        }
      })
  }
}
