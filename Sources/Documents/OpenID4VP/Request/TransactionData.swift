import JOSE
import JSON
import Primitives
import SDJWT

/// A type of transactions that a wallet understands. It refuses every other type, and members that the type does not have
/// (OpenID4VP, 8.4).
public struct TransactionType: Sendable, Equatable {
  /// The value of `type`.
  public let name: String
  /// The names of the type's own members.
  public let members: [String]

  /// Creates a type.
  public init(_ name: String, members: [String]) {
    self.name = name
    self.members = members
  }
}

/// An entry of `transaction_data` (OpenID4VP, 5.1): a transaction that the holder agrees to with the presentation.
public struct TransactionData: Sendable {
  /// The entry in base64url, exactly as received. The holder signs a digest of it.
  public let text: String
  /// The type.
  public let type: String
  /// The identifiers of the credential queries, one of whose answers has the digest.
  public let credentialIDs: [String]
  /// The hash algorithms that the verifier accepts; nil for the default, which is not named.
  public let hashes: [SDJWTHash]?
  /// Every member.
  package let json: JSONItem

  /// The hash for a presentation: the first one that is offered.
  public var hash: SDJWTHash { hashes?.first ?? .sha256 }

  /// Returns the entries that the presentation answering a credential query has the digests of (OpenID4VP, 8.4): of the
  /// credentials that an entry names, the first that is presented.
  /// - Parameter answered: The identifiers of all answered credential queries.
  package static func entries(
    of query: String, among answered: [String], in entries: [TransactionData]
  ) -> [TransactionData] {
    entries.filter { entry in
      entry.credentialIDs.first { id in answered.contains { $0.isExactly(id) } }?.isExactly(query) ?? false
    }
  }

  /// Reads an entry.
  /// - Parameter types: The types that are understood; nil for every type, of a request of one's own.
  /// - Throws: ``PresentationRequestFailure``.
  package init(_ text: String, query: DCQLQuery, types: [TransactionType]?) throws(PresentationRequestFailure) {
    do {
      let bytes = try JOSEText.decode(text, name: "the entry")
      json = try JOSEText.object(bytes, name: "the entry")
      (type, credentialIDs) = try json.reading("the entry") { (json) throws(JSONError) in
        (try json.member("type"), try json.member("credential_ids"))
      }
      let names = try json.reading("transaction_data_hashes_alg") { (json) throws(JSONError) in
        try json.optionalMember("transaction_data_hashes_alg") as [String]?
      }
      hashes = names.map { $0.compactMap(SDJWTHash.init(rawValue:)) }
    } catch {
      throw PresentationRequestFailure(.transactionData, .malformed, because: error.message, found: error.evidence)
    }
    self.text = text
    if let types { try Self.requireKnown(type, json, types) }
    guard hashes?.isEmpty != true else {
      throw PresentationRequestFailure(.transactionData, .malformed, because: "no hash algorithm is supported")
    }
    guard !credentialIDs.isEmpty else {
      throw PresentationRequestFailure(.transactionData, .malformed, because: "'credential_ids' is empty")
    }
    for id in credentialIDs {
      guard let credential = query.credential(id) else {
        throw PresentationRequestFailure(
          .transactionData, .mismatch, because: "the query has no such credential",
          found: TerminalSafe.text(String(id.prefix(128))))
      }
      guard credential.requiresHolderBinding else {
        throw PresentationRequestFailure(
          .transactionData, .mismatch, because: "no key signs for the credential", found: id)
      }
    }
  }

  private static func requireKnown(
    _ type: String, _ json: JSONItem, _ types: [TransactionType]
  ) throws(PresentationRequestFailure) {
    guard let known = types.first(where: { $0.name.isExactly(type) }) else {
      throw PresentationRequestFailure(
        .transactionData, .unknown, because: "the type is not supported",
        found: TerminalSafe.text(String(type.prefix(128))))
    }
    let members = ((try? json.members()).map { Array($0) } ?? []).map(\.name)
    let allowed = ["type", "credential_ids", "transaction_data_hashes_alg"] + known.members
    if let other = members.first(where: { name in !allowed.contains { $0.isExactly(name) } }) {
      throw PresentationRequestFailure(
        .transactionData, .unknown, because: "the type has no such member",
        found: TerminalSafe.text(String(other.prefix(128))))
    }
  }
}

/// An entry of `verifier_info` (OpenID4VP, 5.1): a statement about the verifier by another party. It is not verified here;
/// unknown formats are ignored.
public struct VerifierInfo: Sendable {
  /// The format as received.
  public let format: String
  /// The statement, a string or an object.
  package let data: JSONItem
  /// The identifiers of the credential queries that it is about; nil for all.
  public let credentialIDs: [String]?

  /// Reads the entries.
  /// - Throws: ``PresentationRequestFailure``.
  static func read(_ json: JSONItem) throws(PresentationRequestFailure) -> [VerifierInfo] {
    do throws(JSONError) {
      let entries = Array(try json.elements())
      guard !entries.isEmpty, entries.count <= OpenID4VPLimits.entries else {
        throw json.error("expected 1 to \(OpenID4VPLimits.entries) entries, found \(entries.count)")
      }
      return try entries.map { (entry) throws(JSONError) in
        let data = try entry.item("data")
        guard data.kind == .string || data.kind == .object else {
          throw data.error("expected a string or an object, found \(data.kind.text)")
        }
        let ids = try entry.optionalMember("credential_ids") as [String]?
        guard ids?.isEmpty != true else { throw entry.error("'credential_ids' is empty") }
        return VerifierInfo(format: try entry.member("format"), data: data, credentialIDs: ids)
      }
    } catch {
      throw PresentationRequestFailure(.verifierInfo, because: error.message)
    }
  }
}
