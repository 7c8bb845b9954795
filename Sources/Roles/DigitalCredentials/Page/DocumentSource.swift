/// The origin of a document's content, and the headers that come with it.
public struct DocumentSource: Hashable, Sendable {
  /// The kind of the URL that a document is loaded from.
  public enum Kind: Hashable, Sendable {
    /// An `http` or `https` URL.
    case url(Origin)
    /// The `srcdoc` attribute of the `iframe`.
    case srcdoc
    /// A `blob:` URL that the containing document made.
    case blob
    /// A `data:` URL.
    case data
  }

  /// The kind of the URL.
  public var kind: Kind

  /// The value of the directive `sandbox` in the `Content-Security-Policy` header, or nil without the directive.
  public var contentSecuritySandbox: SandboxTokens?

  /// The `Permissions-Policy` header, or nil without one.
  public var permissionsPolicy: String?

  /// Creates a source.
  public init(_ kind: Kind, contentSecuritySandbox: SandboxTokens? = nil, permissionsPolicy: String? = nil) {
    self.kind = kind
    self.contentSecuritySandbox = contentSecuritySandbox
    self.permissionsPolicy = permissionsPolicy
  }
}

/// The attributes of an `iframe` that decide about its document.
public struct FrameAttributes: Hashable, Sendable {
  /// The attribute `allow`, or nil without one.
  public var allow: String?

  /// The attribute `sandbox`, or nil without one.
  public var sandbox: SandboxTokens?

  /// Creates attributes.
  public init(allow: String? = nil, sandbox: SandboxTokens? = nil) {
    self.allow = allow
    self.sandbox = sandbox
  }
}

/// The tokens of a `sandbox` attribute or directive that matter here (HTML, "parse a sandboxing directive").
public struct SandboxTokens: Hashable, Sendable {
  /// Indicates whether the document keeps its own origin.
  public var allowsSameOrigin: Bool

  /// Indicates whether the document runs scripts.
  public var allowsScripts: Bool

  /// Creates tokens.
  public init(allowsSameOrigin: Bool = false, allowsScripts: Bool = true) {
    self.allowsSameOrigin = allowsSameOrigin
    self.allowsScripts = allowsScripts
  }

  /// Reads tokens, such as `allow-scripts allow-same-origin`. Letter case does not count, and other tokens are ignored.
  public init(_ text: String) {
    let tokens = text.split { " \t\n\u{c}\r\r\n".contains($0) }.map { $0.lowercased() }
    self.init(allowsSameOrigin: tokens.contains("allow-same-origin"), allowsScripts: tokens.contains("allow-scripts"))
  }
}
