import StatusLists

/// The status lists that an issuing authority publishes.
public enum PublishedStatus: String, Sendable, CaseIterable {
  case statusList = "status-list"
  case identifierList = "identifier-list"
  case both

  /// The kinds of list, in the order in which documents name them.
  package var kinds: [StatusListKind] {
    switch self {
    case .statusList: [.statusList]
    case .identifierList: [.identifierList]
    case .both: [.statusList, .identifierList]
    }
  }

  /// True if its lists can mark a document as suspended.
  public var knowsSuspension: Bool { self != .identifierList }
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
