import COSE
import Crypto
import TestSupport
import Testing

@Suite("HMAC with SHA-256")
struct MessageCodeTests {
  /// Test cases 1 to 4, 6 and 7 of RFC 4231, section 4. The last two have keys longer than a block.
  private static let cases: [(key: [UInt8], message: [UInt8], code: String)] = [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](1...25), [UInt8](repeating: 0xcd, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  @Test("Gives the codes of RFC 4231")
  func knownAnswers() {
    for (key, message, code) in Self.cases { #expect(SHA256.messageCode(of: message, key: key) == Hex.bytes(code)) }
  }

  @Test("A key gives each of several messages its code")
  func severalMessages() {
    let key = MessageCodeKey(Self.cases[0].key)
    let codes = [[1], [2], [1]].map { key.code(of: $0) }
    #expect(codes == [[1], [2], [1]].map { SHA256.messageCode(of: $0, key: Self.cases[0].key) })
    #expect(codes[0] == codes[2] && codes[0] != codes[1])
  }

  @Test("Agrees with the library for keys around the size of a block", arguments: [0, 1, 63, 64, 65, 200])
  func agreesWithLibrary(count: Int) {
    let key = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    for length in [0, 1, 55, 64, 119] {
      let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      let expected = Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
      #expect(SHA256.messageCode(of: message, key: key) == expected)
    }
  }
}
