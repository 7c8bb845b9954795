/// The origins to which a permissions policy grants a feature (Permissions Policy, "Allowlists").
public enum PolicyAllowlist: Hashable, Sendable {
  /// The special value `*`.
  case everyOrigin

  /// The origins that are listed; an empty list grants the feature to nobody, as `'none'` does.
  case origins([Origin])

  /// Whether the list grants the feature to an origin (Permissions Policy, "matches").
  public func matches(_ origin: Origin) -> Bool {
    switch self {
    case .everyOrigin: true
    case .origins(let origins): origins.contains(origin)
    }
  }

  /// Reads what an `allow` attribute lists for `digital-credentials-get` (Permissions Policy, "Parse policy
  /// directive"). Words that name no origin grant nothing.
  /// - Parameters:
  ///   - allow: the attribute's text, such as `digital-credentials-get 'self' https://example.com; camera`.
  ///   - container: the origin of the document that holds the `iframe`, for `'self'`.
  ///   - source: the origin of the URL that the `iframe` loads, for `'src'` and for a feature without words.
  /// - Returns: the list, or nil when the attribute does not name the feature.
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
