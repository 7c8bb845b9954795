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
      ([0x1b, 0x5b, 0x32, 0x7e], []), ([0x1b, 0x5b], []), ([0x1b, 0x61], [.escape, .character("a")]),
      ([0xc3, 0xa9], []), ([], []),
    ] as [([UInt8], [DemoKey])])
  func bytesOfATerminal(_ bytes: [UInt8], _ keys: [DemoKey]) { #expect(DemoKey.keys(in: bytes) == keys) }

  @Test func anyBytesEndInKeys() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let bytes = generator.bytes(Int.random(in: 0...16, using: &generator))
      #expect(DemoKey.keys(in: bytes).count <= bytes.count)
    }
  }
}
