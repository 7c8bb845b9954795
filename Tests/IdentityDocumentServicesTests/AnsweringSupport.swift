import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import TestSupport
import Testing
import WebPresentment
import X509

/// A document issuer and a website.
struct Exchange: Sendable {
  static let made = Result { try Exchange() }

  static var shared: Exchange { get throws { try made.get() } }

  static let origin = "https://rentals.example"
  static let nameSpace = "org.iso.18013.5.1"

  let issuer: CertificateAuthority
  let otherIssuer: CertificateAuthority
  private let signerKey: P256.Signing.PrivateKey
  let deviceKey: P256.Signing.PrivateKey
  let recipientKey: P256.KeyAgreement.PrivateKey
  let encryptionInfo: EncryptionInfo

  private init() throws {
    func authority(_ name: String, _ number: UInt8) throws -> CertificateAuthority {
      try CertificateAuthority(
        name: CertificateName(country: "US", commonName: name),
        contact: "https://\(name).example", terms: Self.terms, signer: fixedKey(number))
    }
    issuer = try authority("issuer", 11)
    otherIssuer = try authority("elsewhere", 12)
    signerKey = try fixedKey(13)
    deviceKey = try fixedKey(14)
    recipientKey = try fixedAgreementKey(15)
    encryptionInfo = EncryptionInfo(
      nonce: [UInt8](repeating: 9, count: 16), recipientPublicKey: recipientKey.publicKey)
  }

  private static var terms: CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: Readers.now.adding(days: -300), until: Readers.now.adding(days: 300),
      serialNumber: [UInt8](repeating: 7, count: 16))
  }

  var transcript: SessionTranscript { encryptionInfo.sessionTranscript(origin: Self.origin) }

  private func signer(of authority: CertificateAuthority) throws -> Certificate {
    try authority.documentSigner(
      name: CertificateName(country: "US", commonName: "signer"),
      publicKey: Certificate.PublicKey(signerKey.publicKey), contact: "https://issuer.example",
      revocationList: "https://issuer.example/crl", terms: Self.terms)
  }

  /// The bytes of a document with a holder's name.
  func issued(
    _ type: String, name: String, by authority: CertificateAuthority? = nil, from: Int = -1, until: Int = 30
  ) throws -> Data {
    let signer = try signer(of: authority ?? issuer)
    let draft = DocumentDraft(
      documentType: type,
      nameSpaces: [DocumentDraft.NameSpace(Self.nameSpace, [DocumentDraft.Element("given_name", .text(name))])],
      deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: Readers.now.adding(days: min(from, -1)), validFrom: Readers.now.adding(days: from),
        validUntil: Readers.now.adding(days: until)))
    var randomness = SeededRandomness(generator: SeededGenerator(seed: 3))
    return Data(try draft.issued(by: signerKey, chain: [signer.derEncoded()], randomness: &randomness))
  }

  func document(
    _ type: String = DocumentType.licence, name: String = "Kelly", by authority: CertificateAuthority? = nil,
    identifier: String = "", from: Int = -1, until: Int = 30, registeredUntil: DateTime? = nil
  ) throws -> PresentableDocument {
    try PresentableDocument(
      issuedDocument: issued(type, name: name, by: authority, from: from, until: until), deviceKey: deviceKey,
      documentIdentifier: identifier, invalidationDate: registeredUntil?.date)
  }

  /// An SD-JWT credential with a given name.
  func credential(
    _ type: String, identifier: String, until: Int = 30, _ change: (inout SDJWTDraft) throws -> Void = { _ in }
  ) throws -> PresentableDocument {
    let now = Readers.now
    var draft = try SDJWTDraft(
      type: type, elements: [DocumentDraft.Element("given_name", .text("Kelly"))],
      holderKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: now.adding(days: -9), validFrom: now.adding(days: -9), validUntil: now.adding(days: until)))
    try change(&draft)
    var generator = SeededGenerator(seed: 5)
    let text = try draft.issued(by: signerKey, chain: [signer(of: issuer).derEncoded()]) { generator.bytes($0) }
    return try PresentableDocument(issuedCredential: text, deviceKey: deviceKey, documentIdentifier: identifier)
  }

  static func items(
    _ type: String = DocumentType.licence, issuers: [[UInt8]] = [], elements: [String] = ["given_name"]
  ) -> ItemsRequest {
    ItemsRequest(
      documentType: type,
      nameSpaces: [
        ItemsRequest.NameSpace(nameSpace, elements.map { ItemsRequest.Element($0, intentToRetain: false) })
      ], issuerIdentifiers: issuers)
  }

  /// A raw request, signed for the origin with some chains.
  func rawRequest(
    _ version: DeviceRequestDraft.Version = .second, _ items: [ItemsRequest] = [items()],
    useCases: [DeviceRequestInfo.UseCase] = [], signedBy chains: [[Certificate]] = [], origin: String = Self.origin
  ) throws -> IdentityDocumentWebPresentmentRawRequest {
    let request = try DeviceRequestDraft(version: version, documents: items, useCases: useCases)
      .encoded(
        signedFor: chains.map(try Readers.shared.reader), over: encryptionInfo.sessionTranscript(origin: origin))
    let data = RequestData(deviceRequest: Base64URL.encode(request), encryptionInfo: encryptionInfo.text)
    return IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument, requestData: Data(data.json))
  }

  /// The response of an app that trusts the first reader authority.
  static func responder(answersUntrustedReaders: Bool = false) throws -> MobileDocumentResponder {
    try MobileDocumentResponder(
      trustedReaderRoots: [Data(Readers.shared.first.root.derEncoded())],
      answersUntrustedReaders: answersUntrustedReaders)
  }

  static func ephemeralKey() throws -> P256.KeyAgreement.PrivateKey {
    try fixedAgreementKey(16)
  }

  /// The finding of the refusal of a body. Any other error fails the test.
  static func refusal(_ work: () async throws -> Void) async -> ProviderFinding? {
    do {
      try await work()
    } catch let error as ProviderRefusal {
      return error.finding
    } catch {
      Issue.record("refused without a finding: \(error)")
    }
    return nil
  }

  /// The verifier's view of a response: the document types and the holders' names.
  func opened(
    _ response: Data, requests: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = []
  ) async throws -> [String]? {
    let opened = try EncryptedResponse(encoded: [UInt8](response)).open(with: recipientKey, transcript: transcript)
    let report = await DeviceResponseVerifier(trustedIssuers: [try issuer.root, try otherIssuer.root])
      .verify(opened, over: transcript, requests: requests, useCases: useCases, at: Readers.now)
    return report.verified?.documents.map { document in
      guard case .text(let name)? = document.elements.first?.value else { return document.documentType }
      return "\(document.documentType) \(name)"
    }
  }

  private struct SeededRandomness: DocumentDraft.Randomness {
    var generator: SeededGenerator
    mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(count) }
    mutating func permutation(_ count: Int) -> [Int] { (0..<count).shuffled(using: &generator) }
  }
}
