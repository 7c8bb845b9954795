import IdentityDocumentServices
import MobileDocument

/// An app's view for the person before it answers: the requester, the elements, and which of them are retained.
public struct AuthorizationScreen: Codable, Sendable, Equatable {
  /// A requested element.
  public struct Element: Codable, Sendable, Hashable {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// The label.
    public var label: String
    /// True if the requester intends to retain the element.
    public var isRetained: Bool
  }

  /// Name of the app.
  public var app: String
  /// The requester's brand name, or its domain without a certified brand.
  public var requester: String
  /// The requester's brand icon.
  public var icon: String?
  /// True if a reader authority that the app trusts has certified the requester.
  public var isRequesterCertified: Bool
  /// Origin of the website.
  public var origin: String
  /// Elements, in the order of document type, name space and identifier.
  public var elements: [Element]
  /// Labels of the buttons, the one that agrees first.
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
