import IdentityDocumentServices
import MobileDocument

/// What an app shows to the person before it answers: who asks, for what, and what will be kept.
public struct AuthorizationScreen: Codable, Sendable, Equatable {
  /// An element that is asked for.
  public struct Element: Codable, Sendable, Hashable {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// What it is called.
    public var label: String
    /// Whether the requester intends to keep it.
    public var isRetained: Bool
  }

  /// Name of the app.
  public var app: String
  /// Brand name of the requester, or its domain where no brand is certified.
  public var requester: String
  /// Brand icon of the requester.
  public var icon: String?
  /// Whether a reader authority that the app trusts vouches for the requester.
  public var isRequesterCertified: Bool
  /// Origin of the website.
  public var origin: String
  /// Elements, in the order of document type, name space and identifier.
  public var elements: [Element]
  /// Labels of the ways to answer, the one that agrees first.
  public var buttons: [String]

  /// The elements of a request, each once. Dictionaries have no order, so theirs is alphabetical.
  static func elements(of request: ISO18013MobileDocumentRequest) -> [Element] {
    var found: [Element] = []
    var seen: Set<Element> = []
    for document in request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      for (nameSpace, elements) in document.namespaces.sorted(by: { $0.key < $1.key }) {
        for (identifier, info) in elements.sorted(by: { $0.key < $1.key }) {
          let element = Element(
            documentType: document.documentType, nameSpace: nameSpace, identifier: identifier,
            label: DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier),
            isRetained: info.isRetaining)
          if seen.insert(element).inserted { found.append(element) }
        }
      }
    }
    return found
  }
}
