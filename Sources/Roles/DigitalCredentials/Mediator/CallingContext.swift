/// The state of the document that calls `get()`, at the moment of the call.
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

  /// Indicates whether the window has transient activation (HTML, "transient activation").
  public var hasTransientActivation: Bool

  /// Indicates whether the permissions policy grants `digital-credentials-get`; see `PermissionsPolicy.allowsGet`.
  public var isAllowedByPolicy: Bool

  /// Indicates whether the platform has a chooser (Digital Credentials, "`[[DiscoverFromExternalSource]]`").
  public var canPresent: Bool

  /// The abort reason of the call's signal, or nil if the signal was not aborted before the call.
  public var signalAborted: AbortReason?

  /// Makes the context of a call, by default of an active, secure page that the person has just tapped.
  /// - Parameters:
  ///   - topLevelOrigin: The origin of the top-level document, or nil for `origin`.
  ///   - isSecureContext: Nil derives it from the two origins: both must be potentially trustworthy; an opaque frame
  ///     counts as its page.
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

/// The identifier of a call of `get()`. The caller chooses it and uses it once for each mediator.
public struct CallID: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The number of the call.
  public let rawValue: Int

  /// Makes the identifier from a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Makes the identifier from a number.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  /// The call as `call 7`.
  public var description: String { "call \(rawValue)" }
}

/// The identifier of a document of a top-level traversable (HTML, "Document"): the page itself or a frame.
public struct DocumentID: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The document of the page itself.
  public static let page: DocumentID = 0

  /// The number of the document.
  public let rawValue: Int

  /// Makes the identifier from a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Makes the identifier from a number.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  /// The document as `document 7`.
  public var description: String { "document \(rawValue)" }
}

/// The transient activation of a window (HTML, "tracking user activation").
public struct UserActivation<Instant: InstantProtocol & Sendable>: Sendable where Instant.Duration == Duration {
  /// The duration of an activation. HTML leaves it to the browser, "a few seconds"; browsers use five.
  public static var duration: Duration { .seconds(5) }

  private var expiry: Instant?

  /// Makes the state of a window without activation.
  public init() {}

  /// Records an interaction of the person with the window.
  public mutating func activate(at now: Instant) { expiry = now.advanced(by: Self.duration) }

  /// Consumes the activation.
  public mutating func consume() { expiry = nil }

  /// Returns whether the window has transient activation.
  public func isTransient(at now: Instant) -> Bool { expiry.map { now < $0 } ?? false }
}

/// The page in front of the person, and the activation of its window. One value serves one window of a browser.
///
/// ```
/// visit a ---> a is fully active, visible and focused
/// interact --> a has transient activation, for a while
/// visit b ---> a is not fully active; b starts without activation
/// ```
public struct PageAttention<Page: Equatable & Sendable, Instant: InstantProtocol & Sendable>: Sendable
where Instant.Duration == Duration {
  /// The page in front of the person, or nil before the first visit.
  public private(set) var frontPage: Page?

  private var activation = UserActivation<Instant>()

  /// Makes the state of a window without a page.
  public init() {}

  /// Puts a page in front. The page starts without activation, even if it was in front before.
  public mutating func visit(_ page: Page) {
    frontPage = page
    activation.consume()
  }

  /// Records an interaction of the person.
  /// - Returns: The page that receives it, or nil if no page is in front.
  public mutating func interact(at now: Instant) -> Page? {
    guard let frontPage else { return nil }
    activation.activate(at: now)
    return frontPage
  }

  /// Consumes the activation of the page in front.
  public mutating func consumeActivation() { activation.consume() }

  /// Returns the context of a call of a top-level document.
  /// - Parameter origin: The origin that the page was loaded from.
  public func context(of page: Page, origin: Origin, at now: Instant) -> CallingContext {
    let isInFront = frontPage == page
    return CallingContext(
      origin: origin, isFullyActive: isInFront, hasUserAttention: isInFront,
      hasTransientActivation: isInFront && activation.isTransient(at: now))
  }
}
