import Primitives

/// A rule of JSON, or of the expected message, that a text breaks.
package struct JSONError: CodedError, Equatable {
  /// The rules.
  package enum Code: String, Sendable, CaseIterable {
    /// Not the grammar of JSON (RFC 8259, 2), or half of a surrogate pair.
    case syntax = "json.syntax"
    /// Bytes that are not UTF-8 (RFC 8259, 8.1).
    case encoding = "json.encoding"
    /// A name that an object repeats (RFC 8259, 4).
    case repeatedName = "json.repeated-name"
    /// Nesting beyond the limit of the reader.
    case tooDeep = "json.too-deep"
    /// A text beyond the limit of the reader, in bytes or in values.
    case tooLarge = "json.too-large"
    /// A required member that an object lacks.
    case missingMember = "json.missing-member"
    /// A value of another kind than expected.
    case wrongType = "json.wrong-type"
    /// A value of the expected kind that the message does not allow.
    case badValue = "json.bad-value"
  }

  /// The broken rule.
  package let code: Code
  /// The place of the failure, in bytes from the start of the text.
  package let offset: Int
  /// A human-readable description of the failure.
  package let message: String

  init(_ code: Code, at offset: Int, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The place of the failure.
  package var location: String? { "byte \(offset)" }
}
