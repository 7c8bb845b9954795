import CBOR
import COSE
import Certificates
import CommandSupport
import Crypto
import DigitalCredentials
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import WebPresentment
import X509

@testable import ExchangeFiles

/// An issuing authority, its signer, a holder with one document, and a website.
struct Parties {
  static let origin = "https://harbour.example"
  static let nameSpace = "org.iso.18013.5.1"
  static let documentType = "org.iso.18013.5.1.mDL"

  let now: DateTime
  let root: Certificate
  let issued: [UInt8]
  let deviceKey: P256.Signing.PrivateKey

  private struct Randomness: DocumentDraft.Randomness {
    var next: UInt8 = 0

    mutating func bytes(_ count: Int) -> [UInt8] {
      next &+= 1
      return [UInt8](repeating: next, count: count)
    }

    mutating func permutation(_ count: Int) -> [Int] { Array((0..<count).reversed()) }
  }

  init() throws { try self.init(at: moment("2026-06-01T00:00:00Z")) }

  init(at now: DateTime) throws {
    self.now = now
    let terms = CertificateAuthority.Terms(
      from: now.adding(days: -1), until: now.adding(days: 400), serialNumber: [UInt8](1...16))
    let name = CertificateName(country: "UT", commonName: "Harbour")
    let contact = "https://harbour.example"
    let authority = try CertificateAuthority(
      name: name, contact: contact, terms: terms, signer: try fixedKey(1))
    root = try authority.root
    let signerKey = try fixedKey(2)
    let signer = try authority.documentSigner(
      name: name, publicKey: Certificate.PublicKey(signerKey.publicKey), contact: contact,
      revocationList: "\(contact)/crl", terms: terms)
    deviceKey = try fixedKey(3)
    let draft = DocumentDraft(
      documentType: Self.documentType,
      nameSpaces: [
        DocumentDraft.NameSpace(
          Self.nameSpace,
          [
            DocumentDraft.Element("family_name", .text("Rover")),
            DocumentDraft.Element("family_name_national_character", .text("Rover\u{202e}\u{1b}[31m")),
            DocumentDraft.Element("given_name", .text("Kelly")),
            DocumentDraft.Element("birth_date", .tagged(1004, .text("1990-07-14"))),
            DocumentDraft.Element("age_over_21", .boolean(true)),
            DocumentDraft.Element("portrait", .bytes([0xff, 0xd8, 0xff, 1, 2])),
          ])
      ],
      deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(signed: now, validFrom: now, validUntil: now.adding(days: 300)))
    var randomness = Randomness()
    issued = try draft.issued(by: signerKey, chain: [try signer.derEncoded()], randomness: &randomness)
  }

  /// The holder's document.
  func document() throws -> PresentableDocument {
    try PresentableDocument(issuedDocument: Data(issued), deviceKey: deviceKey)
  }

  /// Makes a request for some elements, signed if a reader is given.
  func request(
    for elements: [String], by readers: [DeviceRequestDraft.Reader] = []
  ) throws -> RequestBuilder.Made {
    let making = RequestBuilder(
      origin: try RequestBuilder.origin(Self.origin),
      documents: [
        try RequestedElements.items(
          documentType: Self.documentType, elements: elements.map { "\(Self.nameSpace):\($0)" })
      ], readers: readers, trustedIssuers: [try CertificateFile.pem([root])])
    return try making.make(recipientKey: try fixedAgreementKey(4), nonce: [UInt8](repeating: 5, count: 32))
  }

  /// A reader authority for one test.
  func reader() throws -> ThrowawayReader {
    try ThrowawayReader(named: "Harbour", domain: "harbour.example", at: now, from: AuthorityIngredients())
  }

  /// The answered request.
  func answer(
    _ request: ExchangeFile, origin: String? = nil, limits: ElementLimits = ElementLimits(),
    trustedReaders: [Certificate]? = nil
  ) async throws -> WalletResponder.Answered {
    let wallet = WalletResponder(
      documents: [try document()], limits: limits,
      trustedReaders: trustedReaders.map { TrustedCertificates($0, for: .reader) })
    return try await wallet.answer(request, origin: origin, at: now, ephemeralKey: try fixedAgreementKey(6))
  }
}
