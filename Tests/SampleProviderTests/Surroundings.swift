import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import WebPresentment
import X509

@testable import SampleProvider

/// The parties that a provider app depends on: a document issuer, and reader authorities with a website that they
/// certified. Made once.
struct Surroundings: Sendable {
  static let made = Result { try Surroundings() }

  static var shared: Surroundings { get throws { try made.get() } }

  static let now = DateTime(secondsSince1970: 1_757_955_600)
  static let origin = "https://rentals.example"
  static let licence = "org.iso.18013.5.1.mDL"
  static let nameSpace = "org.iso.18013.5.1"

  let issuer: CertificateAuthority
  private let signerKey: P256.Signing.PrivateKey
  private let signer: Certificate
  /// The reader authority that the app trusts, and one that it does not trust.
  let readers: CertificateAuthority
  let otherReaders: CertificateAuthority
  private let websiteKey: P256.Signing.PrivateKey
  /// The website's certificates.
  let certified: [Certificate]
  let certifiedByOthers: [Certificate]
  /// The key that responses are encrypted to.
  let recipientKey: P256.KeyAgreement.PrivateKey

  private init() throws {
    let terms = CertificateAuthority.Terms(
      from: Self.now.adding(days: -200), until: Self.now.adding(days: 200),
      serialNumber: [UInt8](repeating: 5, count: 16))
    func authority(_ name: String, _ number: UInt8) throws -> CertificateAuthority {
      try CertificateAuthority(
        name: CertificateName(country: "US", commonName: name), contact: "https://\(name).example",
        terms: terms, signer: fixedKey(number))
    }
    issuer = try authority("issuer", 1)
    readers = try authority("readers", 2)
    otherReaders = try authority("others", 3)
    signerKey = try fixedKey(4)
    signer = try issuer.documentSigner(
      name: CertificateName(country: "US", commonName: "signer"),
      publicKey: Certificate.PublicKey(signerKey.publicKey), contact: "https://issuer.example",
      revocationList: "https://issuer.example/crl", terms: terms)
    let websiteKey = try fixedKey(5)
    func leaf(_ authority: CertificateAuthority) throws -> Certificate {
      try authority.reader(
        name: CertificateName(commonName: "rentals.example"), domain: "rentals.example",
        brand: BrandIdentity(name: "Rentals", icon: ""), publicKey: Certificate.PublicKey(websiteKey.publicKey),
        terms: terms)
    }
    self.websiteKey = websiteKey
    certified = [try leaf(readers)]
    certifiedByOthers = [try leaf(otherReaders)]
    recipientKey = try fixedAgreementKey(6)
  }

  /// A document as the issuer sends it, with the key that the app made for it.
  func document(_ identifier: String, type: String = licence, days: Int = 30) throws -> StoredDocument {
    let deviceKey = P256.Signing.PrivateKey()
    let draft = DocumentDraft(
      documentType: type,
      nameSpaces: [
        DocumentDraft.NameSpace(
          Self.nameSpace,
          [
            DocumentDraft.Element("given_name", .text("Kelly")), DocumentDraft.Element("family_name", .text("Garcia")),
            DocumentDraft.Element("age_over_21", .boolean(true)),
          ])
      ], deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: Self.now.adding(days: -2), validFrom: Self.now.adding(days: -2), validUntil: Self.now.adding(days: days)
      ))
    var randomness = DrawnRandomness(generator: SeededGenerator(seed: 1))
    let issued = try draft.issued(by: signerKey, chain: [try signer.derEncoded()], randomness: &randomness)
    return StoredDocument(identifier: identifier, issuedDocument: Data(issued), deviceKey: deviceKey)
  }

  /// The website's items request.
  static func items(_ elements: [String] = ["given_name", "age_over_21"], type: String = licence) -> ItemsRequest {
    ItemsRequest(
      documentType: type,
      nameSpaces: [
        ItemsRequest.NameSpace(
          nameSpace, elements.map { ItemsRequest.Element($0, intentToRetain: $0 == "given_name") })
      ])
  }

  func encryptionInfo() -> EncryptionInfo {
    EncryptionInfo(nonce: [UInt8](repeating: 9, count: 16), recipientPublicKey: recipientKey.publicKey)
  }

  func transcript(origin: String = origin) -> SessionTranscript { encryptionInfo().sessionTranscript(origin: origin) }

  /// A request as the website's server writes it, for the browser to pass on.
  func requestData(
    _ items: ItemsRequest = items(), signedBy chains: [[Certificate]], for origin: String = origin
  ) throws -> Data {
    let readers = try chains.map { chain in
      DeviceRequestDraft.Reader(signer: websiteKey, chain: try chain.map { try $0.derEncoded() })
    }
    let request = try DeviceRequestDraft(documents: [items])
      .encoded(signedFor: readers, over: transcript(origin: origin))
    return Data(RequestData(deviceRequest: Base64URL.encode(request), encryptionInfo: encryptionInfo().text).json)
  }

  private struct DrawnRandomness: DocumentDraft.Randomness {
    var generator: SeededGenerator
    mutating func bytes(_ count: Int) -> [UInt8] { generator.bytes(count) }
    mutating func permutation(_ count: Int) -> [Int] { (0..<count).shuffled(using: &generator) }
  }
}
