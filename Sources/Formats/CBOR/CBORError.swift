/// Why bytes were not accepted as CBOR, or not accepted as the structure that was asked of them.
///
/// Two errors are equal when code and place are; the sentence is for people.
public struct CBORError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken. Raw values are stable and may be shown and stored.
  public enum Code: String, Sendable, CaseIterable {
    /// The input ends inside an item (RFC 8949, appendix F, "end of input").
    case truncated = "cbor.truncated"
    /// Additional information 28 to 30, or 31 where no indefinite length exists (RFC 8949, 3).
    case reservedInformation = "cbor.reserved-information"
    /// An indefinite length where only definite ones are accepted (ISO/IEC 18013-5, 8.3).
    case indefiniteLength = "cbor.indefinite-length"
    /// A head longer than its argument needs, or a float wider than its value needs (RFC 8949, 4.1 and
    /// ISO/IEC 18013-5, 8.3).
    case nonMinimalHead = "cbor.non-minimal-head"
    /// A break outside an indefinite-length item (RFC 8949, 3.2.1).
    case unexpectedBreak = "cbor.unexpected-break"
    /// A chunk of an indefinite-length string that is no definite string of the same type (RFC 8949, 3.2.3).
    case badChunk = "cbor.bad-chunk"
    /// A two-byte simple value below 32 (RFC 8949, 3.3).
    case badSimpleValue = "cbor.bad-simple-value"
    /// A text string that is not UTF-8 (RFC 8949, 3.1).
    case invalidUTF8 = "cbor.invalid-utf8"
    /// The same key twice in one map (RFC 8949, 5.6).
    case duplicateKey = "cbor.duplicate-key"
    /// Bytes after the one item that was expected.
    case trailingBytes = "cbor.trailing-bytes"
    /// Nesting beyond ``CBORLimits/depth``.
    case tooDeep = "cbor.too-deep"
    /// More items than ``CBORLimits/items``.
    case tooManyItems = "cbor.too-many-items"
    /// More bytes than ``CBORLimits/bytes``.
    case tooLarge = "cbor.too-large"
    /// Tag 24 around something that is no byte string (RFC 8949, 3.4.5.1).
    case badEmbeddedItem = "cbor.bad-embedded-item"
    /// An item of another type than the structure asks for.
    case wrongType = "cbor.wrong-type"
    /// A key that the structure demands and the map does not have.
    case missingKey = "cbor.missing-key"
    /// A value of the right type that the structure does not allow.
    case badValue = "cbor.bad-value"
    /// More of something than a reader of the structure accepts.
    case outOfBounds = "cbor.out-of-bounds"
  }

  /// The rule that was broken.
  public let code: Code
  /// Where, in bytes from the start of the buffer that was read.
  public let offset: Int
  /// What is wrong, for a person to read. Never holds element values.
  public let sentence: String

  /// Makes an error for a place in the received bytes.
  public init(_ code: Code, at offset: Int, _ sentence: String) {
    self.code = code
    self.offset = offset
    self.sentence = sentence
  }

  /// Sentence and place in one line.
  public var description: String { "\(sentence) (\(code.rawValue), byte \(offset))" }

  /// Equal when code and place are equal.
  public static func == (left: CBORError, right: CBORError) -> Bool {
    left.code == right.code && left.offset == right.offset
  }

  /// Lets a `catch` or `switch` match a whole code: `catch let error as CBORError where .truncated ~= error`.
  public static func ~= (code: Code, error: CBORError) -> Bool { error.code == code }
}
