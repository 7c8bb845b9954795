import CBOR
import Primitives

extension [IssuerNameSpace] {
  /// Selects the elements for a request, with the nearest-value rule for `age_over_NN` (ISO/IEC 18013-5, 7.2.5).
  ///
  /// - Returns: The elements by name space in the order of the request, and the names of missing elements.
  package func answer(
    to request: ItemsRequest
  ) -> (nameSpaces: [IssuerNameSpace], missing: [(nameSpace: String, identifier: String)]) {
    var answered: [IssuerNameSpace] = []
    var missing: [(nameSpace: String, identifier: String)] = []
    for requested in request.nameSpaces {
      let held = first { $0.name.isExactly(requested.name) }
      var items: [EncodedCBOR<IssuerSignedItem>] = []
      for element in requested.elements {
        guard let item = held.flatMap({ Self.item(answering: element.identifier, in: $0) }) else {
          missing.append((requested.name, element.identifier))
          continue
        }
        // One attestation can answer two ages and is returned once.
        if !items.contains(where: { $0.value.elementIdentifier.isExactly(item.value.elementIdentifier) }) {
          items.append(item)
        }
      }
      if !items.isEmpty { answered.append(IssuerNameSpace(name: requested.name, items: items)) }
    }
    return (answered, missing)
  }

  private static func item(
    answering identifier: String, in nameSpace: IssuerNameSpace
  ) -> EncodedCBOR<IssuerSignedItem>? {
    var wanted = identifier
    if let age = AgeOver.age(in: identifier) {
      let attestations = nameSpace.items.compactMap { item -> (age: Int, value: Bool)? in
        guard let held = AgeOver.age(in: item.value.elementIdentifier),
          case .boolean(let value) = item.value.elementValue
        else { return nil }
        return (held, value)
      }
      guard let nearest = AgeOver.nearest(to: age, in: attestations) else { return nil }
      wanted = AgeOver.identifier(for: nearest)
    }
    return nameSpace.items.first { $0.value.elementIdentifier.isExactly(wanted) }
  }
}
