import TestSupport
import Testing

@testable import TerminalDemo

@Suite struct DemoKeyTests {
  @Test(
    arguments: [
      ([0x61], [.character("a")]), ([0x0d], [.enter]), ([0x0a], [.enter]), ([0x1b], [.escape]), ([0x03], [.interrupt]),
      ([0x1b, 0x5b, 0x41], [.up]), ([0x1b, 0x4f, 0x42], [.down]),
      ([0x1b, 0x5b, 0x43, 0x1b, 0x5b, 0x44], [.right, .left]),
      ([0x1b, 0x5b, 0x35, 0x7e], [.pageUp]), ([0x1b, 0x5b, 0x36, 0x7e, 0x71], [.pageDown, .character("q")]),
      ([0x0d, 0x0a], [.enter]), ([0x0d, 0x0d, 0x0a, 0x0a], [.enter, .enter, .enter]),
      // "a", a line end and "b" as pasted text.
      (Array("\u{1b}[200~a\rb\u{1b}[A\u{1b}[201~\r".utf8), [.character("a"), .character("b"), .enter]),
      ([0x1b, 0x5b, 0x32, 0x7e], []), ([0x1b, 0x5b], []), ([0x1b, 0x61], []), ([0x1b, 0x1b], [.escape, .escape]),
      ([0x1b, 0x61, 0x62], [.character("b")]),
      ([0x7f, 0x08], [.backspace, .backspace]), ([0xc3, 0xa9], [.character("\u{e9}")]),
      ([0xf0, 0x9f, 0x9a, 0x80], [.character("\u{1f680}")]), ([0xe4, 0xb8, 0x41], [.character("A")]),
      ([0xe4, 0xb8], []), ([0xed, 0xa0, 0x80], []), ([], []),
    ] as [([UInt8], [DemoKey])])
  func bytesOfATerminal(_ bytes: [UInt8], _ keys: [DemoKey]) {
    var whole = DemoKeyReader()
    #expect(whole.keys(in: bytes) + whole.keysWhenNothingFollows() == keys)
    #expect(!whole.isWaiting)
    // Both encodings of a key give the same result.
    for place in bytes.indices {
      var parts = DemoKeyReader()
      let read = parts.keys(in: Array(bytes[..<place])) + parts.keys(in: Array(bytes[place...]))
      #expect(read + parts.keysWhenNothingFollows() == keys)
    }
  }

  @Test func manyKeysAtOnceAreAllRead() {
    var reader = DemoKeyReader()
    let bytes = (0..<90).flatMap { _ in [0x1b, 0x5b, 0x42] as [UInt8] }
    let read = reader.keys(in: Array(bytes[..<256])) + reader.keys(in: Array(bytes[256...]))
    #expect(read == Array(repeating: DemoKey.down, count: 90) && !reader.isWaiting)
  }

  @Test func anEndlessSequenceIsNotKept() {
    var reader = DemoKeyReader()
    #expect(reader.keys(in: [0x1b, 0x5b] + Array(repeating: 0x31, count: 100)).isEmpty)
    #expect(!reader.isWaiting && reader.keys(in: [0x71]) == [.character("q")])
  }

  @Test func arbitraryBytesAreRead() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let bytes = generator.bytes(Int.random(in: 0...16, using: &generator))
      var reader = DemoKeyReader()
      #expect(reader.keys(in: bytes).count + reader.keysWhenNothingFollows().count <= bytes.count)
    }
  }
}
