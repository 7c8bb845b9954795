import JSON
import MobileDocument
import Primitives

/// The description of a document that an app requests: its type and its elements.
public protocol PKIdentityDocumentDescriptor: AnyObject {
  /// The requested elements, in the order in which they were added.
  var elements: [PKIdentityElement] { get }
  /// Adds elements with the app's intention to store them. The intention of an element that was added before is replaced.
  func addElements(_ elements: [PKIdentityElement], intentToStore: PKIdentityIntentToStore)
  /// The intention to store an element; nil for an element that is not requested.
  func intentToStore(for element: PKIdentityElement) -> PKIdentityIntentToStore?
  /// The description as a value.
  var description: IdentityDescription { get }
}

/// The description of a driver's license or a state identification card.
public final class PKIdentityDriversLicenseDescriptor: PKIdentityDocumentDescriptor {
  /// The description as a value.
  public private(set) var description = IdentityDescription(documentType: DocumentType.drivingLicence)

  /// Creates a descriptor without elements.
  public init() {}

  /// The requested elements, in the order in which they were added.
  public var elements: [PKIdentityElement] { description.elements.map(\.element) }

  /// Adds elements with the app's intention to store them.
  public func addElements(_ elements: [PKIdentityElement], intentToStore: PKIdentityIntentToStore) {
    for element in elements { description.add(element, intentToStore) }
  }

  /// The intention to store an element; nil for an element that is not requested.
  public func intentToStore(for element: PKIdentityElement) -> PKIdentityIntentToStore? {
    description.elements.first { $0.element == element }?.intent
  }
}

/// The content of a descriptor, as it goes from the app to the system and from there to Wallet.
public struct IdentityDescription: Sendable, Equatable {
  /// A requested element.
  public struct Element: Sendable, Equatable {
    /// The element.
    public let element: PKIdentityElement
    /// The app's intention to store it.
    public let intent: PKIdentityIntentToStore

    /// Creates a requested element.
    public init(_ element: PKIdentityElement, _ intent: PKIdentityIntentToStore) {
      self.element = element
      self.intent = intent
    }
  }

  /// `DocType`.
  public let documentType: String
  /// The elements, each once.
  public private(set) var elements: [Element] = []

  /// Creates a description.
  public init(documentType: String, elements: [Element] = []) {
    self.documentType = documentType
    for element in elements { add(element.element, element.intent) }
  }

  fileprivate mutating func add(_ element: PKIdentityElement, _ intent: PKIdentityIntentToStore) {
    elements.removeAll { $0.element == element }
    elements.append(Element(element, intent))
  }

  /// The elements of the document that the description covers, with those that Wallet may return instead: the age in
  /// years for a statement about the age that the document lacks.
  public var itemsRequest: ItemsRequest {
    let thresholds = elements.filter { $0.element.threshold != nil }.flatMap(\.element.license)
    let age = PKIdentityElement.age.license
    return request(
      for: elements.map { ($0.element.license, $0.intent) },
      alternatives: thresholds.map {
        AlternativeElements(to: $0, sets: [age])
      })
  }

  /// The elements of the document that Wallet returns.
  /// - Parameter isHeld: Returns whether the document has an element.
  public func itemsRequest(where isHeld: (_ nameSpace: String, _ identifier: String) -> Bool) -> ItemsRequest {
    request(
      for: elements.map { element in
        let names = element.element.license.filter { isHeld($0.nameSpace, $0.identifier) }
        guard names.isEmpty, element.element.threshold != nil else { return (names, element.intent) }
        return (PKIdentityElement.age.license.filter { isHeld($0.nameSpace, $0.identifier) }, element.intent)
      })
  }

  /// The intention to store an element of the document.
  public func intent(nameSpace: String, identifier: String) -> PKIdentityIntentToStore? {
    let name = AlternativeElements.Name(nameSpace, identifier)
    let found = elements.first { $0.element.license.contains(name) }
    return (found ?? elements.first { $0.element.threshold != nil && PKIdentityElement.age.license.contains(name) })?
      .intent
  }

  private func request(
    for elements: [(names: [AlternativeElements.Name], intent: PKIdentityIntentToStore)],
    alternatives: [AlternativeElements] = []
  ) -> ItemsRequest {
    let all = elements.flatMap { element in element.names.map { ($0, element.intent) } }
    let spaces = all.map(\.0.nameSpace).uniqued().map { space in
      ItemsRequest.NameSpace(
        space,
        all.filter { $0.0.nameSpace == space }.map {
          ItemsRequest.Element($0.0.identifier, intentToRetain: $0.1.mayStoreElement)
        })
    }
    return ItemsRequest(documentType: documentType, nameSpaces: spaces, alternatives: alternatives)
  }
}

extension IdentityDescription.Element: JSONObject {
  package static let json = JSONForm<Self>(Self.init, Member("element", \.element), Member("intent", \.intent))
}

extension IdentityDescription: JSONObjectWritable, JSONReadable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("documentType", documentType)
    json.member("elements", elements)
  }

  package init(json: JSONItem) throws(JSONError) {
    documentType = try json.member("documentType")
    elements = try json.member("elements")
  }
}

/// An app's intention to store an element after the verification.
public struct PKIdentityIntentToStore: Sendable, Hashable, CustomStringConvertible {
  /// Indicates whether the app may store the element.
  public let mayStoreElement: Bool
  /// The longest time of storage in days; nil for no limit, and for an element that is not stored.
  public let days: Int?

  /// The app uses the element for this verification only.
  public static let willNotStore = PKIdentityIntentToStore(mayStoreElement: false, days: nil)
  /// The app may store the element without a limit of time.
  public static let mayStore = PKIdentityIntentToStore(mayStoreElement: true, days: nil)
  /// The app may store the element for a number of days.
  public static func mayStore(days: Int) -> PKIdentityIntentToStore {
    PKIdentityIntentToStore(mayStoreElement: true, days: days)
  }

  /// The intention in words.
  public var description: String {
    guard mayStoreElement else { return "will not be stored" }
    return days.map { "will be stored for \($0) day\($0 == 1 ? "" : "s")" } ?? "will be stored"
  }
}

extension PKIdentityIntentToStore: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("mayStoreElement", \.mayStoreElement), Member(optional: "days", \.days))
}
