/// Why compressed bytes could not be inflated. Equal when the codes are equal.
public struct InflateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken. Raw values are stable and may be shown and stored.
  public enum Code: String, Sendable, CaseIterable {
    /// The first two bytes are no header of a zlib stream (RFC 1950, 2.2).
    case header = "inflate.header"
    /// The stream wants a dictionary that was agreed on elsewhere.
    case dictionary = "inflate.dictionary"
    /// The bytes end before the stream does.
    case truncated = "inflate.truncated"
    /// A block of the reserved kind (RFC 1951, 3.2.3).
    case blockKind = "inflate.block-kind"
    /// The length of a stored block and its complement differ (RFC 1951, 3.2.4).
    case storedLength = "inflate.stored-length"
    /// Code lengths that make no Huffman code, or too many of them (RFC 1951, 3.2.7).
    case codeLengths = "inflate.code-lengths"
    /// Bits that no code stands for, or a symbol that must not occur (RFC 1951, 3.2.5).
    case symbol = "inflate.symbol"
    /// A copy from before the beginning.
    case distance = "inflate.distance"
    /// More comes out than the reader takes.
    case tooLong = "inflate.too-long"
    /// The checksum of what came out is another (RFC 1950, 2.2).
    case checksum = "inflate.checksum"
    /// Bytes stand behind the stream.
    case trailing = "inflate.trailing"
  }

  /// The rule that was broken.
  public let code: Code
  /// Where, in bytes from the start of the compressed bytes.
  public let offset: Int

  /// What is wrong, for a person to read.
  public var sentence: String {
    switch code {
    case .header: "this is no zlib stream"
    case .dictionary: "the stream wants a dictionary"
    case .truncated: "the stream ends too early"
    case .blockKind: "a block is of the reserved kind"
    case .storedLength: "the length of a stored block and its complement differ"
    case .codeLengths: "the code lengths make no Huffman code"
    case .symbol: "there are bits that no symbol has, or a symbol that must not occur"
    case .distance: "a copy begins before the first byte"
    case .tooLong: "more comes out than is taken"
    case .checksum: "the checksum is another"
    case .trailing: "bytes stand behind the stream"
    }
  }

  /// The sentence, its code and the place.
  public var description: String { "\(sentence) (\(code.rawValue), byte \(offset))" }

  /// Equal when the codes are equal.
  public static func == (left: InflateError, right: InflateError) -> Bool { left.code == right.code }
}
