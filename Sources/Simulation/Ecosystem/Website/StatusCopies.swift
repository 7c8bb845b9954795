import MobileDocument
import Primitives

/// Lists that a verifier's server fetched before and still has.
struct StatusCopies: Sendable {
  /// Most copies that are kept. An issuer may name a URI for each document, and a copy may have two megabytes.
  static let maximumCount = 64

  /// A list that was fetched before.
  struct Copy: Sendable {
    let bytes: [UInt8]
    let fetched: DateTime
    /// Until when it counts.
    let until: DateTime
  }

  private var copies: [String: Copy] = [:]

  /// How many there are.
  var count: Int { copies.count }

  /// The copy of the list at a URI.
  subscript(uri: String) -> Copy? { copies[uri] }

  /// Keeps a copy. Where there is no room, the one goes that counts for the shortest time.
  mutating func keep(_ copy: Copy, of uri: String) {
    copies[uri] = copy
    guard copies.count > Self.maximumCount else { return }
    let shortest = copies.min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    if let shortest { copies[shortest.key] = nil }
  }
}
