import Foundation
import Primitives
import TestSupport
import Testing

@Suite("Base64url")
struct Base64URLTests {
  @Test(
    "Encodes and decodes the test vectors of RFC 4648 without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func known(_ plain: String, _ text: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(plain.utf8))
    #expect(Base64URL.violation(in: text) == nil)
  }

  @Test("Uses - and _ in place of + and /")
  func alphabet() {
    #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == "-_-_")
    #expect(Base64URL.decode("-_-_") == [0xfb, 0xff, 0xbf])
  }

  @Test("Agrees with Foundation's base64 for random bytes of every short length")
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
    "Refuses padding, white space and other characters",
    arguments: [
      "Zg==", "Zg=", "Zm8=", "Zm9v=", "=", "A", "AAAAA", "Z", "Zm9v+", "Zm9+", "Zm9/", "Zm 9v", "Zm9v ", " Zm9v",
      "Zm9v\n",
      "Zm9v\r\n", "\tZm9v", "Zm\u{0}v", "Zm9é", "Zm9v.", "Zm9,", "Ｚｍ９ｖ",
    ])
  func refused(text: String) {
    #expect(Base64URL.decode(text) == nil)
    #expect(Base64URL.violation(in: text) != nil)
  }

  @Test("Refuses bits set after the last byte", arguments: ["Zh", "Zv", "Z_", "Zm9", "Zm_", "__"])
  func trailingBits(text: String) {
    #expect(Base64URL.decode(text) == nil)
    #expect(Base64URL.violation(in: text) == "has bits set after its last byte")
  }

  @Test("Decodes exactly one text of two characters for each byte")
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

@Suite("Base64")
struct Base64Tests {
  @Test("Agrees with Foundation's base64 for random bytes of every short length")
  func roundTrip() {
    var generator = SeededGenerator(seed: 5)
    for length in 0..<200 {
      let bytes = generator.bytes(length)
      let library = Data(bytes).base64EncodedString()
      #expect(Base64.encode(bytes) == library)
      #expect(Base64.decode(library) == bytes)
    }
  }

  @Test(
    "Refuses missing padding, surplus padding, other characters and bits after the last byte",
    arguments: [
      "Zg", "Zg=", "Zg===", "=", "====", "Zm9v====", "Zm9v=", "Z===", "Zh==", "Zm9=", "Zm9_", "Zm9 ", "Z=g=", "Zm9v\n",
    ])
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
