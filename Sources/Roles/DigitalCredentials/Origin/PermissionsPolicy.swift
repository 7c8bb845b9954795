/// The permissions policy of a document for one feature (Permissions Policy, "Permissions Policy Object"). The feature's
/// default allowlist is `'self'`.
public struct PermissionsPolicy: Hashable, Sendable {
  private let origin: Origin
  private let isInherited: Bool
  private let declared: PolicyAllowlist?

  /// Creates the policy of a top-level document.
  /// - Parameters:
  ///   - origin: The origin of the document.
  ///   - declared: The allowlist for the feature in the response's `Permissions-Policy` header, if any.
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

  /// Indicates whether the document may use the feature (HTML, "allowed to use").
  public var allowsUse: Bool { isEnabled(for: origin) }

  private func isEnabled(for origin: Origin) -> Bool { isInherited && (declared?.matches(origin) ?? true) }
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
}

extension PolicyAllowlist {
  /// Reads the allowlist for a feature in an `allow` attribute (Permissions Policy, "Parse policy directive"). Words that
  /// are not origins are ignored.
  /// - Parameters:
  ///   - allow: The attribute's text, such as `digital-credentials-get 'self' https://example.com; camera`.
  ///   - feature: The feature.
  ///   - container: The origin of the document with the `iframe`, for `'self'`.
  ///   - source: The origin of the URL that the `iframe` loads, for `'src'` and for a feature without words.
  /// - Returns: The list, or nil if the attribute does not name the feature.
  public static func reading(
    allow: String, for feature: PolicyFeature = .get, container: Origin, source: Origin
  ) -> PolicyAllowlist? {
    var found: PolicyAllowlist?
    for declaration in allow.split(separator: ";") {
      let words = declaration.split { " \t\n\u{c}\r\r\n".contains($0) }
      guard words.first == feature.rawValue[...] else { continue }
      found = reading(words.dropFirst(), container: container, source: source)
    }
    return found
  }

  private static func reading(_ words: ArraySlice<Substring>, container: Origin, source: Origin) -> PolicyAllowlist {
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

  /// Reads the allowlist for a feature in a `Permissions-Policy` header (Permissions Policy, "Process response policy"),
  /// such as `digital-credentials-get=(self "https://example.com"), camera=()`. Members that are not origins are ignored.
  /// - Parameters:
  ///   - header: The header's value.
  ///   - feature: The feature.
  ///   - origin: The origin of the document that came with the header, for `self`.
  /// - Returns: The list, or nil if the header does not name the feature.
  public static func reading(header: String, for feature: PolicyFeature = .get, origin: Origin) -> PolicyAllowlist? {
    var found: PolicyAllowlist?
    for member in header.split(separator: ",") {
      let sides = member.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
      guard sides.count == 2, sides[0] == feature.rawValue else { continue }
      let value = sides[1]
      let words =
        value.hasPrefix("(") && value.hasSuffix(")")
        ? value.dropFirst().dropLast().split(separator: " ").map(String.init) : [value]
      found =
        words.contains("*")
        ? .everyOrigin
        : .origins(
          words.compactMap { word in
            if word == "self" { return origin }
            guard word.count >= 2, word.hasPrefix("\""), word.hasSuffix("\"") else { return nil }
            return try? Origin(url: String(word.dropFirst().dropLast()))
          })
    }
    return found
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
