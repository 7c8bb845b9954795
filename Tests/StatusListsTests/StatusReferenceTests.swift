import CBOR
import COSE
import DocumentFixtures
import TestSupport
import TestTraits
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Status in a mobile security object")
struct StatusReferenceTests {
  private static let uri = "https://spaceport.example/status/1"

  /// The mobile security object of a document that was issued with a status.
  private static func object(_ status: CBORValue?) throws -> MobileSecurityObject {
    let plain = try Spaceport.shared.draft()
    var randomness = DrawnRandomness(seed: 1)
    let issued = try plain.issued(by: fixedKey(3), chain: [], randomness: &randomness)
    let auth = try COSESign1(CBORReader.read(issued).map().required("issuerAuth"))
    let payload = try #require(auth.unverifiedPayload)
    var entries = try CBORReader.read(payload).embedded().map().map {
      CBORValue.Entry(CBORValue($0.key), CBORValue($0.value))
    }
    if let status { entries.append(CBORValue.Entry(.text("status"), status)) }
    return try MobileSecurityObject(payload: CBORValue.tagged(24, .bytes(CBORValue.map(entries).encoded)).encoded)
  }

  private static func list(_ entry: (String, CBORValue), uri: CBORValue = .text(uri), more: [(String, CBORValue)] = [])
    -> CBORValue
  { .textMap([entry, ("uri", uri)] + more) }

  @Test("an object without a status gives nil")
  func absent() throws { #expect(try Self.object(nil).status == nil) }

  @Test("both kinds are read, unknown members ignored")
  func both() throws {
    let status = CBORValue.textMap([
      ("status_list", Self.list(("idx", .unsigned(412)), more: [("x", .null), ("certificate", .bytes([1]))])),
      ("identifier_list", Self.list(("id", .bytes([0xab, 0xcd])))), ("other", .array([])),
    ])
    let found = try #require(try Self.object(status).status)
    #expect(
      Set(found.references.map(\.kind)) == [.statusList, .identifierList] && found.problems.isEmpty
        && found.deviations.isEmpty)
    let indexed = try #require(found.references.first { $0.kind == .statusList })
    #expect(indexed == StatusReference(.index(412), uri: Self.uri, certificate: [1]))
    let named = try #require(found.references.first { $0.kind == .identifierList })
    #expect(named == StatusReference(.identifier([0xab, 0xcd]), uri: Self.uri))
  }

  @Test("a null status is read as absent, with a finding")
  func null() throws {
    let object = try Self.object(.null)
    #expect(object.deviations.map(\.reason) == [.statusNull])
    #expect(object.status?.references.isEmpty == true && object.status?.problems.isEmpty == true)
  }

  @Test("a text identifier is read as its UTF-8 bytes, with a finding")
  func text() throws {
    let object = try Self.object(.textMap([("identifier_list", Self.list(("id", .text("450"))))]))
    #expect(object.deviations.map(\.reason) == [.statusTextIdentifier])
    #expect(object.status?.references.map(\.entry) == [.identifier(Array("450".utf8))])
  }

  @Test("an unreadable status is a finding, and the rest is read")
  func malformed() throws {
    let good = ("identifier_list", Self.list(("id", .bytes([1]))))
    let long = CBORValue.bytes([UInt8](repeating: 1, count: StatusLimits.identifierLength + 1))
    let longURI = CBORValue.text("https://" + String(repeating: "a", count: StatusLimits.uriLength))
    let entries: [CBORValue] = [
      .null, .array([]), .textMap([]), Self.list(("idx", .text("1"))), Self.list(("idx", .integer(-1))),
      Self.list(("idx", .unsigned(1)), uri: .bytes([1])), Self.list(("idx", .unsigned(1)), uri: longURI),
      Self.list(("idx", .unsigned(1)), more: [("certificate", .text("x"))]), .textMap([("idx", .unsigned(1))]),
      Self.list(
        ("idx", .unsigned(1)),
        more: [("certificate", .bytes([UInt8](repeating: 0, count: CertificateLimits.bytes + 1)))]),
    ]
    for entry in entries {
      let object = try Self.object(.textMap([("status_list", entry), good]))
      #expect(object.status?.problems.count == 1, "\(entry)")
      #expect(object.status?.references.map(\.entry) == [.identifier([1])], "\(entry)")
    }
    for status in [.array([]), .text("x"), .unsigned(1)] as [CBORValue] {
      let object = try Self.object(status)
      #expect(object.status?.problems.count == 1 && object.documentType == Spaceport.documentType)
    }
    let tooLong = try Self.object(.textMap([("identifier_list", Self.list(("id", long)))]))
    #expect(tooLong.status?.problems.count == 1)
  }

  @Test("an encoded draft is read back")
  func roundTrip() throws {
    let references = [
      StatusReference(.index(7), uri: Self.uri),
      StatusReference(.identifier([1, 2]), uri: Self.uri + "/ids", certificate: [3]),
    ]
    var draft = try Spaceport.shared.draft()
    draft.status = DocumentStatus(references)
    var randomness = DrawnRandomness(seed: 1)
    let issued = try draft.issued(by: fixedKey(3), chain: [], randomness: &randomness)
    let auth = try COSESign1(CBORReader.read(issued).map().required("issuerAuth"))
    let object = try MobileSecurityObject(payload: try #require(auth.unverifiedPayload))
    #expect(object.status == DocumentStatus(references))
  }

  @Test("a published issuer's entry is read", .requiresVectors("status_lists"))
  func vector() throws {
    let entry = try Vectors.entry("mdoc-issuer-auth-with-status-list", of: "status_lists.json")
    let auth = try COSESign1(CBORReader.read(entry.bytes("hex"), leniency: .received))
    let leaf = try #require(CertificateChain.read(auth.headers.x5chain ?? []).first)
    let object = try MobileSecurityObject(payload: auth.verify(with: leaf.verificationKey()))
    let expected = try #require(entry["expected"]?["status"]?["status_list"])
    let found = try #require(object.status?.references.first)
    #expect(found.uri == expected["uri"]?.text && object.status?.references.count == 1)
    #expect(found.entry == .index(UInt64(try #require(expected["idx"]?.number))))
  }
}
