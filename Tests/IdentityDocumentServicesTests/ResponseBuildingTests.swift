import COSE
import CrossCheckTrait
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import Testing

@Suite("Building a response", .crossChecked)
struct ResponseBuildingTests {
  private let url = URL(string: Exchange.origin)

  @Test("Presents one set of each mandatory use case, and of each optional one that the app can satisfy")
  func chooses() async throws {
    let exchange = try Exchange.shared
    let items = [Exchange.items(), Exchange.items(DocumentType.photo)]
    typealias UseCase = DeviceRequestInfo.UseCase
    let (licence, photo) = (try exchange.document(), try exchange.document(DocumentType.photo, name: "K."))
    let (both, first) = (
      [DocumentType.licence + " Kelly", DocumentType.photo + " K."], DocumentType.licence + " Kelly"
    )
    let rows: [([UseCase], [PresentableDocument], [String]?)] = [
      ([], [photo, licence], both), ([], [licence], nil),
      ([UseCase(isMandatory: true, documentSets: [[1], [0]])], [licence], [first]),
      ([UseCase(isMandatory: true, documentSets: [[0], [1]])], [licence, photo], [first]),
      (
        [UseCase(isMandatory: true, documentSets: [[0]]), UseCase(isMandatory: false, documentSets: [[1]])], [licence],
        [first]
      ),
      (
        [UseCase(isMandatory: true, documentSets: [[0]]), UseCase(isMandatory: false, documentSets: [[1]])],
        [licence, photo], both
      ),
      ([UseCase(isMandatory: false, documentSets: [[1]])], [licence], nil),
      (
        [UseCase(isMandatory: true, documentSets: [[0]]), UseCase(isMandatory: true, documentSets: [[0, 1]])],
        [licence, photo], both
      ),
    ]
    for (useCases, documents, expected) in rows {
      let request = try await Exchange.responder().validateRawRequest(
        exchange.rawRequest(.second, items, useCases: useCases, signedBy: [Readers.shared.ofFirst]), origin: url,
        at: Readers.now.date)
      guard let expected else {
        let check = await Exchange.refusal {
          _ = try Exchange.responder().buildAndEncryptResponse(
            to: request, with: documents, ephemeralKey: Exchange.ephemeralKey())
        }
        #expect(check == ProviderFinding(.document))
        continue
      }
      let response = try Exchange.responder().buildAndEncryptResponse(
        to: request, with: documents, ephemeralKey: Exchange.ephemeralKey())
      #expect(try await exchange.opened(response, requests: items, useCases: useCases) == expected)
    }
  }

  @Test("Presents the first accepted document of a type")
  func prefers() async throws {
    let exchange = try Exchange.shared
    let documents = [
      try exchange.document(name: "First", by: exchange.otherIssuer), try exchange.document(name: "Second"),
    ]
    for (issuers, expected) in [
      ([], "First"), ([exchange.issuer.keyIdentifier], "Second"),
      ([exchange.issuer.keyIdentifier, exchange.otherIssuer.keyIdentifier], "First"), ([[1, 2, 3]], nil),
    ] as [([[UInt8]], String?)] {
      let items = [Exchange.items(issuers: issuers)]
      let request = try await Exchange.responder(answersUntrustedReaders: true)
        .validateRawRequest(exchange.rawRequest(.second, items), origin: url, at: Readers.now.date)
      let response = try? Exchange.responder().buildAndEncryptResponse(
        to: request, with: documents, ephemeralKey: Exchange.ephemeralKey())
      guard let expected else {
        #expect(response == nil)
        continue
      }
      #expect(
        try await exchange.opened(try #require(response), requests: items)
          == [DocumentType.licence + " " + expected])
    }
  }

  @Test("Refuses to build a response if the device key cannot sign")
  func keyFails() async throws {
    struct LockedKey: ES256Signer {
      struct Locked: Error {}
      let publicKey: P256.Signing.PublicKey
      func signature(for message: [UInt8]) throws -> [UInt8] { throw Locked() }
    }
    let exchange = try Exchange.shared
    let document = try PresentableDocument(
      issuedDocument: exchange.issued(DocumentType.licence, name: "Kelly"),
      deviceKey: LockedKey(publicKey: exchange.deviceKey.publicKey))
    let request = try await Exchange.responder().validateRawRequest(
      exchange.rawRequest(signedBy: [Readers.shared.ofFirst]), origin: url, at: Readers.now.date)
    let check = await Exchange.refusal {
      _ = try Exchange.responder().buildAndEncryptResponse(
        to: request, with: [document], ephemeralKey: Exchange.ephemeralKey())
    }
    #expect(check == ProviderFinding(.response))
  }

  @Test("A document provides the values of its registration; a document for another key is refused")
  func documents() throws {
    let exchange = try Exchange.shared
    let document = try exchange.document()
    #expect(document.mobileDocumentType == DocumentType.licence)
    #expect(document.issuerKeyIdentifiers == [Data(exchange.issuer.keyIdentifier)])
    #expect(document.expirationDate == Readers.now.adding(days: 30).date)
    #expect(throws: DocumentError.self) {
      try PresentableDocument(
        issuedDocument: exchange.issued(DocumentType.licence, name: "Kelly"), deviceKey: fixedKey(18))
    }
    #expect(throws: DocumentError.self) {
      try PresentableDocument(issuedDocument: Data([0xa0]), deviceKey: fixedKey(18))
    }
  }
}
