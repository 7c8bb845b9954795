import Primitives

/// Inflates zlib streams (RFC 1950) with all kinds of blocks (RFC 1951). Made for the lists of status tokens: strict,
/// with a limit on the output, and with work proportional to the input bits and output bytes.
enum Inflate {
  /// Inflates a whole stream.
  ///
  /// - Parameter limit: The largest output in bytes.
  /// - Throws: ``InflateError``.
  static func zlib(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
    guard bytes.count >= 2 else { throw InflateError(code: .truncated, offset: bytes.count) }
    let method = bytes[0]
    let flags = bytes[1]
    // Method 8 with a window of at most 32 KiB. Both bytes as one number are a multiple of 31.
    guard method & 15 == 8, method >> 4 <= 7, (Int(method) << 8 | Int(flags)) % 31 == 0 else {
      throw InflateError(code: .header, offset: 0)
    }
    guard flags & 0x20 == 0 else { throw InflateError(code: .dictionary, offset: 1) }
    var stream = DeflateStream(bytes, from: 2, limit: limit)
    try stream.readBlocks()
    let end = stream.position
    guard bytes.count - end >= 4 else { throw InflateError(code: .truncated, offset: bytes.count) }
    let checksum = bytes[end..<end + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    guard checksum == adler32(stream.output) else { throw InflateError(code: .checksum, offset: end) }
    guard bytes.count == end + 4 else { throw InflateError(code: .trailing, offset: end + 4) }
    return stream.output
  }

  /// Returns the checksum of a zlib stream (RFC 1950, 8.2).
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  /// Returns a zlib stream of stored blocks, without compression.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let longestBlock = 65_535
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(bytes.count + 16)
    var start = 0
    repeat {
      let end = min(bytes.count, start + longestBlock)
      let length = end - start
      stream.append(end == bytes.count ? 1 : 0)
      stream += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8 & 255)]
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    let checksum = adler32(bytes)
    for shift: UInt32 in [24, 16, 8, 0] { stream.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
    return stream
  }
}

/// Reads the blocks of a deflate stream (RFC 1951).
private struct DeflateStream {
  private(set) var output: [UInt8] = []
  /// The offset of the next byte.
  private(set) var position: Int

  private let input: [UInt8]
  private let limit: Int
  /// The unread bits of the byte before ``position``.
  private var bits: UInt8 = 0
  private var bitCount = 0

  init(_ input: [UInt8], from start: Int, limit: Int) {
    self.input = input
    self.limit = limit
    position = start
  }

  func error(_ code: InflateError.Code) -> InflateError { InflateError(code: code, offset: position) }

  /// Reads all blocks. The unused bits of the last byte are skipped.
  mutating func readBlocks() throws(InflateError) {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      switch try take(2) {
      case 0: try readStored()
      case 1: try readSymbols(.fixedLiterals, .fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try readSymbols(literals, distances)
      default: throw error(.blockKind)
      }
    }
    bitCount = 0
  }

  /// Reads bits, the first one lowest.
  private mutating func take(_ count: Int) throws(InflateError) -> Int {
    var value = 0
    for place in 0..<count { value |= try takeBit() << place }
    return value
  }

  private mutating func takeBit() throws(InflateError) -> Int {
    if bitCount == 0 {
      guard position < input.count else { throw error(.truncated) }
      bits = input[position]
      position += 1
      bitCount = 8
    }
    let bit = Int(bits & 1)
    bits >>= 1
    bitCount -= 1
    return bit
  }

  private mutating func readStored() throws(InflateError) {
    bitCount = 0
    guard input.count - position >= 4 else { throw error(.truncated) }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    let complement = Int(input[position + 2]) | Int(input[position + 3]) << 8
    guard length == ~complement & 0xffff else { throw error(.storedLength) }
    position += 4
    guard input.count - position >= length else { throw error(.truncated) }
    guard limit - output.count >= length else { throw error(.tooLong) }
    output += input[position..<position + length]
    position += length
  }

  /// Reads the two codes of a block with dynamic Huffman codes (RFC 1951, 3.2.7).
  private mutating func readCodes() throws(InflateError) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    // Codes for more symbols than exist.
    guard literalCount <= 286, distanceCount <= 30 else { throw error(.codeLengths) }
    var lengthLengths = [UInt8](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for symbol in order[..<lengthCount] { lengthLengths[symbol] = UInt8(try take(3)) }
    let lengthCode = HuffmanCode(lengthLengths)
    guard lengthCode.isComplete else { throw error(.codeLengths) }
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try decode(lengthCode)
      let (value, count): (UInt8, Int)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw error(.codeLengths) }
        (value, count) = (last, try take(2) + 3)
      case 17: (value, count) = (0, try take(3) + 3)
      case 18: (value, count) = (0, try take(7) + 11)
      default: (value, count) = (UInt8(symbol), 1)
      }
      guard lengths.count + count <= literalCount + distanceCount else { throw error(.codeLengths) }
      lengths += repeatElement(value, count: count)
    }
    // A block needs a code for its end. An incomplete code may have one symbol only.
    let literals = HuffmanCode(Array(lengths[..<literalCount]))
    let distances = HuffmanCode(Array(lengths[literalCount...]))
    guard lengths[256] > 0, literals.isComplete || literals.count == 1, distances.isComplete || distances.count <= 1
    else { throw error(.codeLengths) }
    return (literals, distances)
  }

  private mutating func decode(_ code: HuffmanCode) throws(InflateError) -> Int {
    var place = HuffmanCode.Place()
    for _ in 0..<HuffmanCode.longest {
      if let symbol = code.symbol(at: &place, next: try takeBit()) { return symbol }
    }
    throw error(.symbol)
  }

  /// Reads literals and copies until the end of the block (RFC 1951, 3.2.5).
  private mutating func readSymbols(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(InflateError) {
    while true {
      let symbol = try decode(literals)
      switch symbol {
      case 0..<256:
        guard output.count < limit else { throw error(.tooLong) }
        output.append(UInt8(symbol))
      case 256: return
      case 257..<286:
        let length = Self.copyLengths[symbol - 257] + (try take(Self.copyLengthBits[symbol - 257]))
        let way = try decode(distances)
        guard way < 30 else { throw error(.symbol) }
        let distance = Self.distances[way] + (try take(max(0, way / 2 - 1)))
        guard distance <= output.count else { throw error(.distance) }
        guard limit - output.count >= length else { throw error(.tooLong) }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      default: throw error(.symbol)
      }
    }
  }

  private static let copyLengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let copyLengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12_289, 16_385, 24_577,
  ]
}

/// A Huffman code that is defined by the lengths of its symbols' codes (RFC 1951, 3.2.2).
struct HuffmanCode {
  /// The longest code, in bits.
  static let longest = 15

  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// The symbols in the order of their codes.
  private var symbols: [Int] = []
  /// A Boolean value that indicates whether every sequence of bits begins with a code.
  let isComplete: Bool

  /// The number of symbols with a code.
  var count: Int { symbols.count }

  /// The state of decoding one symbol: the code so far, and the first code and symbol of its length.
  struct Place {
    var length = 0
    var code = 0
    var firstCode = 0
    var firstSymbol = 0
  }

  /// Creates a code from the lengths of its symbols' codes, 0 for a symbol without a code. Lengths for more codes than
  /// fit create an incomplete code.
  init(_ lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    // In units of a longest code.
    var taken = 0
    for length in 1...Self.longest { taken += counts[length] << (Self.longest - length) }
    isComplete = taken == 1 << Self.longest
    for length in 1...Self.longest where counts[length] > 0 {
      symbols += lengths.indices.filter { Int(lengths[$0]) == length }
    }
  }

  static let fixedLiterals = HuffmanCode((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 32))

  /// Adds one bit to the code. Returns the symbol if the code is complete.
  func symbol(at place: inout Place, next bit: Int) -> Int? {
    place.length += 1
    place.code = place.code << 1 | bit
    place.firstCode <<= 1
    let count = counts[place.length]
    if place.code - place.firstCode < count { return symbols[place.firstSymbol + place.code - place.firstCode] }
    place.firstSymbol += count
    place.firstCode += count
    return nil
  }
}

/// An error of inflating compressed bytes. Errors with the same code are equal.
public struct InflateError: CodedError, Equatable {
  /// The rule that was broken. Raw values are stable and may be shown and stored.
  public enum Code: String, Sendable, CaseIterable {
    /// The first two bytes are not the header of a zlib stream (RFC 1950, 2.2).
    case header = "inflate.header"
    /// The stream requires a preset dictionary.
    case dictionary = "inflate.dictionary"
    /// The bytes end before the end of the stream.
    case truncated = "inflate.truncated"
    /// A block of the reserved kind (RFC 1951, 3.2.3).
    case blockKind = "inflate.block-kind"
    /// The length of a stored block and its complement differ (RFC 1951, 3.2.4).
    case storedLength = "inflate.stored-length"
    /// The code lengths do not define a Huffman code, or there are too many (RFC 1951, 3.2.7).
    case codeLengths = "inflate.code-lengths"
    /// Bits without a code, or a symbol that must not occur (RFC 1951, 3.2.5).
    case symbol = "inflate.symbol"
    /// A copy from before the first byte.
    case distance = "inflate.distance"
    /// The output is larger than the limit.
    case tooLong = "inflate.too-long"
    /// The checksum does not match the output (RFC 1950, 2.2).
    case checksum = "inflate.checksum"
    /// Bytes follow the stream.
    case trailing = "inflate.trailing"
  }

  /// The rule that was broken.
  public let code: Code
  /// The offset of the error in the compressed bytes.
  public let offset: Int

  /// A human-readable description of the error.
  public var message: String {
    switch code {
    case .header: "the bytes are not a zlib stream"
    case .dictionary: "the stream requires a preset dictionary"
    case .truncated: "the stream is truncated"
    case .blockKind: "a block has the reserved kind"
    case .storedLength: "the length of a stored block and its complement differ"
    case .codeLengths: "the code lengths do not define a Huffman code"
    case .symbol: "there are bits without a code, or a symbol that must not occur"
    case .distance: "a copy begins before the first byte"
    case .tooLong: "the output is larger than the limit"
    case .checksum: "the checksum does not match"
    case .trailing: "bytes follow the stream"
    }
  }

  /// The place of the failure.
  public var location: String? { "byte \(offset)" }

  /// Compares the codes only.
  public static func == (left: InflateError, right: InflateError) -> Bool { left.code == right.code }
}
