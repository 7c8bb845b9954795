import JSON
import SDJWT

extension DCQLQuery {
  /// The query as JSON, with the members that it has.
  package var json: JSONValue {
    var members = [("credentials", JSONValue.array(credentials.map(\.json)))]
    if let credentialSets {
      members.append(("credential_sets", .array(credentialSets.map(\.json))))
    }
    return JSONValue(members: members)
  }
}

extension DCQLQuery.CredentialSet {
  fileprivate var json: JSONValue {
    var members = [("options", JSONValue.array(options.map { .array($0.map { .string($0) }) }))]
    if !isRequired { members.append(("required", .boolean(false))) }
    return JSONValue(members: members)
  }
}

extension CredentialQuery {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [("id", .string(id)), ("format", .string(formatName)), ("meta", meta)]
    if allowsMultiple { members.append(("multiple", .boolean(true))) }
    if !requiresHolderBinding { members.append(("require_cryptographic_holder_binding", .boolean(false))) }
    if let trustedAuthorities {
      let entries = trustedAuthorities.map { authority in
        JSONValue(members: [
          ("type", .string(authority.type)), ("values", .array(authority.values.map { .string($0) })),
        ])
      }
      members.append(("trusted_authorities", .array(entries)))
    }
    if let claims { members.append(("claims", .array(claims.map(\.json)))) }
    if let claimSets {
      members.append(("claim_sets", .array(claimSets.map { .array($0.map { .string($0) }) })))
    }
    return JSONValue(members: members)
  }

  private var meta: JSONValue {
    guard let types else { return .object([]) }
    return format == .mdoc
      ? JSONValue(members: types.prefix(1).map { ("doctype_value", .string($0)) })
      : JSONValue(members: [("vct_values", .array(types.map { .string($0) }))])
  }
}

extension ClaimsQuery {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = []
    if let id { members.append(("id", .string(id))) }
    members.append(("path", path.json))
    if let values { members.append(("values", .array(values.map(\.json)))) }
    if let intentToRetain { members.append(("intent_to_retain", .boolean(intentToRetain))) }
    return JSONValue(members: members)
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
