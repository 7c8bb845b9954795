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
public enum StatusEntryForm: String, Sendable, CaseIterable {
  /// As the standard asks for.
  case proper
  /// Identifiers as text, as some issuers did.
  case textIdentifiers = "text-identifiers"
  /// With a URI that is not one of https.
  case withoutTLS = "without-tls"
  /// Without the URI.
  case malformed
}

/// What an issuing authority publishes at the URI of its list: the list, or one of the ways to get it wrong.
public enum StatusPublishing: String, Sendable, CaseIterable {
  /// The list as it is, signed anew for whoever asks.
  case current
  /// Nothing.
  case nothing
  /// The list as it was when this began, over and over.
  case outdated
  /// Something that is no token.
  case unreadable
  /// A token of another type.
  case anotherType = "another-type"
  /// A token that the document signer signed.
  case documentSigner = "signed-by-document-signer"
  /// A token whose signer's certificate is of another root.
  case anotherRoot = "signed-under-another-root"
  /// A token that a reader signed, whose certificate is of the authority's root.
  case reader = "signed-by-reader"
  /// A token whose signer's certificate has expired.
  case expiredCertificate = "signed-with-expired-certificate"
  /// A token that does not say when it ends.
  case withoutEnd = "without-end"
  /// The token of another list.
  case anotherList = "another-list"
  /// A token of tomorrow.
  case datedAhead = "dated-ahead"
  /// A status list that ends before the document's entry.
  case tooShort = "too-short"
  /// A status list that says something about every document that nobody knows.
  case unknownValue = "unknown-value"
  /// A token whose type is spelt as in the example of the standard's draft.
  case typeInExample = "type-as-in-example"
  /// A token that is not in tag 18.
  case untagged
  /// A token with its chain in the unprotected header.
  case unprotectedChain = "unprotected-chain"
  /// A token whose dates have fractional seconds.
  case fractionalSeconds = "fractional-seconds"
  /// A token whose signer's certificate has a serial number that is too short.
  case shortSerialNumber = "short-serial-number"

  /// Whether what is published only departs in its form, and is accepted with a finding.
  public var isDeparture: Bool {
    switch self {
    case .typeInExample, .untagged, .unprotectedChain, .fractionalSeconds, .shortSerialNumber: true
    default: false
    }
  }

  /// What is published, in words.
  public var sentence: String {
    switch self {
    case .current: "publishes its lists as they are"
    case .nothing: "publishes nothing any more"
    case .outdated: "goes on publishing its lists of now"
    case .unreadable: "publishes something that is no list"
    case .anotherType: "publishes tokens of another type"
    case .documentSigner: "lets its document signer sign its lists"
    case .anotherRoot: "publishes lists that are signed under another root"
    case .reader: "lets a reader sign its lists"
    case .expiredCertificate: "publishes lists that are signed with an expired certificate"
    case .withoutEnd: "publishes lists that do not say when they end"
    case .anotherList: "publishes another list at the place of each"
    case .datedAhead: "publishes lists of tomorrow"
    case .tooShort: "publishes a status list without any entry"
    case .unknownValue: "publishes a status list of values that nobody knows"
    case .typeInExample: "publishes lists whose type is spelt as in the example of the standard's draft"
    case .untagged: "publishes lists that are not in tag 18"
    case .unprotectedChain: "publishes lists with the certificate chain in the unprotected header"
    case .fractionalSeconds: "publishes lists whose dates have fractional seconds"
    case .shortSerialNumber: "publishes lists that are signed with a certificate of a short serial number"
    }
  }
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
  public var sentence: String { rawValue }
}
