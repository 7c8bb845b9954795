import CBOR
import MobileDocument
import SimulationKernel

/// Faults of the elements and of the document around them.
extension ResponseFault {
  package static let valueChanged = ResponseFault(
    "value-changed", "A value is changed after the issuer signed its digest", .fails("element.digest"))
  package static let elementTwice = ResponseFault(
    "element-twice", "An element is returned twice", .fails("element.unique"))
  package static let elementNotRequested = ResponseFault(
    "element-not-requested", "An element is returned that was not requested", .fails("element.requested/not-requested"))
  package static let ageNotRequested = ResponseFault(
    "age-not-requested", "An age is returned that does not answer the requested one",
    .fails("element.requested/not-requested"))
  package static let errorForReturned = ResponseFault(
    "error-for-returned", "The document has an error for an element that is returned",
    .fails("element.errors"))
  package static let errorsMalformed = ResponseFault(
    "errors-malformed", "The errors of the document are malformed", .fails("response.structure/malformed"))
  package static let byteAfterAnElement = ResponseFault(
    "byte-after-an-element", "A byte follows an element inside its tag", .fails("response.cbor/trailing-bytes"))
  package static let tooManyElements = ResponseFault(
    "too-many-elements", "The response has more elements than the limit", .fails("response.limits"))
  package static let elementOutsideItsTag = ResponseFault(
    "element-outside-its-tag", "An element is not in tag 24", .fails("response.structure/malformed"))
  package static let elementTagNested = ResponseFault(
    "element-tag-nested", "An element is in an additional tag", .fails("response.structure/malformed"))
  package static let elementTagAroundText = ResponseFault(
    "element-tag-around-text", "A text is in the tag of an element", .fails("response.structure/malformed"))
  package static let nameSpacesEmpty = ResponseFault(
    "name-spaces-empty", "The map of name spaces is empty", .fails("response.structure/malformed"))
  package static let nameSpaceEmpty = ResponseFault(
    "name-space-empty", "A name space of the document is empty", .fails("response.structure/malformed"))

  static let ofDocuments: [ResponseFault] = [
    .valueChanged, .elementTwice, .elementNotRequested, .ageNotRequested, .errorForReturned, .errorsMalformed,
    .byteAfterAnElement, .tooManyElements, .elementOutsideItsTag, .elementTagNested, .elementTagAroundText,
    .nameSpacesEmpty, .nameSpaceEmpty,
  ]
}

/// Changes to the document of a response and to its elements.
extension FaultyResponse {
  /// Faults of the elements that are returned; they are put into the first name space.
  func changedElements(_ nameSpaces: [IssuerNameSpace]) throws -> [IssuerNameSpace] {
    func changing(
      _ change: ([EncodedCBOR<IssuerSignedItem>]) throws -> [EncodedCBOR<IssuerSignedItem>]
    ) throws -> [IssuerNameSpace] {
      let first = try firstNameSpace().space
      let items = try change(first.items)
      return (items.isEmpty ? [] : [IssuerNameSpace(name: first.name, items: items)]) + nameSpaces.dropFirst()
    }
    switch fault {
    case .valueChanged:
      let item = try firstNameSpace().first
      let changed = IssuerSignedItem(
        digestID: item.digestID, random: item.random, elementIdentifier: item.elementIdentifier,
        elementValue: Self.another(than: item.elementValue))
      return try changing { [EncodedCBOR(changed, encodedAs: changed.encoded)] + $0.dropFirst() }
    case .elementTwice: return try changing { $0 + $0.prefix(1) }
    case .elementNotRequested:
      return try changing {
        try $0 + [held(besides: $0) { AgeOver.age(in: $0.elementIdentifier) == nil }]
      }
    case .ageNotRequested:
      let asked = request.nameSpaces.flatMap(\.elements).compactMap { AgeOver.age(in: $0.identifier) }
      return try changing {
        try $0
          + [
            held(besides: $0) { item in
              guard let age = AgeOver.age(in: item.elementIdentifier), case .boolean(let value) = item.elementValue
              else { return false }
              return asked.allSatisfy { AgeOver.conclusion(about: $0, from: (age, value)) == nil }
            }
          ]
      }
    case .byteAfterAnElement:
      let item = try firstNameSpace().first
      return try changing { [EncodedCBOR(item, encodedAs: item.encoded + [0])] + $0.dropFirst() }
    // The device signs it instead.
    case .deviceElement: return try changing { Array($0.dropFirst()) }
    default: return nameSpaces
    }
  }

  /// An element of the first name space that is not among the returned ones.
  private func held(
    besides items: [EncodedCBOR<IssuerSignedItem>], where isWanted: (IssuerSignedItem) -> Bool
  ) throws -> EncodedCBOR<IssuerSignedItem> {
    let name = try firstNameSpace().space.name
    let returned = items.map(\.value.elementIdentifier)
    let held = document.nameSpaces.first { $0.name == name }?.items ?? []
    guard
      let extra = held.first(where: { !returned.contains($0.value.elementIdentifier) && isWanted($0.value) })
    else { throw SimulationError.notApplicable("the document lacks a suitable element that was not requested") }
    return extra
  }

  private static func another(than value: CBORValue) -> CBORValue {
    switch value {
    case .text(let text): .text("\(text)!")
    case .boolean(let flag): .boolean(!flag)
    default: .text("another value")
    }
  }

  /// Faults of the structure around the elements.
  func changedDocument(_ document: CBORValue) throws -> CBORValue {
    let nameSpaces: [CBORPlace] = [.member(.text("issuerSigned")), .member(.text("nameSpaces"))]
    func changingSpace(_ change: (CBORValue) throws -> CBORValue) throws -> CBORValue {
      try document.changing(nameSpaces + [.member(.text(try firstNameSpace().space.name))], change)
    }
    func changingElement(_ change: (CBORValue) throws -> CBORValue) throws -> CBORValue {
      try changingSpace { try $0.changing([.element(0)], change) }
    }
    switch fault {
    case .errorForReturned:
      let (space, item) = try firstNameSpace()
      return try document.adding(
        "errors", .textMap([(space.name, .textMap([(item.elementIdentifier, .integer(0))]))]))
    case .errorsMalformed: return try document.adding("errors", .text("none"))
    case .elementOutsideItsTag:
      return try changingElement { value in
        guard case .tagged(_, let content) = value else {
          throw SimulationError.notApplicable("the element has no tag")
        }
        return content
      }
    case .elementTagNested: return try changingElement { .tagged(CBORValue.undefinedTag, $0) }
    case .elementTagAroundText: return try changingElement { _ in .tagged(24, .text("an element")) }
    case .nameSpaceEmpty: return try changingSpace { _ in .array([]) }
    case .nameSpacesEmpty: return try document.changing(nameSpaces) { _ in .map([]) }
    case .tooManyElements:
      return try changingSpace { .array([CBORValue](repeating: try $0.items[0], count: ResponseLimits.elements + 1)) }
    default: return document
    }
  }
}
