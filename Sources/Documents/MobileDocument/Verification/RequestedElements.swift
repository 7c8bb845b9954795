import CBOR
import Primitives

/// The elements that a request asks for, to be compared with those that a document returned.
struct RequestedElements {
  private let request: ItemsRequest
  private let names: Set<[ExactText]>

  init(_ request: ItemsRequest) {
    self.request = request
    names = Set(request.elementNames.map { [ExactText($0.0), ExactText($0.1)] })
  }

  /// Returns the returned elements that were not requested. Requested are the named elements and, among the returned
  /// ages, the nearest to each named age (ISO/IEC 18013-5, 7.2.5).
  func unasked(of returned: [VerifiedDocument.Element]) -> [VerifiedDocument.Element] {
    var others = returned.filter { !names.contains($0.name) }
    guard !others.isEmpty else { return [] }
    let substitutes = substitutes(among: returned)
    others.removeAll { substitutes.elements.contains($0.name) }
    let nearest = nearestAges(of: returned.compactMap(AgeAttestation.init))
    return others.filter { element in AgeAttestation(element).map { !nearest.contains($0) } ?? true }
  }

  /// A statement of the device does not replace the issuer's.
  private func nearestAges(of attestations: [AgeAttestation]) -> Set<AgeAttestation> {
    var nearest: Set<AgeAttestation> = []
    for (nameSpace, identifier) in request.elementNames {
      guard let age = AgeOver.age(in: identifier) else { continue }
      for isDeviceSigned in [false, true] {
        let found = attestations.filter { $0.nameSpace.isExactly(nameSpace) && $0.isDeviceSigned == isDeviceSigned }
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
  ) -> (elements: Set<[ExactText]>, replaced: Set<[ExactText]>) {
    var found: (elements: Set<[ExactText]>, replaced: Set<[ExactText]>) = ([], [])
    guard !request.alternatives.isEmpty else { return found }
    let there = Set(returned.map(\.name))
    let missing = Set(unanswered(by: returned).map { [ExactText($0.nameSpace), ExactText($0.identifier)] })
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
  func missing(from returned: [VerifiedDocument.Element]) -> [(nameSpace: String, identifier: String)] {
    let replaced = substitutes(among: returned).replaced
    return unanswered(by: returned).filter {
      !replaced.contains([ExactText($0.nameSpace), ExactText($0.identifier)])
    }
  }

  private func unanswered(
    by returned: [VerifiedDocument.Element]
  ) -> [(nameSpace: String, identifier: String)] {
    let found = Set(returned.map(\.name))
    let ages = returned.compactMap(AgeAttestation.init)
    return request.elementNames.filter { nameSpace, identifier in
      guard !found.contains([ExactText(nameSpace), ExactText(identifier)]) else { return false }
      guard let age = AgeOver.age(in: identifier) else { return true }
      return !ages.contains {
        $0.nameSpace.isExactly(nameSpace) && AgeOver.conclusion(about: age, from: ($0.age, $0.value)) != nil
      }
    }
  }
}

extension VerifiedDocument.Element {
  /// Name space and identifier, compared exactly.
  fileprivate var name: [ExactText] { [ExactText(nameSpace), ExactText(identifier)] }
}

extension AlternativeElements.Name {
  fileprivate var exact: [ExactText] { [ExactText(nameSpace), ExactText(identifier)] }
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
    guard let age = AgeOver.age(in: element.identifier), case .boolean(let value) = element.value else { return nil }
    nameSpace = element.nameSpace
    identifier = element.identifier
    self.age = age
    self.value = value
    isDeviceSigned = element.isDeviceSigned
  }
}
