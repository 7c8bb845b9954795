import COSE
import Certificates
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

/// Reader authorities and the chains that they issued, made once.
struct Readers: Sendable {
  static let made = Result { try Readers() }

  static var shared: Readers { get throws { try made.get() } }

  static let now = DateTime(secondsSince1970: 1_757_955_600)

  let first: CertificateAuthority
  let second: CertificateAuthority
  let key: P256.Signing.PrivateKey
  /// A leaf of the first authority, and one of the second.
  let ofFirst: [Certificate]
  let ofSecond: [Certificate]
  /// A leaf of the first authority that has expired, and one that is not valid yet.
  let expired: [Certificate]
  let future: [Certificate]
  /// A leaf and an intermediate under the first authority.
  let withIntermediate: [Certificate]

  private init() throws {
    func authority(_ name: String, _ number: UInt8) throws -> CertificateAuthority {
      try CertificateAuthority(
        name: CertificateName(commonName: name), contact: "https://\(name).example",
        terms: Self.terms(days: 2000), signer: fixedKey(number))
    }
    let key = try fixedKey(3)
    let first = try authority("first", 1)
    let second = try authority("second", 2)
    func leaf(_ authority: CertificateAuthority, from: Int, until: Int) throws -> [Certificate] {
      [
        try authority.reader(
          name: CertificateName(commonName: "rentals.example"), domain: "rentals.example", brand: nil,
          publicKey: Certificate.PublicKey(key.publicKey),
          terms: CertificateAuthority.Terms(
            from: Self.now.adding(days: from), until: Self.now.adding(days: until),
            serialNumber: [UInt8](repeating: 5, count: 16)))
      ]
    }
    self.key = key
    self.first = first
    self.second = second
    ofFirst = try leaf(first, from: -10, until: 10)
    ofSecond = try leaf(second, from: -10, until: 10)
    expired = try leaf(first, from: -10, until: -1)
    future = try leaf(first, from: 1, until: 10)

    let middle = try CertificateAuthority(
      name: CertificateName(commonName: "middle"), contact: "https://middle.example",
      terms: Self.terms(days: 1000), signer: fixedKey(4))
    let intermediate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: middle.root.publicKey,
      notValidBefore: middle.root.notValidBefore, notValidAfter: middle.root.notValidAfter,
      issuer: first.root.subject, subject: middle.root.subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        AuthorityKeyIdentifier(keyIdentifier: ArraySlice(first.keyIdentifier))
        SubjectKeyIdentifier(keyIdentifier: ArraySlice(middle.keyIdentifier))
      }, issuerPrivateKey: Certificate.PrivateKey(fixedKey(1)))
    withIntermediate = try leaf(middle, from: -10, until: 10) + [intermediate]
  }

  static func terms(days: Int) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: now.adding(days: -days / 2), until: now.adding(days: days / 2),
      serialNumber: [UInt8](repeating: 6, count: 16))
  }

  func reader(_ chain: [Certificate]) throws -> DeviceRequestDraft.Reader {
    DeviceRequestDraft.Reader(signer: key, chain: try chain.map { try $0.derEncoded() })
  }
}

/// Types of documents in these tests.
enum DocumentType {
  static let licence = "org.iso.18013.5.1.mDL"
  static let photo = "org.iso.23220.photoid.1"
}

typealias Request = ISO18013MobileDocumentRequest

extension Request {
  /// A request for documents, by default with a use case of one set for each.
  static func asking(
    _ useCases: [(sets: [[DocumentRequest]], isMandatory: Bool)], signedBy chains: [[Certificate]] = []
  ) -> Request {
    Request(
      presentmentRequests: useCases.map { useCase in
        PresentmentRequest(
          documentRequestSets: useCase.sets.map(DocumentRequestSet.init(requests:)), isMandatory: useCase.isMandatory)
      },
      requestAuthentications: chains.map(RequestAuthentication.init(authenticationCertificateChain:)))
  }

  static func document(_ type: String, issuers: [Data] = []) -> DocumentRequest {
    DocumentRequest(
      documentType: type, namespaces: ["org.iso.18013.5.1": ["portrait": ElementInfo(isRetaining: false)]],
      issuerKeyIdentifiers: issuers)
  }
}

/// An app with registrations.
func app(
  named name: String = "Wallet", isAuthorized: Bool = true,
  entitled: [String] = [DocumentType.licence, DocumentType.photo],
  _ registrations: [MobileDocumentRegistration]
) -> InstalledApp {
  InstalledApp(
    name: name, isAuthorized: isAuthorized, entitledDocumentTypes: entitled, registrations: registrations)
}

/// A registration of a document.
func registration(
  _ type: String = DocumentType.licence, issuers: [Data] = [], authorities: [[UInt8]] = [], identifier: String = "1",
  until: DateTime? = nil
) -> MobileDocumentRegistration {
  MobileDocumentRegistration(
    mobileDocumentType: type, supportedIssuerKeyIdentifiers: issuers,
    supportedAuthorityKeyIdentifiers: authorities.map { Data($0) }, documentIdentifier: identifier,
    invalidationDate: until?.date)
}
