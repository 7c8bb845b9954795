import CBOR
import Testing

@Suite("Heads longer than needed")
struct MinimalHeadTests {
  /// A head of every major type with argument 0, and what must follow it.
  static let zeros: [(major: UInt8, content: [UInt8], notation: String)] = [
    (0, [], "0"), (1, [], "-1"), (2, [], "h''"), (3, [], "\"\""), (4, [], "[]"), (5, [], "{}"), (6, [0xf6], "0(null)"),
  ]

  @Test(arguments: zeros, [1, 2, 4, 8])
  func everyWidthOfEveryMajorTypeIsRefusedOrReported(
    zero: (major: UInt8, content: [UInt8], notation: String), width: Int
  ) throws {
    let information = UInt8(24 + width.trailingZeroBitCount)
    let bytes = [zero.major << 5 | information] + [UInt8](repeating: 0, count: width) + zero.content
    #expect(refusal(of: bytes) == Failure(.nonMinimalHead, at: 0))
    let item = try CBORReader.read(bytes, leniency: .nonMinimalHeads)
    #expect(item.findings == [Failure(.nonMinimalHead, at: 0)])
    #expect(item.diagnostic == zero.notation)
    #expect(Array(item.encoded) == bytes)
  }

  @Test(arguments: [
    ("1817", "1818"), ("1900ff", "190100"), ("1a0000ffff", "1a00010000"), ("1b00000000ffffffff", "1b0000000100000000"),
    ("3817", "3818"), ("3900ff", "390100"), ("3a0000ffff", "3a00010000"), ("3b00000000ffffffff", "3b0000000100000000"),
    ("d817f6", "d819f6"), ("d900fff6", "d90100f6"), ("da0000fffff6", "da00010000f6"),
    ("db00000000fffffffff6", "db0000000100000000f6"),
  ])
  func boundaryOfEveryWidthLiesAtItsLeastArgument(tooLong: String, minimal: String) throws {
    #expect(try refusal(of: tooLong) == Failure(.nonMinimalHead, at: 0))
    #expect(try refusal(of: minimal) == nil)
  }

  @Test(arguments: [2, 3] as [UInt8], [23, 24, 255, 256, 65_535, 65_536])
  func lengthsOfStringsFollowTheSameBoundaries(major: UInt8, length: Int) throws {
    let content = [UInt8](repeating: 0x61, count: length)
    let item = major == 2 ? CBORValue.bytes(content) : .text(String(decoding: content, as: UTF8.self))
    let minimal = item.encoded
    #expect(refusal(of: minimal) == nil)
    let longer = try headWidened(minimal, contentLength: length)
    #expect(refusal(of: longer) == Failure(.nonMinimalHead, at: 0))
    #expect(try CBORReader.read(longer, leniency: .nonMinimalHeads).findings == [Failure(.nonMinimalHead, at: 0)])
  }

  /// The same string with its length in the next wider head.
  private func headWidened(_ string: [UInt8], contentLength: Int) throws -> [UInt8] {
    let head = string.dropLast(contentLength)
    let width = try #require([1: 1, 2: 2, 3: 4, 5: 8][head.count])
    let information = UInt8(24 + width.trailingZeroBitCount)
    let initial = try #require(head.first) & 0xe0 | information
    let argument = (0..<width).map { UInt8(truncatingIfNeeded: contentLength >> ((width - 1 - $0) * 8)) }
    return [initial] + argument + string.suffix(contentLength)
  }

  @Test(arguments: [
    ("83 01 1802 03", 2), ("a1 1801 02", 1), ("a1 01 1802", 2), ("c1 1801", 1), ("81 81 81 5801ff", 3),
    ("d818 42 1801", 3), ("d900184101", 0), ("d818 580101", 2), ("81 d818 45 d818 42 1801", 7),
  ])
  func placeIsCountedFromTheStartOfTheBuffer(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.nonMinimalHead, at: offset))
    #expect(try read(hex, leniency: .nonMinimalHeads).findings == [Failure(.nonMinimalHead, at: offset)])
  }

  @Test func allDeviationsAreReportedInOrder() throws {
    let item = try read("9802 d818 46 83 1801 02 1803 fa3f800000", leniency: .nonMinimalHeads)
    #expect(item.findings == [0, 6, 9, 11].map { Failure(.nonMinimalHead, at: $0) })
    #expect(item.diagnosticWithEmbedded == "[24(<<[1, 2, 3]>>), 1.0]")
  }

  @Test func deviationsAreKnownToEveryItemOfTheBuffer() throws {
    let item = try read("82 1801 02", leniency: .received)
    #expect(try item.array().at(1).findings == [Failure(.nonMinimalHead, at: 1)])
  }

  @Test func leniencyForIndefiniteLengthsDoesNotCoverHeads() throws {
    #expect(try refusal(of: "1801", leniency: .indefiniteLengths) == Failure(.nonMinimalHead, at: 0))
  }

  @Test func messageDoesNotContainTheValue() throws {
    let error = try #require(try refusal(of: "1a0000079e"))
    #expect(error.code == .nonMinimalHead)
    #expect(!error.description.contains("1950"))
  }
}
