import CBOR
import COSE
import MobileDocument
import SimulationKernel

extension Fault {
  /// Faults of the mobile security object as a whole.
  static let ofSecurityObjects: [Fault] = [
    document(
      "security-object-malformed", "The mobile security object has no validityInfo",
      .fails(.securityObjectStructure, .malformed)
    ) { $0.securityObject = try $0.securityObject.removing(.text("validityInfo")) },
    document(
      "security-object-outside-its-tag", "The mobile security object is not in tag 24",
      .fails(.securityObjectStructure, .malformed)
    ) { $0.payload = { $0 } },
    document(
      "security-object-tag-nested", "The mobile security object is in an additional tag",
      .fails(.securityObjectStructure, .malformed)
    ) { $0.payload = { CBORValue.tagged(CBORValue.undefinedTag, .tagged(24, .bytes($0))).encoded } },
    document(
      "security-object-key-twice", "The mobile security object has its version twice",
      .fails(.securityObjectStructure, .duplicateKey)
    ) { parts in
      let entries = try parts.securityObject.entries
      parts.securityObject = .map(entries + entries.prefix(1))
    },
    document(
      "byte-after-security-object", "A byte follows the mobile security object inside its tag",
      .fails(.securityObjectStructure, .trailingBytes)
    ) { $0.payload = { CBORValue.tagged(24, .bytes($0 + [0])).encoded } },
    document(
      "value-digests-empty", "The mobile security object lacks digests", .fails(.securityObjectStructure, .malformed)
    ) { try $0.change("valueDigests") { _ in .map([]) } },
    document(
      "name-space-without-digests", "The mobile security object has a name space without digests",
      .fails(.securityObjectStructure, .malformed)
    ) { try $0.change("valueDigests") { try $0.adding("org.example", .map([])) } },
    document(
      "digest-id-twice", "The mobile security object has a digest twice",
      .fails(.securityObjectStructure, .duplicateKey)
    ) { try $0.changeDigests { $0 + $0.prefix(1) } },
    document("digest-id-too-large", "The digestIDs are not below 2^32", .fails(.digestIdentifier)) {
      try $0.digestAgain(from: 1 << 32)
    },
    document(
      "status-null", "The status of the mobile security object is null",
      .deviates(.securityObjectStructure, .statusNull)
    ) { $0.securityObject = try $0.securityObject.adding("status", .null) },
    document(
      "security-object-version", "The mobile security object is of version 2.0", .fails(.securityObjectVersion)
    ) { try $0.change("version") { _ in .text("2.0") } },
    document(
      "other-document-type", "The mobile security object is for another document type", .fails(.documentType)
    ) { try $0.changeType() },
    document(
      "type-not-requested", "The document is of a type that was not requested",
      .fails(.documentRequested, .notRequested).deviating(.documentsReturned, .notReturned),
      presentedAsAnotherType: true
    ) { try $0.changeType() },
    document(
      "impossible-date", "The document is valid until the 31st of September", .fails(.dates, .impossible)
    ) { try $0.changeEnd { .tagged(0, .text("\($0.prefix(4))-09-31T00:00:00Z")) } },
    document("date-offset", "The end of the document's validity has an offset", .fails(.dates, .offset)) {
      try $0.changeEnd { .tagged(0, .text("\($0.dropLast())+02:00")) }
    },
    document("date-untagged", "The end of the document's validity is untagged", .deviates(.dates, .untagged)) {
      try $0.changeEnd { .text($0) }
    },
    document(
      "date-fraction", "The end of the document's validity has fractional seconds", .deviates(.dates, .fraction)
    ) { try $0.changeEnd { .tagged(0, .text("\($0.dropLast()).25Z")) } },
    document(
      "date-lower-case", "The end of the document's validity has its letters in lower case",
      .deviates(.dates, .lowerCase)
    ) { try $0.changeEnd { .tagged(0, .text($0.lowercased())) } },
    document("digest-algorithm", "The digest algorithm is SHA-1", .fails(.digestAlgorithm)) {
      try $0.change("digestAlgorithm") { _ in .text("SHA-1") }
    },
    document("digest-length", "A digest is a byte short", .fails(.digestLength)) {
      try $0.changeDigests { $0 + [CBORValue.Entry(.integer($0.count), .bytes([UInt8](repeating: 1, count: 31)))] }
    },
  ]

  /// Faults of the device key and of what it may sign.
  static let ofDeviceKeys: [Fault] = [
    // Ed25519 has number 6; 4 is for key agreement only (RFC 9053, 7.1).
    document(
      "device-key-curve", "The device key is on a curve for key agreement only", .fails(.deviceKey, .unusable)
    ) { try $0.bind(toCurve: 4, [UInt8](repeating: 9, count: 32)) },
    document(
      "device-key-small-order", "The device key is a point of small order, for which signatures can be forged",
      .fails(.deviceKey, .unusable)
    ) { try $0.bind(toCurve: COSEKey.Curve.ed25519.rawValue, FaultyIssuer.pointOfOrderOne) },
    document(
      "device-key-off-curve", "The device key is a point beside its curve", .fails(.deviceKey, .unusable)
    ) { parts in
      try parts.change("deviceKeyInfo", "deviceKey") { key in
        try key.changing([.member(.integer(-3))]) { .bytes(try $0.content.flippingLastBit) }
      }
    },
    document(
      "key-info-malformed", "The keyInfo of the device key has text labels instead of integers",
      .fails(.securityObjectStructure, .malformed)
    ) { try $0.change("deviceKeyInfo") { try $0.adding("keyInfo", .textMap([("model", .text("7"))])) } },
    document(
      "device-key-compressed", "The device key is a compressed point", .deviates(.deviceKey, .compressed)
    ) { parts in
      try parts.change("deviceKeyInfo", "deviceKey") { key in
        try key.changing([.member(.integer(-3))]) { .boolean((try $0.content.last ?? 0) & 1 == 1) }
      }
    },
    document(
      "key-authorizations-twice", "A name space is authorized both entirely and in part", .fails(.keyAuthorizations)
    ) { parts in
      let name = "org.example"
      try parts.authorize(
        .textMap([
          ("nameSpaces", .array([.text(name)])),
          ("dataElements", .textMap([(name, .array([.text("note")]))])),
        ]))
    },
    document("key-authorizations-empty", "The key authorizations are empty", .fails(.keyAuthorizations)) {
      try $0.authorize(.map([]))
    },
  ]
}

extension DocumentParts {
  fileprivate mutating func changeType() throws {
    try change("docType") { .text(DocumentChange.anotherType(than: try $0.text)) }
  }

  /// Changes the end of the document's validity.
  fileprivate mutating func changeEnd(_ change: (String) -> CBORValue) throws {
    try self.change("validityInfo", "validUntil") { value in
      guard case .tagged(_, let text) = value else { throw SimulationError.notApplicable("the end is not a date") }
      return change(try text.text)
    }
  }

  fileprivate mutating func authorize(_ authorizations: CBORValue) throws {
    try change("deviceKeyInfo") { try $0.adding("keyAuthorizations", authorizations) }
  }

  /// Binds the document to a key of one coordinate.
  fileprivate mutating func bind(toCurve curve: Int, _ coordinate: [UInt8]) throws {
    try change("deviceKeyInfo", "deviceKey") { _ in
      .map([
        CBORValue.Entry(.integer(1), .integer(1)), CBORValue.Entry(.integer(-1), .integer(curve)),
        CBORValue.Entry(.integer(-2), .bytes(coordinate)),
      ])
    }
  }
}
