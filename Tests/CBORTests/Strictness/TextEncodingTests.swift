import CBOR
import Testing

@Suite("Text strings that are not UTF-8")
struct TextEncodingTests {
  @Test(arguments: [
    ("80", 0), ("bf", 0), ("61 80", 1), ("c080", 0), ("c1bf", 0), ("e08080", 0), ("e09fbf", 0), ("f0808080", 0),
    ("f08fbfbf", 0), ("eda080", 0), ("edafbf", 0), ("edb080", 0), ("edbfbf", 0), ("eda081 edb080", 0),
    ("f4908080", 0), ("f4bfbfbf", 0), ("f5808080", 0), ("f7bfbfbf", 0), ("f888808080", 0), ("fc8480808080", 0),
    ("fe", 0), ("ff", 0), ("c3", 0), ("e6b0", 0), ("e6", 0), ("f09085", 0), ("f0", 0), ("c328", 0), ("e628b4", 0),
    ("e6b028", 0), ("f0288591", 0), ("f0902891", 0), ("f0908528", 0), ("c3bc c3", 2), ("e6b0b4 e6b0", 3),
    ("f0908591 f09085", 4), ("61 62 63 c0af", 3),
  ])
  func areRefusedAtTheFirstBadSequence(hex content: String, place: Int) throws {
    let bytes = try text(hex(content))
    #expect(refusal(of: bytes) == Failure(.invalidUTF8, at: 1 + place))
    #expect(refusal(of: bytes, leniency: .received) == Failure(.invalidUTF8, at: 1 + place))
  }

  @Test(arguments: [
    "", "00", "7f", "c280", "dfbf", "e0a080", "e18080", "ecbfbf", "ed9fbf", "ee8080", "efbfbd", "efbfbf", "f0908080",
    "f1808080", "f3bfbfbf", "f48fbfbf", "efbbbf61",
  ])
  func boundariesOfEveryLengthAreAccepted(hex content: String) throws {
    let item = try CBORReader.read(text(hex(content)))
    #expect(Array(try item.text().utf8) == (try hex(content)))
  }

  @Test func agreesWithTheStandardLibrary() {
    let leads: [UInt8] = [
      0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5,
      0xff,
    ]
    let seconds: [UInt8] = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
    let others: [UInt8] = [0x7f, 0x80, 0xbf, 0xc0]
    var disagreements: [String] = []
    var accepted = 0
    for lead in leads {
      for second in seconds {
        for third in others {
          for fourth in others {
            let content = [lead, second, third, fourth]
            let isValid = String(validating: content, as: UTF8.self) != nil
            if isValid { accepted += 1 }
            if (refusal(of: text(content)) == nil) != isValid { disagreements.append(digits(content)) }
          }
        }
      }
    }
    #expect(disagreements.isEmpty)
    #expect(accepted > 100)
  }

  @Test func bytesOutsideTheStringDoNotCompleteIt() throws {
    #expect(try refusal(of: "82 61c3 61bc") == Failure(.invalidUTF8, at: 2))
    #expect(try refusal(of: "a1 61c3 00") == Failure(.invalidUTF8, at: 2))
    #expect(try refusal(of: "d818 42 61c3") == Failure(.invalidUTF8, at: 4))
  }

  @Test func byteStringsMayContainAnyBytes() throws {
    #expect(try read("42c328").bytes() == [0xc3, 0x28])
  }

  /// A text string of fewer than 24 bytes.
  private func text(_ content: [UInt8]) -> [UInt8] { [0x60 | UInt8(content.count)] + content }
}
