#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A text file as it was read, with its lines. Positions refer to it, so it is shared and never changes.
public final class SourceFile: Sendable {
  /// The path as it was given, for people to read.
  public let path: String
  /// The whole text, without a byte order mark.
  public let text: String
  /// True if a byte order mark is before the text.
  public let hasByteOrderMark: Bool
  private let lineStarts: [Int]

  /// Takes any text: what is allowed in a file is checked by the public initializers.
  init(path: String, uncheckedText text: String, hasByteOrderMark: Bool = false) {
    self.path = path
    self.text = text
    self.hasByteOrderMark = hasByteOrderMark
    self.lineStarts = Self.lineStarts(of: text)
  }

  /// The number of lines. A line ends in LF, CR LF or CR; the text after the last line end counts too, even if it is
  /// empty.
  public var lineCount: Int { lineStarts.count }

  /// The line with this number, counted from 1, without its end. Empty for a number out of range.
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
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension SourceFile {
  /// A file from its bytes.
  ///
  /// Throws `source.too-large`, `source.empty`, `source.not-utf8` or `source.control-character`.
  public convenience init(path: String, bytes: [UInt8]) throws(SourceProblem) {
    guard bytes.count <= SourceLimits.bytes else { throw .tooLarge(path: path) }
    let hasMark = bytes.starts(with: Self.byteOrderMark)
    let content = hasMark ? bytes[Self.byteOrderMark.count...] : bytes[...]
    guard !content.isEmpty else { throw .empty(path: path, "the file is empty") }
    guard let text = String(validating: content, as: UTF8.self) else { throw Self.notUTF8(path: path, content) }
    self.init(path: path, uncheckedText: text, hasByteOrderMark: hasMark)
    if let offset = Self.firstForbidden(in: content) { throw forbidden(at: offset) }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes of the file.
  public var bytes: [UInt8] { (hasByteOrderMark ? Self.byteOrderMark : []) + text.utf8 }

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

  /// The offset of the first character that YAML forbids, or that only some readers treat as the end of a line. The
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
      .controlCharacter, "the character U+\(name) must be written as an escape", at: position(ofByte: offset),
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

extension SourceFile {
  /// Reads a regular file. Its size is looked at before anything is read, and no more than the limit is ever held.
  ///
  /// Throws `source.not-found`, `source.not-a-file`, `source.not-readable`, `source.too-large`, or what
  /// `init(path:bytes:)` throws.
  public convenience init(readingFrom path: String) throws(SourceProblem) {
    try self.init(path: path, bytes: try Self.contents(of: path))
  }

  /// The bytes of a regular file that a file with this position names, relative to its folder. They need not be text.
  ///
  /// Throws `source.not-found`, `source.not-a-file`, `source.not-readable` or `source.too-large`, at the position.
  public static func bytes(of name: String, namedAt position: SourcePosition) throws(SourceProblem) -> [UInt8] {
    do throws(SourceProblem) {
      let bytes = try contents(of: path(of: name, namedAt: position))
      guard bytes.count <= SourceLimits.bytes else { throw SourceProblem.tooLarge(path: name) }
      return bytes
    } catch {
      let message = error.code == .tooLarge ? "larger than \(SourceLimits.bytes) bytes" : error.message
      throw SourceProblem(error.code, "\(SourceText.quote(name)): \(message)", at: position)
    }
  }

  /// The path of a file that a file with this position names.
  public static func path(of name: String, namedAt position: SourcePosition) -> String {
    guard !name.hasPrefix("/"), let end = position.file.path.lastIndex(of: "/") else { return name }
    return "\(position.file.path[...end])\(name)"
  }

  /// The bytes of a regular file, up to one more than the limit.
  private static func contents(of path: String) throws(SourceProblem) -> [UInt8] {
    // A path with NUL would be cut there and name another file.
    guard !path.utf8.contains(0), !path.isEmpty else { throw SourceProblem(.notFound, "no such file", path: path) }
    var status = stat()
    // Opening a device can already have effects, so its kind is asked by name first, and again once it is open.
    guard unsafe stat(path, &status) == 0 else { throw Self.failure(errno, path: path) }
    try Self.check(status, path: path)
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, path: path) }
    defer { close(descriptor) }
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(errno, path: path) }
    try Self.check(status, path: path)
    return try Self.contents(of: descriptor, expecting: Int(status.st_size), path: path)
  }

  private static func check(_ status: stat, path: String) throws(SourceProblem) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: guard status.st_size <= SourceLimits.bytes else { throw .tooLarge(path: path) }
    case S_IFDIR: throw SourceProblem(.notAFile, "this is a folder, not a file", path: path)
    default: throw SourceProblem(.notAFile, "this is a device, a pipe or a socket, not a file", path: path)
    }
  }

  /// Up to one byte more than the limit: a file can grow while it is read, and some say they are empty and are not.
  private static func contents(
    of descriptor: Int32, expecting size: Int, path: String
  ) throws(SourceProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: max(size + 1, 4096))
    while bytes.count <= SourceLimits.bytes {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno, path: path) }
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return bytes
  }

  private static func failure(_ number: Int32, path: String) -> SourceProblem {
    switch number {
    case ENOENT, ENOTDIR: SourceProblem(.notFound, "no such file", path: path)
    case EACCES, EPERM: SourceProblem(.notReadable, "this user may not read the file", path: path)
    case ELOOP: SourceProblem(.notReadable, "its symbolic links lead in a circle", path: path)
    case ENAMETOOLONG: SourceProblem(.notReadable, "the path is too long for this system", path: path)
    default: SourceProblem(.notReadable, "the system does not read it (error \(number))", path: path)
    }
  }
}

extension SourceFile {
  /// Finds the anchors that no alias names, in the order of the file; none in a text that is not YAML.
  public func unusedAnchors() -> [Located<String>] {
    var anchors: [(name: Located<String>, isUsed: Bool)] = []
    var events = YAMLEvents(text)
    while let event = try? events.next(orThrow: { SourceProblem($0, in: self, openBracket: nil) }) {
      if case .streamEnd = event.kind { break }
      if case .alias(let name) = event.kind, let last = anchors.lastIndex(where: { $0.name.value == name }) {
        anchors[last].isUsed = true
      }
      guard let name = event.anchor else { continue }
      // The sign `&` is part of the token.
      let length = name.unicodeScalars.count + 1
      let position = SourcePosition(file: self, line: event.start.line, column: event.start.column, length: length)
      anchors.append((Located(name, at: position), false))
    }
    return anchors.filter { !$0.isUsed }.map(\.name)
  }
}
