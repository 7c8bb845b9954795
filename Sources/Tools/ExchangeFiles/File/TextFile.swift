/// Texts as editors write them.
enum TextFile {
  /// The text without the mark that some editors put before UTF-8, which says nothing (RFC 8259, 8.1, lets it pass).
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
  }
}
