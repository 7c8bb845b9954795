import Crypto
import DocumentFixtures
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import Primitives

@Suite("Roots that authorities publish")
struct PublishedRootTests {
  private func root(_ key: UInt8, country: String? = nil) throws -> CertificateAuthority {
    let start = DateTime(secondsSince1970: 1_757_955_600)
    return try CertificateAuthority(
      name: CertificateName(country: country, commonName: "Harbor Root"),
      contact: "https://harbor.example",
      terms: CertificateAuthority.Terms(
        from: start, until: start.adding(days: 10), serialNumber: [UInt8](repeating: 1, count: 16)),
      signer: fixedKey(key))
  }

  private func refusal(_ encoded: [UInt8], of authority: String, _ roots: RootFingerprints) -> CheckFailure<RootCheck>?
  {
    errorOfRefusal(CheckFailure<RootCheck>.self) { _ = try roots.certificate(encoded, of: authority) }
  }

  @Test("A root with the configured fingerprint is read")
  func accepted() throws {
    let encoded = try root(1).encodedRoot
    let roots = RootFingerprints(["harbor": Array(SHA256.hash(data: encoded))])
    #expect(try roots.certificate(encoded, of: "harbor").commonName == "Harbor Root")
    #expect(roots == RootFingerprints(of: ["harbor": encoded]))
  }

  @Test("Another key, another authority, another byte, or no fingerprint at all: the root is refused with its digest")
  func refused() throws {
    let encoded = try root(1).encodedRoot
    let roots = RootFingerprints(of: ["harbor": encoded, "pier": try root(2).encodedRoot])
    for (certificate, authority) in [
      (try root(3).encodedRoot, "harbor"), (encoded, "pier"), (encoded + [0], "harbor"), (encoded, "quay"),
    ] {
      let failure = try #require(refusal(certificate, of: authority, roots))
      #expect(failure.result.name == "root.fingerprint")
      #expect(failure.evidence.first?.found == hexadecimal(Array(SHA256.hash(data: certificate))))
    }
    #expect(refusal(encoded, of: "quay", roots)?.evidence.first?.expected == "none")
  }

  @Test("Bytes other than a certificate are refused even with the fingerprint, without the check's failure")
  func unreadable() {
    let roots = RootFingerprints(of: ["harbor": [0x30, 0x00]])
    #expect { try roots.certificate([0x30, 0x00], of: "harbor") } throws: { !($0 is CheckFailure<RootCheck>) }
  }
}
