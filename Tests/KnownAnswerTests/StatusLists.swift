import CBOR
import COSE
import Certificates
import Crypto
import Primitives
import TestSupport
import Testing
import X509

@testable import MobileDocument
@testable import StatusLists

extension KnownFile {
  /// Status lists of the IETF draft, and a document with a status.
  static var statusLists: KnownFile {
    KnownFile(
      "status_lists", count: 10,
      [
        "StatusList CBOR": { try StatusListAnswers.list($0) },
        "Status List Token (CWT)": { try StatusListAnswers.unsignedToken($0) },
        "referenced CWT with status claim 65535": { try StatusListAnswers.referencing($0) },
        "IssuerAuth (COSE_Sign1) whose MSO carries status.status_list": { try StatusListAnswers.document($0) },
        "diagnostic shapes (18013-5 draft Annex D.6)": { try StatusListAnswers.shapes($0) },
      ])
  }
}

enum StatusListAnswers {
  /// Every published status is in the list, and every other entry has the stated value.
  static func list(_ entry: Vector) throws {
    let map = try CBORReader.read(entry.bytes("hex")).map()
    let size = try #require(StatusList.EntrySize(rawValue: try map.required("bits").integer()))
    #expect(Double(size.rawValue) == entry["bits"]?.number)
    let inflated = try Inflate.zlib(map.required("lst").bytes(), limit: StatusLimits.listLength)
    #expect(Double(inflated.count) == entry["inflated_bytes"]?.number)
    #expect(hexadecimal(SHA256.hash(data: inflated)) == entry["inflated_sha256"]?.text)
    let list = StatusList(entrySize: size, bytes: inflated)
    var again = StatusList(entrySize: size, count: list.count)
    for printed in try #require(entry["expected_status"]?.array) {
      let index = UInt64(try #require(printed.array?.first?.number))
      let status = UInt8(try #require(printed.array?.last?.number))
      #expect(list[index] == status)
      again.set(index, to: status)
    }
    if entry["all_others"] != nil { #expect(again == list && entry["all_others"]?.number == 0) }
    #expect(list[UInt64(list.count)] == nil)
  }

  private static func claims(of entry: Vector, _ kind: StatusListKind) throws -> StatusTokenClaims {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    #expect(message.deviations.contains(.tagged))
    return try StatusTokenClaims(try #require(message.unverifiedPayload), kind: kind)
  }

  /// The draft's example of a token, whose key is not published with it.
  static func unsignedToken(_ entry: Vector) throws {
    let claims = try claims(of: entry, .statusList)
    let printed = try #require(entry["claims"])
    #expect(claims.subject == printed["2"]?.text)
    #expect(Double(claims.issuedAt.secondsSince1970) == printed["6"]?.number)
    #expect(Double(claims.expires.secondsSince1970) == printed["4"]?.number)
    #expect(claims.timeToLive.map { Double($0) } == printed["65534"]?.number)
    let first = try CBORReader.read(Vectors.entry("status_list_encoding_cbor", of: "status_lists.json").bytes("hex"))
    #expect(try first.map().required("lst").bytes() == hexadecimalBytes(printed["65533"]?["lst"]?["hex"]))
    #expect(claims.content.kind == .statusList)
  }

  /// A token of the synthetic set: its signature verifies, and exactly the stated documents are revoked.
  static func token(_ entry: Vector, signer: Certificate) throws {
    try COSESign1(CBORReader.read(entry.bytes("hex"))).verify(with: signer.verificationKey())
    _ = try UnverifiedStatusToken(entry.bytes("hex")).verified()
    switch try claims(of: entry, entry["revoked"] == nil ? .statusList : .identifierList).content {
    case .statusList(let list):
      var again = StatusList(entrySize: list.entrySize, count: list.count)
      for index in try #require(entry["revoked_indices"]?.array) {
        again.set(UInt64(try #require(index.number)), to: StatusValue.invalid)
      }
      #expect(again == list)
    case .identifierList(let identifiers):
      #expect(try identifiers == Set((entry["revoked"]?.array ?? []).map { try hexadecimalBytes($0) }))
    }
  }

  /// A token of another kind with a status entry.
  static func referencing(_ entry: Vector) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let claims = CBORValue(try CBORReader.read(try #require(message.unverifiedPayload)))
    #expect(isPrinted(claims, try #require(entry["claims"])))
  }

  /// The issuer's signature verifies, and the security object has a status entry.
  static func document(_ entry: Vector) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let chain = try CertificateChain.read(message.headers.x5chain ?? [])
    let payload = try message.verify(with: try #require(chain.first).verificationKey())
    let map = try CBORReader.read(payload).embedded().map()
    #expect(isPrinted(CBORValue(try map.required("status")), try #require(entry["expected"]?["status"])))
    let order = try map.map { try $0.key.text() }
    #expect(order == (entry["expected"]?["mso_key_order"]?.array ?? []).compactMap(\.text))
    let status = try #require(try MobileSecurityObject(payload: payload).status)
    #expect(status.problems.isEmpty && status.references.count == 1)
    #expect(status.references.first?.uri == "https://example.com/statuslists/1")
    #expect(status.references.first?.entry == .index(412))
  }

  /// Claims of both kinds of tokens, by number.
  static func shapes(_ entry: Vector) throws {
    let lists = [
      "identifier_list_cwt": StatusTokenLabel.identifierList, "status_list_cwt": StatusTokenLabel.statusList,
    ]
    for (name, claim) in lists {
      let claims = try #require(entry[name]?["claims"]?.object)
      let labels = [
        StatusTokenLabel.subject, StatusTokenLabel.expires, StatusTokenLabel.issuedAt, StatusTokenLabel.timeToLive,
        claim,
      ]
      #expect(Set(claims.keys) == Set(labels.map(String.init)))
    }
  }

  /// The document is on its list.
  static func expectRevoked(_ facts: IssuerFacts, _ entry: Vector) throws {
    let reference = try #require(facts.object.status?.references.first)
    switch reference.entry {
    case .index(let index):
      let token = try Vectors.entry("status-list-token", of: SyntheticSet.file)
      let claims = try claims(of: token, .statusList)
      guard case .statusList(let list) = claims.content else {
        Issue.record("\(token) has no status list")
        return
      }
      #expect(claims.subject == reference.uri && list[index] == StatusValue.invalid)
    case .identifier(let identifier):
      let token = try Vectors.entry("identifier-list-token", of: SyntheticSet.file)
      let claims = try claims(of: token, .identifierList)
      #expect(claims.subject == reference.uri && claims.content == .identifierList([identifier, [0xaa, 0xaa]]))
    }
  }
}
