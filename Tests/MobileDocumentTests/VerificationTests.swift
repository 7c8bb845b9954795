import CBOR
import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Verification of responses", .crossChecked)
struct VerificationTests {
  /// The changes of a faulty party. Honest values are omitted.
  struct Change: Sendable {
    var elements: [(String, CBORValue)] = []
    var validity: MobileSecurityObject.Validity?
    var chain: [Certificate]?
    var signerKey: P256.Signing.PrivateKey?
    var saltLength: Int?
    var presented: (@Sendable ([IssuerNameSpace]) -> [IssuerNameSpace])?
    var deviceKey: P256.Signing.PrivateKey?
    var transcript: SessionTranscript?
    var document: (@Sendable ([UInt8]) -> [UInt8])?
    var documents: (@Sendable ([UInt8]) -> [[UInt8]])?
    var trusted: [Certificate]?
    var time: DateTime?
    var requests: [ItemsRequest]?
    var useCases: [DeviceRequestInfo.UseCase] = []
    var asked = ["family_name", "age_over_21"]
    var policy = VerificationPolicy.standard
  }

  private func report(_ change: Change = Change()) async throws -> VerificationReport {
    let port = try Spaceport.shared
    let held = try port.held(
      port.draft(elements: Spaceport.elements(change.elements), validity: change.validity), chain: change.chain,
      signedBy: change.signerKey, saltLength: change.saltLength)
    let request = Spaceport.request(change.asked)
    var nameSpaces = held.answer(to: request).nameSpaces
    if let presented = change.presented { nameSpaces = presented(nameSpaces) }
    var document = try held.presented(
      nameSpaces, over: change.transcript ?? port.transcript, signedWith: change.deviceKey ?? port.deviceKey)
    if let changed = change.document { document = changed(document) }
    let response = DeviceResponseWriter.encoded(documents: change.documents?(document) ?? [document])
    let verifier = DeviceResponseVerifier(
      trustedIssuers: try change.trusted ?? [port.issuer.root], policy: change.policy)
    return await verifier.verify(
      response, over: port.transcript, requests: change.requests ?? [request], useCases: change.useCases,
      at: change.time ?? port.now)
  }

  @Test("a valid response verifies with every check passed")
  func honest() async throws {
    let report = try await report()
    #expect(report.failed == [] && report.deviating == [])
    #expect(report.checks.allSatisfy { $0.status == .passed })
    #expect(report.verified?.documents.first?.elements.contains(where: \.isDeviceSigned) == false)
    let document = try #require(report.verified?.documents.first)
    #expect(document.elements.map(\.identifier) == ["family_name", "age_over_21"])
    #expect(document.elements.map(\.value) == [.text("Garcia"), .boolean(true)])
    #expect(document.issuer == "Spaceport")
    #expect(document.validUntil == (try Spaceport.shared.validity).validUntil)
  }

  static func item(_ item: EncodedCBOR<IssuerSignedItem>, random: [UInt8]? = nil, value: CBORValue? = nil)
    -> EncodedCBOR<IssuerSignedItem>
  {
    let changed = IssuerSignedItem(
      digestID: item.value.digestID, random: random ?? item.value.random,
      elementIdentifier: item.value.elementIdentifier, elementValue: value ?? item.value.elementValue)
    return EncodedCBOR(changed, encodedAs: changed.encoded)
  }

  static func replacing(_ old: String, with new: String, in bytes: [UInt8]) -> [UInt8] {
    let sought = Array(old.utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: sought) }) else { return bytes }
    return bytes[..<start] + Array(new.utf8) + bytes[(start + sought.count)...]
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let change: Change
    let failed: [String]
    var deviating: [String] = []
  }

  static var rows: [Row] {
    get throws {
      let port = try Spaceport.shared
      let now = port.now
      let sooner = MobileSecurityObject.Validity(
        signed: now.adding(days: -2), validFrom: now.adding(seconds: 1), validUntil: now.adding(days: 9))
      let over = MobileSecurityObject.Validity(
        signed: now.adding(days: -2), validFrom: now.adding(days: -2), validUntil: now.adding(seconds: -1))
      let edge = MobileSecurityObject.Validity(signed: now, validFrom: now, validUntil: now)
      let early = MobileSecurityObject.Validity(
        signed: now.adding(days: -300), validFrom: now, validUntil: now.adding(days: 1))
      let long = MobileSecurityObject.Validity(signed: now, validFrom: now, validUntil: now.adding(days: 900))
      func signer(days: Int, at time: DateTime) throws -> Certificate {
        try Spaceport.documentSigner(of: port.issuer, key: port.signerKey, terms: Spaceport.terms(time, days: days))
      }
      let expired = try signer(days: 20, at: now.adding(days: -11))
      let future = try signer(days: 20, at: now.adding(days: 11))
      let rogue = try Spaceport.documentSigner(
        of: port.otherIssuer, key: port.signerKey, terms: Spaceport.terms(now, days: 20))
      let abroad = try Spaceport.documentSigner(
        of: port.issuer, key: port.signerKey, country: "UT", terms: Spaceport.terms(now, days: 400))
      let otherState = try Spaceport.documentSigner(
        of: port.issuer, key: port.signerKey, state: "US-NY", terms: Spaceport.terms(now, days: 400))
      let asReader = try Spaceport.reader(of: port.issuer, key: port.signerKey, terms: Spaceport.terms(now, days: 20))
      let digest = ["element.digest"]
      let honest = ["family_name", "age_over_21"]
      let other = Spaceport.request(["portrait"], documentType: "org.example.other")
      return [
        Row(
          description: "all dates at this moment", change: Change(validity: edge), failed: [],
          deviating: ["mso.validity-order/ends-at-beginning"]),
        Row(description: "not valid yet", change: Change(validity: sooner), failed: ["mso.validity/not-yet-valid"]),
        Row(description: "expired", change: Change(validity: over), failed: ["mso.validity/expired"]),
        Row(
          description: "signed before the signer's certificate", change: Change(validity: early),
          failed: ["mso.signer-validity/signed-outside"]),
        Row(
          description: "valid beyond the signer's certificate", change: Change(validity: long), failed: [],
          deviating: ["mso.signer-validity/outlives-signer"]),
        Row(
          description: "signer expired", change: Change(chain: [expired]),
          failed: ["issuer.certificate.validity/expired"],
          deviating: ["mso.signer-validity/outlives-signer"]),
        Row(
          description: "signer not valid yet", change: Change(chain: [future]),
          failed: ["issuer.certificate.validity/not-yet-valid", "mso.signer-validity/signed-outside"],
          deviating: ["mso.signer-validity/outlives-signer"]
        ),
        Row(
          description: "signer of another root", change: Change(chain: [rogue]), failed: ["issuer.trust"],
          deviating: ["mso.signer-validity/outlives-signer"]),
        Row(
          description: "another root sent along", change: Change(chain: [rogue, try port.otherIssuer.root]),
          failed: ["issuer.trust"],
          deviating: ["issuer.certificate.profile/root-in-chain", "mso.signer-validity/outlives-signer"]),
        Row(
          description: "the trusted root sent along", change: Change(chain: [port.signer, try port.issuer.root]),
          failed: [], deviating: ["issuer.certificate.profile/root-in-chain"]),
        Row(description: "nobody trusted", change: Change(trusted: []), failed: ["issuer.trust"]),
        Row(
          description: "two trusted", change: Change(trusted: [try port.otherIssuer.root, try port.issuer.root]),
          failed: []),
        Row(
          description: "a reader's certificate as signer", change: Change(chain: [asReader]),
          failed: ["issuer.certificate.purpose", "issuer.certificate.profile/issuer-country"],
          deviating: [
            "issuer.certificate.profile/country", "issuer.certificate.profile/issuer-state",
            "issuer.certificate.profile/issuer-alternative-name",
            "issuer.certificate.profile/crl-distribution-points", "mso.signer-validity/outlives-signer",
          ]),
        Row(
          description: "a signer of another country", change: Change(chain: [abroad]),
          failed: ["issuer.certificate.profile/issuer-country"],
          deviating: ["issuer.certificate.profile/country-code"]),
        Row(
          description: "a signer of another state", change: Change(chain: [otherState]),
          failed: ["issuer.certificate.profile/issuer-state"]),
        Row(
          description: "another issuing country returned",
          change: Change(elements: [("issuing_country", .text("UT"))], asked: ["issuing_country"]),
          failed: ["issuer.country"]),
        Row(
          description: "the issuing jurisdiction returned",
          change: Change(elements: [("issuing_jurisdiction", .text("US-CA"))], asked: ["issuing_jurisdiction"]),
          failed: []),
        Row(
          description: "another issuing jurisdiction returned",
          change: Change(elements: [("issuing_jurisdiction", .text("US-NY"))], asked: ["issuing_jurisdiction"]),
          failed: ["issuer.jurisdiction/state"]),
        Row(description: "salts of 16 bytes", change: Change(saltLength: 16), failed: []),
        Row(
          description: "salts of 15 bytes", change: Change(saltLength: 15),
          failed: ["element.salt/too-short", "element.salt/too-short"]),
        Row(
          description: "an element altered",
          change: Change(presented: {
            $0.map { space in
              IssuerNameSpace(
                name: space.name, items: [item(space.items[0], value: .text("Gracia"))] + space.items[1...])
            }
          }),
          failed: digest),
        Row(
          description: "an element's salt altered",
          change: Change(presented: {
            $0.map { space in
              IssuerNameSpace(
                name: space.name,
                items: [item(space.items[0], random: [UInt8](repeating: 0, count: 32))] + space.items[1...])
            }
          }),
          failed: digest),
        Row(
          description: "an element in another name space",
          change: Change(presented: { [IssuerNameSpace(name: "org.example.unknown", items: $0[0].items)] }),
          failed: [
            "element.coverage/name-space", "element.requested/not-requested", "element.requested/not-requested",
          ],
          deviating: ["element.returned", "element.returned"]),
        Row(
          description: "an element twice",
          change: Change(presented: { $0.map { IssuerNameSpace(name: $0.name, items: $0.items + $0.items.prefix(1)) } }
          ),
          failed: ["element.unique"]),
        Row(
          description: "an element withheld",
          change: Change(presented: { $0.map { IssuerNameSpace(name: $0.name, items: Array($0.items.dropLast())) } }),
          failed: [], deviating: ["element.returned"]),
        Row(
          description: "an element that was not requested",
          change: Change(requests: [Spaceport.request(["age_over_21"])]), failed: ["element.requested/not-requested"]),
        Row(
          description: "another age than was asked for",
          change: Change(requests: [Spaceport.request(["family_name", "age_over_20"])]), failed: []),
        Row(
          description: "a document that was not requested",
          change: Change(requests: [Spaceport.request(["family_name"], documentType: "org.example.other")]),
          failed: ["document.requested/not-requested"], deviating: ["response.documents/not-returned"]),
        Row(
          description: "no document", change: Change(documents: { _ in [] }), failed: ["response.documents/no-document"]
        ),
        Row(
          description: "another device key", change: Change(deviceKey: try fixedKey(8)),
          failed: ["device.signature/invalid"]),
        Row(
          description: "another transcript", change: Change(transcript: port.otherTranscript),
          failed: ["device.signature/invalid"]),
        Row(
          description: "another document type outside",
          change: Change(document: { replacing("org.iso.18013.5.1.mDL", with: "org.iso.18013.5.1.mDX", in: $0) }),
          failed: ["mso.document-type", "device.signature/invalid", "document.requested/not-requested"],
          deviating: ["response.documents/not-returned"]),
        Row(
          description: "no device signature",
          change: Change(document: { replacing("deviceSigned", with: "deviceSignee", in: $0) }),
          failed: ["device.authentication/missing"]),
        Row(
          description: "neither signature nor code",
          change: Change(document: { replacing("deviceSignature", with: "deviceSignaturf", in: $0) }),
          failed: ["device.authentication/missing"]),
        Row(
          description: "a security object without a digest",
          change: Change(document: { replacing("SHA-256", with: "SHA-257", in: $0) }),
          failed: ["issuer.signature/invalid", "mso.digest-algorithm"]),
        Row(
          description: "an issuer that the request names",
          change: Change(requests: [Spaceport.request(honest, issuers: [port.issuer.keyIdentifier, [1]])]), failed: []),
        Row(
          description: "an issuer that the request does not name",
          change: Change(requests: [Spaceport.request(honest, issuers: [port.otherIssuer.keyIdentifier])]),
          failed: ["issuer.requested"]),
        Row(
          description: "a document of two that belong together",
          change: Change(
            requests: [Spaceport.request(honest), other],
            useCases: [DeviceRequestInfo.UseCase(isMandatory: true, documentSets: [[0, 1]])]),
          failed: ["response.documents/use-case"]),
        Row(
          description: "a document of two that may replace each other",
          change: Change(
            requests: [Spaceport.request(honest), other],
            useCases: [DeviceRequestInfo.UseCase(isMandatory: true, documentSets: [[1], [0]])]),
          failed: [], deviating: ["response.documents/not-returned"]),
        Row(
          description: "one document of two that no use case needs alone",
          change: Change(
            requests: [Spaceport.request(honest), other],
            useCases: [
              DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[0, 1]]),
              DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[1]]),
            ]), failed: ["response.documents/use-case"]),
        Row(
          description: "one of two use cases that may be left out",
          change: Change(
            requests: [Spaceport.request(honest), other],
            useCases: [
              DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[1]]),
              DeviceRequestInfo.UseCase(isMandatory: false, documentSets: [[0]]),
            ]), failed: [], deviating: ["response.documents/not-returned"]),
        Row(
          description: "a jurisdiction of another country, signed by an issuer without a state",
          change: Change(
            elements: [("issuing_jurisdiction", .text("DE-BY"))],
            chain: [
              try Spaceport.documentSigner(
                of: port.issuer, key: port.signerKey, state: nil, terms: Spaceport.terms(now, days: 400))
            ], asked: ["family_name", "issuing_jurisdiction"]), failed: ["issuer.jurisdiction/country"],
          deviating: ["issuer.certificate.profile/issuer-state"]),
        Row(
          description: "an age that says nothing about the one that was asked for",
          change: Change(requests: [Spaceport.request(["family_name", "age_over_25"])]),
          failed: ["element.requested/not-requested"], deviating: ["element.returned"]),
        Row(
          description: "all dates at this moment, for a strict verifier",
          change: Change(validity: edge, policy: .strict), failed: ["mso.validity-order/ends-at-beginning"]),
        Row(
          description: "an element withheld, for a strict verifier",
          change: Change(
            presented: { $0.map { IssuerNameSpace(name: $0.name, items: Array($0.items.dropLast())) } },
            policy: .strict), failed: [], deviating: ["element.returned"]),
        Row(
          description: "a document twice for one request", change: Change(documents: { [$0, $0] }),
          failed: ["document.requested/surplus"]),
        Row(
          description: "a document twice for two requests",
          change: Change(documents: { [$0, $0] }, requests: [Spaceport.request(honest), Spaceport.request(honest)]),
          failed: []),
        Row(
          description: "a document for one request of two of its type",
          change: Change(requests: [Spaceport.request(["sex"]), Spaceport.request(honest)]), failed: [],
          deviating: ["response.documents/not-returned"]),
        Row(
          description: "elements of two requests in one document",
          change: Change(requests: [Spaceport.request(["family_name"]), Spaceport.request(["age_over_21"])]),
          failed: ["element.requested/not-requested"], deviating: ["response.documents/not-returned"]),
        Row(
          description: "elements that only a request for another issuer names",
          change: Change(requests: [
            Spaceport.request(["family_name"], issuers: [port.issuer.keyIdentifier]),
            Spaceport.request(honest, issuers: [port.otherIssuer.keyIdentifier]),
          ]),
          failed: ["element.requested/not-requested"], deviating: ["response.documents/not-returned"]),
      ]
    }
  }

  @Test("each change fails exactly its checks", arguments: try rows)
  func changed(_ row: Row) async throws {
    let report = try await report(row.change)
    #expect(report.failed == row.failed)
    #expect(report.deviating == row.deviating)
    #expect((report.verified == nil) == !row.failed.isEmpty)
  }

  @Test("a malformed version is described")
  func versions() {
    for version in ["1.0", "2.0", "10.1"] {
      #expect(VersionText.problem(version, of: "response") == nil)
    }
    for version in ["1.", "1.0 ", "1", "", ".1", "1.0.0", "one.two"] {
      #expect(VersionText.problem(version, of: "response") != nil)
    }
  }

  @Test("names with different encodings are different")
  func exactNames() async throws {
    let port = try Spaceport.shared
    let (name, other) = ("org.\u{212b}", "org.A\u{30a}")
    try #require(name == other && name.utf8.count == other.utf8.count)
    let held = try port.held(
      DocumentDraft(
        documentType: name, nameSpaces: [DocumentDraft.NameSpace(name, [DocumentDraft.Element(name, .text("x"))])],
        deviceKey: COSEKey(port.deviceKey.publicKey), validity: port.validity))
    func request(type: String = name, nameSpace: String = name, element: String = name) -> ItemsRequest {
      ItemsRequest(
        documentType: type,
        nameSpaces: [ItemsRequest.NameSpace(nameSpace, [ItemsRequest.Element(element, intentToRetain: false)])])
    }
    let answer = held.answer(to: request()).nameSpaces
    #expect(held.answer(to: request(nameSpace: other)).nameSpaces.isEmpty)
    #expect(held.answer(to: request(element: other)).nameSpaces.isEmpty)
    func failed(
      _ request: ItemsRequest, returning nameSpace: String = name, as type: String = name
    ) async throws -> [String] {
      let document = try held.presented(
        answer.map { IssuerNameSpace(name: nameSpace, items: $0.items) }, over: port.transcript,
        signedWith: port.deviceKey)
      let changed = Self.replacing(name, with: type, in: document)
      return await port.verify(DeviceResponseWriter.encoded(documents: [changed]), requests: [request]).failed
    }
    #expect(try await failed(request()) == [])
    #expect(try await failed(request(type: other)) == ["document.requested/not-requested"])
    #expect(try await failed(request(nameSpace: other)) == ["element.requested/not-requested"])
    #expect(try await failed(request(element: other)) == ["element.requested/not-requested"])
    #expect(
      try await failed(request(), returning: other) == [
        "element.coverage/name-space", "element.requested/not-requested",
      ])
    #expect(try await failed(request(type: other), as: other) == ["mso.document-type", "device.signature/invalid"])
  }

  @Test("a signature by another key than the certificate's does not verify")
  func otherSigner() async throws {
    let port = try Spaceport.shared
    let held = try port.held()
    let other = try Spaceport.documentSigner(
      of: port.issuer, key: fixedKey(9), terms: Spaceport.terms(port.now, days: 400))
    let document = try held.presented(
      held.answer(to: Spaceport.request(["sex"])).nameSpaces, over: port.transcript, signedWith: port.deviceKey)
    let old = try port.signer.derEncoded()
    let start = try #require(document.indices.first { document[$0...].starts(with: old) })
    let new = try other.derEncoded()
    try #require(new.count == old.count || new.count < 0x10000)
    let head = Hex.bytes("59") + [UInt8(new.count >> 8), UInt8(new.count & 0xff)]
    let changed = document[..<(start - 3)] + head + new + document[(start + old.count)...]
    let report = await port.verify(DeviceResponseWriter.encoded(documents: [Array(changed)]))
    #expect(report.failed == ["issuer.signature/invalid"])
  }

  @Test("a MAC verifies with the reader's key only")
  func deviceMac() async throws {
    let port = try Spaceport.shared
    let held = try port.held()
    let readerKey = try fixedAgreementKey(8)
    let deviceKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: port.deviceKey.rawRepresentation)
    let document = try held.presented(
      held.answer(to: Spaceport.request(["sex"])).nameSpaces, over: port.transcript, authenticatedWith: deviceKey,
      readerKey: readerKey.publicKey)
    let response = DeviceResponseWriter.encoded(documents: [document])
    #expect(await port.verify(response).failed == ["device.signature/mac-unsupported"])
    for (key, failed) in [(readerKey, []), (deviceKey, ["device.signature/mac-invalid"])] {
      let verifier = DeviceResponseVerifier(trustedIssuers: [try port.issuer.root], ephemeralReaderKey: key)
      let report = await verifier.verify(response, over: port.transcript, requests: nil, at: port.now)
      #expect(report.failed == failed)
    }
  }

  @Test("missing documents are named, and a status other than 0 fails")
  func envelope() async throws {
    let port = try Spaceport.shared
    let missing = DeviceResponseWriter.encoded(documents: [], missing: ["a", "b"])
    let read = try UnverifiedDeviceResponse(missing)
    #expect(read.documentErrors.map(\.documentType) == ["a", "b"] && read.documentErrors.allSatisfy { $0.code == 0 })
    #expect(read.status == 0 && read.version == "1.0" && read.documents.isEmpty)
    for (version, status, failed) in [
      ("1.0", 10, ["response.status"]), ("1.9", 0, []), ("2.0", 0, ["response.version"]),
      ("1.", 0, ["response.version"]), ("1.x", 0, ["response.version"]), ("1.10", 0, []),
      ("0.9", 12, ["response.version", "response.status"]), ("", 0, ["response.version"]),
    ] as [(String, Int, [String])] {
      let bytes = CBORValue.textMap([("version", .text(version)), ("status", .integer(status))]).encoded
      #expect(await port.verify(bytes).failed == failed + ["response.documents/no-document"])
    }
  }

  @Test("damaged responses never verify with other content")
  func damage() async throws {
    let port = try Spaceport.shared
    let held = try port.held()
    let nameSpaces = held.answer(to: Spaceport.request(["sex", "family_name"])).nameSpaces
    let document = try held.presented(nameSpaces, over: port.transcript, signedWith: port.deviceKey)
    let whole = DeviceResponseWriter.encoded(documents: [document])
    #expect(await port.verify(whole).verified != nil)
    for bytes in Damage.truncations(of: whole) {
      #expect(await port.verify(bytes).failed == ["response.cbor/malformed"])
    }
    var generator = SeededGenerator(seed: 9)
    for place in stride(from: 0, to: whole.count, by: 13) {
      var bytes = whole
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      for element in await port.verify(bytes).verified?.documents.first?.elements ?? [] {
        #expect(element.value == (element.identifier == "sex" ? .unsigned(2) : .text("Garcia")), "byte \(place)")
      }
    }
  }
}
