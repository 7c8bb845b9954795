import MobileDocument
import StatusLists

/// Which lists an issuing authority publishes.
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

  /// Whether a list of it can say that a document is suspended.
  public var knowsSuspension: Bool { self != .identifierList }
}

/// How an issuing authority writes the entries into its documents.
public enum StatusEncoding: String, Sendable, CaseIterable {
  /// As the standard asks for.
  case standard
  /// Identifiers as text, as some issuers did.
  case textIdentifiers = "text-identifiers"
  /// With a URI that is not one of https.
  case withoutTLS = "without-tls"
  /// Without the URI.
  case malformed
}

/// What an issuing authority can do about the status of a document.
public enum StatusChange: String, Sendable, CaseIterable {
  /// For ever.
  case revokes
  /// For the time being.
  case suspends
  /// Ends a suspension.
  case reinstates

  /// What is done, in words.
  public var message: String { rawValue }
}
