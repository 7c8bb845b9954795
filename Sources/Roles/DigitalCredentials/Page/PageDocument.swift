/// A document of a tab: the page itself, or one of its frames.
public struct PageDocument: Hashable, Sendable {
  /// The place of a document in its life.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// The document is shown in its tab or frame, and is fully active (HTML, "fully active").
    case active
    /// The document waits in the back/forward cache.
    case cached
    /// The document's frame, or a frame around it, was removed.
    case removed
    /// The frame, or a frame around it, shows another document now.
    case navigatedAway
    /// The tab shows another page, and the document was not kept; or the tab was closed.
    case unloaded
  }

  /// The identifier.
  public let id: DocumentID

  /// The tab.
  public let tab: TabID

  /// The document with the `iframe`, or nil for the page itself.
  public let container: DocumentID?

  /// The attributes of the `iframe`.
  public let attributes: FrameAttributes

  /// The content and its headers.
  public let source: DocumentSource

  /// The origin (HTML, "determining the origin").
  public let origin: Origin

  /// Indicates whether the document's scripts run (HTML, "sandboxed scripts browsing context flag").
  public let runsScripts: Bool

  /// The place of the document in its life.
  public internal(set) var state = State.active

  /// The user activation of the document's window.
  public internal(set) var activation = UserActivation()

  /// The active sandboxing flag set, as far as it decides about origins.
  let forcesOpaqueOrigin: Bool

  /// The kind of the document's trustworthiness (Secure Contexts, clause 3.1).
  let trust: Trust

  private let policies: [PolicyFeature: PermissionsPolicy]

  /// The trustworthiness of a document and of the documents around it.
  enum Trust: Hashable, Sendable {
    case trustworthy
    /// Untrustworthy because a `blob:` URL was made by a document with an opaque origin.
    case opaqueBlob
    case untrustworthy
  }

  /// Creates the document of a page, or of a frame in another document of the tab.
  init(
    _ id: DocumentID, _ source: DocumentSource, tab: TabID, attributes: FrameAttributes = FrameAttributes(),
    in container: PageDocument? = nil
  ) {
    self.id = id
    self.tab = tab
    self.container = container?.id
    self.attributes = attributes
    self.source = source
    // Flags add up: a frame has those of its element, of the document around it and of its own header.
    let sandboxes = [attributes.sandbox, source.contentSecuritySandbox].compactMap(\.self)
    forcesOpaqueOrigin = container?.forcesOpaqueOrigin ?? false || sandboxes.contains { !$0.allowsSameOrigin }
    runsScripts = container?.runsScripts ?? true && sandboxes.allSatisfy(\.allowsScripts)
    let inherited =
      switch source.kind {
      case .url(let origin): origin
      case .srcdoc, .blob: container?.origin
      case .data: Origin?.none
      }
    let own = Origin.opaque(id.rawValue)
    let origin = forcesOpaqueOrigin ? own : inherited ?? own
    self.origin = origin
    trust = Self.trust(source.kind, in: container)
    policies = Dictionary(
      uniqueKeysWithValues: PolicyFeature.allCases.map { feature in
        let declared = source.permissionsPolicy.flatMap {
          PolicyAllowlist.reading(header: $0, for: feature, origin: origin)
        }
        guard let container, let outer = container.policies[feature] else {
          return (feature, PermissionsPolicy(topLevel: origin, declared: declared))
        }
        let allow = attributes.allow.flatMap {
          PolicyAllowlist.reading(allow: $0, for: feature, container: container.origin, source: origin)
        }
        return (feature, outer.framing(origin, allow: allow, declared: declared))
      })
  }

  /// The trustworthiness that follows from the URL of a document and from the documents around it. A sandbox does not
  /// change it: the URL counts, not the opaque origin.
  private static func trust(_ kind: DocumentSource.Kind, in container: PageDocument?) -> Trust {
    if let container, container.trust != .trustworthy { return container.trust }
    switch kind {
    case .url(let origin): return origin.isPotentiallyTrustworthy ? .trustworthy : .untrustworthy
    case .srcdoc: return container == nil ? .untrustworthy : .trustworthy
    case .blob:
      guard let container else { return .untrustworthy }
      return container.origin.isOpaque ? .opaqueBlob : .trustworthy
    case .data: return .untrustworthy
    }
  }

  /// Indicates whether the document is fully active (HTML, "fully active").
  public var isFullyActive: Bool { state == .active }

  /// Returns whether the permissions policy of the document grants a feature (HTML, "allowed to use").
  public func isAllowed(_ feature: PolicyFeature) -> Bool { policies[feature]?.allowsUse ?? false }

  /// Returns whether the document is a secure context in a browser (Secure Contexts, clause 3).
  public func isSecureContext(in profile: BrowserProfile) -> Bool {
    switch trust {
    case .trustworthy: true
    case .opaqueBlob: profile.trustsBlobsOfOpaqueOrigins
    case .untrustworthy: false
    }
  }
}

/// The identifier of a tab: a top-level traversable (HTML, "top-level traversable"). The caller chooses it.
public struct TabID: ChosenNumber {
  /// The word before the number.
  public static let noun = "tab"

  /// The number of the tab.
  public let rawValue: Int

  /// Creates the identifier from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
