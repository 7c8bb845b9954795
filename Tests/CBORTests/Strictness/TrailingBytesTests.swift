import CBOR
import Testing

@Suite("Bytes after the item")
struct TrailingBytesTests {
  @Test(arguments: [
    ("00 00", 1), ("a0 a0", 1), ("4101 00", 2), ("8101 f6", 2), ("c101 00", 2), ("f6 ff", 1), ("00 18", 1),
    ("d818 4100 00", 4),
  ])
  func areRefusedAtTopLevel(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.trailingBytes, at: offset))
    #expect(try refusal(of: hex, leniency: .received) == Failure(.trailingBytes, at: offset))
  }

  @Test(arguments: [
    ("d818 42 00 00", 4), ("81 d818 43 8100 f6", 6), ("d818 42 a0 ff", 4), ("d818 47 d818 43 8101 02 ff", 8),
    ("d818 46 d818 43 8101 02", 8),
  ])
  func areRefusedInsideTag24(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.trailingBytes, at: offset))
    #expect(try refusal(of: hex, leniency: .received) == Failure(.trailingBytes, at: offset))
  }

  @Test func everyTrailingByteIsRefused() throws {
    let item = try hex("a1 6161 d818 43 82 01 02")
    #expect(refusal(of: item) == nil)
    for byte in UInt8.min...UInt8.max {
      #expect(refusal(of: item + [byte]) == Failure(.trailingBytes, at: item.count))
    }
  }
}
