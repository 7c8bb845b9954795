/// What the permissions policy of one document says about the feature `digital-credentials-get` (Digital Credentials,
/// "Permissions Policy integration"; the feature's default allowlist is `'self'`).
public struct PermissionsPolicy: Hashable, Sendable {
  /// The name of the policy-controlled feature.
  public static let feature = "digital-credentials-get"

  private let origin: Origin
  private let isInherited: Bool
  private let declared: PolicyAllowlist?

  /// The policy of a top-level document.
  /// - Parameter declared: what the response's `Permissions-Policy` header lists for the feature, if anything.
  public init(topLevel origin: Origin, declared: PolicyAllowlist? = nil) {
    self.init(origin: origin, isInherited: true, declared: declared)
  }

  private init(origin: Origin, isInherited: Bool, declared: PolicyAllowlist?) {
    self.origin = origin
    self.isInherited = isInherited
    self.declared = declared
  }

  /// The policy of a document in an `iframe` of this one (Permissions Policy, "Define an inherited policy for feature
  /// in container at origin").
  /// - Parameters:
  ///   - origin: the origin of the framed document.
  ///   - allow: what the element's `allow` attribute lists for the feature, if it names it.
  ///   - declared: what the framed document's own header lists for the feature, if anything.
  public func framing(
    _ origin: Origin, allow: PolicyAllowlist? = nil, declared: PolicyAllowlist? = nil
  ) -> PermissionsPolicy {
    var isInherited = isEnabled(for: self.origin) && isEnabled(for: origin)
    if isInherited { isInherited = allow?.matches(origin) ?? (origin == self.origin) }
    return PermissionsPolicy(origin: origin, isInherited: isInherited, declared: isInherited ? declared : nil)
  }

  /// Whether the document may call `get()` for a digital credential (HTML, "allowed to use").
  public var allowsGet: Bool { isEnabled(for: origin) }

  private func isEnabled(for origin: Origin) -> Bool {
    isInherited && (declared?.matches(origin) ?? true)
  }
}
