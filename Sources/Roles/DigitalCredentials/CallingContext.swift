/// What the browser knows about the document that calls `get()`, at the moment of the call.
///
/// The standard looks at some of it twice, before and after it goes on in parallel; here the call is one event, so one
/// picture of the document serves every check.
public struct CallingContext: Hashable, Sendable {
  /// The document that calls, to tell the frames of a page apart.
  public var document: DocumentID

  /// The origin of the calling document.
  public var origin: Origin

  /// The origin of the top-level document; the same as `origin` when the page itself calls.
  public var topLevelOrigin: Origin

  /// Whether the document is a secure context (Secure Contexts, clause 3).
  public var isSecureContext: Bool

  /// Whether the document is fully active (HTML, "fully active").
  public var isFullyActive: Bool

  /// Whether the document has the person's attention (HTML, "fully active descendant of a top-level traversable with
  /// user attention"): visible and focused.
  public var hasUserAttention: Bool

  /// Whether the window has transient activation (HTML, "transient activation").
  public var hasTransientActivation: Bool

  /// Whether the permissions policy grants `digital-credentials-get`; see `PermissionsPolicy.allowsGet`.
  public var isAllowedByPolicy: Bool

  /// Whether the platform has a chooser at all (Digital Credentials, "`[[DiscoverFromExternalSource]]`").
  public var canPresent: Bool

  /// The reason of the call's signal when it was aborted before the call; nil otherwise and without a signal.
  public var signalAborted: AbortReason?

  /// The context of a call; by default of a page in good order that a person has just tapped.
  /// - Parameters:
  ///   - topLevelOrigin: the origin of the top-level document; `origin` when nil.
  ///   - isSecureContext: when nil, what follows from the two origins: both potentially trustworthy, an opaque frame
  ///     counting as its page does.
  public init(
    document: DocumentID = .page,
    origin: Origin,
    topLevelOrigin: Origin? = nil,
    isSecureContext: Bool? = nil,
    isFullyActive: Bool = true,
    hasUserAttention: Bool = true,
    hasTransientActivation: Bool = true,
    isAllowedByPolicy: Bool = true,
    canPresent: Bool = true,
    signalAborted: AbortReason? = nil
  ) {
    let page = topLevelOrigin ?? origin
    self.document = document
    self.origin = origin
    self.topLevelOrigin = page
    self.isSecureContext =
      isSecureContext
      ?? (page.isPotentiallyTrustworthy && (origin.isOpaque || origin.isPotentiallyTrustworthy))
    self.isFullyActive = isFullyActive
    self.hasUserAttention = hasUserAttention
    self.hasTransientActivation = hasTransientActivation
    self.isAllowedByPolicy = isAllowedByPolicy
    self.canPresent = canPresent
    self.signalAborted = signalAborted
  }
}
