import CBOR
import COSE
import Certificates
import Checks
import Crypto
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import WebPresentment
import X509

@testable import Faults

/// An issuing authority, an app and a site, with keys that are the same in every run.
struct Parties {
  let moment: DateTime
  let authority: CertificateAuthority
  let issuer: FaultyIssuer
  let deviceKey: P256.Signing.PrivateKey
  let origin = "https://rentals.example"
  let recipientKey: P256.KeyAgreement.PrivateKey
  let information: EncryptionInfo

  static let documentType = "org.iso.18013.5.1.mDL"
  static let nameSpace = "org.iso.18013.5.1"

  /// The request of the site.
  let request: ItemsRequest

  init(asking identifiers: [String] = ["family_name", "given_name"]) throws {
    try self.init(
      requesting: ItemsRequest(
        documentType: Self.documentType,
        nameSpaces: [
          ItemsRequest.NameSpace(
            Self.nameSpace, identifiers.map { ItemsRequest.Element($0, intentToRetain: false) })
        ]))
  }

  init(requesting request: ItemsRequest) throws {
    self.request = request
    // 2025-09-15T17:00:00Z.
    let moment = DateTime(secondsSince1970: 1_757_955_600)
    let contact = "https://spaceport.example"
    func root(_ number: UInt8) throws -> CertificateAuthority {
      try CertificateAuthority(
        name: CertificateName(country: "US", state: "US-CA", commonName: "Spaceport"),
        contact: contact,
        terms: CertificateAuthority.Terms(
          from: moment.adding(days: -30), until: moment.adding(days: 3000),
          serialNumber: [UInt8](repeating: number, count: 16)),
        signer: fixedKey(number))
    }
    let name = CertificateName(country: "US", state: "US-CA", commonName: "Spaceport Document Signer")
    let signer = try fixedKey(3)
    let authority = try root(1)
    let certificate = try authority.documentSigner(
      name: name, publicKey: Certificate.PublicKey(signer.publicKey), contact: contact,
      revocationList: "\(contact)/crl",
      terms: CertificateAuthority.Terms(
        from: moment.adding(days: -20), until: moment.adding(days: 400),
        serialNumber: [UInt8](repeating: 4, count: 16)))
    issuer = FaultyIssuer(
      authority: authority, otherAuthority: try root(2), signer: signer, certificate: try certificate.derEncoded(),
      name: name, contact: contact, moment: moment, serialNumber: [UInt8](repeating: 5, count: 16))
    self.authority = authority
    self.moment = moment
    deviceKey = try fixedKey(6)
    recipientKey = try fixedAgreementKey(7)
    information = EncryptionInfo(nonce: Array(0..<32), recipientPublicKey: recipientKey.publicKey)
  }

  private static func value(of element: String) -> CBORValue {
    switch element {
    case "issuing_country": .text("US")
    case "birth_date", "issue_date": .tagged(1004, .text("1990-07-14"))
    case let age where AgeOver.age(in: age) != nil: .boolean(true)
    default: .text("Kelly")
    }
  }

  /// A document with these elements and a fault.
  func document(
    _ change: DocumentChange?, elements: [String] = ["family_name", "given_name", "document_number"],
    randomness: CountedRandomness = CountedRandomness()
  ) throws -> UncheckedDocument {
    try document(
      change,
      nameSpaces: [
        DocumentDraft.NameSpace(Self.nameSpace, elements.map { DocumentDraft.Element($0, Self.value(of: $0)) })
      ], randomness: randomness)
  }

  /// A document with these name spaces and a fault.
  func document(
    _ change: DocumentChange?, of documentType: String = documentType, nameSpaces: [DocumentDraft.NameSpace],
    randomness: CountedRandomness = CountedRandomness()
  ) throws -> UncheckedDocument {
    let draft = DocumentDraft(
      documentType: documentType, nameSpaces: nameSpaces, deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(signed: moment, validFrom: moment, validUntil: moment.adding(days: 365)))
    var randomness = randomness
    let issued =
      if let change {
        try issuer.issued(draft, with: change, randomness: &randomness)
      } else {
        try draft.issued(by: issuer.signer, chain: [issuer.certificate], randomness: &randomness)
      }
    return try UncheckedDocument(
      issued: issued, documentType: change?.presentedType(of: documentType) ?? documentType)
  }

  /// The sealed answer to a request for the document.
  func answer(_ change: ResponseChange?, with document: UncheckedDocument) throws -> [UInt8] {
    // The request names no issuer, so only the choosing app can return another issuer's document.
    let asked = ItemsRequest(documentType: document.documentType, nameSpaces: request.nameSpaces)
    // In another order and with other salts, the elements have other digests.
    let other = FaultyResponse.OtherDocument(
      try self.document(nil, elements: ["given_name", "family_name"], randomness: CountedRandomness(next: 100)),
      key: deviceKey)
    return try FaultyResponse(
      change, to: asked, with: document, deviceKey: deviceKey, anotherKey: try fixedKey(8), other: other
    ).encoded(
      for: information, origin: origin, ephemeralKey: try fixedAgreementKey(9),
      otherKey: try fixedAgreementKey(10).publicKey)
  }

  /// The verdict of the site on a response.
  func verdict(_ answer: [UInt8]) async throws -> (checks: [CheckResult], isVerified: Bool) {
    let session = VerifierSession(
      identifier: "1", origin: origin,
      requests: [
        .annexC(
          AnnexCSession(documents: [request], encryptionInfoText: information.text, recipientKey: recipientKey))
      ], expires: moment.adding(seconds: 60))
    let context = VerificationContext(
      trustedIssuers: TrustedCertificates([try authority.root], for: .documentSigner), revocation: .none)
    let verdict = await context.verdict(
      on: SubmittedAnswer(
        protocol: RequestData.protocolIdentifier, data: Array(#"{"response":"\#(Base64URL.encode(answer))"}"#.utf8)),
      to: session, now: { moment }, markUsed: { _ in true }, fetch: { _ in .unreachable("not asked") })
    return (verdict.checks, verdict.isVerified)
  }
}

/// Consecutive bytes, so that each salt is unique.
struct CountedRandomness: DocumentDraft.Randomness {
  var next: UInt8 = 0

  mutating func bytes(_ count: Int) -> [UInt8] {
    next += 1
    return [UInt8](repeating: next, count: count)
  }

  mutating func permutation(_ count: Int) -> [Int] { Array(0..<count) }
}

extension Fault {
  /// The change that the fault makes to documents; nil for a fault of another kind.
  var documentChange: DocumentChange? { if case .document(let change) = effect { change } else { nil } }

  /// The change that the fault makes to SD-JWT credentials; nil for a fault of another kind.
  var credentialChange: CredentialChange? { if case .credential(let change) = effect { change } else { nil } }

  /// The change that the fault makes to responses; nil for a fault of another kind.
  var responseChange: ResponseChange? { if case .response(let change) = effect { change } else { nil } }
}
