import Vocabulary

extension WorldDescription {
  /// The displayed name of the one reader authority that an app trusts and a website has a certificate of.
  public func certifier(of website: Website?, for app: App?) -> String? {
    let shared = website?.signsFor.filter { app?.trustsReaders.contains($0) ?? false } ?? []
    guard shared.count == 1 else { return nil }
    return readerAuthorities.first { $0.identifier == shared[0] }?.name
  }
}

extension WorldDescription.Website {
  /// Sorts elements by the website's list; unlisted ones come last.
  public func inOrder(_ elements: [AuthorizationScreen.Element]) -> [AuthorizationScreen.Element] {
    let listed = asks.flatMap { document in
      document.nameSpaces.flatMap { nameSpace in
        nameSpace.elements.map { [document.documentType, nameSpace.name, $0.identifier] }
      }
    }
    let places = elements.map { element in
      listed.firstIndex(of: [element.documentType, element.nameSpace, element.identifier]) ?? listed.count
    }
    return zip(elements, places).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }
}
