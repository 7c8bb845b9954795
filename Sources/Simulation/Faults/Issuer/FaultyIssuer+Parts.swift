import CBOR
import COSE
import MobileDocument

/// Changes to a document that is otherwise issued correctly.
extension FaultyIssuer {
  /// Faults of what the issuer signs about the document as a whole.
  func changeSecurityObject(_ parts: inout DocumentParts, _ fault: DocumentFault) throws {
    func changeEnd(_ change: (String) -> CBORValue) throws {
      try parts.change("validityInfo", "validUntil") { value in
        guard case .tagged(_, let text) = value else { throw FaultNotApplicable("the end is not a date") }
        return change(try text.text)
      }
    }
    switch fault {
    case .securityObjectMalformed: parts.securityObject = try parts.securityObject.removing(.text("validityInfo"))
    case .securityObjectOutsideItsTag: parts.payload = { $0 }
    case .securityObjectTagNested:
      parts.payload = { CBORValue.tagged(Self.undefinedTag, .tagged(24, .bytes($0))).encoded }
    case .securityObjectKeyTwice:
      let entries = try parts.securityObject.entries
      parts.securityObject = .map(entries + entries.prefix(1))
    case .byteAfterSecurityObject: parts.payload = { CBORValue.tagged(24, .bytes($0 + [0])).encoded }
    case .securityObjectVersion: try parts.change("version") { _ in .text("2.0") }
    case .otherDocumentType: try parts.change("docType") { .text(DocumentFault.anotherType(than: try $0.text)) }
    case .impossibleDate: try changeEnd { .tagged(0, .text("\($0.prefix(4))-09-31T00:00:00Z")) }
    case .dateOffset: try changeEnd { .tagged(0, .text("\($0.dropLast())+02:00")) }
    case .dateUntagged: try changeEnd { .text($0) }
    case .dateLowerCase: try changeEnd { .tagged(0, .text($0.lowercased())) }
    case .dateFraction: try changeEnd { .tagged(0, .text("\($0.dropLast()).25Z")) }
    case .digestAlgorithm: try parts.change("digestAlgorithm") { _ in .text("SHA-1") }
    case .statusNull: parts.securityObject = try parts.securityObject.adding("status", .null)
    default: break
    }
  }

  /// Faults of the device key and of what it may sign.
  func changeKeyInfo(_ parts: inout DocumentParts, _ fault: DocumentFault) throws {
    func authorize(_ authorizations: CBORValue) throws {
      try parts.change("deviceKeyInfo") { try $0.adding("keyAuthorizations", authorizations) }
    }
    func bind(toCurve curve: Int, _ coordinate: [UInt8]) throws {
      try parts.change("deviceKeyInfo", "deviceKey") { _ in
        .map([
          CBORValue.Entry(.integer(1), .integer(1)), CBORValue.Entry(.integer(-1), .integer(curve)),
          CBORValue.Entry(.integer(-2), .bytes(coordinate)),
        ])
      }
    }
    switch fault {
    // Ed25519 has number 6; 4 is for key agreement only (RFC 9053, 7.1).
    case .deviceKeyCurve: try bind(toCurve: 4, [UInt8](repeating: 9, count: 32))
    case .deviceKeySmallOrder: try bind(toCurve: COSEKey.Curve.ed25519.rawValue, Self.pointOfOrderOne)
    case .deviceKeyCompressed:
      try parts.change("deviceKeyInfo", "deviceKey") { key in
        try key.changing([.member(.integer(-3))]) { .boolean((try $0.content.last ?? 0) & 1 == 1) }
      }
    case .keyInfoMalformed:
      try parts.change("deviceKeyInfo") { try $0.adding("keyInfo", .textMap([("model", .text("7"))])) }
    case .keyAuthorizationsEmpty: try authorize(.map([]))
    case .keyAuthorizationsTwice:
      let name = "org.example"
      try authorize(
        .textMap([
          ("nameSpaces", .array([.text(name)])),
          ("dataElements", .textMap([(name, .array([.text("note")]))])),
        ]))
    default: break
    }
  }

  /// Faults of elements.
  func changeElements(_ parts: inout DocumentParts, _ fault: DocumentFault) throws {
    func identifier(at position: Int) throws -> String {
      var found = ""
      _ = try parts.first.items[position].changing([.member(.text("elementIdentifier"))]) { value in
        found = try value.text
        return value
      }
      return found
    }
    func changeValue(of element: String, _ value: () -> CBORValue) throws {
      guard let position = try parts.first.items.indices.first(where: { try identifier(at: $0) == element }) else {
        throw FaultNotApplicable("the document has no \(element)")
      }
      try parts.change(item: position, "elementValue") { _ in value() }
    }
    switch fault {
    case .shortSalt:
      try parts.change(item: 0, "random") {
        .bytes(Array(try $0.content.prefix(IssuerSignedItem.minimumRandomLength - 1)))
      }
    case .sameSalt:
      let positions = try parts.first.items.indices
      guard positions.count > 1 else { throw FaultNotApplicable("the document has one element only") }
      var shared = CBORValue.null
      for position in positions {
        try parts.change(item: position, "random") { value in
          if position == 0 { shared = value }
          return shared
        }
      }
    case .elementType:
      // All of them, so that any requested element shows it.
      for position in try parts.first.items.indices {
        try parts.change(item: position, "elementValue") { _ in .map([]) }
      }
    case .elementDateImpossible: try changeValue(of: "birth_date") { .tagged(1004, .text("1990-02-30")) }
    case .elementDateOffset: try changeValue(of: "issue_date") { .tagged(0, .text("2024-03-01T00:00:00+02:00")) }
    case .agesContradict:
      let ages = try parts.first.items.indices.compactMap { position -> (position: Int, age: Int)? in
        try AgeOver.age(in: identifier(at: position)).map { (position, $0) }
      }.sorted { $0.age < $1.age }
      guard ages.count > 1 else { throw FaultNotApplicable("the document has not two ages") }
      for (number, age) in ages.enumerated() {
        try parts.change(item: age.position, "elementValue") { _ in .boolean(number > 0) }
      }
    case .elementEncoding: parts.itemEncoding = { try withLongerHead($0.encoded) }
    case .digestIDTooLarge: return try parts.digestAgain(from: Int(IssuerSignedItem.maximumDigestID) + 1)
    default: return
    }
    try parts.digestAgain()
  }

  /// Faults of digests.
  func changeDigests(_ parts: inout DocumentParts, _ fault: DocumentFault) throws {
    let name = try parts.first.name
    func change(_ change: ([CBORValue.Entry]) throws -> [CBORValue.Entry]) throws {
      try parts.change("valueDigests", name) { .map(try change(try $0.entries)) }
    }
    switch fault {
    case .nameSpaceNotCovered:
      try parts.change("valueDigests") { value in
        .map(
          try value.entries.map { CBORValue.Entry($0.key == .text(name) ? .text("org.example") : $0.key, $0.value) })
      }
    case .elementNotCovered:
      try parts.digestAgain()
      // The last is left alone, so that whichever others are asked for show it.
      try change { Array($0.suffix(1)) }
    case .digestLength:
      try change { $0 + [CBORValue.Entry(.integer($0.count), .bytes([UInt8](repeating: 1, count: 31)))] }
    case .digestIDTwice: try change { $0 + $0.prefix(1) }
    case .valueDigestsEmpty: try parts.change("valueDigests") { _ in .map([]) }
    default: break
    }
  }

  /// A tag without a registered meaning.
  static let undefinedTag: UInt64 = 400
}
