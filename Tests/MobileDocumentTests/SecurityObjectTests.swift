import CBOR
import COSE
import DocumentFixtures
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Mobile security object")
struct SecurityObjectTests {
  private static let date = CBORValue.tagged(0, .text("2025-09-15T17:00:00Z"))

  private static func dates(_ signed: CBORValue = date, more: [(String, CBORValue)] = []) -> CBORValue {
    .textMap([("signed", signed), ("validFrom", date), ("validUntil", date)] + more)
  }

  private static func object(
    replacing: [(String, CBORValue?)] = [], keyInfo: [(String, CBORValue)] = []
  ) throws -> CBORValue {
    let key = CBORValue(try CBORReader.read(COSEKey(fixedKey(1).publicKey).encoded))
    let members: [(String, CBORValue)] = [
      ("version", .text("1.0")), ("digestAlgorithm", .text("SHA-256")),
      ("valueDigests", .textMap([("s", .map([CBORValue.Entry(.integer(0), .bytes([1]))]))])),
      ("deviceKeyInfo", .textMap([("deviceKey", key)] + keyInfo)), ("docType", .text("t")), ("validityInfo", dates()),
    ]
    return .textMap(
      members.compactMap { member in
        guard let change = replacing.first(where: { $0.0 == member.0 }) else { return member }
        return change.1.map { (member.0, $0) }
      })
  }

  private static func read(_ value: CBORValue) throws -> MobileSecurityObject {
    try MobileSecurityObject(payload: CBORValue.tagged(24, .bytes(value.encoded)).encoded)
  }

  @Test("digests are found by identifier, in whatever order they are written", arguments: [1, 2, 3, 12, 100])
  func digests(count: Int) throws {
    let identifiers = (0..<count).map { $0 * 7 % count * 3 }
    func digest(_ identifier: Int) -> [UInt8] { [UInt8](repeating: UInt8(identifier % 251), count: 32) }
    let entries = identifiers.map { CBORValue.Entry(.integer($0), .bytes(digest($0))) }
    let object = try Self.read(Self.object(replacing: [("valueDigests", .textMap([("s", .map(entries))]))]))
    let found = try #require(object.digests(of: "s"))
    #expect(found.entries.map(\.identifier) == identifiers.sorted().map(UInt64.init))
    for identifier in 0..<3 * count + 2 {
      #expect(found[UInt64(identifier)] == (identifiers.contains(identifier) ? digest(identifier)[...] : nil))
    }
  }

  @Test("the object is read with all its members")
  func complete() throws {
    let object = try Self.read(Self.object())
    #expect(object.version == "1.0" && object.documentType == "t" && object.digestAlgorithm == .sha256)
    #expect(object.digests(of: "s")?[0] == [1] && object.digests(of: "s")?[1] == nil)
    #expect(object.validity?.signed == (try moment("2025-09-15T17:00:00Z")) && object.deviations.isEmpty)
  }

  @Test("other digest algorithms are read by their names", arguments: [("SHA-384", 48), ("SHA-512", 64)])
  func algorithms(name: String, length: Int) throws {
    let object = try Self.read(Self.object(replacing: [("digestAlgorithm", .text(name))]))
    #expect(object.digestAlgorithm?.digest([1]).count == length)
    let unknown = try Self.read(Self.object(replacing: [("digestAlgorithm", .text("SHA-1"))]))
    #expect(unknown.digestAlgorithm == nil && unknown.digestAlgorithmName == "SHA-1")
  }

  @Test("a device may sign the elements that are allowed, and the name spaces that are allowed whole")
  func authorizations() throws {
    let allowed = CBORValue.textMap([
      ("nameSpaces", .array([.text("whole")])),
      ("dataElements", .textMap([("part", .array([.text("a"), .text("b")]))])),
    ])
    let authorizations = try Self.read(Self.object(keyInfo: [("keyAuthorizations", allowed)])).keyAuthorizations
    #expect(authorizations.allow(nameSpace: "whole", identifier: "x"))
    #expect(authorizations.allow(nameSpace: "part", identifier: "b"))
    #expect(!authorizations.allow(nameSpace: "part", identifier: "c"))
    #expect(!authorizations.allow(nameSpace: "other", identifier: "a"))
    let ring = CBORValue.textMap([
      ("nameSpaces", .array([.text("whole \u{212b}")])),
      ("dataElements", .textMap([("part", .array([.text("\u{212b}")]))])),
    ])
    let exact = try Self.read(Self.object(keyInfo: [("keyAuthorizations", ring)])).keyAuthorizations
    for (letter, isAllowed) in [("\u{212b}", true), ("A\u{30a}", false)] {
      #expect(exact.allow(nameSpace: "whole \(letter)", identifier: "x") == isAllowed)
      #expect(exact.allow(nameSpace: "part", identifier: letter) == isAllowed)
    }
    #expect(!MobileSecurityObject.KeyAuthorizations.none.allow(nameSpace: "part", identifier: "a"))
  }

  @Test("dates without their tag or with fractions are accepted with a finding")
  func deviations() throws {
    func deviations(_ signed: CBORValue) throws -> [MobileSecurityObject.Deviation] {
      try Self.read(Self.object(replacing: [("validityInfo", Self.dates(signed))])).deviations
    }
    #expect(
      try deviations(.text("2025-09-15T17:00:00Z")) == [
        .init(check: .dates, reason: .untagged, message: "signed has no tag 0")
      ])
    #expect(
      try deviations(.tagged(0, .text("2025-09-15T17:00:00.25Z"))) == [
        .init(check: .dates, reason: .fraction, message: "signed has fractional seconds")
      ])
    #expect(
      try deviations(.tagged(0, .text("2025-09-15t17:00:00Z"))) == [
        .init(check: .dates, reason: .lowerCase, message: "signed has a T or Z in lower case")
      ])
  }

  @Test(
    "a date that does not exist leaves everything else readable",
    arguments: [
      ("2025-09-31T17:00:00Z", true), ("2025-02-29T17:00:00Z", true), ("2025-09-15T25:00:00Z", true),
      ("2025-09-15", true), ("soon", true), ("2025-09-15T17:00:00+02:00", false),
    ])
  func impossibleDates(text: String, isImpossible: Bool) throws {
    let object = try Self.read(Self.object(replacing: [("validityInfo", Self.dates(.tagged(0, .text(text))))]))
    #expect(
      object.problems == [
        isImpossible ? .date(member: "signed", found: text) : .dateOffset(member: "signed", found: text)
      ])
    #expect((object.validity == nil) == isImpossible)
    #expect(object.documentType == "t")
  }

  @Test("a date that is not text, and a device key that is not a key, are separate problems")
  func problems() throws {
    let number = try Self.read(Self.object(replacing: [("validityInfo", Self.dates(.tagged(1, .unsigned(0))))]))
    #expect(number.problems == [.date(member: "signed", found: "a tagged item")] && number.validity == nil)
    let soon = Self.dates(more: [("expectedUpdate", .text("soon"))])
    let update = try Self.read(Self.object(replacing: [("validityInfo", soon)]))
    #expect(update.problems == [.date(member: "expectedUpdate", found: "soon")] && update.validity != nil)
    let key = try Self.read(Self.object(replacing: [("deviceKeyInfo", .textMap([("deviceKey", .map([]))]))]))
    #expect(key.deviceKey == nil && key.problems.count == 1 && key.validity != nil)
  }

  @Test("empty or duplicate key authorizations are reported")
  func strangeAuthorizations() throws {
    func problems(_ members: [(String, CBORValue)]) throws -> [MobileSecurityObject.Problem] {
      try Self.read(Self.object(keyInfo: [("keyAuthorizations", .textMap(members))])).problems
    }
    func elements(_ identifiers: [CBORValue]) -> (String, CBORValue) {
      ("dataElements", .textMap([("s", .array(identifiers))]))
    }
    #expect(try problems([]) == [.keyAuthorizations("the key authorizations are empty")])
    #expect(
      try problems([("nameSpaces", .array([]))]) == [.keyAuthorizations("the authorized name spaces are empty")]
    )
    #expect(
      try problems([("dataElements", .map([]))]) == [.keyAuthorizations("the authorized elements are empty")])
    #expect(try problems([elements([])]) == [.keyAuthorizations("the authorized elements of s are empty")])
    let whole = ("nameSpaces", CBORValue.array([.text("s")]))
    #expect(
      try problems([whole, elements([.text("a")])]) == [.keyAuthorizations("s is authorized as a whole and by element")]
    )
    #expect(try problems([whole]).isEmpty)
  }

  @Test("the key information has integer keys")
  func keyInfo() throws {
    func read(_ information: CBORValue) throws -> MobileSecurityObject {
      try Self.read(Self.object(keyInfo: [("keyInfo", information)]))
    }
    #expect(try read(.map([CBORValue.Entry(.integer(-1), .text("x"))])).problems.isEmpty)
    for malformed in [CBORValue.text("x"), .textMap([("a", .integer(1))]), .null] {
      #expect(throws: CBORError.self) { try read(malformed) }
    }
  }

  @Test("a compressed device key is read with a finding")
  func compressedKey() throws {
    let key = try fixedKey(7).publicKey
    let compressed = Array(key.compressedRepresentation)
    let members: [CBORValue.Entry] = [
      .init(.integer(1), .integer(2)), .init(.integer(-1), .integer(1)),
      .init(.integer(-2), .bytes(Array(compressed.dropFirst()))), .init(.integer(-3), .boolean(compressed[0] == 3)),
    ]
    let object = try Self.read(Self.object(replacing: [("deviceKeyInfo", .textMap([("deviceKey", .map(members))]))]))
    #expect(object.deviceKey == COSEKey(key) && object.problems.isEmpty)
    #expect(object.deviations.map(\.reason) == [.compressed])
  }

  @Test("status and unknown members are ignored")
  func otherMembers() throws {
    let entries = try CBORReader.read(Self.object().encoded).map().map { entry in
      CBORValue.Entry(CBORValue(entry.key), CBORValue(entry.value))
    }
    let more = CBORValue.map(
      entries + [CBORValue.Entry(.text("status"), .null), CBORValue.Entry(.text("x"), .array([]))])
    #expect(try Self.read(more).documentType == "t")
  }

  @Test("every member must be present and of its type")
  func malformed() throws {
    for member in ["version", "digestAlgorithm", "valueDigests", "deviceKeyInfo", "docType", "validityInfo"] {
      for value in [nil, .null, .array([]), .integer(1), .boolean(true)] as [CBORValue?] {
        let object = try Self.object(replacing: [(member, value)])
        #expect(throws: (any Error).self, "\(member)") { try Self.read(object) }
      }
    }
    let rows: [(String, CBORValue)] = [
      ("valueDigests", .textMap([("s", .array([]))])),
      ("valueDigests", .textMap([("s", .map([CBORValue.Entry(.integer(-1), .bytes([1]))]))])),
      ("valueDigests", .textMap([("s", .map([CBORValue.Entry(.integer(1), .text("digest"))]))])),
      ("valueDigests", .map([CBORValue.Entry(.integer(1), .map([]))])),
      ("validityInfo", .textMap([("signed", Self.date), ("validFrom", Self.date)])),
    ]
    for (member, value) in rows {
      let object = try Self.object(replacing: [(member, value)])
      #expect(throws: (any Error).self, "\(member)") { try Self.read(object) }
    }
    let object = try Self.object()
    #expect(throws: CBORError.self) { try MobileSecurityObject(payload: object.encoded) }
    #expect(throws: CBORError.self) { try MobileSecurityObject(payload: []) }
    #expect(throws: CBORError.self) {
      try MobileSecurityObject(payload: CBORValue.tagged(24, .bytes(object.encoded + [0])).encoded)
    }
  }

  @Test("damaged objects are read or refused with a code")
  func damage() throws {
    let whole = CBORValue.tagged(24, .bytes(try Self.object().encoded)).encoded
    for bytes in Damage.sample(of: whole, seed: 16) {
      do {
        _ = try MobileSecurityObject(payload: bytes)
        #expect(bytes.count == whole.count)
      } catch {
        #expect(CBORError.Code.allCases.contains(error.code))
      }
    }
  }
}

@Suite("Structure of responses")
struct ResponseStructureTests {
  private static func item(_ change: (String, CBORValue?)? = nil) -> CBORValue {
    members(
      [
        ("digestID", .integer(0)), ("random", .bytes([1])), ("elementIdentifier", .text("e")), ("elementValue", .null),
      ], change)
  }

  private static func members(_ all: [(String, CBORValue)], _ change: (String, CBORValue?)?) -> CBORValue {
    .textMap(all.compactMap { $0.0 == change?.0 ? change?.1.map { value in (change?.0 ?? "", value) } : $0 })
  }

  private static func issuerSigned(
    items: CBORValue = .array([.tagged(24, .bytes(item().encoded))]), change: (String, CBORValue?)? = nil
  ) -> CBORValue {
    members([("nameSpaces", .textMap([("s", items)])), ("issuerAuth", .array([]))], change)
  }

  private static func document(
    issuer: CBORValue = issuerSigned(), device: [(String, CBORValue)]? = nil, change: (String, CBORValue?)? = nil
  ) -> CBORValue {
    let signed = device ?? [("nameSpaces", .tagged(24, .bytes([0xa0]))), ("deviceAuth", .map([]))]
    return members([("docType", .text("t")), ("issuerSigned", issuer), ("deviceSigned", .textMap(signed))], change)
  }

  private static func response(_ documents: CBORValue?, more: [(String, CBORValue)] = []) -> CBORValue {
    .textMap(
      [("version", .text("1.0"))] + (documents.map { [("documents", $0)] } ?? []) + [("status", .integer(0))] + more)
  }

  private static func one(_ document: CBORValue) -> CBORValue { response(.array([document])) }

  private static func withErrors(_ errors: CBORValue) -> CBORValue {
    guard case .map(let members) = document() else { return .null }
    return one(.map(members + [CBORValue.Entry(.text("errors"), errors)]))
  }

  private static func wrongItem(_ change: (String, CBORValue?)) -> CBORValue {
    one(document(issuer: issuerSigned(items: .array([.tagged(24, .bytes(item(change).encoded))]))))
  }

  @Test("an item with the required structure is read")
  func wellFormed() throws {
    let read = try UnverifiedDeviceResponse(Self.one(Self.document()).encoded)
    #expect(read.documents.map(\.documentType) == ["t"])
    #expect(read.documents.first?.issuerSigned.nameSpaces.first?.items.first?.value.elementIdentifier == "e")
    #expect(try UnverifiedDeviceResponse(Self.response(nil).encoded).documents.isEmpty)
    let other = Self.withErrors(.textMap([("s", .textMap([("other", .integer(0))]))]))
    let errors = try UnverifiedDeviceResponse(other.encoded).documents.first?.errors
    #expect(errors?.map(\.identifier) == ["other"])
    let encrypted = CBORValue.textMap([
      ("enc", .bytes([])), ("cipherText", .bytes([])), ("docRequestID", .integer(0)),
    ])
    let more = Self.response(nil, more: [("encryptedDocuments", .array([encrypted]))])
    #expect(try UnverifiedDeviceResponse(more.encoded).unreadDocuments == ["encryptedDocuments"])
    let undressed = Self.one(
      Self.document(issuer: Self.issuerSigned(change: ("nameSpaces", nil)), change: ("deviceSigned", nil)))
    #expect(try UnverifiedDeviceResponse(undressed.encoded).documents.first?.deviceSigned == nil)
    let sixteen = Self.response(.array([CBORValue](repeating: Self.document(), count: 16)))
    #expect(try UnverifiedDeviceResponse(sixteen.encoded).documents.count == 16)
  }

  static let malformed: [(String, CBORValue)] = [
    ("an array", .array([])), ("no version", .textMap([("status", .integer(0))])),
    ("no status", .textMap([("version", .text("1.0"))])),
    ("a negative status", .textMap([("version", .text("1.0")), ("status", .integer(-1))])),
    ("zero documents", response(.array([]))), ("documents in a map", response(.map([]))),
    ("17 documents", response(.array([CBORValue](repeating: document(), count: 17)))),
    ("errors in a map", response(nil, more: [("documentErrors", .map([]))])),
    ("an error for no document", response(nil, more: [("documentErrors", .array([.textMap([])]))])),
    (
      "an error for two documents",
      response(nil, more: [("documentErrors", .array([.textMap([("t", .integer(0)), ("u", .integer(0))])]))])
    ),
    ("errors in words", withErrors(.text("none"))), ("errors of nothing", withErrors(.map([]))),
    ("errors of an empty name space", withErrors(.textMap([("s", .map([]))]))),
    ("an error code in words", withErrors(.textMap([("s", .textMap([("e", .text("gone"))]))]))),
    ("proofs in words", response(nil, more: [("zkDocuments", .text("x"))])),
    ("no proofs", response(nil, more: [("zkDocuments", .array([]))])),
    ("proofs that are null", response(nil, more: [("zkDocuments", .null)])),
    ("a proof of nothing", response(nil, more: [("zkDocuments", .array([.textMap([("proof", .bytes([]))])]))])),
    ("encrypted documents in a number", response(nil, more: [("encryptedDocuments", .integer(5))])),
    (
      "an encrypted document without a key",
      response(
        nil,
        more: [
          ("encryptedDocuments", .array([.textMap([("cipherText", .bytes([])), ("docRequestID", .integer(0))])]))
        ])
    ),
    ("an error in words", response(nil, more: [("documentErrors", .array([.textMap([("t", .text("gone"))])]))])),
    ("a document that is null", one(.null)), ("no document type", one(document(change: ("docType", nil)))),
    ("no issuerSigned", one(document(change: ("issuerSigned", nil)))),
    ("no issuerAuth", one(document(issuer: issuerSigned(change: ("issuerAuth", nil))))),
    ("name spaces in an array", one(document(issuer: issuerSigned(change: ("nameSpaces", .array([])))))),
    ("items in a map", one(document(issuer: issuerSigned(items: .map([]))))),
    ("an item outside its tag", one(document(issuer: issuerSigned(items: .array([item()]))))),
    ("an item that is not CBOR", one(document(issuer: issuerSigned(items: .array([.tagged(24, .bytes([0xff]))]))))),
    ("no digest identifier", wrongItem(("digestID", nil))),
    ("a negative digest identifier", wrongItem(("digestID", .integer(-1)))),
    ("no salt", wrongItem(("random", nil))), ("a salt in words", wrongItem(("random", .text("salt")))),
    ("no element identifier", wrongItem(("elementIdentifier", nil))), ("no value", wrongItem(("elementValue", nil))),
    ("no device name spaces", one(document(device: [("deviceAuth", .map([]))]))),
    (
      "device name spaces outside their tag",
      one(document(device: [("nameSpaces", .map([])), ("deviceAuth", .map([]))]))
    ),
    ("no device authentication", one(document(device: [("nameSpaces", .tagged(24, .bytes([0xa0])))]))),
  ]

  @Test("an item without the required structure is refused", arguments: malformed)
  func refused(_ name: String, _ value: CBORValue) {
    #expect(throws: CBORError.self) { try UnverifiedDeviceResponse(value.encoded) }
  }
}
