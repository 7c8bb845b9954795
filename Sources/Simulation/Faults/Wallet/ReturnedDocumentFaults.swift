import CBOR
import MobileDocument
import SimulationKernel

extension Fault {
  /// Faults of the elements and of the document around them. They are put into the first name space.
  static let ofReturnedDocuments: [Fault] = [
    response(
      "value-changed", "A value is changed after the issuer signed its digest", .fails(.elementDigest),
      .value { _ in 0 }),
    response(
      "second-value-changed", "The second value is changed after the issuer signed its digest; the first is genuine",
      .fails(.elementDigest), .value { _ in 1 }),
    response(
      "last-value-changed", "The last value is changed after the issuer signed its digest; all others are genuine",
      .fails(.elementDigest), .value { max(1, $0 - 1) }),
    response(
      "value-of-another-element", "The first element has the value and the digest's number of the last one",
      .fails(.elementDigest),
      .elements { _, items in
        guard items.count > 1, let first = items.first?.value, let last = items.last?.value else {
          throw SimulationError.notApplicable("the answer has one element")
        }
        let changed = IssuerSignedItem(
          digestID: last.digestID, random: first.random, elementIdentifier: first.elementIdentifier,
          elementValue: last.elementValue)
        return [EncodedCBOR(changed, encodedAs: changed.encoded)] + items.dropFirst()
      }),
    response(
      "element-of-another-document", "The first element is that of another document of the same type",
      .fails(.elementDigest),
      .elements { response, items in
        let first = try response.firstNameSpace()
        let others = try response.another().document.nameSpaces.first { $0.name == first.space.name }?.items ?? []
        guard let other = others.first(where: { $0.value.elementIdentifier == first.first.elementIdentifier }) else {
          throw SimulationError.notApplicable("the other document lacks the element")
        }
        return [other] + items.dropFirst()
      }),
    response(
      "element-twice", "An element is returned twice", .fails(.elementUnique), .elements { $1 + $1.prefix(1) }),
    response(
      "element-not-requested", "An element is returned that was not requested",
      .fails(.elementRequested, .notRequested),
      .elements { response, items in
        try items + [response.held(besides: items) { AgeOver.age(in: $0.elementIdentifier) == nil }]
      }),
    response(
      "age-not-requested", "An age is returned that does not answer the requested one",
      .fails(.elementRequested, .notRequested),
      .elements { response, items in
        let asked = response.request.nameSpaces.flatMap(\.elements).compactMap { AgeOver.age(in: $0.identifier) }
        let extra = try response.held(besides: items) { item in
          guard let age = AgeOver.age(in: item.elementIdentifier), case .boolean(let value) = item.elementValue
          else { return false }
          return asked.allSatisfy { AgeOver.conclusion(about: $0, from: (age, value)) == nil }
        }
        return items + [extra]
      }),
    response(
      "error-for-returned", "The document has an error for an element that is returned", .fails(.elementErrors),
      .document { response, document, _ in
        let (space, item) = try response.firstNameSpace()
        return try document.adding(
          "errors", .textMap([(space.name, .textMap([(item.elementIdentifier, .integer(0))]))]))
      }),
    response(
      "errors-malformed", "The errors of the document are malformed", .fails(.structure, .malformed),
      .document { _, document, _ in try document.adding("errors", .text("none")) }),
    response(
      "byte-after-an-element", "A byte follows an element inside its tag", .fails(.cbor, .trailingBytes),
      .elements { response, items in
        let item = try response.firstNameSpace().first
        return [EncodedCBOR(item, encodedAs: item.encoded + [0])] + items.dropFirst()
      }),
    response(
      "too-many-elements", "The response has more elements than the limit", .fails(.limits),
      .nameSpace { .array([CBORValue](repeating: try $0.items[0], count: ResponseLimits.elements + 1)) }),
    response(
      "element-outside-its-tag", "An element is not in tag 24", .fails(.structure, .malformed),
      .element { value in
        guard case .tagged(_, let content) = value else {
          throw SimulationError.notApplicable("the element has no tag")
        }
        return content
      }),
    response(
      "element-tag-nested", "An element is in an additional tag", .fails(.structure, .malformed),
      .element { .tagged(CBORValue.undefinedTag, $0) }),
    response(
      "element-tag-around-text", "A text is in the tag of an element", .fails(.structure, .malformed),
      .element { _ in .tagged(24, .text("an element")) }),
    response(
      "name-spaces-empty", "The map of name spaces is empty", .fails(.structure, .malformed),
      .document { _, document, _ in try document.changing(ResponseChange.nameSpaces) { _ in .map([]) } }),
    response(
      "name-space-empty", "A name space of the document is empty", .fails(.structure, .malformed),
      .nameSpace { _ in .array([]) }),
  ]

  static func another(than value: CBORValue) -> CBORValue {
    switch value {
    case .text(let text): .text("\(text)!")
    case .boolean(let flag): .boolean(!flag)
    default: .text("another value")
    }
  }
}

extension ResponseChange {
  fileprivate static let nameSpaces: [CBORPlace] = [.member(.text("issuerSigned")), .member(.text("nameSpaces"))]

  /// Changes the items of the first name space.
  fileprivate static func nameSpace(
    _ change: @escaping @Sendable (CBORValue) throws -> CBORValue
  ) -> ResponseChange {
    .document { response, document, _ in
      try document.changing(nameSpaces + [.member(.text(try response.firstNameSpace().space.name))], change)
    }
  }

  /// Changes the value of an element of the first name space.
  /// - Parameter place: the element's place, by the number of elements.
  fileprivate static func value(_ place: @escaping @Sendable (_ count: Int) -> Int) -> ResponseChange {
    .elements { _, items in
      let index = place(items.count)
      guard items.indices.contains(index) else {
        throw SimulationError.notApplicable(
          items.isEmpty ? "the document lacks the requested elements" : "the answer has \(items.count) element")
      }
      let item = items[index].value
      let changed = IssuerSignedItem(
        digestID: item.digestID, random: item.random, elementIdentifier: item.elementIdentifier,
        elementValue: Fault.another(than: item.elementValue))
      var items = items
      items[index] = EncodedCBOR(changed, encodedAs: changed.encoded)
      return items
    }
  }

  /// Changes the first element.
  fileprivate static func element(_ change: @escaping @Sendable (CBORValue) throws -> CBORValue) -> ResponseChange {
    .nameSpace { try $0.changing([.element(0)], change) }
  }
}

extension FaultyResponse {
  /// An element of the first name space that is not among the returned ones.
  fileprivate func held(
    besides items: [ResponseChange.SignedItem], where isWanted: (IssuerSignedItem) -> Bool
  ) throws -> ResponseChange.SignedItem {
    let name = try firstNameSpace().space.name
    let returned = items.map(\.value.elementIdentifier)
    let held = document.nameSpaces.first { $0.name == name }?.items ?? []
    guard
      let extra = held.first(where: { !returned.contains($0.value.elementIdentifier) && isWanted($0.value) })
    else { throw SimulationError.notApplicable("the document lacks a suitable element that was not requested") }
    return extra
  }
}
