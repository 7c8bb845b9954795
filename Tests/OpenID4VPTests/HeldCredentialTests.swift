import CBOR
import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import JSON
import MobileDocument
import Primitives
import SDJWT
import TestSupport
import Testing

@testable import OpenID4VP

@Suite("Credentials that a wallet holds", .crossChecked)
struct HeldCredentialTests {
  private static let type = "urn:eudi:pid:1"

  private func issued(
    _ elements: [DocumentDraft.Element], to key: P256.Signing.PrivateKey
  ) throws -> HeldCredential {
    let port = try Spaceport.shared
    let draft = try SDJWTDraft(
      type: Self.type, elements: elements, holderKey: COSEKey(key.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: port.now, validFrom: port.now, validUntil: port.now.adding(days: 30)))
    var generator = SeededGenerator(seed: 3)
    let text = try draft.issued(by: port.signerKey, chain: [port.signer.derEncoded()]) { generator.bytes($0) }
    return try HeldCredential(issued: Array(text.utf8), holderKey: COSEKey(key.publicKey))
  }

  @Test("a described credential is an SD-JWT whose claims, members and elements can each be left out")
  func described() throws {
    let key = try fixedKey(50)
    let credential = try issued(
      [
        .init("given_name", .text("Kelly")), .init("birthdate", .tagged(1004, .text("1990-07-14"))),
        .init("nationalities", .array([.text("US"), .text("FR")])),
        .init("age_equal_or_over", .map([.init(.text("18"), .boolean(true)), .init(.text("65"), .boolean(false))])),
        .init("height", .unsigned(172)),
      ], to: key)
    #expect(credential.registeredType == "dc+sd-jwt \(Self.type)" && credential.mobileDocument == nil)
    #expect(credential.validFrom?.member == "nbf" && credential.validUntil?.member == "exp")
    guard case .sdJWT(let held) = credential, case .sdJWT(_, let claims) = credential.queried.content else {
      Issue.record("another format")
      return
    }
    #expect(claims.member("birthdate")?.node.value == .string("1990-07-14"))
    #expect(claims.member("height")?.node.value == .number("172"))
    for path in ["given_name", "nationalities[]", "nationalities[1]", "age_equal_or_over.18"] {
      let claim = try #require(ClaimsPath(text: path))
      for selected in try claims.select(claim) {
        let sent = held.presented(disclosing: held.disclosures(for: [selected]))
        let received = try UnverifiedSDJWT(compact: sent)
        #expect(received.disclosures.count == selected.place.count)
      }
    }
    // Two decoys are in each of the two objects, besides the digests of five claims and two members.
    #expect(held.presented(disclosing: []).split(separator: "~").count == 1)
  }

  @Test("a value without a form in JSON cannot be a claim, and a credential of another key is not held")
  func refusals() throws {
    let key = try fixedKey(50)
    for value in [CBORValue.undefined, .float(.nan), .map([.init(.unsigned(1), .null)]), .array([.simple(3)])] {
      #expect(throws: SDJWTError.self) { try issued([.init("claim", value)], to: key) }
    }
    let held = try issued([.init("given_name", .text("Kelly"))], to: key)
    guard case .sdJWT(let credential) = held else { return }
    #expect(throws: SDJWTError.self) {
      try HeldCredential(issued: Array(credential.issued.utf8), holderKey: COSEKey(fixedKey(51).publicKey))
    }
    #expect(throws: (any Error).self) { try HeldCredential(issued: [], holderKey: COSEKey(key.publicKey)) }
    #expect(throws: (any Error).self) { try HeldCredential(issued: [0xa0], holderKey: COSEKey(key.publicKey)) }
  }

  /// A request for documents with types, and use cases as their sets of positions; a minus marks an optional one.
  private func mobile(_ types: [String], _ useCases: [(Bool, [[Int]])]) -> ([String], [[[Int]]])? {
    let draft = DeviceRequestDraft(
      version: .second,
      documents: types.map { ItemsRequest(documentType: $0, nameSpaces: []) },
      useCases: useCases.map { DeviceRequestInfo.UseCase(isMandatory: $0, documentSets: $1) })
    return draft.ofMobileDocuments.map { ($0.documents.map(\.documentType), $0.useCases.map(\.documentSets)) }
  }

  @Test("the request for mobile documents has the sets without other credentials")
  func mobileDocuments() throws {
    let other = "dc+sd-jwt v"
    let all = try #require(mobile(["a", "b"], []))
    #expect(all.0 == ["a", "b"] && all.1.isEmpty)
    #expect(mobile(["a", other], []) == nil)
    #expect(mobile([other], [(true, [[0]])]) == nil)
    #expect(mobile(["a", other], [(true, [[0, 1]])]) == nil)
    #expect(mobile([other, "a"], [(false, [[0]])]) == nil)
    let useCases = [(true, [[0], [1, 2]]), (false, [[0]]), (false, [[2], [0, 1]])]
    let chosen = try #require(mobile([other, "a", "b"], useCases))
    #expect(chosen.0 == ["a", "b"] && chosen.1 == [[[0, 1]], [[1]]])
  }
}
