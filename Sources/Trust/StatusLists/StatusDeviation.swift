/// Departures from the standard in a status or a status list that real issuers produce: each is accepted with a finding.
public enum StatusDeviation: Sendable, Equatable {
  /// The member `status` is null.
  case null
  /// An identifier list or a reference to one has text identifiers.
  case identifierText

  /// A human-readable description of the deviation.
  public var message: String {
    switch self {
    case .null: "the status is null"
    case .identifierText: "an identifier of an identifier list is text"
    }
  }
}
