import CBOR
import Testing

@Suite("Lengths and counts that the input cannot hold")
struct DeclaredLengthTests {
  @Test(arguments: [2, 3, 4, 5] as [UInt8])
  func hugeOnesAreRefusedAtTheEndOfTheHead(major: UInt8) {
    let lengths: [UInt64] = [1 << 32, 1 << 32 + 1, 1 << 62, 1 << 63 - 1, 1 << 63, .max - 9, .max - 8, .max - 1, .max]
    for length in lengths {
      let head = [major << 5 | 27] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
      for content in [0, 1, 9] {
        let bytes = head + [UInt8](repeating: 0, count: content)
        #expect(refusal(of: bytes) == Failure(.truncated, at: 9), "\(length)")
        #expect(refusal(of: bytes, leniency: .received) == Failure(.truncated, at: 9), "\(length)")
      }
    }
  }

  @Test(arguments: [
    ("41", 1), ("4201", 1), ("5818", 2), ("590100 00", 3), ("5affffffff", 5), ("61", 1), ("6261", 1), ("81", 1),
    ("8200", 1), ("9affffffff", 5), ("a1", 1), ("a100", 1), ("a2000000", 1),
    ("baffffffff", 5), ("83 01 4202", 3),
  ])
  func areComparedWithWhatFollows(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.truncated, at: offset))
  }

  @Test(arguments: ["d818 49 9bffffffffffffffff", "d818 49 bb7fffffffffffffff", "d818 49 5b8000000000000000"])
  func areComparedWithTheStringOfTheEmbeddedItem(hex: String) throws {
    #expect(try refusal(of: hex) == Failure(.truncated, at: 12))
    #expect(try refusal(of: "82 \(hex) 00") == Failure(.truncated, at: 13))
  }

  @Test(arguments: ["81", "a1 00", "c1", "d818"])
  func areComparedAnewAtEveryLevel(prefix: String) throws {
    let bytes = try hex(prefix) + hex("5bffffffffffffffff")
    #expect(refusal(of: bytes) == Failure(.truncated, at: bytes.count))
  }

  @Test func emptyInputIsTruncated() {
    #expect(refusal(of: []) == Failure(.truncated, at: 0))
    #expect(refusal(of: [], leniency: .received) == Failure(.truncated, at: 0))
  }
}
