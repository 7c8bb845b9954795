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
    let credentials = try zip(ids, documents).map(CredentialQuery.init(id:asking:))
    let sets = useCases.map { useCase in
      CredentialSet(
        options: useCase.documentSets.map { $0.filter(ids.indices.contains).map { ids[$0] } },
        isRequired: useCase.isMandatory)
    }
    try self.init(credentials, credentialSets: sets.isEmpty ? nil : sets)
  }
}

extension DeviceRequestDraft {
  /// The part of the request that asks for mobile documents: without credentials of other formats, and without the sets of
  /// documents that need one; nil if a mandatory use case is left without a set.
  public var ofMobileDocuments: DeviceRequestDraft? {
    func isMobile(_ place: Int) -> Bool {
      CredentialFormat.ofRegisteredType(documents[place].documentType).format == .mdoc
    }
    if documents.indices.allSatisfy(isMobile) { return self }
    guard !useCases.isEmpty else { return nil }
    var left: [DeviceRequestInfo.UseCase] = []
    for useCase in useCases {
      let sets = useCase.documentSets.filter { set in
        set.allSatisfy { documents.indices.contains($0) && isMobile($0) }
      }
      if !sets.isEmpty {
        left.append(DeviceRequestInfo.UseCase(isMandatory: useCase.isMandatory, documentSets: sets))
      } else if useCase.isMandatory {
        return nil
      }
    }
    guard !left.isEmpty else { return nil }
    let used = documents.indices.filter(isMobile)
    var draft = self
    draft.documents = used.map { documents[$0] }
    draft.useCases = left.map { useCase in
      DeviceRequestInfo.UseCase(
        isMandatory: useCase.isMandatory,
        documentSets: useCase.documentSets.map { $0.compactMap { used.firstIndex(of: $0) } })
    }
    return draft
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
