/// A version of QR codes: the size of the symbol, and its division into blocks (ISO/IEC 18004, 7.5.1 and annex E).
struct QRVersion: Equatable {
  /// The supported versions. With its quiet zone, a symbol of version 13 is 77 modules wide, the most that a terminal of
  /// 80 columns shows. Payloads of `FIDO:/` need versions 4 to 9.
  static let all = (1...largest).map(QRVersion.init)

  /// The largest supported version.
  static let largest = 13

  let number: Int

  private init(_ number: Int) { self.number = number }

  /// The number of modules of each side.
  var size: Int { 17 + 4 * number }

  /// True if the counts of segments are longer (ISO/IEC 18004, table 3).
  var hasLongCounts: Bool { number >= 10 }

  /// The rows and columns of the centres of alignment patterns.
  var alignmentCentres: [Int] {
    switch number {
    case 1: []
    case 2...6: [6, size - 7]
    default: [6, (size - 1) / 2, size - 7]
    }
  }

  /// The number of codewords: what the patterns and the information leave of the symbol's modules.
  var codewords: Int {
    let alignments = alignmentCentres.count
    // Three finder patterns with separators, two copies of the format, a dark module, two timing patterns.
    var fixed = 3 * 64 + 2 * 15 + 1 + 2 * (size - 16)
    if alignments > 0 {
      // Those in the row and the column of a timing pattern share 5 modules with it.
      fixed += (alignments * alignments - 3) * 25 - 2 * (alignments - 2) * 5
    }
    if hasVersionInformation { fixed += 2 * 18 }
    return (size * size - fixed) / 8
  }

  /// True if the symbol names its version.
  var hasVersionInformation: Bool { number >= 7 }

  /// The number of error correction codewords of each block.
  func correctionCodewords(_ level: QRSymbol.Level) -> Int {
    switch level {
    case .low: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26][number - 1]
    case .medium: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22][number - 1]
    }
  }

  private func blockCount(_ level: QRSymbol.Level) -> Int {
    switch level {
    case .low: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4][number - 1]
    case .medium: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9][number - 1]
    }
  }

  /// The number of data codewords of each block. Longer blocks follow shorter ones.
  func blocks(_ level: QRSymbol.Level) -> [Int] {
    let count = blockCount(level)
    let (length, longer) = codewords.quotientAndRemainder(dividingBy: count)
    return (0..<count).map { length + ($0 >= count - longer ? 1 : 0) - correctionCodewords(level) }
  }

  /// The number of bits for segments.
  func capacity(_ level: QRSymbol.Level) -> Int { blocks(level).reduce(0, +) * 8 }
}
