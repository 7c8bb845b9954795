import CBOR
import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Issuance", .crossChecked)
struct IssuanceTests {
  private func issued(_ draft: DocumentDraft? = nil, seed: UInt64 = 1) throws -> [UInt8] {
    let port = try Spaceport.shared
    var randomness = DrawnRandomness(seed: seed)
    return try (draft ?? port.draft()).issued(
      by: port.signerKey, chain: [try port.signer.derEncoded()], randomness: &randomness)
  }

  private func read(_ bytes: [UInt8]) throws -> (items: UnverifiedIssuerSigned, object: MobileSecurityObject) {
    let signed = try UnverifiedIssuerSigned(CBORReader.read(bytes))
    let signature = try COSESign1(CBORReader.read(signed.issuerAuthBytes))
    let payload = try signature.verify(with: .p256(Spaceport.shared.signerKey.publicKey))
    return (signed, try MobileSecurityObject(payload: payload))
  }

  @Test("every element has a salt of its own, of 32 bytes")
  func salts() throws {
    let salts = try read(issued()).items.nameSpaces.flatMap(\.items).map(\.value.random)
    #expect(salts.count == 10 && Set(salts).count == 10)
    #expect(salts.allSatisfy { $0.count == 32 })
  }

  @Test("digest identifiers are a shuffled permutation")
  func digestIdentifiers() throws {
    for nameSpace in try read(issued()).items.nameSpaces {
      let identifiers = nameSpace.items.map(\.value.digestID)
      #expect(identifiers.sorted() == (0..<UInt64(identifiers.count)).map { $0 })
    }
    let orders = try (1...4).map { seed in
      try read(issued(seed: seed)).items.nameSpaces.first?.items.map(\.value.digestID)
    }
    #expect(Set(orders).count == 4)
    #expect(!orders.contains(Array(0..<9)))
  }

  @Test("the digests cover the written items, tag included")
  func digests() throws {
    let (items, object) = try read(issued())
    #expect(object.digestAlgorithm == .sha256)
    for nameSpace in items.nameSpaces {
      for item in nameSpace.items {
        #expect(item.bytes.starts(with: [0xd8, 0x18]))
        let digest = object.digests(of: nameSpace.name)?[item.value.digestID]
        #expect(digest == Array(SHA256.hash(data: item.bytes))[...])
      }
    }
    #expect(object.digests(of: "org.example")?[1] == nil)
    #expect(object.digests(of: "org.example.other") == nil)
  }

  @Test("the security object has the draft's values")
  func securityObject() throws {
    let port = try Spaceport.shared
    let validity = MobileSecurityObject.Validity(
      signed: port.now, validFrom: port.now, validUntil: port.now.adding(days: 9),
      expectedUpdate: port.now.adding(days: 5))
    for dates in [validity, port.validity] {
      let object = try read(issued(port.draft(validity: dates))).object
      #expect(object.validity == dates)
      #expect(object.version == "1.0" && object.documentType == Spaceport.documentType && object.deviations.isEmpty)
      #expect(object.deviceKey == COSEKey(port.deviceKey.publicKey))
      #expect(object.keyAuthorizations == .none)
    }
  }

  @Test("the same draft and randomness give the same items")
  func repeatable() throws {
    let first = try read(issued()).items.nameSpaces.flatMap(\.items).map(\.bytes)
    #expect(try read(issued()).items.nameSpaces.flatMap(\.items).map(\.bytes) == first)
    #expect(try read(issued(seed: 2)).items.nameSpaces.flatMap(\.items).map(\.bytes) != first)
  }

  @Test("a value of the wrong type is not issued, and the error does not contain it")
  func wrongType() throws {
    let draft = try Spaceport.shared.draft(
      elements: Spaceport.elements([("birth_date", .text("1990-01-31")), ("sex", .text("secret"))]))
    #expect(draft.problems.map(\.identifier) == ["birth_date", "sex"])
    #expect(draft.problems.allSatisfy { !$0.message.contains("1990") && !$0.message.contains("secret") })
    let error = #expect(throws: DocumentError.self) { try issued(draft) }
    #expect(error?.code == .elementType && error?.location == "birth_date of \(Spaceport.nameSpace)")
  }

  @Test("an issued document is read with its dates and issuers")
  func takenIn() throws {
    let port = try Spaceport.shared
    let held = try port.held()
    #expect(held.documentType == Spaceport.documentType && held.validity == port.validity)
    #expect(held.nameSpaces.map(\.name) == [Spaceport.nameSpace, "org.example"])
    #expect(held.issuerKeyIdentifiers == [port.issuer.keyIdentifier])
  }

  @Test("a document for another device, or without a signer certificate, is refused")
  func notTakenIn() throws {
    let port = try Spaceport.shared
    #expect(throws: DocumentError.self) {
      try HeldDocument(issued: issued(), deviceKey: COSEKey(fixedKey(9).publicKey))
    }
    #expect(throws: DocumentError.self) { try port.held(chain: []) }
    #expect(throws: DocumentError.self) { try port.held(signedBy: fixedKey(9)) }
    #expect(throws: DocumentError.self) {
      try HeldDocument(issued: [], deviceKey: COSEKey(port.deviceKey.publicKey))
    }
  }

  @Test("a document without the elements that the issuer signed is refused")
  func withoutElements() throws {
    let port = try Spaceport.shared
    /// The document with another name for the member that has the elements.
    func renamed(_ issued: [UInt8]) throws -> HeldDocument {
      let name = try #require(issued.firstRange(of: Array("nameSpaces".utf8)))
      let bytes = issued[..<name.lowerBound] + Array("nameSpacez".utf8) + issued[name.upperBound...]
      return try HeldDocument(issued: Array(bytes), deviceKey: COSEKey(port.deviceKey.publicKey))
    }
    let error = #expect(throws: DocumentError.self) { try renamed(issued()) }
    #expect(error?.code == .noElements)
    #expect(error?.message.hasSuffix("the issuer signed 10 digests") == true, "\(error?.message ?? "")")
    // An issuer that signs no element signs one digest.
    var single = try port.draft()
    single.nameSpaces = [DocumentDraft.NameSpace("org.example", [DocumentDraft.Element("level", .unsigned(3))])]
    #expect(try renamed(issued(single)).nameSpaces.isEmpty)
  }

  @Test("no altered byte of a document is read as another document")
  func altered() throws {
    let port = try Spaceport.shared
    let honest = try port.held()
    let values = honest.nameSpaces.flatMap(\.items).map(\.bytes)
    let whole = try issued()
    var refused = 0
    for place in stride(from: 0, to: whole.count, by: 11) {
      var bytes = whole
      bytes[place] ^= 0x01
      guard let held = try? HeldDocument(issued: bytes, deviceKey: COSEKey(port.deviceKey.publicKey)) else {
        refused += 1
        continue
      }
      #expect(held.nameSpaces.flatMap(\.items).allSatisfy { values.contains($0.bytes) }, "byte \(place)")
      #expect(held.documentType == honest.documentType && held.validity == honest.validity)
    }
    #expect(refused > 0)
  }
}

@Suite("Answering a request", .crossChecked)
struct AnswerTests {
  private func answer(
    _ elements: [String], held: [(String, CBORValue)] = []
  ) throws -> (returned: [String], missing: [String]) {
    let port = try Spaceport.shared
    let answer = try port.held(port.draft(elements: Spaceport.elements(held))).answer(to: Spaceport.request(elements))
    return (answer.nameSpaces.flatMap(\.items).map(\.value.elementIdentifier), answer.missing.map(\.identifier))
  }

  @Test("elements are returned in the order requested, and no others")
  func order() throws {
    let answer = try answer(["sex", "family_name", "given_name"])
    #expect(answer.returned == ["sex", "family_name", "given_name"] && answer.missing.isEmpty)
  }

  @Test("elements that the document does not have are reported as missing")
  func missing() throws {
    let answer = try answer(["height", "family_name", "eye_colour"])
    #expect(answer.returned == ["family_name"] && answer.missing == ["height", "eye_colour"])
  }

  @Test(
    "ages are answered by the nearest attestation",
    arguments: [
      ("age_over_18", "age_over_18"), ("age_over_16", "age_over_18"), ("age_over_19", "age_over_21"),
      ("age_over_21", "age_over_21"), ("age_over_65", "age_over_65"), ("age_over_70", "age_over_65"),
    ])
  func nearest(asked: String, returned: String) throws {
    let answer = try answer([asked])
    #expect(answer.returned == [returned] && answer.missing.isEmpty)
  }

  @Test("an age without a matching attestation is missing")
  func noAge() throws {
    let answer = try answer(["age_over_40"])
    #expect(answer.returned.isEmpty && answer.missing == ["age_over_40"])
  }

  @Test("one attestation that answers two ages is returned once")
  func twoAges() throws {
    #expect(try answer(["age_over_16", "age_over_18", "age_over_19"]).returned == ["age_over_18", "age_over_21"])
  }

  @Test("name spaces are returned separately, in the requested order, without empty ones")
  func nameSpaces() throws {
    let element = ItemsRequest.Element("level", intentToRetain: false)
    let request = ItemsRequest(
      documentType: Spaceport.documentType,
      nameSpaces: [
        ItemsRequest.NameSpace("org.unknown", [element]), ItemsRequest.NameSpace("org.example", [element]),
        ItemsRequest.NameSpace(Spaceport.nameSpace, [element, ItemsRequest.Element("sex", intentToRetain: true)]),
      ])
    let answer = try Spaceport.shared.held().answer(to: request)
    #expect(answer.nameSpaces.map(\.name) == ["org.example", Spaceport.nameSpace])
    #expect(answer.missing.map(\.nameSpace) == ["org.unknown", Spaceport.nameSpace])
  }
}
