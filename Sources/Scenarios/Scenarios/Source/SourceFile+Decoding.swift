import Primitives

extension SourceFile {
  /// A file from its bytes.
  ///
  /// Throws `source.too-large`, `source.empty`, `source.not-utf8` or `source.control-character`.
  public convenience init(path: String, bytes: [UInt8]) throws(SourceProblem) {
    guard bytes.count <= SourceLimits.bytes else { throw .tooLarge(path: path) }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]
    guard !content.isEmpty else { throw .empty(path: path, "the file is empty") }
    guard let text = String(validating: content, as: UTF8.self) else { throw Self.notUTF8(path: path, content) }
    self.init(path: path, uncheckedText: text)
    if let offset = Self.firstForbidden(in: content) { throw forbidden(at: offset) }
  }

  /// A file from text that is already in memory. Throws what `init(path:bytes:)` throws.
  public convenience init(path: String, text: String) throws(SourceProblem) {
    try self.init(path: path, bytes: Array(text.utf8))
  }

  private static func notUTF8(path: String, _ bytes: ArraySlice<UInt8>) -> SourceProblem {
    let file = SourceFile(path: path, uncheckedText: String(decoding: bytes, as: UTF8.self))
    let offset = firstMalformed(in: bytes)
    let byte = SourceText.hexadecimal(UInt32(bytes.dropFirst(offset).first ?? 0), digits: 2)
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
    return SourceProblem(
      .notUTF8, "not UTF-8 text: byte 0x\(byte) at offset \(bytes.startIndex + offset) of the file",
      at: file.position(ofByte: offset),
      hint: marks.contains { bytes.starts(with: $0) } ? "this looks like UTF-16; save the file as UTF-8" : nil)
  }

  private static func firstMalformed(in bytes: ArraySlice<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    return offset
  }

  /// The offset of the first character that YAML forbids, or that only some readers take for the end of a line. The
  /// bytes are UTF-8, so what begins a character is followed by the rest of it.
  private static func firstForbidden(in bytes: ArraySlice<UInt8>) -> Int? {
    for index in bytes.indices {
      let isForbidden =
        switch bytes[index] {
        case 0x20..<0x7F, 0x09, 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F: true
        case 0xC2: bytes[index + 1] < 0xA0
        case 0xE2: bytes[index + 1] == 0x80 && (0xA8...0xA9).contains(bytes[index + 2])
        case 0xEF: bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
        default: false
        }
      if isForbidden { return index - bytes.startIndex }
    }
    return nil
  }

  private func forbidden(at offset: Int) -> SourceProblem {
    let scalars = text.unicodeScalars
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    let value = scalars[index].value
    let name = SourceText.hexadecimal(value, digits: 4)
    return SourceProblem(
      .controlCharacter, "the character U+\(name) must not stand in a file as it is", at: position(ofByte: offset),
      hint: "inside double quotes, write it as \\\(value > 0xFF ? "u" + name : "x" + name.suffix(2))")
  }

  private func position(ofByte offset: Int) -> SourcePosition {
    let line = lineNumber(ofByte: offset)
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: lineStart(line))
    let end = utf8.index(utf8.startIndex, offsetBy: offset)
    let column = text.unicodeScalars[start..<end].count + 1
    return SourcePosition(file: self, line: line, column: column, length: 1)
  }
}
