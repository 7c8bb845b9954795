/// Drawings of a symbol, each with the quiet zone that a reader needs.
extension QRSymbol {
  /// The width of the light border (ISO/IEC 18004, 6.3.8).
  public static let quietZone = 4

  /// Black on white as SGR parameters (ECMA-48, 8.3.117). Both colors are of the fixed part of the table of 256: readers
  /// do not read a light symbol on a dark background, which the terminal's own colors would give.
  public static let terminalStyle = "38;5;16;48;5;231"

  /// The rows and columns with the quiet zone.
  private var drawn: Range<Int> { -Self.quietZone..<size + Self.quietZone }

  /// Lines of half blocks, two rows of modules each, to be drawn dark on light.
  public var halfBlocks: [String] {
    stride(from: drawn.lowerBound, to: drawn.upperBound, by: 2).map { row in
      String(
        drawn.map { column -> Character in
          switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  /// The symbol for a terminal, in half blocks with both colors set.
  public var terminalText: String { halfBlocks.map { "\u{1b}[\(Self.terminalStyle)m\($0)\u{1b}[0m\n" }.joined() }

  /// The symbol in characters of ASCII without colors: two columns for each module, `##` for dark ones.
  public var plainText: String {
    drawn.map { row in
      let line = drawn.map { isDark(row: row, column: $0) ? "##" : "  " }.joined()
      return line + "\n"
    }.joined()
  }

  /// The symbol as an SVG image of one unit for each module, black on white.
  public var svg: String {
    let width = drawn.count
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges">
      <rect width="\(width)" height="\(width)" fill="#fff"/>
      <path fill="#000" d="\(path)"/>
      </svg>

      """
  }

  /// A rectangle for each run of dark modules.
  private var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let start = column
        while isDark(row: row, column: column) { column += 1 }
        if column > start {
          path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
        }
        column += 1
      }
    }
    return path
  }

  /// The width of a module in a bitmap: readers such as zbarimg do not read every symbol with modules of one pixel.
  private static let modulePixels = 4

  /// The symbol as a portable bitmap in text (PBM, P1).
  public var portableBitmap: String {
    let width = drawn.count * Self.modulePixels
    let rows = drawn.map { row in
      let line = drawn.map { String(repeating: isDark(row: row, column: $0) ? "1" : "0", count: Self.modulePixels) }
      return String(repeating: line.joined() + "\n", count: Self.modulePixels)
    }
    return "P1\n\(width) \(width)\n" + rows.joined()
  }
}
