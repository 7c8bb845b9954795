import CBOR
import Primitives

/// The elements that a request asks for, to be compared with those that a document returned.
struct RequestedElements {
  let request: ItemsRequest
  /// Every name in the order of the request.
  private let names: [ElementName]
  private let named: HandfulSet<ElementName>

  init(_ request: ItemsRequest) {
    self.request = request
    names = request.nameSpaces.flatMap { space in space.elements.map { ElementName(space.name, $0.identifier) } }
    named = HandfulSet(names)
  }

  /// Returns the returned elements that were not requested. Requested are the named elements and, among the returned
  /// ages, the nearest to each named age (ISO/IEC 18013-5, 7.2.5).
  func unasked(of returned: [VerifiedDocument.Element]) -> [VerifiedDocument.Element] {
    var others = returned.filter { !named.contains($0.name) }
    guard !others.isEmpty else { return [] }
    let substitutes = substitutes(among: returned)
    others.removeAll { substitutes.elements.contains($0.name) }
    let nearest = nearestAges(of: returned.compactMap(AgeAttestation.init))
    return others.filter { element in AgeAttestation(element).map { !nearest.contains($0) } ?? true }
  }

  /// A statement of the device does not replace the issuer's.
  private func nearestAges(of attestations: [AgeAttestation]) -> Set<AgeAttestation> {
    var nearest: Set<AgeAttestation> = []
    for name in names {
      guard let age = AgeOver.age(in: name.identifier.text) else { continue }
      for isDeviceSigned in [false, true] {
        let found = attestations.filter {
          $0.nameSpace.isExactly(name.nameSpace.text) && $0.isDeviceSigned == isDeviceSigned
        }
        guard let answer = AgeOver.nearest(to: age, in: found.map { ($0.age, $0.value) }) else { continue }
        nearest.formUnion(found.filter { $0.age == answer })
      }
    }
    return nearest
  }

  /// Returns the returned elements that replace requested ones, and the elements that they replace: of the alternatives
  /// to each, the first complete set (ISO/IEC 18013-5 second edition draft, 10.2.4).
  private func substitutes(
    among returned: [VerifiedDocument.Element]
  ) -> (elements: Set<ElementName>, replaced: Set<ElementName>) {
    var found: (elements: Set<ElementName>, replaced: Set<ElementName>) = ([], [])
    guard !request.alternatives.isEmpty else { return found }
    let there = Set(returned.map(\.name))
    let missing = Set(unanswered(by: returned))
    for alternative in request.alternatives {
      let name = alternative.requested.exact
      guard missing.contains(name), !found.replaced.contains(name),
        let set = alternative.sets.first(where: { $0.allSatisfy { there.contains($0.exact) } })
      else { continue }
      found.replaced.insert(name)
      found.elements.formUnion(set.map(\.exact))
    }
    return found
  }

  /// Returns the requested elements without an answer, neither by their own element nor by a set of alternatives.
  func missing(from returned: [VerifiedDocument.Element]) -> [ElementName] {
    let unanswered = unanswered(by: returned)
    guard !unanswered.isEmpty else { return [] }
    let replaced = substitutes(among: returned).replaced
    return unanswered.filter { !replaced.contains($0) }
  }

  private func unanswered(by returned: [VerifiedDocument.Element]) -> [ElementName] {
    let found = HandfulSet(returned.lazy.map(\.name))
    let others = names.filter { !found.contains($0) }
    guard !others.isEmpty else { return [] }
    let ages = returned.compactMap(AgeAttestation.init)
    return others.filter { name in
      guard let age = AgeOver.age(in: name.identifier.text) else { return true }
      return !ages.contains {
        $0.nameSpace.isExactly(name.nameSpace.text)
          && AgeOver.conclusion(about: age, from: ($0.age, $0.value)) != nil
      }
    }
  }
}

extension AlternativeElements.Name {
  fileprivate var exact: ElementName { ElementName(nameSpace, identifier) }
}

/// The statement of an element `age_over_NN`.
struct AgeAttestation: Hashable {
  let nameSpace: String
  let identifier: String
  let age: Int
  let value: Bool
  let isDeviceSigned: Bool

  /// Reads an element's statement about an age. Nil for other elements, and for values other than true and false.
  init?(_ element: VerifiedDocument.Element) {
    guard case .boolean(let value) = element.value, let age = AgeOver.age(in: element.identifier) else { return nil }
    nameSpace = element.nameSpace
    identifier = element.identifier
    self.age = age
    self.value = value
    isDeviceSigned = element.isDeviceSigned
  }
}

/// The name space and identifier of an element, compared byte by byte.
struct ElementName: Hashable {
  let nameSpace: ExactText
  let identifier: ExactText

  init(_ nameSpace: String, _ identifier: String) {
    self.nameSpace = ExactText(nameSpace)
    self.identifier = ExactText(identifier)
  }

  /// Compares the identifiers first: elements of one name space differ in them.
  static func == (left: ElementName, right: ElementName) -> Bool {
    left.identifier == right.identifier && left.nameSpace == right.nameSpace
  }
}

extension VerifiedDocument.Element {
  /// The name of the element.
  var name: ElementName { ElementName(nameSpace, identifier) }
}
