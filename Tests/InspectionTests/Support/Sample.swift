import CBOR
import COSE
import Certificates
import Crypto
import Foundation
import MobileDocument
import Primitives
import WebPresentment
import X509

/// Artifacts of one exchange, made with random keys through the libraries' public interface.
struct Sample {
  static let drivingLicence = "org.iso.18013.5.1"
  static let origin = "https://spaceship-rentals.example"
  static let now = DateTime(secondsSince1970: 1_757_955_600)

  let issuerRoot: [UInt8]
  let signerCertificate: [UInt8]
  let readerRoot: [UInt8]
  let readerCertificate: [UInt8]
  let certificateRequest: [UInt8]
  let encryptionInfo: EncryptionInfo
  let transcript: SessionTranscript
  let deviceRequest: [UInt8]
  let issuerSigned: [UInt8]
  let deviceResponse: [UInt8]
  let encryptedResponse: [UInt8]
  let recipientKey: P256.KeyAgreement.PrivateKey

  private struct SystemRandomness: DocumentDraft.Randomness {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }
    mutating func permutation(_ count: Int) -> [Int] { Array(0..<count).shuffled() }
  }

  private static func terms(days: Int) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: now.adding(days: -1), until: now.adding(days: days - 1),
      serialNumber: (0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  private static func reader(
    of authority: CertificateAuthority, brand: String
  ) throws -> (certificate: [UInt8], reader: DeviceRequestDraft.Reader) {
    let key = P256.Signing.PrivateKey()
    let logotype = try Logotype(Array(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.utf8))
    let certificate = try authority.reader(
      name: CertificateName(organization: "Spaceship Rentals", commonName: "spaceship-rentals.example"),
      domain: "spaceship-rentals.example",
      brand: BrandIdentity(name: brand, icon: "spaceship.svg", logotype: logotype),
      publicKey: Certificate.PublicKey(key.publicKey), terms: terms(days: 398)
    ).derEncoded()
    return (certificate, DeviceRequestDraft.Reader(signer: key, chain: [certificate]))
  }

  private static func readerAuthority(_ name: String) throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(organization: name, commonName: "\(name) Reader Root"),
      contact: "https://reader.example", terms: terms(days: 3650), signer: P256.Signing.PrivateKey())
  }

  init() throws {
    let issuer = try CertificateAuthority(
      name: CertificateName(country: "US", state: "US-CA", commonName: "Spaceport DMV Root"),
      contact: "https://spaceport-dmv.example", terms: Self.terms(days: 3650), signer: P256.Signing.PrivateKey())
    issuerRoot = try issuer.root.derEncoded()
    let signerKey = P256.Signing.PrivateKey()
    signerCertificate = try issuer.documentSigner(
      name: CertificateName(country: "US", state: "US-CA", commonName: "Spaceport DMV Document Signer"),
      publicKey: Certificate.PublicKey(signerKey.publicKey), contact: "https://spaceport-dmv.example",
      revocationList: "https://spaceport-dmv.example/crl", terms: Self.terms(days: 457)
    ).derEncoded()

    let firstAuthority = try Self.readerAuthority("Apple Business Connect")
    let first = try Self.reader(of: firstAuthority, brand: "Spaceship Rentals")
    let second = try Self.reader(of: try Self.readerAuthority("Local Driving Authority"), brand: "Rentals\u{1b}[31m")
    readerRoot = try firstAuthority.root.derEncoded()
    readerCertificate = first.certificate
    certificateRequest = try ReaderCertificateRequest.make(
      organization: "Spaceship Rentals", domain: "spaceship-rentals.example", signer: P256.Signing.PrivateKey())

    recipientKey = P256.KeyAgreement.PrivateKey()
    encryptionInfo = EncryptionInfo(
      nonce: [UInt8](repeating: 7, count: 32), recipientPublicKey: recipientKey.publicKey)
    transcript = encryptionInfo.sessionTranscript(origin: Self.origin)
    let asked = ItemsRequest(
      documentType: DocumentType.drivingLicence,
      nameSpaces: [
        ItemsRequest.NameSpace(
          Self.drivingLicence,
          [
            ItemsRequest.Element("given_name", intentToRetain: true),
            ItemsRequest.Element("age_over_21", intentToRetain: false),
          ])
      ], issuerIdentifiers: [issuer.keyIdentifier])
    deviceRequest = try DeviceRequestDraft(documents: [asked]).encoded(
      signedFor: [first.reader, second.reader], over: transcript)

    let deviceKey = P256.Signing.PrivateKey()
    let draft = DocumentDraft(
      documentType: DocumentType.drivingLicence,
      nameSpaces: [
        DocumentDraft.NameSpace(
          Self.drivingLicence,
          [
            DocumentDraft.Element("given_name", .text("Kelly")),
            DocumentDraft.Element("birth_date", .tagged(1004, .text("1990-01-31"))),
            DocumentDraft.Element("age_over_21", .boolean(true)),
            DocumentDraft.Element("portrait", .bytes([0xff, 0xd8, 0xff] + [UInt8](repeating: 1, count: 200))),
          ])
      ],
      deviceKey: COSEKey(deviceKey.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: Self.now, validFrom: Self.now, validUntil: Self.now.adding(days: 365)))
    var randomness = SystemRandomness()
    issuerSigned = try draft.issued(by: signerKey, chain: [signerCertificate], randomness: &randomness)
    let held = try HeldDocument(issued: issuerSigned, deviceKey: COSEKey(deviceKey.publicKey))
    let document = try held.presented(held.nameSpaces, over: transcript, signedWith: deviceKey)
    deviceResponse = DeviceResponseWriter.encoded(documents: [document], missing: ["org.iso.23220.photoid.1"])
    encryptedResponse = try EncryptedResponse(
      sealing: deviceResponse, to: recipientKey.publicKey, transcript: transcript,
      ephemeralKey: P256.KeyAgreement.PrivateKey()
    ).encoded
  }

  /// `data` of the request.
  var requestData: [UInt8] {
    RequestData(deviceRequest: Base64URL.encode(deviceRequest), encryptionInfo: encryptionInfo.text).json
  }
}

/// Returns text as the bytes of a file.
func file(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Lines of 64 characters between BEGIN and END.
func pem(_ label: String, _ der: [UInt8]) -> String {
  let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
  return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
}
