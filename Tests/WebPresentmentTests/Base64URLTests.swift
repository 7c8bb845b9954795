import Foundation
import TestSupport
import Testing
import WebPresentment

@Suite("Base64url")
struct Base64URLTests {
  @Test(
    "the test vectors of RFC 4648, without their padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func known(_ plain: String, _ text: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(plain.utf8))
  }

  @Test("both characters that differ from base64")
  func alphabet() {
    #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
    #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
  }

  @Test("agrees with the library's base64 and comes back, for drawn bytes of every short length")
  func roundTrip() {
    var generator = SeededGenerator(seed: 3)
    for length in 0..<200 {
      let bytes = generator.bytes(length)
      let library = Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
      #expect(Base64URL.encode(bytes) == library)
      #expect(Base64URL.decode(library) == bytes)
    }
  }

  @Test(
    "everything else is refused",
    arguments: [
      "Zg==", "Zg=", "Zm8=", "Zm9v=", "=", "A", "AAAAA", "Z", "Zm9v+", "Zm9+", "Zm9/", "Zm 9v", "Zm9v ", " Zm9v",
      "Zm9v\n",
      "Zm9v\r\n", "\tZm9v", "Zm\u{0}v", "Zm9é", "Zm9v.", "Zm9,", "Ｚｍ９ｖ",
    ])
  func refused(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("bits beyond the last byte must be zero", arguments: ["Zh", "Zv", "Z_", "Zm9", "Zm_", "__"])
  func trailingBits(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("of all texts of two characters the 256 that a byte has are read")
  func onlyOneTextForEachByte() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    var read: [[UInt8]: Int] = [:]
    for first in alphabet {
      for second in alphabet {
        if let bytes = Base64URL.decode(String([first, second])) { read[bytes, default: 0] += 1 }
      }
    }
    #expect(read.count == 256 && read.values.allSatisfy { $0 == 1 })
  }
}
