import Certificates
import CrossCheckTrait
import Crypto
import Foundation
import Inspection
import MobileDocument
import TestSupport
import Testing

@Suite("Certificates and requests for them", .crossChecked)
struct CertificateTests {
  let sample: Sample

  init() throws { sample = try Sample() }

  @Test("a root of an issuing authority is read from DER")
  func issuingRoot() throws {
    expect(
      try inspected(sample.issuerRoot),
      has: [
        "read as a DER certificate", "certificate", "subject: CN=Spaceport DMV Root", "issuer: CN=Spaceport DMV Root",
        "serial number: ", "valid: 2025-09-14T17:00:00Z to 2035-09-12T17:00:00Z, 3650 days", "key: P-256 h'04",
        "signature algorithm: ecdsa-with-SHA256", "signature verifies with its own key",
        "basic constraints (2.5.29.19, critical): authority, path length 0",
        "key usage (2.5.29.15, critical): keyCertSign, cRLSign", "subject key identifier (2.5.29.14): ",
        "issuer alternative name (2.5.29.18): URI \"https://spaceport-dmv.example\"",
        "profile: IACA root, likely (ISO/IEC 18013-5 annex B)", "passed certificate.profile/version",
        "passed certificate.profile/issuer-alternative-name",
      ])
  }

  @Test("a root without a country is treated as a reader authority's")
  func readerRoot() throws {
    expect(try inspected(sample.readerRoot), has: ["profile: reader root, likely"])
  }

  @Test("the encryption certificate of an app's server and its request name the merchant identifier")
  func merchant() throws {
    let key = try fixedKey(7)
    let request = try MerchantCertificateRequest.make(merchantIdentifier: "merchant.example.rides", signer: key)
    expect(
      try inspected(request),
      has: ["well-formed request for the encryption certificate of the merchant identifier \"merchant.example.rides\""])
    let now = Sample.now
    let terms = CertificateAuthority.Terms(
      from: now, until: now.adding(days: 10), serialNumber: [UInt8](repeating: 1, count: 16))
    let portal = try CertificateAuthority(
      name: CertificateName(commonName: "Portal"), contact: "https://portal.example",
      terms: terms, signer: key)
    let certificate = try portal.merchant(
      MerchantCertificateRequest(request), organization: "Rides", teamIdentifier: "RIDES12345", terms: terms)
    expect(
      try inspected(certificate.derEncoded()),
      has: [
        "profile: encryption certificate of the merchant identifier \"merchant.example.rides\", team \"RIDES12345\""
      ])
  }

  @Test("the certificates of a PEM file are checked against each other")
  func chainInPEM() throws {
    let text = pem("CERTIFICATE", sample.signerCertificate) + pem("CERTIFICATE", sample.issuerRoot)
    expect(
      try inspected(file(text)),
      has: [
        "read as PEM: 2 blocks", "CERTIFICATE: ", "signature verifies with the key of the next certificate",
        "extended key usage (2.5.29.37, critical): mDL document signer (1.0.18013.5.1.2)",
        "authority key identifier (2.5.29.35): ",
        "profile: document signer, likely", "CERTIFICATE: ", "signature verifies with its own key",
      ])
  }

  @Test("a single certificate is not checked against its issuer")
  func readerAlone() throws {
    expect(
      try inspected(file(pem("CERTIFICATE", sample.readerCertificate))),
      has: ["signature not checked: the issuer's certificate is missing", "profile: reader, likely"])
  }

  @Test("a broken rule of a certificate is reported with its outcome")
  func brokenRules() throws {
    // A root in place of a reader's certificate, valid for twice the maximum time.
    let key = P256.Signing.PrivateKey()
    let root = try CertificateAuthority(
      name: CertificateName(commonName: "Long Root"), contact: "https://a.example",
      terms: CertificateAuthority.Terms(
        from: Sample.now, until: Sample.now.adding(days: 15_000), serialNumber: [1, 2, 3]),
      signer: key)
    let lines = try inspected(try root.root.derEncoded())
    expect(
      lines,
      has: [
        "deviates reader.certificate.profile/serial-number: ",
        "deviates reader.certificate.profile/validity-period: ",
      ])
    let request = try DeviceRequestDraft(
      documents: [ItemsRequest(documentType: "a", nameSpaces: [.init("b", [.init("c", intentToRetain: false)])])]
    ).encoded(
      signedFor: [DeviceRequestDraft.Reader(signer: key, chain: [sample.signerCertificate])], over: sample.transcript)
    let unlike = try inspected(request)
    expect(unlike, has: ["profile: document signer, likely"])
  }

  @Test("a certificate request is read from PEM, DER and base64")
  func certificateRequest() throws {
    let wanted = [
      "certificate request (PKCS#10)", "subject: CN=spaceship-rentals.example,O=Spaceship Rentals", "key: P-256 h'04",
      "signature verifies with the key that it contains",
      "subject alternative name (2.5.29.17): DNS \"spaceship-rentals.example\"",
      "well-formed reader certificate request for \"spaceship-rentals.example\"",
    ]
    let der = sample.certificateRequest
    expect(try inspected(der), has: ["read as a DER certificate request"] + wanted)
    expect(try inspected(file(pem("CERTIFICATE REQUEST", der))), has: ["CERTIFICATE REQUEST: "] + wanted)
    expect(try inspected(file(Data(der).base64EncodedString())), has: ["read as base64"] + wanted)
  }

  @Test("a public key is printed")
  func publicKey() throws {
    let key = P256.Signing.PrivateKey().publicKey
    expect(try inspected(file(key.pemRepresentation)), has: ["PUBLIC KEY: 91 bytes", "public key: P-256 h'04"])
    expect(try inspected([UInt8](key.derRepresentation)), has: ["read as a DER public key", "public key: P-256 h'04"])
  }
}
