/// The modules of a symbol while it is made: patterns, then data, then a mask and its format (ISO/IEC 18004, 6.3 and 7.7
/// to 7.10).
struct QRMatrix: Equatable {
  let version: QRVersion
  /// True for dark modules, row by row.
  private(set) var modules: [Bool]
  /// True for modules that hold no data.
  private var isFixed: [Bool]

  var size: Int { version.size }

  /// Creates a matrix with its patterns and codewords, without a mask.
  init(_ version: QRVersion, codewords: [UInt8]) {
    self.version = version
    modules = Array(repeating: false, count: version.size * version.size)
    isFixed = modules
    drawTiming()
    drawFinders()
    drawAlignments()
    drawVersion()
    // Reserves its modules.
    drawFormat(.low, .pattern000)
    place(codewords)
  }

  /// Returns the matrix with a mask and the format that names it.
  func masked(_ mask: QRMask, level: QRSymbol.Level) -> QRMatrix {
    var result = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] && mask.inverts(row: row, column: column) {
        result.modules[row * size + column].toggle()
      }
    }
    result.drawFormat(level, mask)
    return result
  }

  func isDark(row: Int, column: Int) -> Bool { modules[row * size + column] }

  private mutating func fix(row: Int, column: Int, isDark: Bool) {
    modules[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  private mutating func drawTiming() {
    for place in 0..<size {
      fix(row: 6, column: place, isDark: place % 2 == 0)
      fix(row: place, column: 6, isDark: place % 2 == 0)
    }
  }

  /// The patterns in three corners, with a light line around each.
  private mutating func drawFinders() {
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      for down in -4...4 where (0..<size).contains(row + down) {
        for across in -4...4 where (0..<size).contains(column + across) {
          let ring = max(abs(down), abs(across))
          fix(row: row + down, column: column + across, isDark: ring != 2 && ring != 4)
        }
      }
    }
  }

  private mutating func drawAlignments() {
    let centres = version.alignmentCentres
    for row in centres {
      for column in centres where !isFinder(row: row, column: column) {
        for down in -2...2 {
          for across in -2...2 {
            fix(row: row + down, column: column + across, isDark: max(abs(down), abs(across)) != 1)
          }
        }
      }
    }
  }

  /// Returns whether a centre of alignment is in a corner with a finder pattern.
  private func isFinder(row: Int, column: Int) -> Bool {
    (row == 6 && column == 6) || (row == 6 && column == size - 7) || (row == size - 7 && column == 6)
  }

  /// The format: 5 bits of level and mask with 10 bits of a BCH code, twice.
  private mutating func drawFormat(_ level: QRSymbol.Level, _ mask: QRMask) {
    let value = level.formatBits << 3 | mask.rawValue
    let format = (value << 10 | Self.correction(value, bits: 10, generator: 0x537)) ^ 0x5412
    for place in 0..<15 {
      let isDark = format >> place & 1 == 1
      switch place {
      case 0..<6: fix(row: place, column: 8, isDark: isDark)
      case 6, 7: fix(row: place + 1, column: 8, isDark: isDark)
      case 8: fix(row: 8, column: 7, isDark: isDark)
      default: fix(row: 8, column: 14 - place, isDark: isDark)
      }
      if place < 8 {
        fix(row: 8, column: size - 1 - place, isDark: isDark)
      } else {
        fix(row: size - 15 + place, column: 8, isDark: isDark)
      }
    }
    fix(row: size - 8, column: 8, isDark: true)
  }

  /// The version: 6 bits with 12 bits of a BCH code, twice.
  private mutating func drawVersion() {
    guard version.hasVersionInformation else { return }
    let value = version.number << 12 | Self.correction(version.number, bits: 12, generator: 0x1f25)
    for place in 0..<18 {
      let isDark = value >> place & 1 == 1
      fix(row: size - 11 + place % 3, column: place / 3, isDark: isDark)
      fix(row: place / 3, column: size - 11 + place % 3, isDark: isDark)
    }
  }

  /// Returns the check bits of a BCH code.
  private static func correction(_ value: Int, bits: Int, generator: Int) -> Int {
    (0..<bits).reduce(value) { rest, _ in rest << 1 ^ (rest >> (bits - 1)) * generator }
  }

  /// Places codewords in columns of two modules from the right, upwards and downwards in turn.
  private mutating func place(_ codewords: [UInt8]) {
    var number = 0
    for start in stride(from: size - 1, to: 0, by: -2) {
      // The column of the timing pattern holds no data.
      let right = start <= 6 ? start - 1 : start
      let rows = (right + 1) & 2 == 0 ? Array((0..<size).reversed()) : Array(0..<size)
      for row in rows {
        for column in [right, right - 1] where !isFixed[row * size + column] && number < codewords.count * 8 {
          modules[row * size + column] = codewords[number / 8] >> (7 - number % 8) & 1 == 1
          number += 1
        }
      }
    }
  }
}
