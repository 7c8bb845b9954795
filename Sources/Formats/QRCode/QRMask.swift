/// The patterns that invert modules, named by their reference (ISO/IEC 18004, 7.8). A reader accepts each.
package enum QRMask: Int, Sendable, CaseIterable {
  case pattern000, pattern001, pattern010, pattern011, pattern100, pattern101, pattern110, pattern111

  /// Returns whether the pattern inverts a module.
  func inverts(row: Int, column: Int) -> Bool {
    switch self {
    case .pattern000: (row + column) % 2 == 0
    case .pattern001: row % 2 == 0
    case .pattern010: column % 3 == 0
    case .pattern011: (row + column) % 3 == 0
    case .pattern100: (row / 2 + column / 3) % 2 == 0
    case .pattern101: row * column % 2 + row * column % 3 == 0
    case .pattern110: (row * column % 2 + row * column % 3) % 2 == 0
    case .pattern111: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// Returns the mask with the lowest penalty, and the matrix with it.
  static func best(for matrix: QRMatrix, level: QRSymbol.Level) -> (mask: QRMask, matrix: QRMatrix) {
    var best = (mask: pattern000, matrix: matrix.masked(.pattern000, level: level))
    var lowest = best.matrix.penalty
    for mask in allCases.dropFirst() {
      let matrix = matrix.masked(mask, level: level)
      let penalty = matrix.penalty
      if penalty < lowest { (best, lowest) = ((mask, matrix), penalty) }
    }
    return best
  }
}

extension QRMatrix {
  /// The modules of a finder pattern and its light modules, on one side or the other.
  private static let likeFinder = [0b101_1101_0000, 0b000_0101_1101]

  /// The features that slow down a reader (ISO/IEC 18004, 7.8.3): long runs, blocks, resemblance of the finder patterns,
  /// and more dark or light modules than the other.
  var penalty: Int {
    let rows = (0..<size).map { row in (0..<size).map { isDark(row: row, column: $0) } }
    let columns = (0..<size).map { column in (0..<size).map { isDark(row: $0, column: column) } }
    var penalty = 0
    for line in rows + columns { penalty += Self.penalty(ofRunsIn: line) + Self.penalty(ofFindersIn: line) }
    for row in 1..<size {
      for column in 1..<size {
        let module = rows[row][column]
        if rows[row - 1][column] == module, rows[row][column - 1] == module, rows[row - 1][column - 1] == module {
          penalty += 3
        }
      }
    }
    let dark = modules.count { $0 }
    return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
  }

  private static func penalty(ofRunsIn line: [Bool]) -> Int {
    var (penalty, run) = (0, 0)
    var last: Bool?
    for module in line {
      run = module == last ? run + 1 : 1
      last = module
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    return penalty
  }

  private static func penalty(ofFindersIn line: [Bool]) -> Int {
    var (penalty, window) = (0, 0)
    for (place, module) in line.enumerated() {
      window = (window << 1 | (module ? 1 : 0)) & 0b111_1111_1111
      if place >= 10, likeFinder.contains(window) { penalty += 40 }
    }
    return penalty
  }
}
