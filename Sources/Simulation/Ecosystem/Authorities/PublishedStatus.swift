import MobileDocument
import StatusLists

/// The status lists that an issuing authority publishes.
public enum PublishedStatus: String, Sendable, CaseIterable {
  case statusList = "status-list"
  case identifierList = "identifier-list"
  case both

  /// The kinds of list, in the order in which documents name them.
  var kinds: [StatusListKind] {
    switch self {
    case .statusList: [.statusList]
    case .identifierList: [.identifierList]
    case .both: [.statusList, .identifierList]
    }
  }

  /// True if its lists can mark a document as suspended.
  public var knowsSuspension: Bool { self != .identifierList }
}

/// The encoding of status entries in an authority's documents.
public enum StatusEncoding: String, Sendable, CaseIterable {
  /// As in the standard.
  case standard
  /// Identifiers as text, as some issuers write them.
  case textIdentifiers = "text-identifiers"
  /// With a URI without https.
  case withoutTLS = "without-tls"
  /// Without a URI.
  case malformed
}

/// A change of a document's status by an issuing authority.
public enum StatusChange: String, Sendable, CaseIterable {
  /// Permanent.
  case revokes
  /// Temporary.
  case suspends
  /// Ends a suspension.
  case reinstates

  /// The verb for messages.
  public var message: String { rawValue }
}
