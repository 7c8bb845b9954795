import DevicePlatform
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives

/// An app's view for the person before it answers: the requester, the elements, and which of them are retained.
public struct AuthorizationScreen: Sendable, Equatable {
  /// A requested element.
  public struct Element: Sendable, Hashable {
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
    /// A requesting app's intention to store the element, in words; nil for a website.
    public var storage: String?

    package init(
      documentType: String, nameSpace: String, identifier: String, label: String, isRetained: Bool,
      storage: String? = nil
    ) {
      (self.documentType, self.nameSpace, self.identifier, self.label, self.isRetained, self.storage) = (
        documentType, nameSpace, identifier, label, isRetained, storage
      )
    }

    /// The intention to store the element, in words.
    public var storageText: String { storage ?? (isRetained ? "will be stored" : "will not be stored") }
  }

  /// Name of the app.
  public var app: String
  /// The heading of the app's own view; nil for the heading of the shipped views.
  public var title: String?
  /// Lines of the app's own text; nil for a shipped view.
  public var lines: [String]?
  /// The requester's brand name, or its domain without a certified brand.
  public var requester: String
  /// The requester's brand icon.
  public var icon: String?
  /// True if a reader authority that the app trusts has certified the requester.
  public var isRequesterCertified: Bool
  /// Origin of the website; empty for a requesting app.
  public var origin: String
  /// The name of the requesting app; nil for a website.
  public var requestingApp: String?

  /// The app or the host that asks.
  public var asker: String {
    requestingApp ?? origin.split(separator: "//", maxSplits: 1).last.map(String.init) ?? origin
  }

  /// Elements, in the order of document type, name space and identifier.
  public var elements: [Element]
  /// Labels of the controls that agree, as the app declares them to the system.
  public var agreeing: [String]
  /// Labels of the controls that decline.
  public var declining: [String]
  /// A message about the person's last attempt.
  public var notice: String?

  package init(
    app: String, title: String? = nil, lines: [String]? = nil, requester: String, icon: String? = nil,
    isRequesterCertified: Bool, origin: String, requestingApp: String? = nil, elements: [Element], agreeing: [String],
    declining: [String], notice: String? = nil
  ) {
    self.app = app
    self.title = title
    self.lines = lines
    self.requester = requester
    self.icon = icon
    self.isRequesterCertified = isRequesterCertified
    self.origin = origin
    self.requestingApp = requestingApp
    self.elements = elements
    self.agreeing = agreeing
    self.declining = declining
    self.notice = notice
  }

  /// Labels of all controls, those that agree first.
  public var buttons: [String] { agreeing + declining }

  /// Says why the owner was not authenticated, and offers the passcode.
  package mutating func show(_ failure: OwnerAuthentication.Failure) {
    notice = failure.message
    let (face, passcode) = (OwnerAuthentication.Method.faceID.rawValue, OwnerAuthentication.Method.passcode.rawValue)
    if !agreeing.contains(passcode) { agreeing.append(passcode) }
    if failure == .faceLocked { agreeing.removeAll { $0 == face } }
  }

  /// The app's own text: the heading and the lines.
  public var text: [String] { [title].compactMap(\.self) + (lines ?? []) }

  /// The elements of a request, each once. Dictionaries have no order, so theirs is alphabetical.
  package static func elements(of request: ISO18013MobileDocumentRequest) -> [Element] {
    var found: [Element] = []
    var seen = HandfulSet<Element>()
    for document in request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      for (nameSpace, elements) in document.namespaces.sorted(by: { $0.key < $1.key }) {
        for (identifier, info) in elements.sorted(by: { $0.key < $1.key }) {
          let element = Element(
            documentType: document.documentType, nameSpace: nameSpace, identifier: identifier,
            label: DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier),
            isRetained: info.isRetaining)
          if seen.insert(element) { found.append(element) }
        }
      }
    }
    return found
  }
}

extension AuthorizationScreen.Element: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("documentType", \.documentType), Member("nameSpace", \.nameSpace),
    Member("identifier", \.identifier), Member("label", \.label), Member("isRetained", \.isRetained),
    Member(optional: "storage", \.storage))
}

extension AuthorizationScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("app", \.app), Member(optional: "title", \.title), Member(optional: "lines", \.lines),
    Member("requester", \.requester), Member(optional: "icon", \.icon),
    Member("isRequesterCertified", \.isRequesterCertified), Member("origin", \.origin),
    Member(optional: "requestingApp", \.requestingApp), Member("elements", \.elements), Member("agreeing", \.agreeing),
    Member("declining", \.declining), Member(optional: "notice", \.notice))
}
