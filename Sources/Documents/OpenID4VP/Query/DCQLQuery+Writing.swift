import JSON
import SDJWT

extension DCQLQuery {
  /// Creates a query to be sent.
  /// - Throws: ``DCQLError`` as for a received one.
  public init(_ credentials: [CredentialQuery], credentialSets: [CredentialSet]? = nil) throws(DCQLError) {
    let made = DCQLQuery(credentials: credentials, credentialSets: credentialSets, findings: [])
    guard let item = try? JSONReader.item(made.json.bytes) else { throw DCQLError(.structure, "the query has no JSON") }
    try self.init(json: item)
  }

  /// The query as JSON, with the members that it has.
  package var json: JSONValue {
    JSONValue(present: [
      ("credentials", .array(credentials.map(\.json))),
      ("credential_sets", credentialSets.map { .array($0.map(\.json)) }),
    ])
  }
}

extension DCQLQuery.CredentialSet {
  fileprivate var json: JSONValue {
    JSONValue(present: [
      ("options", .array(options.map { .array($0.map { .string($0) }) })),
      ("required", isRequired ? nil : .boolean(false)),
    ])
  }
}

extension CredentialQuery {
  fileprivate var json: JSONValue {
    JSONValue(present: [
      ("id", .string(id)), ("format", .string(formatName)), ("meta", meta),
      ("multiple", allowsMultiple ? .boolean(true) : nil),
      ("require_cryptographic_holder_binding", requiresHolderBinding ? nil : .boolean(false)),
      ("trusted_authorities", trustedAuthorities.map { .array($0.map(\.json)) }),
      ("claims", claims.map { .array($0.map(\.json)) }),
      ("claim_sets", claimSets.map { .array($0.map { .array($0.map { .string($0) }) }) }),
    ])
  }

  private var meta: JSONValue {
    guard let types else { return .object([]) }
    return format == .mdoc
      ? JSONValue(members: types.prefix(1).map { ("doctype_value", .string($0)) })
      : JSONValue(members: [("vct_values", .array(types.map { .string($0) }))])
  }
}

extension TrustedAuthority {
  fileprivate var json: JSONValue {
    JSONValue(members: [("type", .string(type)), ("values", .array(values.map { .string($0) }))])
  }
}

extension ClaimsQuery {
  fileprivate var json: JSONValue {
    JSONValue(present: [
      ("id", id.map { .string($0) }), ("path", path.json), ("values", values.map { .array($0.map(\.json)) }),
      ("intent_to_retain", intentToRetain.map { .boolean($0) }),
    ])
  }
}

extension ClaimsQuery.Value {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .integer(let digits): .number(digits)
    case .boolean(let value): .boolean(value)
    }
  }
}
