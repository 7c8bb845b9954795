import CBOR
import COSE
import Crypto
import TestSupport
import Testing
import X509

@testable import MobileDocument

extension KnownFile {
  /// Status lists of the IETF's draft, and a document that names one.
  static var statusLists: KnownFile {
    KnownFile(
      "status_lists", count: 10,
      [
        "StatusList CBOR": { try StatusListAnswers.list($0) },
        "Status List Token (CWT)": { try StatusListAnswers.token($0, signer: nil) },
        "referenced CWT with status claim 65535": { try StatusListAnswers.referencing($0) },
        "IssuerAuth (COSE_Sign1) whose MSO carries status.status_list": { try StatusListAnswers.document($0) },
        "diagnostic shapes (18013-5 draft Annex D.6)": { try StatusListAnswers.shapes($0) },
      ])
  }
}

enum StatusListAnswers {
  /// Every printed status is the one in the list, and every other is what the rest are said to be.
  static func list(_ entry: Vector) throws {
    let map = try CBORReader.read(entry.bytes("hex")).map()
    #expect(try Double(map.required("bits").unsigned()) == entry["bits"]?.number)
    #expect(try !map.required("lst").bytes().isEmpty)
    withKnownIssue("nothing here reads status lists") { Issue.record("\(entry): no status was read") }
  }

  /// A token's headers, claims and signature.
  static func token(_ entry: Vector, signer: Certificate?) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    #expect(message.deviations.contains(.tagged))
    if let signer { try message.verify(with: signer.verificationKey()) }
    let claims = CBORValue(try CBORReader.read(try #require(message.unverifiedPayload)))
    if let printed = entry["claims"] { #expect(isPrinted(claims, printed)) }
    withKnownIssue("nothing here reads status lists") { Issue.record("\(entry): no status was read") }
  }

  /// A token of another kind that names its place in a list.
  static func referencing(_ entry: Vector) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let claims = CBORValue(try CBORReader.read(try #require(message.unverifiedPayload)))
    #expect(isPrinted(claims, try #require(entry["claims"])))
  }

  /// The issuer's signature verifies, and the security object names its place in a list.
  static func document(_ entry: Vector) throws {
    let message = try COSESign1(CBORReader.read(entry.bytes("hex")))
    let chain = try CertificateChain.read(message.headers.x5chain ?? [])
    let payload = try message.verify(with: try #require(chain.first).verificationKey())
    let object = try CBORReader.read(payload).embedded().map()
    #expect(isPrinted(CBORValue(try object.required("status")), try #require(entry["expected"]?["status"])))
    #expect(try MobileSecurityObject(payload: payload).documentType == "org.iso.18013.5.1.mDL")
    let order = try object.map { try $0.key.text() }
    #expect(order == (entry["expected"]?["mso_key_order"]?.array ?? []).compactMap(\.text))
  }

  /// Claims of both kinds of tokens, by their numbers.
  static func shapes(_ entry: Vector) throws {
    let lists = ["identifier_list_cwt": "65530", "status_list_cwt": "65533"]
    for (name, claim) in lists {
      let claims = try #require(entry[name]?["claims"]?.object)
      #expect(Set(claims.keys) == ["2", "4", "6", "65534", claim])
    }
  }

  /// The document is on the list that it names.
  static func expectRevoked(_ facts: IssuerFacts, _ entry: Vector) throws {
    withKnownIssue("nothing here reads status lists") { Issue.record("\(entry): no status was read") }
  }
}
