import JSON
import MobileDocument
import Primitives
import SDJWT

/// A query in the Digital Credentials Query Language (OpenID4VP, 6): the credentials and claims that a verifier asks for.
public struct DCQLQuery: Sendable {
  /// The credential queries, at least one, with distinct identifiers.
  public let credentials: [CredentialQuery]
  /// The sets, at least one; nil if every credential query must be answered.
  public let credentialSets: [CredentialSet]?
  /// Departures from the text that are accepted.
  public let findings: [DCQLFinding]

  /// One option or several, one of which answers the set (OpenID4VP, 6.2).
  public struct CredentialSet: Sendable {
    /// The options, each a list of identifiers of credential queries that belong together.
    public let options: [[String]]
    /// True if the set must be answered.
    public let isRequired: Bool

    /// Creates a set.
    public init(options: [[String]], isRequired: Bool = true) {
      self.options = options
      self.isRequired = isRequired
    }
  }

  /// Returns the credential query with an identifier.
  public func credential(_ id: String) -> CredentialQuery? { credentials.first { $0.id.isExactly(id) } }

  /// The identifiers that are asked for: with sets, a query in none of them is not (OpenID4VP, 6.4.2).
  public var requestedIDs: [String] {
    guard let credentialSets else { return credentials.map(\.id) }
    let named = Set(credentialSets.flatMap(\.options).joined().map(ExactText.init))
    return credentials.map(\.id).filter { named.contains(ExactText($0)) }
  }

  /// Returns the queries that a wallet answers: all, or of each set the first option whose queries it can all answer
  /// (OpenID4VP, 6.4.2). Sets that are not required are answered where they can be.
  /// - Returns: Nil if a required query cannot be answered.
  public func answeredIDs(where canAnswer: (CredentialQuery) -> Bool) -> [String]? {
    let held = credentials.filter(canAnswer).map(\.id)
    guard isAnswered(by: held) else { return nil }
    guard let options = answeredOptions(by: held) else { return held }
    let chosen = Set(options.compactMap(\.first).joined().map(ExactText.init))
    return held.filter { chosen.contains(ExactText($0)) }
  }

  /// Returns the answered queries that no choice of one answered option of each set has (OpenID4VP, 6.4.2): those that are
  /// in no answered option, or all if every one is, and no choice has them together. Without sets the result is empty.
  public func surplus(in answered: [String]) -> [String] {
    guard let options = answeredOptions(by: answered) else { return [] }
    let alone = answered.filter { id in !options.joined().joined().contains { $0.isExactly(id) } }
    guard alone.isEmpty else { return alone }
    var tries = OpenID4VPLimits.optionTries
    /// Returns whether one option of each set, at most, covers the open queries.
    func isExplained(_ open: [String], by sets: [[[String]]]) -> Bool {
      guard let id = open.first else { return true }
      for (place, set) in sets.enumerated() {
        for option in set where option.contains(where: { $0.isExactly(id) }) {
          tries -= 1
          guard tries > 0 else { return true }
          var others = sets
          others.remove(at: place)
          if isExplained(open.filter { id in !option.contains { $0.isExactly(id) } }, by: others) { return true }
        }
      }
      return false
    }
    return isExplained(answered, by: options) ? [] : answered
  }

  /// Returns, for each set, the options whose queries are all answered; nil without sets.
  public func answeredOptions(by answered: [String]) -> [[[String]]]? {
    let ids = Set(answered.map(ExactText.init))
    return credentialSets?.map { set in
      set.options.filter { option in option.allSatisfy { ids.contains(ExactText($0)) } }
    }
  }

  /// Returns whether answers to some credential queries answer the whole query (OpenID4VP, 6.4.2).
  public func isAnswered(by answered: [String]) -> Bool {
    guard let credentialSets, let options = answeredOptions(by: answered) else {
      let ids = Set(answered.map(ExactText.init))
      return credentials.allSatisfy { ids.contains(ExactText($0.id)) }
    }
    return zip(credentialSets, options).allSatisfy { !$0.isRequired || !$1.isEmpty }
  }
}

/// The formats of credentials that are presented here (OpenID4VP, B.2 and B.3).
public enum CredentialFormat: String, Sendable, CaseIterable {
  /// A mobile document of ISO/IEC 18013-5.
  case mdoc = "mso_mdoc"
  /// An SD-JWT verifiable credential.
  case sdJWT = "dc+sd-jwt"

  /// The name space under which the claims of SD-JWT credentials are listed, each by its path.
  package static let claimsNameSpace = DataElementCatalogue.claimsNameSpace

  /// Returns the identifier by which elements of requests and of answers are compared: that of a claim has no indices, because
  /// a receiver does not know the issuer's where elements of an array are left out.
  package static func comparedIdentifier(_ identifier: String, in nameSpace: String) -> String {
    guard nameSpace == claimsNameSpace, identifier.utf8.contains(UInt8(ascii: "[")) else { return identifier }
    return identifier.replacing(#/\[[0-9]+\]/#, with: "[]")
  }

  /// Returns the type of a credential where only one text names it, as in registrations and entitlements: that of a mobile
  /// document as it is, and that of another format after the format's name and a space.
  package static func registeredType(_ type: String, formatName: String) -> String {
    formatName.isExactly(mdoc.rawValue) ? type : "\(formatName) \(type)"
  }

  /// The format and the type of a registered type.
  package static func ofRegisteredType(_ text: String) -> (format: CredentialFormat, type: String) {
    let prefix = SDJWTType.registeredType("")
    return text.hasPrefix(prefix) ? (sdJWT, String(text.dropFirst(prefix.count))) : (mdoc, text)
  }
}

/// The name of an element or a claim by which requests, views and answers are compared. A claim is named without the indices
/// of its path.
package struct ComparedElementName: Hashable, Sendable {
  package let documentType: String
  package let nameSpace: String
  package let identifier: String

  /// Creates the name of an element.
  package init(documentType: String, nameSpace: String, identifier: String) {
    (self.documentType, self.nameSpace) = (documentType, nameSpace)
    self.identifier = CredentialFormat.comparedIdentifier(identifier, in: nameSpace)
  }
}

/// A query for one credential (OpenID4VP, 6.1).
public struct CredentialQuery: Sendable {
  /// The identifier, which the response repeats.
  public let id: String
  /// The format as received.
  public let formatName: String
  /// The accepted document type of an mdoc or types of an SD-JWT; nil accepts any.
  public let types: [String]?
  /// True if several credentials may answer.
  public let allowsMultiple: Bool
  /// True if the holder's key must sign.
  public let requiresHolderBinding: Bool
  /// The accepted authorities, one of which must match; nil accepts any.
  public let trustedAuthorities: [TrustedAuthority]?
  /// The claims; nil asks for none that the holder could leave out.
  public let claims: [ClaimsQuery]?
  /// The sets of claims in the order of preference; nil asks for all claims.
  public let claimSets: [[String]]?

  /// What is asked for in the terms of a request for mobile documents, one for each accepted type.
  package var items: [ItemsRequest] {
    (types ?? []).map { type in
      var spaces: [(name: String, elements: [ItemsRequest.Element])] = []
      for claim in claims ?? [] {
        let name = claim.listedName(in: self)
        let element = ItemsRequest.Element(name.identifier, intentToRetain: claim.intentToRetain ?? false)
        if let place = spaces.firstIndex(where: { $0.name.isExactly(name.nameSpace) }) {
          spaces[place].elements.append(element)
        } else {
          spaces.append((name.nameSpace, [element]))
        }
      }
      return ItemsRequest(
        documentType: CredentialFormat.registeredType(type, formatName: formatName),
        nameSpaces: spaces.map { ItemsRequest.NameSpace($0.name, $0.elements) })
    }
  }

  /// The format; nil for one that matches nothing here.
  public var format: CredentialFormat? { CredentialFormat(rawValue: formatName) }

  /// The lists of claims that answer the query, in the order of preference.
  var alternatives: [[ClaimsQuery]] {
    guard let claims else { return [[]] }
    guard let claimSets else { return [claims] }
    return claimSets.map { set in set.compactMap { id in claims.first { $0.id?.isExactly(id) == true } } }
  }
}

extension CredentialQuery {
  /// Creates a query for a credential.
  public init(
    id: String, format: CredentialFormat, types: [String], claims: [ClaimsQuery]?, claimSets: [[String]]? = nil,
    trustedAuthorities: [TrustedAuthority]? = nil, allowsMultiple: Bool = false, requiresHolderBinding: Bool = true
  ) {
    self.init(
      id: id, formatName: format.rawValue, types: types, allowsMultiple: allowsMultiple,
      requiresHolderBinding: requiresHolderBinding, trustedAuthorities: trustedAuthorities, claims: claims,
      claimSets: claimSets)
  }
}

/// A claim that is asked for (OpenID4VP, 6.3).
public struct ClaimsQuery: Sendable {
  /// The identifier, if sets of claims name it.
  public let id: String?
  /// The way to the claim; of an mdoc a name space and an element.
  public let path: ClaimsPath
  /// The accepted values; nil accepts any.
  public let values: [Value]?
  /// The verifier's statement whether it keeps the claim; nil without one.
  public let intentToRetain: Bool?

  /// Creates a query for a claim.
  public init(_ path: ClaimsPath, id: String? = nil, values: [Value]? = nil, intentToRetain: Bool? = nil) {
    self.id = id
    self.path = path
    self.values = values
    self.intentToRetain = intentToRetain
  }

  /// The name space and the identifier under which the claim is listed: its own in a mobile document, and its path
  /// otherwise.
  package func listedName(in credential: CredentialQuery) -> (nameSpace: String, identifier: String) {
    if credential.format == .mdoc, path.components.count == 2, case .member(let nameSpace) = path.components[0],
      case .member(let identifier) = path.components[1]
    {
      return (nameSpace, identifier)
    }
    return (CredentialFormat.claimsNameSpace, path.text)
  }

  /// An accepted value. Values of different types never match.
  public enum Value: Sendable, Equatable {
    /// A string, compared exactly.
    case text(String)
    /// An integer by its digits.
    case integer(String)
    /// A truth value.
    case boolean(Bool)

    /// Compares texts exactly.
    public static func == (left: Value, right: Value) -> Bool {
      switch (left, right) {
      case (.text(let left), .text(let right)): left.isExactly(right)
      case (.integer(let left), .integer(let right)): left == right
      case (.boolean(let left), .boolean(let right)): left == right
      default: false
      }
    }

    /// The value of a claim; nil if no value of a query can match it.
    package init?(_ claim: JSONValue) {
      switch claim {
      case .string(let text): self = .text(text)
      case .boolean(let value): self = .boolean(value)
      case .number(let digits) where Self.isInteger(digits): self = .integer(digits)
      default: return nil
      }
    }

    /// Returns whether a number has neither a fraction nor an exponent, which JSON has no other type for.
    static func isInteger(_ digits: String) -> Bool {
      digits != "-0" && digits.utf8.dropFirst(digits.hasPrefix("-") ? 1 : 0).allSatisfy(\.isDigit)
    }
  }
}

/// An authority or a framework that a credential's issuer belongs to (OpenID4VP, 6.1.1).
public struct TrustedAuthority: Sendable {
  /// The type as received. Only `aki` is known; others match nothing.
  public let type: String
  /// The values, one of which must match.
  public let values: [String]

  /// The type of key identifiers of authorities in the credential's certificate chain.
  public static let keyIdentifierType = "aki"

  init(type: String, values: [String]) {
    self.type = type
    self.values = values
  }

  /// Creates authorities by their key identifiers.
  public init(keyIdentifiers: [[UInt8]]) {
    self.init(type: Self.keyIdentifierType, values: keyIdentifiers.map { Base64URL.encode($0) })
  }
}

/// A departure of a query from the text that is accepted.
public enum DCQLFinding: Sendable, Equatable {
  /// `meta` is empty: 6.1 reads it as no constraint, B.2.3 and B.3.5 require a type.
  case emptyMeta(id: String)
  /// A claim is asked for twice; the first one counts.
  case repeatedClaim(id: String, path: String)
  /// The format is unknown here, so that nothing matches.
  case unknownFormat(id: String, format: String)

  /// A human-readable description of the departure.
  public var message: String {
    switch self {
    case .emptyMeta(let id): "the query '\(id)' names no type: any type matches"
    case .repeatedClaim(let id, let path): "the query '\(id)' asks for \(path) twice: the first one counts"
    case .unknownFormat(let id, let format):
      "the query '\(id)' asks for the format '\(TerminalSafe.text(format))', which is unknown: nothing matches"
    }
  }
}
