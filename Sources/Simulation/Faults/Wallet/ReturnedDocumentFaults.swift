import CBOR
import MobileDocument
import SimulationKernel

extension Fault {
  /// Faults of the elements and of the document around them. Changed values are counted over all name spaces; the other
  /// faults are put into the first one.
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
          throw SimulationError.notApplicable("the first name space of the answer has one element")
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
    response("element-twice", "An element is returned twice", .fails(.elementUnique), .elements { $1 + $1.prefix(1) }),
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
}

extension CBORValue {
  /// Another value of the same kind, so that a reader who compares no digest accepts it.
  var changed: CBORValue {
    switch self {
    case .text(let text): .text("\(text)!")
    case .boolean(let flag): .boolean(!flag)
    case .unsigned(let number): .unsigned(number ^ 1)
    case .negative(let number): .negative(number ^ 1)
    case .float(let number): .float(number == 0 ? 1 : 0)
    case .bytes(let bytes): .bytes(bytes.dropLast() + [(bytes.last ?? 1) ^ 1])
    case .tagged(let tag, .text(let date)): .tagged(tag, .text(Self.anotherDay(than: date)))
    case .tagged(let tag, let content): .tagged(tag, content.changed)
    case .array(let items): .array(items.dropLast() + [(items.last ?? .null).changed])
    case .map(let entries):
      .map(
        entries.dropLast()
          + [entries.last.map { Entry($0.key, $0.value.changed) } ?? Entry(.unsigned(0), .boolean(true))])
    case .null, .undefined, .simple: .boolean(true)
    }
  }

  /// Another day of the month of a date or a time, which exists in each month.
  private static func anotherDay(than date: String) -> String {
    let (month, rest) = (date.prefix(8), date.dropFirst(8))
    return month + (rest.hasPrefix("01") ? "02" : "01") + rest.dropFirst(2)
  }
}

extension ResponseChange {
  fileprivate static let nameSpaces: [CBORPlace] = [.member(.text("issuerSigned")), .member(.text("nameSpaces"))]

  /// Changes the items of the first name space.
  fileprivate static func nameSpace(_ change: @escaping @Sendable (CBORValue) throws -> CBORValue) -> ResponseChange {
    .document { response, document, _ in
      try document.changing(nameSpaces + [.member(.text(try response.firstNameSpace().space.name))], change)
    }
  }

  /// Changes the value of an element.
  /// - Parameter place: The element's place in the document, by the number of its returned elements.
  fileprivate static func value(_ place: @escaping @Sendable (_ count: Int) -> Int) -> ResponseChange {
    .nameSpaces { spaces in
      let count = spaces.map(\.items.count).reduce(0, +)
      var index = place(count)
      guard index < count else {
        throw SimulationError.notApplicable(
          count == 0 ? "the document lacks the requested elements" : "the answer has \(count) element")
      }
      return spaces.map { space in
        defer { index -= space.items.count }
        guard space.items.indices.contains(index) else { return space }
        let item = space.items[index].value
        let changed = IssuerSignedItem(
          digestID: item.digestID, random: item.random, elementIdentifier: item.elementIdentifier,
          elementValue: item.elementValue.changed)
        var items = space.items
        items[index] = EncodedCBOR(changed, encodedAs: changed.encoded)
        return IssuerNameSpace(name: space.name, items: items)
      }
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
