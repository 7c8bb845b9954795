import COSE
import CrossCheckTrait
import Crypto
import DocumentFixtures
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Reader certificate requests", .crossChecked)
struct ReaderCertificateRequestTests {
  private static let domain = "rentals.example"

  private func refusal(_ der: [UInt8]) -> ReaderCertificateRequest.Refusal? {
    do throws(ReaderCertificateRequest.Refusal) {
      _ = try ReaderCertificateRequest(der)
      return nil
    } catch {
      return error
    }
  }

  private func request(names: [GeneralName]?, organization: String? = "Rentals") throws -> [UInt8] {
    var attributes: [CertificateSigningRequest.Attribute] = []
    if let names {
      let extensions = try Certificate.Extensions { SubjectAlternativeNames(names) }
      attributes.append(try CertificateSigningRequest.Attribute(ExtensionRequest(extensions: extensions)))
    }
    let request = try CertificateSigningRequest(
      version: .v1, subject: CertificateName(organization: organization, commonName: Self.domain).distinguishedName(),
      privateKey: Certificate.PrivateKey(fixedKey(14)), attributes: CertificateSigningRequest.Attributes(attributes),
      signatureAlgorithm: .ecdsaWithSHA256)
    var serializer = DER.Serializer()
    try serializer.serialize(request)
    return serializer.serializedBytes
  }

  @Test("a request is read with its key, domain and organization")
  func roundTrip() throws {
    let der = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    let request = try ReaderCertificateRequest(der)
    #expect(request.encoded == der && request.domain == Self.domain && request.organization == "Rentals")
    #expect(request.publicKey == Certificate.PublicKey(try fixedKey(14).publicKey))
    #expect(request.key.identifier == SubjectKeyIdentifier(hash: request.publicKey))
  }

  @Test("an organization may be missing, exactly one domain may not")
  func domains() throws {
    let domain = GeneralName.dnsName(Self.domain)
    #expect(try ReaderCertificateRequest(request(names: [domain], organization: nil)).organization == nil)
    let refused: [[GeneralName]?] = [
      nil, [], [domain, .dnsName("other.example")], [domain, domain], [.rfc822Name("a@rentals.example")],
      [.uniformResourceIdentifier("https://rentals.example")],
    ]
    for names in refused { #expect(refusal(try request(names: names))?.reason == .malformed) }
  }

  @Test("a request that is not signed with its own key is refused")
  func signature() throws {
    var der = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    let name = Array("Rentals".utf8)
    let start = try #require(der.indices.first { der[$0...].starts(with: name) })
    der[start] = UInt8(ascii: "D")
    #expect(refusal(der)?.reason == .signature)
  }

  @Test("damaged requests are refused")
  func damage() throws {
    let whole = try ReaderCertificateRequest.make(organization: "Rentals", domain: Self.domain, signer: fixedKey(14))
    for bytes in Damage.sample(of: whole, seed: 15) {
      #expect([.malformed, .signature].contains(refusal(bytes)?.reason))
    }
    #expect(refusal([UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1))?.reason == .malformed)
  }
}

@Suite("Brand identity")
struct BrandIdentityTests {
  static func certificate(_ change: (inout Certificate.Extensions) throws -> Void) throws -> Certificate {
    let key = Certificate.PrivateKey(try fixedKey(16))
    let name = try CertificateName(commonName: "rentals.example").distinguishedName()
    var extensions = Certificate.Extensions()
    try change(&extensions)
    let now = try Spaceport.shared.now
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: now.date,
      notValidAfter: now.adding(days: 1).date, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: extensions, issuerPrivateKey: key)
  }

  @Test(
    "a brand identity is part of a reader certificate", arguments: ["Spaceship Rentals", "Ünïcödé 🚀", ""],
    [nil, .svg, .png] as [Logotype.Format?])
  func roundTrip(name: String, picture: Logotype.Format?) throws {
    let port = try Spaceport.shared
    let logotype = try picture.map { try Logotype(LogotypeTests.image($0)) }
    let brand = BrandIdentity(name: name, icon: "spaceship.svg", logotype: logotype)
    let made = try Spaceport.reader(
      of: port.readers, key: port.readerKey, brand: brand, terms: Spaceport.terms(port.now, days: 9))
    let read = try Certificate(derEncoded: made.derEncoded())
    #expect(BrandIdentity(in: read) == brand)
    #expect(try CertificateProfile.reader.check(read, issuer: port.readers.root).allSatisfy { $0.status == .passed })
  }

  @Test("a certificate without a brand gives nil")
  func absent() throws {
    #expect(BrandIdentity(in: try Spaceport.shared.reader) == nil)
  }

  @Test("an unreadable brand identity gives nil")
  func malformed() throws {
    let good = Hex.bytes("30060c01410c0142")
    let values = [
      [], [0x30], [0x30, 0x00], Hex.bytes("0c0141"), Hex.bytes("30030c0141"), Hex.bytes("30090c01410c01420c0143"),
      Hex.bytes("300613014113 0142"), Hex.bytes("30060c01ff0c0142"), good + [0], Hex.bytes("30800c01410c01420000"),
    ]
    let whole = try Self.certificate {
      try $0.append(Certificate.Extension(oid: BrandIdentity.identifier, critical: false, value: ArraySlice(good)))
    }
    #expect(BrandIdentity(in: whole) == BrandIdentity(name: "A", icon: "B"))
    for value in values {
      let damaged = try Self.certificate {
        try $0.append(Certificate.Extension(oid: BrandIdentity.identifier, critical: false, value: ArraySlice(value)))
      }
      #expect(BrandIdentity(in: damaged) == nil, "\(hexadecimal(value))")
    }
  }

  @Test("a brand identity longer than a line of a consent sheet gives nil")
  func tooLong() throws {
    let longest = String(repeating: "a", count: BrandIdentity.maximumLength)
    for (brand, isRead) in [
      (BrandIdentity(name: longest, icon: longest), true), (BrandIdentity(name: longest + "a", icon: "b"), false),
      (BrandIdentity(name: "a", icon: longest + "a"), false),
    ] {
      let read = BrandIdentity(in: try Self.certificate { try $0.append(brand.certificateExtension()) })
      #expect((read == brand) == isRead && (read == nil) != isRead)
    }
  }
}
