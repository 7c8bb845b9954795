/// A text file as it was read, with its lines. Positions refer to it, so it is shared and never changes.
public final class SourceFile: Sendable {
  /// The path as it was given, for people to read.
  public let path: String
  /// The whole text, without a byte order mark.
  public let text: String
  private let lineStarts: [Int]

  /// Takes any text: what is allowed in a file is checked by the public initializers.
  init(path: String, uncheckedText text: String) {
    self.path = path
    self.text = text
    self.lineStarts = Self.lineStarts(of: text)
  }

  /// How many lines there are. A line ends in LF, CR LF or CR; what follows the last of them counts too, even if empty.
  public var lineCount: Int { lineStarts.count }

  /// The line with this number, counted from 1, without its end. Empty where there is no such line.
  public func line(_ number: Int) -> String {
    guard number >= 1, number <= lineStarts.count else { return "" }
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: lineStarts[number - 1])
    let following = number < lineStarts.count ? lineStarts[number] : utf8.count
    let end = utf8.index(utf8.startIndex, offsetBy: following)
    var line = utf8[start..<end]
    while let last = line.last, last == Self.lineFeed || last == Self.carriageReturn { line.removeLast() }
    return String(Substring(line))
  }

  /// The offset in UTF-8 of the first byte of a line that exists.
  func lineStart(_ number: Int) -> Int { lineStarts[number - 1] }

  /// The number of the line that holds the byte at this offset of the UTF-8 text.
  func lineNumber(ofByte offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The number of the first line that begins with this byte.
  func firstLine(beginningWith byte: UInt8) -> Int? {
    let utf8 = text.utf8
    return lineStarts.firstIndex { start in
      start < utf8.count && utf8[utf8.index(utf8.startIndex, offsetBy: start)] == byte
    }.map { $0 + 1 }
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func lineStarts(of text: String) -> [Int] {
    var starts = [0]
    var offset = 0
    var afterCarriageReturn = false
    for byte in text.utf8 {
      offset += 1
      if byte == lineFeed, afterCarriageReturn {
        starts[starts.count - 1] = offset
      } else if byte == lineFeed || byte == carriageReturn {
        starts.append(offset)
      }
      afterCarriageReturn = byte == carriageReturn
    }
    return starts
  }
}

extension SourceFile: Hashable {
  /// Files are the same when their paths are: one run reads each path once.
  public static func == (first: SourceFile, second: SourceFile) -> Bool {
    first === second || first.path == second.path
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
  }
}
