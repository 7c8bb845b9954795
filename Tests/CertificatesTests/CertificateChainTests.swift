import Certificates
import DocumentFixtures
import Testing

@Suite("Reading a certificate chain")
struct CertificateChainTests {
  private func problem(_ der: [UInt8]) -> CertificateRule? {
    do throws(CertificateRuleError) {
      _ = try CertificateChain.read([der])
      return nil
    } catch {
      return error.rule
    }
  }

  @Test("names the rule that a certificate breaks: malformed, or too large")
  func problems() {
    #expect(problem([0x30, 0x00]) == .readable && problem([]) == .readable)
    #expect(problem([UInt8](repeating: 0x30, count: CertificateLimits.bytes + 1)) == .size)
    #expect(CertificateRule.readable.name == "certificate.encoding/malformed")
    #expect(CertificateRule.size.name == "certificate.encoding/too-large")
    #expect(CertificateRule.keyUsage.name == "certificate.profile/key-usage")
  }

  @Test("accepts a whole certificate")
  func whole() throws {
    let port = try Spaceport.shared
    #expect(problem(try port.reader.derEncoded()) == nil)
  }
}
