/// The state of the document that calls, at the moment of the call. `PageWindow` makes it.
///
/// The standard reads some of this state twice, before and after its parallel steps. Here a call is one event, so all checks
/// use one state.
public struct CallingContext: Hashable, Sendable {
  /// The calling document: the page itself or one of its frames.
  public var document: DocumentID

  /// The origin of the calling document.
  public var origin: Origin

  /// The origin of the top-level document; the same as `origin` when the page itself calls.
  public var topLevelOrigin: Origin

  /// Indicates whether the document is a secure context (Secure Contexts, clause 3).
  public var isSecureContext: Bool

  /// Indicates whether the document is fully active (HTML, "fully active").
  public var isFullyActive: Bool

  /// Indicates whether the document has the person's attention (HTML, "fully active descendant of a top-level traversable with
  /// user attention"): visible and focused.
  public var hasUserAttention: Bool

  /// Indicates whether the calling document itself has focus (HTML, "has focus steps"): `document.hasFocus()`.
  public var hasFocus: Bool

  /// Indicates whether the calling document is visible, focused or not: `document.visibilityState`.
  public var isVisible: Bool

  /// Indicates whether the window has transient activation (HTML, "transient activation").
  public var hasTransientActivation: Bool

  /// Indicates whether the permissions policy grants the feature of the call; see `CredentialOperation.feature`.
  public var isAllowedByPolicy: Bool

  /// Indicates whether the platform has a chooser (Digital Credentials, "`[[DiscoverFromExternalSource]]`").
  public var canPresent: Bool

  /// The abort reason of the call's signal, or nil if the signal was not aborted before the call.
  public var signalAborted: AbortReason?

  /// Creates the context of a call, by default of an active, secure page that the person has just tapped.
  /// - Parameters:
  ///   - document: The document that calls.
  ///   - origin: The origin of that document.
  ///   - topLevelOrigin: The origin of the top-level document, or nil for `origin`.
  ///   - isSecureContext: Nil derives it from the two origins: both must be potentially trustworthy; an opaque frame
  ///     counts as its page.
  ///   - isFullyActive: Indicates whether the document is fully active.
  ///   - hasUserAttention: Indicates whether the document has the person's attention.
  ///   - hasFocus: Nil for `hasUserAttention`.
  ///   - isVisible: Nil for `hasUserAttention`.
  ///   - hasTransientActivation: Indicates whether the person has just tapped the page.
  ///   - isAllowedByPolicy: Indicates whether the permissions policy allows the call.
  ///   - canPresent: Indicates whether the platform has a chooser.
  ///   - signalAborted: The abort reason of the call's signal, or nil if the signal was not aborted before the call.
  public init(
    document: DocumentID = .page,
    origin: Origin,
    topLevelOrigin: Origin? = nil,
    isSecureContext: Bool? = nil,
    isFullyActive: Bool = true,
    hasUserAttention: Bool = true,
    hasFocus: Bool? = nil,
    isVisible: Bool? = nil,
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
    self.hasFocus = hasFocus ?? hasUserAttention
    self.isVisible = isVisible ?? hasUserAttention
    self.hasTransientActivation = hasTransientActivation
    self.isAllowedByPolicy = isAllowedByPolicy
    self.canPresent = canPresent
    self.signalAborted = signalAborted
  }
}

/// An identifier that the caller chooses: a number of one kind of thing, written as `call 7`.
public protocol ChosenNumber: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible
where RawValue == Int {
  /// The word before the number.
  static var noun: String { get }

  /// Creates the identifier from a number.
  init(rawValue: Int)
}

extension ChosenNumber {
  /// Creates the identifier from a number.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }

  /// The kind and the number.
  public var description: String { "\(Self.noun) \(rawValue)" }
}

/// The identifier of a call. The caller chooses it and uses it once for each mediator.
public struct CallID: ChosenNumber {
  /// The word before the number.
  public static let noun = "call"

  /// The number of the call.
  public let rawValue: Int

  /// Creates the identifier from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The identifier of a document of a top-level traversable (HTML, "Document"): the page itself or a frame.
public struct DocumentID: ChosenNumber {
  /// The document of the page itself.
  public static let page: DocumentID = 0

  /// The word before the number.
  public static let noun = "document"

  /// The number of the document.
  public let rawValue: Int

  /// Creates the identifier from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
