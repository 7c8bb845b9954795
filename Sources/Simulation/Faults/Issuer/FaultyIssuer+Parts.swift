import CBOR
import COSE
import MobileDocument
import SimulationKernel

/// Faults of the mobile security object and of the elements.
extension DocumentFault {
  package static let securityObjectMalformed = DocumentFault(
    "security-object-malformed", "The mobile security object has no validityInfo", .fails("mso.structure/malformed"))
  package static let securityObjectOutsideItsTag = DocumentFault(
    "security-object-outside-its-tag", "The mobile security object is not in tag 24", .fails("mso.structure/malformed"))
  package static let securityObjectTagNested = DocumentFault(
    "security-object-tag-nested", "The mobile security object is in an additional tag",
    .fails("mso.structure/malformed"))
  package static let securityObjectKeyTwice = DocumentFault(
    "security-object-key-twice", "The mobile security object has its version twice",
    .fails("mso.structure/duplicate-key"))
  package static let byteAfterSecurityObject = DocumentFault(
    "byte-after-security-object", "A byte follows the mobile security object inside its tag",
    .fails("mso.structure/trailing-bytes"))
  package static let valueDigestsEmpty = DocumentFault(
    "value-digests-empty", "The mobile security object lacks digests", .fails("mso.structure/malformed"))
  package static let digestIDTwice = DocumentFault(
    "digest-id-twice", "The mobile security object has a digest twice", .fails("mso.structure/duplicate-key"))
  package static let digestIDTooLarge = DocumentFault(
    "digest-id-too-large", "The digestIDs are not below 2^32", .fails("mso.digest-id"))
  package static let digestIDOf32Bits = DocumentFault(
    "digest-id-of-32-bits", "The digestIDs are not below 2^31", .fails("mso.digest-id/32-bits"))
  package static let statusNull = DocumentFault(
    "status-null", "The status of the mobile security object is null", .deviates("mso.structure/status-null"))
  package static let securityObjectVersion = DocumentFault(
    "security-object-version", "The mobile security object is of version 2.0", .fails("mso.version"))
  package static let otherDocumentType = DocumentFault(
    "other-document-type", "The mobile security object is for another document type", .fails("mso.document-type"))
  package static let typeNotRequested = DocumentFault(
    "type-not-requested", "The document is of a type that was not requested",
    .fails("document.requested/not-requested", deviating: ["response.documents/not-returned"]))
  package static let impossibleDate = DocumentFault(
    "impossible-date", "The document is valid until the 31st of September", .fails("mso.dates/impossible"))
  package static let dateOffset = DocumentFault(
    "date-offset", "The end of the document's validity has an offset", .fails("mso.dates/offset"))
  package static let dateUntagged = DocumentFault(
    "date-untagged", "The end of the document's validity is untagged", .deviates("mso.dates/untagged"))
  package static let dateFraction = DocumentFault(
    "date-fraction", "The end of the document's validity has fractional seconds", .deviates("mso.dates/fraction"))
  package static let dateLowerCase = DocumentFault(
    "date-lower-case", "The end of the document's validity has its letters in lower case",
    .deviates("mso.dates/lower-case"))
  package static let digestAlgorithm = DocumentFault(
    "digest-algorithm", "The digest algorithm is SHA-1", .fails("mso.digest-algorithm"))
  package static let digestLength = DocumentFault(
    "digest-length", "A digest is a byte short", .fails("mso.digest-length"))
  package static let deviceKeyCurve = DocumentFault(
    "device-key-curve", "The device key is on a curve for key agreement only", .fails("mso.device-key/unusable"))
  package static let deviceKeySmallOrder = DocumentFault(
    "device-key-small-order", "The device key is a point of small order, for which signatures can be forged",
    .fails("mso.device-key/unusable"))
  package static let keyInfoMalformed = DocumentFault(
    "key-info-malformed", "The keyInfo of the device key has text labels instead of integers",
    .fails("mso.structure/malformed"))
  package static let deviceKeyCompressed = DocumentFault(
    "device-key-compressed", "The device key is a compressed point", .deviates("mso.device-key/compressed"))
  package static let keyAuthorizationsTwice = DocumentFault(
    "key-authorizations-twice", "A name space is authorized both entirely and in part", .fails("mso.key-authorizations")
  )
  package static let keyAuthorizationsEmpty = DocumentFault(
    "key-authorizations-empty", "The key authorizations are empty", .fails("mso.key-authorizations"))
  package static let nameSpaceNotCovered = DocumentFault(
    "name-space-not-covered", "The mobile security object omits the name space",
    .fails("element.coverage/name-space"))
  package static let elementNotCovered = DocumentFault(
    "element-not-covered", "The mobile security object covers one element only", .fails("element.coverage/element"))
  package static let shortSalt = DocumentFault(
    "salt-too-short", "An element's salt has 15 bytes", .fails("element.salt/too-short"))
  package static let sameSalt = DocumentFault(
    "salts-equal", "All elements have the same salt", .fails("element.salt/repeated"))
  package static let elementType = DocumentFault(
    "element-type", "The values of all elements are empty maps, which no name space defines", .deviates("element.type"))
  package static let elementDateImpossible = DocumentFault(
    "element-date-impossible", "The person was born on the 30th of February", .fails("element.dates/impossible"))
  package static let elementDateOffset = DocumentFault(
    "element-date-offset", "The date of issue has a time with an offset", .fails("element.dates/offset"))
  package static let agesContradict = DocumentFault(
    "ages-contradict", "The ages of the document contradict each other", .fails("element.ages"))
  package static let elementEncoding = DocumentFault(
    "element-encoding", "Every element is not in its shortest encoding", .deviates("response.encoding"))

  static let ofContent: [DocumentFault] = [
    .securityObjectMalformed, .securityObjectOutsideItsTag, .securityObjectTagNested, .securityObjectKeyTwice,
    .byteAfterSecurityObject, .valueDigestsEmpty, .digestIDTwice, .digestIDTooLarge, .statusNull,
    .securityObjectVersion, .otherDocumentType, .typeNotRequested, .impossibleDate, .dateOffset, .dateUntagged,
    .dateFraction, .dateLowerCase, .digestAlgorithm, .digestLength, .deviceKeyCurve, .deviceKeySmallOrder,
    .keyInfoMalformed, .deviceKeyCompressed, .keyAuthorizationsTwice, .keyAuthorizationsEmpty, .nameSpaceNotCovered,
    .elementNotCovered, .shortSalt, .sameSalt, .elementType, .elementDateImpossible, .elementDateOffset,
    .agesContradict, .elementEncoding, .digestIDOf32Bits,
  ]
}

/// Changes to a document that is otherwise issued correctly.
extension FaultyIssuer {
  /// Faults of what the issuer signs about the document as a whole.
  func changeSecurityObject(_ parts: inout DocumentParts, _ fault: DocumentFault) throws {
    func changeEnd(_ change: (String) -> CBORValue) throws {
      try parts.change("validityInfo", "validUntil") { value in
        guard case .tagged(_, let text) = value else { throw SimulationError.notApplicable("the end is not a date") }
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
        throw SimulationError.notApplicable("the document has no \(element)")
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
      guard positions.count > 1 else { throw SimulationError.notApplicable("the document has one element only") }
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
      guard ages.count > 1 else { throw SimulationError.notApplicable("the document has not two ages") }
      for (number, age) in ages.enumerated() {
        try parts.change(item: age.position, "elementValue") { _ in .boolean(number > 0) }
      }
    case .elementEncoding: parts.itemEncoding = { try withLongerHead($0.encoded) }
    case .digestIDTooLarge: return try parts.digestAgain(from: 1 << 32)
    case .digestIDOf32Bits: return try parts.digestAgain(from: Int(IssuerSignedItem.maximumDigestID) + 1)
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
