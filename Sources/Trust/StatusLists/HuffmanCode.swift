/// A Huffman code that is given by the lengths of its symbols' codes (RFC 1951, 3.2.2).
struct HuffmanCode {
  /// Longest code in bits.
  static let longest = 15

  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: longest + 1)
  /// Symbols in the order of their codes.
  private var symbols: [Int] = []
  /// Whether every sequence of bits begins with some code.
  let isComplete: Bool

  /// How many symbols have a code.
  var count: Int { symbols.count }

  /// Where a reading stands: the code so far, and what comes before the codes of its length.
  struct Place {
    var length = 0
    var code = 0
    var firstCode = 0
    var firstSymbol = 0
  }

  /// The code of these lengths, 0 for a symbol that has none. Lengths that ask for more codes than fit make a code that
  /// is not complete.
  init(_ lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    // In units of the longest codes' share.
    var taken = 0
    for length in 1...Self.longest { taken += counts[length] << (Self.longest - length) }
    isComplete = taken == 1 << Self.longest
    for length in 1...Self.longest where counts[length] > 0 {
      symbols += lengths.indices.filter { Int(lengths[$0]) == length }
    }
  }

  static let fixedLiterals = HuffmanCode((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 32))

  /// Goes on by one bit. The symbol, when the code ends with it.
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
