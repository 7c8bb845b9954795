import JSON
import Primitives
import SDJWT

/// The rules of a query that a received one breaks.
public enum DCQLErrorCode: String, Sendable, CaseIterable {
  /// A member that is missing or has a value of the wrong kind.
  case structure = "dcql.structure"
  /// An identifier with other characters than letters, digits, `_` and `-`, or one that is there twice.
  case identifier = "dcql.identifier"
  /// `meta` without the type that the format requires (OpenID4VP, B.2.3 and B.3.5).
  case type = "dcql.type"
  /// A path that is empty or has parts of another kind (OpenID4VP, 7).
  case path = "dcql.path"
  /// `values` with anything but strings, integers and truth values (OpenID4VP, 6.3).
  case values = "dcql.values"
  /// A set of claims or credentials that is empty or names an unknown identifier.
  case sets = "dcql.sets"
  /// More than ``OpenID4VPLimits`` allow.
  case tooLarge = "dcql.too-large"
}

/// An error in a query, with its place.
public typealias DCQLError = CodedFailure<DCQLErrorCode>

extension DCQLQuery {
  /// Reads a query (OpenID4VP, 6). Unknown members are ignored; a member with null is not one that is left out.
  /// - Throws: ``DCQLError``, with the place as a path such as `credentials[0].claims[1].path`.
  package init(json: JSONItem) throws(DCQLError) {
    var reading = DCQLReading(root: json)
    self = try reading.query()
  }
}

/// The reading of one query.
private struct DCQLReading {
  let root: JSONItem
  var findings: [DCQLFinding] = []

  private func error(_ code: DCQLErrorCode, _ message: String, at item: JSONItem) -> DCQLError {
    let path = root.path(to: item.offset)
    return DCQLError(code, message, at: TerminalSafe.text(String((path.isEmpty ? "dcql_query" : path).prefix(200))))
  }

  /// Returns a member, also one with null; nil if the object lacks it.
  private func optional(_ name: String, of object: JSONItem) throws(DCQLError) -> JSONItem? {
    guard let members = try? object.members() else {
      throw error(.structure, "expected an object, found \(object.kind.text)", at: object)
    }
    for member in members where member.name.isExactly(name) { return member.item }
    return nil
  }

  private func required(_ name: String, of object: JSONItem) throws(DCQLError) -> JSONItem {
    guard let item = try optional(name, of: object) else {
      throw error(.structure, "the member '\(name)' is missing", at: object)
    }
    return item
  }

  /// Returns the elements of an array that has some.
  private func elements(
    _ item: JSONItem, atMost most: Int, _ code: DCQLErrorCode = .structure
  ) throws(DCQLError) -> [JSONItem] {
    guard let elements = (try? item.elements()).map(Array.init) else {
      throw error(code, "expected an array, found \(item.kind.text)", at: item)
    }
    guard !elements.isEmpty else { throw error(code, "the array is empty", at: item) }
    guard elements.count <= most else {
      throw error(.tooLarge, "\(elements.count) elements are more than \(most)", at: item)
    }
    return elements
  }

  private func text(_ item: JSONItem, _ code: DCQLErrorCode = .structure) throws(DCQLError) -> String {
    guard let text = try? item.text() else { throw error(code, "expected a string, found \(item.kind.text)", at: item) }
    return text
  }

  private func boolean(_ name: String, of object: JSONItem) throws(DCQLError) -> Bool? {
    guard let item = try optional(name, of: object) else { return nil }
    guard let value = try? item.boolean() else {
      throw error(.structure, "expected a boolean, found \(item.kind.text)", at: item)
    }
    return value
  }

  private func identifier(_ item: JSONItem) throws(DCQLError) -> String {
    let text = try text(item, .identifier)
    let isAllowed = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
    guard !text.isEmpty, isAllowed else {
      throw error(.identifier, "an identifier has letters, digits, '_' and '-' only", at: item)
    }
    guard text.utf8.count <= OpenID4VPLimits.identifierBytes else {
      throw error(.tooLarge, "the identifier has more than \(OpenID4VPLimits.identifierBytes) bytes", at: item)
    }
    return text
  }

  mutating func query() throws(DCQLError) -> DCQLQuery {
    let list = try required("credentials", of: root)
    var credentials: [CredentialQuery] = []
    for item in try elements(list, atMost: OpenID4VPLimits.credentials) {
      let credential = try self.credential(item)
      guard !credentials.contains(where: { $0.id.isExactly(credential.id) }) else {
        throw error(.identifier, "the identifier '\(credential.id)' is there twice", at: item)
      }
      credentials.append(credential)
    }
    let ids = Set(credentials.map { ExactText($0.id) })
    let sets = try optional("credential_sets", of: root).map { (list) throws(DCQLError) in
      try elements(list, atMost: OpenID4VPLimits.credentialSets, .sets).map { (item) throws(DCQLError) in
        try credentialSet(item, ids: ids)
      }
    }
    return DCQLQuery(credentials: credentials, credentialSets: sets, findings: findings)
  }

  private func credentialSet(_ item: JSONItem, ids: Set<ExactText>) throws(DCQLError) -> DCQLQuery.CredentialSet {
    let list = try elements(required("options", of: item), atMost: OpenID4VPLimits.options, .sets)
    let options = try list.map { (option) throws(DCQLError) in
      try names(option, among: ids, atMost: OpenID4VPLimits.credentials)
    }
    return .init(options: options, isRequired: try boolean("required", of: item) ?? true)
  }

  /// Reads a list of identifiers that exist.
  private func names(_ item: JSONItem, among ids: Set<ExactText>, atMost most: Int) throws(DCQLError) -> [String] {
    try elements(item, atMost: most, .sets).map { (element) throws(DCQLError) in
      let name = try text(element, .sets)
      guard ids.contains(ExactText(name)) else {
        throw error(.sets, "'\(TerminalSafe.text(String(name.prefix(64))))' is the identifier of nothing", at: element)
      }
      return name
    }
  }

  private mutating func credential(_ item: JSONItem) throws(DCQLError) -> CredentialQuery {
    let id = try identifier(required("id", of: item))
    let formatItem = try required("format", of: item)
    let formatName = try text(formatItem)
    guard formatName.utf8.count <= OpenID4VPLimits.identifierBytes else {
      throw error(.tooLarge, "the format has more than \(OpenID4VPLimits.identifierBytes) bytes", at: formatItem)
    }
    let format = CredentialFormat(rawValue: formatName)
    if format == nil { findings.append(.unknownFormat(id: id, format: formatName)) }
    let types = try types(required("meta", of: item), format: format, id: id)
    let multiple = try boolean("multiple", of: item) ?? false
    let binding = try boolean("require_cryptographic_holder_binding", of: item) ?? true
    let authorities = try authorities(item)
    let hasSets = try optional("claim_sets", of: item) != nil
    var claims: [ClaimsQuery]?
    if let list = try optional("claims", of: item) {
      var read: [ClaimsQuery] = []
      for element in try elements(list, atMost: OpenID4VPLimits.claims) {
        let claim = try self.claim(element, format: format, needsID: hasSets)
        if let own = claim.id, read.contains(where: { $0.id?.isExactly(own) == true }) {
          throw error(.identifier, "the identifier '\(own)' is there twice", at: element)
        }
        guard hasSets || !read.contains(where: { $0.path == claim.path }) else {
          findings.append(.repeatedClaim(id: id, path: claim.path.description))
          continue
        }
        read.append(claim)
      }
      claims = read
    }
    return CredentialQuery(
      id: id, formatName: formatName, types: types, allowsMultiple: multiple, requiresHolderBinding: binding,
      trustedAuthorities: authorities, claims: claims, claimSets: try claimSets(item, claims: claims))
  }

  private mutating func types(_ meta: JSONItem, format: CredentialFormat?, id: String) throws(DCQLError) -> [String]? {
    guard let members = (try? meta.members()).map(Array.init) else {
      throw error(.type, "expected an object, found \(meta.kind.text)", at: meta)
    }
    guard let format else { return nil }
    guard !members.isEmpty else {
      findings.append(.emptyMeta(id: id))
      return nil
    }
    let name = format == .mdoc ? "doctype_value" : "vct_values"
    guard let item = try optional(name, of: meta) else {
      throw error(.type, "the member '\(name)' is missing", at: meta)
    }
    guard format == .sdJWT else { return [try text(item, .type)] }
    return try elements(item, atMost: OpenID4VPLimits.values, .type).map { (element) throws(DCQLError) in
      try text(element, .type)
    }
  }

  private func authorities(_ item: JSONItem) throws(DCQLError) -> [TrustedAuthority]? {
    guard let list = try optional("trusted_authorities", of: item) else { return nil }
    return try elements(list, atMost: OpenID4VPLimits.values).map { (element) throws(DCQLError) in
      let type = try text(required("type", of: element))
      let values = try elements(required("values", of: element), atMost: OpenID4VPLimits.values)
      return TrustedAuthority(type: type, values: try values.map { (value) throws(DCQLError) in try text(value) })
    }
  }

  private func claim(_ item: JSONItem, format: CredentialFormat?, needsID: Bool) throws(DCQLError) -> ClaimsQuery {
    var id: String?
    if let item = try optional("id", of: item) {
      id = try identifier(item)
    } else if needsID {
      throw error(.identifier, "the member 'id' is missing, which 'claim_sets' needs", at: item)
    }
    guard let pathItem = try optional("path", of: item) else {
      let isOld = try optional("claim_name", of: item) != nil
      throw error(
        .path, isOld ? "'claim_name' is of draft 22; expected 'path'" : "the member 'path' is missing", at: item)
    }
    let path: ClaimsPath
    do { path = try ClaimsPath(json: pathItem) } catch { throw self.error(.path, error.message, at: pathItem) }
    if format == .mdoc {
      let isOfMDoc =
        path.components.count == 2
        && path.components.allSatisfy { if case .member = $0 { true } else { false } }
      guard isOfMDoc else { throw error(.path, "the path of an mdoc is a name space and an element", at: pathItem) }
    }
    return ClaimsQuery(
      path, id: id, values: try values(item), intentToRetain: try boolean("intent_to_retain", of: item))
  }

  private func values(_ item: JSONItem) throws(DCQLError) -> [ClaimsQuery.Value]? {
    guard let list = try optional("values", of: item) else { return nil }
    return try elements(list, atMost: OpenID4VPLimits.values, .values).map { (element) throws(DCQLError) in
      guard let value = ClaimsQuery.Value(JSONValue(element)) else {
        throw error(.values, "expected a string, an integer or a boolean, found \(element.kind.text)", at: element)
      }
      return value
    }
  }

  private func claimSets(_ item: JSONItem, claims: [ClaimsQuery]?) throws(DCQLError) -> [[String]]? {
    guard let list = try optional("claim_sets", of: item) else { return nil }
    guard let claims else { throw error(.sets, "'claim_sets' needs 'claims'", at: list) }
    let ids = Set(claims.compactMap(\.id).map(ExactText.init))
    return try elements(list, atMost: OpenID4VPLimits.claimSets, .sets).map { (element) throws(DCQLError) in
      try names(element, among: ids, atMost: OpenID4VPLimits.claims)
    }
  }
}
