import Primitives
import TestSupport
import Testing

@testable import Invariants

/// The search for patterns in messages, beside a search at every place.
@Suite("Search for patterns")
struct PatternSetTests {
  @Test("the first pattern is found at every place, and no other bytes are", arguments: 0..<20)
  func everyPlace(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func bytes(_ lengths: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: lengths, using: &generator)).map { _ in UInt8.random(in: 0...3, using: &generator) }
    }
    let patterns = (0..<6).map { _ in bytes(4...9) }
    var set = PatternSet()
    for (number, pattern) in patterns.enumerated() { set.insert(pattern, named: "\(number)") }
    let long = patterns.enumerated().filter { $0.element.count >= PatternSet.minimumLength }
    for _ in 0..<200 {
      let text = bytes(0...24)
      let expected = text.indices.lazy.compactMap { start in
        long.first { text[start...].starts(with: $0.element) }.map { "\($0.offset)" }
      }.first
      #expect(set.firstName(in: [text]) == expected, "\(text) \(patterns)")
    }
  }

  @Test("bytes are found in base64 in base64, in either alphabet")
  func layers() {
    let bytes: [UInt8] = [0xfb, 0xff, 0xbe, 1, 2, 3, 4]
    var text = bytes
    for _ in 0..<4 {
      text = Array("{\"data\":\"\(Base64URL.encode(text))\"}".utf8)
      #expect(Base64Layers.of(text).contains(bytes))
    }
    #expect(!Base64Layers.of(Array("\"\(Base64URL.encode(text))\"".utf8)).contains(bytes))
    #expect(Base64Layers.of(Array("\"\(Base64.encode(bytes))\"".utf8)).contains(bytes))
  }
}
