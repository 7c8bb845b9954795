import CBOR
import MobileDocument
import SimulationKernel

extension Fault {
  /// Faults of the elements and of their digests. They are put into the first name space.
  static let ofElements: [Fault] = [
    document(
      "name-space-not-covered", "The mobile security object omits the name space",
      .fails(.elementCoverage, .nameSpace)
    ) { parts in
      let name = CBORValue.text(try parts.first.name)
      try parts.change("valueDigests") { value in
        .map(try value.entries.map { CBORValue.Entry($0.key == name ? .text("org.example") : $0.key, $0.value) })
      }
    },
    document(
      "element-not-covered", "The mobile security object covers one element only", .fails(.elementCoverage, .element)
    ) { parts in
      try parts.digestAgain()
      // The last is left alone, so that whichever others are asked for show it.
      try parts.changeDigests { Array($0.suffix(1)) }
    },
    element("salt-too-short", "An element's salt has 15 bytes", .fails(.elementSalt, .tooShort)) {
      try $0.change(item: 0, "random") {
        .bytes(Array(try $0.content.prefix(IssuerSignedItem.minimumRandomLength - 1)))
      }
    },
    element("salts-equal", "All elements have the same salt", .fails(.elementSalt, .repeated)) { parts in
      let positions = try parts.first.items.indices
      guard positions.count > 1 else { throw SimulationError.notApplicable("the document has one element only") }
      var shared = CBORValue.null
      for position in positions {
        try parts.change(item: position, "random") { value in
          if position == 0 { shared = value }
          return shared
        }
      }
    },
    element(
      "element-type", "The values of all elements are empty maps, which no name space defines",
      .deviates(.elementType)
    ) { parts in
      // All of them, so that any requested element shows it.
      for position in try parts.first.items.indices {
        try parts.change(item: position, "elementValue") { _ in .map([]) }
      }
    },
    element(
      "element-date-impossible", "The person was born on the 30th of February", .fails(.elementDates, .impossible)
    ) { try $0.changeValue(of: "birth_date", to: .tagged(1004, .text("1990-02-30"))) },
    element(
      "element-date-offset", "The date of issue has a time with an offset", .fails(.elementDates, .offset)
    ) { try $0.changeValue(of: "issue_date", to: .tagged(0, .text("2024-03-01T00:00:00+02:00"))) },
    element("ages-contradict", "The ages of the document contradict each other", .fails(.elementAges)) { parts in
      let ages = try parts.first.items.indices.compactMap { position -> (position: Int, age: Int)? in
        try AgeOver.age(in: parts.identifier(at: position)).map { (position, $0) }
      }.sorted { $0.age < $1.age }
      guard ages.count > 1 else { throw SimulationError.notApplicable("the document has not two ages") }
      for (number, age) in ages.enumerated() {
        try parts.change(item: age.position, "elementValue") { _ in .boolean(number > 0) }
      }
    },
    element("element-encoding", "Every element is not in its shortest encoding", .deviates(.encoding)) {
      $0.itemEncoding = { try withLongerHead($0.encoded) }
    },
    document("digest-id-of-32-bits", "The digestIDs are not below 2^31", .fails(.digestIdentifier, .thirtyTwoBits)) {
      try $0.digestAgain(from: Int(IssuerSignedItem.maximumDigestID) + 1)
    },
  ]

  /// A fault in elements whose digests are right.
  private static func element(
    _ name: String, _ title: String, _ findings: FaultFindings,
    _ change: @escaping @Sendable (inout DocumentParts) throws -> Void
  ) -> Fault {
    document(name, title, findings) { parts in
      try change(&parts)
      try parts.digestAgain()
    }
  }
}

extension DocumentParts {
  fileprivate func identifier(at position: Int) throws -> String {
    var found = ""
    _ = try first.items[position].changing([.member(.text("elementIdentifier"))]) { value in
      found = try value.text
      return value
    }
    return found
  }

  fileprivate mutating func changeValue(of element: String, to value: CBORValue) throws {
    guard let position = try first.items.indices.first(where: { try identifier(at: $0) == element }) else {
      throw SimulationError.notApplicable("the document has no \(element)")
    }
    try change(item: position, "elementValue") { _ in value }
  }
}
