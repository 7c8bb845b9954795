import CrossCheckTrait
import Crypto
import DocumentFixtures
import Primitives
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates

@Suite("The writing of certificates", .crossChecked)
struct CertificateWritingTests {
  private static let name = CertificateName(country: "US", organization: "Rentals", commonName: "rentals.example")

  @Test("A certificate has the bytes that the library writes", arguments: [0, 60, 127, 128, 255, 256, 700])
  func content(_ valueCount: Int) throws {
    let authority = try CertificateAuthority(
      name: Self.name, contact: "https://authority.example",
      terms: Self.terms(from: 0, serial: 1), signer: fixedKey(21))
    let extensions = try Certificate.Extensions([
      Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
      Certificate.Extension(oid: [1, 2, 3, 4], critical: false, value: [UInt8](repeating: 7, count: valueCount)[...]),
    ])
    let ends = [-631_152_001, -631_152_000, 0, 1_757_955_600, 2_524_607_999, 2_524_608_000].map(Int64.init)
    let keys = [
      Certificate.PublicKey(try fixedKey(14).publicKey), Certificate.PublicKey(P384.Signing.PrivateKey().publicKey),
      Certificate.PublicKey(Curve25519.Signing.PrivateKey().publicKey),
    ]
    for from in ends {
      for key in keys {
        let terms = Self.terms(from: from, serial: UInt8(truncatingIfNeeded: valueCount))
        let written = try authority.issue(name: Self.name, publicKey: key, terms: terms, extensions: extensions)
        let expected = try Certificate(
          version: .v3, serialNumber: terms.serial, publicKey: key, notValidBefore: terms.from.date,
          notValidAfter: terms.until.date, issuer: authority.root.subject, subject: Self.name.distinguishedName(),
          signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
          issuerPrivateKey: Certificate.PrivateKey(fixedKey(21)))
        #expect(written.tbsCertificateBytes == expected.tbsCertificateBytes)
        #expect(try authority.root.publicKey.isValidSignature(written.signature, for: written))
        let der = try written.derEncoded()
        #expect(try Certificate(derEncoded: der) == written && Certificate.hasWholeSignature(der))
      }
    }
  }

  @Test("A number is written in its shortest form", arguments: [[], [0], [0, 0], [0, 1], [0x7f], [0x80], [1, 0]])
  func numbers(_ octets: [UInt8]) throws {
    let expected = octets.reduce(0) { $0 << 8 | Int($1) }
    #expect(try Int(derEncoded: encodedInteger(octets[...])) == expected)
  }

  private static func terms(from: Int64, serial: UInt8) -> CertificateAuthority.Terms {
    let start = DateTime(secondsSince1970: from)
    return CertificateAuthority.Terms(
      from: start, until: start.adding(days: 400), serialNumber: [UInt8](repeating: serial, count: 16))
  }
}
