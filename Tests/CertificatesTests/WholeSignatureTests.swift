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

@Suite("Signatures with unused bits")
struct WholeSignatureTests {
  /// A signed structure, with the last bit of its signature declared unused. Signatures are random, and half of them
  /// end in a zero bit.
  private func withUnusedBit(_ sign: () throws -> [UInt8]) throws -> (whole: [UInt8], altered: [UInt8]) {
    for _ in 0..<64 {
      let der = try sign()
      guard let last = der.last, last & 1 == 0 else { continue }
      // The signature is the last element: tag, length, unused bits.
      let start = try #require(
        der.indices.dropLast(2).last { der[$0] == 0x03 && Int(der[$0 + 1]) == der.count - $0 - 2 && der[$0 + 2] == 0 })
      var altered = der
      altered[start + 2] = 1
      return (der, altered)
    }
    throw NoneFound()
  }

  private struct NoneFound: Error {}

  @Test("a certificate with such a signature is refused, although the library reads it")
  func certificate() throws {
    let port = try Spaceport.shared
    let (whole, altered) = try withUnusedBit {
      try Spaceport.reader(of: port.readers, key: port.readerKey, terms: Spaceport.terms(port.now, days: 10))
        .derEncoded()
    }
    #expect(try CertificateChain.read([whole]).count == 1)
    let read = try Certificate(derEncoded: altered)
    #expect(try port.readers.root.publicKey.isValidSignature(read.signature, for: read))
    var known = CertificateMemory()
    #expect(throws: CertificateRuleError.self) { try known.read([altered]) }
    #expect(throws: CertificateRuleError.self) { try CertificateChain.read([altered], known: known) }
    #expect(throws: CertificateRuleError.self) { try CertificateChain.readTrusted([altered]) }
  }

  @Test("a certificate request with such a signature is refused")
  func request() throws {
    let (whole, altered) = try withUnusedBit {
      try ReaderCertificateRequest.make(
        organization: "Rentals", domain: "rentals.example", signer: P256.Signing.PrivateKey())
    }
    #expect(throws: Never.self) { try ReaderCertificateRequest(whole) }
    #expect(throws: ReaderCertificateRequest.Refusal(.request, .malformed)) { try ReaderCertificateRequest(altered) }
  }

  @Test("a revocation list with such a signature is refused")
  func list() throws {
    let now = try Spaceport.shared.now
    let (whole, altered) = try withUnusedBit {
      try RevocationListTests.list(revoking: [[1]], from: now, until: now.adding(days: 9))
    }
    #expect(throws: Never.self) { try CertificateRevocationList(derEncoded: whole) }
    #expect(throws: CertificateRuleError.self) { try CertificateRevocationList(derEncoded: altered) }
  }
}
