import Primitives

/// Status lists that a server fetched before and may use again.
public struct StatusListCopies: Sendable {
  /// The most copies that are kept. An issuer may name a URI for each document, and a copy may have two megabytes.
  public static let maximumCount = 64

  /// A fetched list.
  public struct Copy: Sendable, Equatable {
    /// The token as fetched.
    public let bytes: [UInt8]
    /// The time at which it was fetched.
    public let fetched: DateTime
    /// The last time at which it may be used.
    public let until: DateTime

    /// Creates a copy.
    public init(bytes: [UInt8], fetched: DateTime, until: DateTime) {
      self.bytes = bytes
      self.fetched = fetched
      self.until = until
    }
  }

  private var copies: [String: Copy] = [:]

  /// Creates an empty store.
  public init() {}

  /// The number of copies.
  public var count: Int { copies.count }

  /// The copy of the list at a URI.
  public subscript(uri: String) -> Copy? { copies[uri] }

  /// Keeps a copy. If there are too many, the one that expires first is dropped.
  public mutating func keep(_ copy: Copy, of uri: String) {
    copies[uri] = copy
    guard copies.count > Self.maximumCount else { return }
    let first = copies.min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    if let first { copies[first.key] = nil }
  }
}
