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
