import CrossCheckTrait
import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import Primitives

@Suite("Encryption certificates of merchant identifiers", .crossChecked)
struct MerchantCertificateTests {
  private let start = DateTime(secondsSince1970: 1_757_955_600)

  private func portal(_ key: UInt8 = 1) throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(commonName: "Portal Root"), contact: "https://portal.example",
      terms: terms(key), signer: fixedKey(key))
  }

  private func terms(_ serial: UInt8) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: start, until: start.adding(days: 10), serialNumber: [UInt8](repeating: serial, count: 16))
  }

  private func request() throws -> [UInt8] {
    try MerchantCertificateRequest.make(merchantIdentifier: "merchant.example.rides", signer: fixedKey(2))
  }

  private func refusal(_ der: [UInt8]) -> String? {
    do throws(MerchantCertificateRequest.Refusal) {
      _ = try MerchantCertificateRequest(der)
      return nil
    } catch {
      return error.name
    }
  }

  @Test("A certificate names the merchant, the team and the organization, and has the requested key")
  func roundTrip() throws {
    let portal = try portal()
    let issued = try portal.merchant(
      MerchantCertificateRequest(try request()), organization: "Rides", teamIdentifier: "RIDES12345", terms: terms(3))
    let certificate = try #require(MerchantCertificate(try issued.derEncoded()))
    #expect(certificate.merchantIdentifier == "merchant.example.rides")
    #expect(certificate.teamIdentifier == "RIDES12345" && certificate.organization == "Rides")
    #expect(certificate.encryptionKey.x963Representation == (try fixedKey(2)).publicKey.x963Representation)
    #expect(try certificate.isIssued(by: portal.root))
    #expect(!certificate.isIssued(by: try self.portal(4).root))
  }

  @Test("Refuses a request that is malformed, or signed with another key")
  func refusals() throws {
    let right = try request()
    #expect(refusal(right) == nil)
    #expect(refusal([]) == "portal.request/malformed")
    #expect(refusal(right + [0]) == "portal.request/malformed")
    #expect(refusal(right.dropLast() + [right[right.count - 1] ^ 1]) == "portal.request/signature")
  }

  @Test("Does not read another certificate, or malformed bytes")
  func otherCertificates() throws {
    #expect(MerchantCertificate([]) == nil)
    #expect(MerchantCertificate(try portal().root.derEncoded()) == nil)
  }
}
