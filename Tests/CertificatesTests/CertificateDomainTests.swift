import Certificates
import Testing

@Suite("Domain names of certificates")
struct CertificateDomainTests {
  @Test(
    "Identify a host",
    arguments: [
      ("rent.example", "rent.example"), ("Rent.Example", "rent.example"), ("rent.example", "RENT.EXAMPLE"),
      ("rent.example", "rent.example."), ("*.example.com", "rent.example.com"),
      ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("*.example.com", "xn--bcher-kva.example.com"), ("localhost", "localhost"),
    ])
  func identified(name: String, host: String) throws {
    #expect(try #require(CertificateDomain(name)).identifies(host))
  }

  @Test(
    "Do not identify another host",
    arguments: [
      ("rent.example", "phish.example"), ("rent.example", "www.rent.example"), ("www.rent.example", "rent.example"),
      ("rent.example", "evilrent.example"), ("rent.example", "rent.example.phish.example"), ("rent.example", "example"),
      ("*.example.com", "example.com"), ("*.example.com", "a.b.example.com"), ("*.example.com", ".example.com"),
      ("rent.example", "rent.example.."), ("rent.example", ""), ("rent.example", "[::1]"),
      ("xn--bcher-kva.example", "bucher.example"), ("rent.example", "xn--rnt-tna.example"),
    ])
  func others(name: String, host: String) throws {
    #expect(!(try #require(CertificateDomain(name)).identifies(host)))
  }

  @Test(
    "Are refused in other forms",
    arguments: [
      "", "*", "*.com", "a.*.example.com", "r*.example.com", "*rent.example.com", "**.example.com", "127.0.0.1", "1",
      "rent..example", ".rent.example", "rent.example.", "-rent.example", "rent-.example", "rent example",
      "bücher.example",
      "https://rent.example", "rent.example:443", String(repeating: "a", count: 64) + ".example",
      String(repeating: "a.", count: 127) + "example",
    ])
  func malformed(name: String) { #expect(CertificateDomain(name) == nil) }
}
