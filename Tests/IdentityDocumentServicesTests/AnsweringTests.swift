import CBOR
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment
import X509

@Suite("Validating a request", .crossChecked)
struct AnsweringTests {
  private let url = URL(string: Exchange.origin)

  private func refusalToValidate(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, origin: URL? = URL(string: Exchange.origin),
    at moment: DateTime = Readers.now, answersUntrustedReaders: Bool = false
  ) async throws -> ProviderFinding? {
    let responder = try Exchange.responder(answersUntrustedReaders: answersUntrustedReaders)
    return await Exchange.refusal {
      _ = try await responder.validateRawRequest(rawRequest, origin: origin, at: moment.date)
    }
  }

  @Test("A raw request agrees with its parsed part in both editions", arguments: ["1.0", "1.1"])
  func consistent(edition: String) throws {
    let version = try #require(DeviceRequestDraft.Version(rawValue: edition))
    let raw = try Exchange.shared.rawRequest(version, signedBy: [Readers.shared.ofFirst])
    let parsed = try IdentityDocumentWebPresentmentRawRequestValidator()
      .validateISO18013MobileDocumentRequest(raw.requestData, origin: try #require(url))
    #expect(throws: Never.self) { try Exchange.responder().validateConsistency(request: parsed, rawRequest: raw) }
  }

  @Test("A raw request with another element, intent, issuer or reader differs")
  func differs() async throws {
    let (exchange, readers) = (try Exchange.shared, try Readers.shared)
    let parsed = try IdentityDocumentWebPresentmentRawRequestValidator().validateISO18013MobileDocumentRequest(
      exchange.rawRequest(signedBy: [readers.ofFirst]).requestData, origin: try #require(url))
    func items(_ element: String, retained: Bool) -> ItemsRequest {
      ItemsRequest(
        documentType: DocumentType.licence,
        nameSpaces: [
          ItemsRequest.NameSpace(Exchange.nameSpace, [ItemsRequest.Element(element, intentToRetain: retained)])
        ])
    }
    let others = [
      try exchange.rawRequest(.second, [items("portrait", retained: false)], signedBy: [readers.ofFirst]),
      try exchange.rawRequest(.second, [items("given_name", retained: true)], signedBy: [readers.ofFirst]),
      try exchange.rawRequest(.second, [Exchange.items(DocumentType.photo)], signedBy: [readers.ofFirst]),
      try exchange.rawRequest(.second, [Exchange.items(issuers: [[1]])], signedBy: [readers.ofFirst]),
      try exchange.rawRequest(
        .second, [Exchange.items()], useCases: [.init(isMandatory: false, documentSets: [[0]])],
        signedBy: [readers.ofFirst]),
      try exchange.rawRequest(signedBy: [readers.ofSecond]), try exchange.rawRequest(),
      try exchange.rawRequest(signedBy: [readers.ofFirst, readers.ofSecond]),
    ]
    for raw in others {
      let check = await Exchange.refusal {
        try Exchange.responder().validateConsistency(request: parsed, rawRequest: raw)
      }
      #expect(check == ProviderFinding(.rawRequest, .differs))
    }
  }

  @Test("Both steps refuse an unreadable raw request")
  func unreadable() async throws {
    let exchange = try Exchange.shared
    let good = RequestData(deviceRequest: "AA", encryptionInfo: exchange.encryptionInfo.text)
    // An unsigned items request without members, so no signature is at fault.
    let items = CBORValue.textMap([("itemsRequest", .tagged(24, .bytes([0xa0])))])
    let unsigned = RequestData(
      deviceRequest: Base64URL.encode(
        CBORValue.textMap([("version", .text("1.0")), ("docRequests", .array([items]))]).encoded),
      encryptionInfo: exchange.encryptionInfo.text)
    let truncated = RequestData(deviceRequest: "oQ", encryptionInfo: "")
    for json in [[], Array("{}".utf8), good.json, truncated.json, unsigned.json] {
      let raw = IdentityDocumentWebPresentmentRawRequest(
        requestType: .iso18013MobileDocument, requestData: Data(json))
      #expect(try await refusalToValidate(raw) == ProviderFinding(.rawRequest, .unreadable))
      let check = await Exchange.refusal {
        try Exchange.responder().validateConsistency(request: .asking([]), rawRequest: raw)
      }
      #expect(check == ProviderFinding(.rawRequest, .unreadable))
    }
  }

  @Test("Requires one signature of a trusted authority, at any position")
  func trust() async throws {
    let (exchange, readers) = (try Exchange.shared, try Readers.shared)
    let rows: [([[Certificate]], ProviderFinding?)] = [
      ([readers.ofFirst], nil), ([readers.ofSecond, readers.ofFirst], nil),
      // The root allows no authority below itself.
      ([readers.withIntermediate], ProviderFinding(.reader, .untrusted)),
      ([readers.ofSecond], ProviderFinding(.reader, .untrusted)),
      ([readers.expired], ProviderFinding(.reader, .expired)),
      ([readers.future], ProviderFinding(.reader, .notYetValid)),
      ([readers.future, readers.ofSecond, readers.expired], ProviderFinding(.reader, .expired)),
      ([readers.ofSecond, readers.future], ProviderFinding(.reader, .notYetValid)),
      ([readers.expired, readers.ofFirst], nil), ([], ProviderFinding(.reader, .unsigned)),
    ]
    for (chains, expected) in rows {
      let raw = try exchange.rawRequest(signedBy: chains)
      #expect(try await refusalToValidate(raw) == expected)
      #expect(try await refusalToValidate(raw, answersUntrustedReaders: true) == nil)
    }
    let late = Readers.now.adding(days: 11)
    #expect(
      try await refusalToValidate(exchange.rawRequest(signedBy: [readers.ofFirst]), at: late)
        == ProviderFinding(.reader, .expired))
  }

  @Test("A signature on one of two documents does not cover the request")
  func partlySigned() async throws {
    let exchange = try Exchange.shared
    let items = [Exchange.items(), Exchange.items(DocumentType.photo)]
    let raw = try exchange.rawRequest(.first, items, signedBy: [Readers.shared.ofFirst])
    #expect(try await refusalToValidate(raw) == nil)
    let data = try RequestData(json: [UInt8](raw.requestData))
    // The second document's member readerAuth gets an unknown name.
    var bytes = try data.deviceRequestBytes()
    let name = Array("readerAuth".utf8)
    let place = try #require(bytes.indices.dropLast(name.count).last { bytes[$0...].starts(with: name) })
    bytes[place + name.count - 1] = UInt8(ascii: "x")
    let partly = IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument,
      requestData: Data(
        RequestData(deviceRequest: Base64URL.encode(bytes), encryptionInfo: data.encryptionInfo).json))
    #expect(try await refusalToValidate(partly) == ProviderFinding(.reader, .untrusted))
  }

  @Test("Signatures bind the origin, with or without a trailing slash, and an origin is required")
  func origins() async throws {
    let raw = try Exchange.shared.rawRequest(signedBy: [Readers.shared.ofFirst])
    #expect(try await refusalToValidate(raw, origin: URL(string: Exchange.origin + "/")) == nil)
    #expect(
      try await refusalToValidate(raw, origin: URL(string: "https://evil.example")) == ProviderFinding(.readerSignature)
    )
    #expect(try await refusalToValidate(raw, origin: nil) == ProviderFinding(.origin))
  }

  @Test(
    "An answer that passes lists every check in the same order, and one that is refused lists the rest as not reached")
  func everyCheck() async throws {
    let (exchange, readers) = (try Exchange.shared, try Readers.shared)
    let url = try #require(url)
    let signed = try exchange.rawRequest(signedBy: [readers.ofFirst])
    func answer(
      _ raw: IdentityDocumentWebPresentmentRawRequest? = nil, shownAs shown: IdentityDocumentWebPresentmentRawRequest,
      origin: URL?, answersUntrustedReaders: Bool = false, building: () throws -> Data
    ) async throws -> ProviderAnswer {
      let request = try IdentityDocumentWebPresentmentRawRequestValidator()
        .validateISO18013MobileDocumentRequest(shown.requestData, origin: url)
      return try await Exchange.responder(answersUntrustedReaders: answersUntrustedReaders)
        .answer(raw ?? shown, shownAs: request, origin: origin, at: Readers.now.date) { _ in try building() }
    }
    func statuses(_ answer: ProviderAnswer) -> String {
      #expect(answer.checks.map(\.check) == ProviderCheck.made(inProduction: false).map(\.id))
      return answer.checks.map { $0.status == .passed ? "+" : $0.status == .failed ? "!" : "-" }.joined()
    }
    let data = Data([1])
    let passed = try await answer(shownAs: signed, origin: url) { data }
    #expect(try passed.response.get() == data && statuses(passed) == "+++++++")
    let unsigned = try exchange.rawRequest()
    let untrusting = try await answer(shownAs: unsigned, origin: url, answersUntrustedReaders: true) { data }
    #expect(statuses(untrusting) == "+++++++" && untrusting.checks[3].message.hasPrefix("does not apply"))
    let others = try exchange.rawRequest(signedBy: [readers.ofSecond])
    let evil = URL(string: "https://evil.example")
    #expect(statuses(try await answer(others, shownAs: signed, origin: url) { data }) == "!------")
    #expect(statuses(try await answer(shownAs: signed, origin: nil) { data }) == "+!-----")
    #expect(statuses(try await answer(shownAs: signed, origin: evil) { data }) == "++!----")
    #expect(statuses(try await answer(shownAs: others, origin: url) { data }) == "+++!---")
    #expect(statuses(try await answer(shownAs: signed, origin: url) { throw ProviderRefusal(.document) }) == "+++++!-")
    #expect(statuses(try await answer(shownAs: signed, origin: url) { throw ProviderRefusal(.response) }) == "++++++!")
    let failed = try await answer(shownAs: signed, origin: url) { throw CancellationError() }
    #expect(statuses(failed) == "+++++--" && (try? failed.response.get()) == nil)
  }

  @Test("Refuses roots that a registration cannot name")
  func roots() throws {
    let root = Data(try Readers.shared.first.root.derEncoded())
    #expect(try Exchange.responder().authorityKeyIdentifiers == [Data(Readers.shared.first.keyIdentifier)])
    let key = try fixedKey(17)
    let nameless = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1]),
      publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: Readers.now.date,
      notValidAfter: Readers.now.adding(days: 1).date, issuer: DistinguishedName(), subject: DistinguishedName(),
      signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(),
      issuerPrivateKey: Certificate.PrivateKey(key))
    let rows: [(Data, ResponderError.Code)] = [
      (Data(), .rootUnreadable), (Data([0x30]), .rootUnreadable), (Data(try nameless.derEncoded()), .rootUnnamed),
    ]
    for (unusable, code) in rows {
      let error = #expect(throws: ResponderError.self) {
        _ = try MobileDocumentResponder(trustedReaderRoots: [root, unusable])
      }
      #expect(error?.code == code && error?.position == 1)
      #expect(error?.localizedDescription.hasSuffix("(\(code.rawValue), root 1)") == true)
    }
  }

  @Test("A refusal names its rule and the finding")
  func words() {
    let refusal = ProviderRefusal(.reader, .untrusted, adding: "it expired")
    #expect(refusal.localizedDescription == ProviderFinding(.reader, .untrusted).message + ": it expired")
    #expect(refusal == ProviderRefusal(.reader, .untrusted) && refusal != ProviderRefusal(.reader, .unsigned))
  }
}
