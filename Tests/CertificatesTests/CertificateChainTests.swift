import Certificates
import DocumentFixtures
import Testing
import X509

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

  @Test("takes a known certificate for its own encoding only")
  func known() throws {
    let port = try Spaceport.shared
    let chain = try [port.reader, port.readers.root].map { try $0.derEncoded() }
    for known in [
      [], [port.reader], [try port.otherReaders.root, try port.readers.root], [try port.readers.root, port.reader],
    ] {
      #expect(try CertificateChain.read(chain, known: memory(of: known)) == [port.reader, port.readers.root])
    }
    var altered = chain[0]
    altered[altered.count - 1] ^= 1
    #expect(try CertificateChain.read([altered], known: memory(of: [port.reader])) != [port.reader])
  }

  private func memory(of certificates: [Certificate]) throws -> CertificateMemory {
    var memory = CertificateMemory()
    _ = try memory.read(certificates.map { try $0.derEncoded() })
    return memory
  }

  @Test("A memory yields what reading yields, also for a certificate that it forgot")
  func remembered() throws {
    let port = try Spaceport.shared
    let chain = try [port.reader, port.readers.root].map { try $0.derEncoded() }
    var memory = CertificateMemory()
    for _ in 0..<3 { #expect(try memory.read(chain) == [port.reader, port.readers.root]) }
    var altered = chain[0]
    altered[altered.count - 1] ^= 1
    for bits in UInt8.min..<32 {
      altered[altered.count - 2] = bits
      let read = try memory.read([altered])
      #expect(try read.map { try $0.derEncoded() } == [altered])
    }
    #expect(try memory.read(chain) == [port.reader, port.readers.root])
    #expect(throws: CertificateRuleError.self) { try memory.read([[0x30, 0x00]]) }
  }
}
