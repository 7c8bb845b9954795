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

  /// The returned elements that nobody asked for. Asked for is what was named and, of the ages that were returned, the one
  /// that comes nearest to one that was named (ISO/IEC 18013-5, 7.2.5).
  func unasked(of returned: [VerifiedDocument.Element]) -> [VerifiedDocument.Element] {
    var others = returned.filter { !names.contains($0.name) }
    guard !others.isEmpty else { return [] }
    let substitutes = substitutes(among: returned)
    others.removeAll { substitutes.elements.contains($0.name) }
    let nearest = nearestAges(of: returned.compactMap(AgeAttestation.init))
    return others.filter { element in AgeAttestation(element).map { !nearest.contains($0) } ?? true }
  }

  /// What the device says of itself stands beside what the issuer signed, and does not take its place.
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

  /// The returned elements that stand for requested ones which were not, and for which: of the alternatives to each the
  /// first set that is there whole (ISO/IEC 18013-5 second edition draft, 10.2.4).
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

  /// The requested elements that none of the returned ones answers, nor a set of others that may stand for it.
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

/// What an element `age_over_NN` says.
struct AgeAttestation: Hashable {
  let nameSpace: String
  let identifier: String
  let age: Int
  let value: Bool
  let isDeviceSigned: Bool

  /// What an element says of an age; nil when it is about something else, or neither true nor false.
  init?(_ element: VerifiedDocument.Element) {
    guard let age = AgeOver.age(in: element.identifier), case .boolean(let value) = element.value else { return nil }
    nameSpace = element.nameSpace
    identifier = element.identifier
    self.age = age
    self.value = value
    isDeviceSigned = element.isDeviceSigned
  }
}
