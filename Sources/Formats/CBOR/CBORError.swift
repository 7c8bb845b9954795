import Primitives

/// A rule of CBOR, or of the expected structure, that received bytes break.
public struct CBORError: CodedError, Equatable {
  /// The rules.
  public enum Code: String, Sendable, CaseIterable {
    /// The input ends inside an item (RFC 8949, appendix F, "end of input").
    case truncated = "cbor.truncated"
    /// Additional information 28 to 30, or 31 for a type without indefinite length (RFC 8949, 3).
    case reservedInformation = "cbor.reserved-information"
    /// An indefinite length where only definite ones are accepted (ISO/IEC 18013-5, 8.3).
    case indefiniteLength = "cbor.indefinite-length"
    /// A head longer than its argument needs, or a float wider than its value needs (RFC 8949, 4.1 and
    /// ISO/IEC 18013-5, 8.3).
    case nonMinimalHead = "cbor.non-minimal-head"
    /// A break outside an indefinite-length item (RFC 8949, 3.2.1).
    case unexpectedBreak = "cbor.unexpected-break"
    /// A chunk of an indefinite-length string that is not a definite string of the same type (RFC 8949, 3.2.3).
    case badChunk = "cbor.bad-chunk"
    /// A two-byte simple value below 32 (RFC 8949, 3.3).
    case badSimpleValue = "cbor.bad-simple-value"
    /// A text string that is not UTF-8 (RFC 8949, 3.1).
    case invalidUTF8 = "cbor.invalid-utf8"
    /// The same key twice in one map (RFC 8949, 5.6).
    case duplicateKey = "cbor.duplicate-key"
    /// Bytes after the one expected item.
    case trailingBytes = "cbor.trailing-bytes"
    /// Nesting beyond ``CBORLimits/depth``.
    case tooDeep = "cbor.too-deep"
    /// More items than ``CBORLimits/items``.
    case tooManyItems = "cbor.too-many-items"
    /// More bytes than ``CBORLimits/bytes``.
    case tooLarge = "cbor.too-large"
    /// Tag 24 on anything but a byte string (RFC 8949, 3.4.5.1).
    case badEmbeddedItem = "cbor.bad-embedded-item"
    /// An item of another type than the structure requires.
    case wrongType = "cbor.wrong-type"
    /// A map without a key that the structure requires.
    case missingKey = "cbor.missing-key"
    /// A value of the right type that the structure does not allow.
    case badValue = "cbor.bad-value"
    /// More elements than the reader of the structure accepts.
    case outOfBounds = "cbor.out-of-bounds"
  }

  /// The broken rule.
  public let code: Code
  /// The place of the failure, in bytes from the start of the buffer.
  public let offset: Int
  /// A human-readable description of the failure.
  public let message: String

  /// Creates an error at a place in the received bytes.
  public init(_ code: Code, at offset: Int, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The place of the failure.
  public var location: String? { "byte \(offset)" }
}
