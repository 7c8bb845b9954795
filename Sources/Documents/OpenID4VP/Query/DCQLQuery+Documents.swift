import MobileDocument
import SDJWT

extension DCQLQuery {
  /// Creates the query that asks for the same as a request with annex C, so that one page can ask in both protocols.
  ///
  /// Each document has a credential query, `document-1` for the first, with the accepted issuers as authorities, and each
  /// element its intent to retain. Use cases become sets of credentials. A document type that is `dc+sd-jwt`, a space and a type
  /// asks for an SD-JWT credential, whose elements are paths, such as `address.locality` or `nationalities[]`.
  ///
  /// Elements that may answer in place of others are left out: DCQL would need a set of claims for each combination.
  /// - Throws: ``DCQLError`` for documents that no query can ask for.
  public init(asking documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = []) throws(DCQLError) {
    let ids = documents.indices.map { "document-\($0 + 1)" }
    var credentials: [CredentialQuery] = []
    for (id, items) in zip(ids, documents) { credentials.append(try CredentialQuery(id: id, asking: items)) }
    let sets = useCases.map { useCase in
      CredentialSet(
        options: useCase.documentSets.map { $0.filter(ids.indices.contains).map { ids[$0] } },
        isRequired: useCase.isMandatory)
    }
    try self.init(credentials, credentialSets: sets.isEmpty ? nil : sets)
  }
}

extension CredentialQuery {
  fileprivate init(id: String, asking items: ItemsRequest) throws(DCQLError) {
    let (format, type) = CredentialFormat.ofRegisteredType(items.documentType)
    var claims: [ClaimsQuery] = []
    for space in items.nameSpaces {
      for element in space.elements {
        let path =
          format == .mdoc
          ? ClaimsPath([.member(space.name), .member(element.identifier)]) : ClaimsPath(text: element.identifier)
        guard let path else { throw DCQLError(.path, "'\(element.identifier)' is not a path to a claim", at: id) }
        claims.append(ClaimsQuery(path, intentToRetain: element.intentToRetain))
      }
    }
    self.init(
      id: id, format: format, types: [type], claims: claims,
      trustedAuthorities: items.issuerIdentifiers.isEmpty
        ? nil : [TrustedAuthority(keyIdentifiers: items.issuerIdentifiers)])
  }
}
