/// An error with a stable code for programs and a message for readers.
///
/// Match a code with a pattern: `catch let error as CBORError where .truncated ~= error`.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
  /// The codes of a family of errors. Raw values are stable, lower-case words joined by dots and dashes.
  associatedtype Code: RawRepresentable, Equatable, Sendable where Code.RawValue == String

  /// The broken rule.
  var code: Code { get }

  /// A human-readable description of the failure. It never contains element values or keys.
  var message: String { get }

  /// The value or condition that was found; nil if the message says everything.
  var evidence: String? { get }

  /// The place of the failure in its input, for example `byte 12`; nil if it has none.
  var location: String? { get }
}

extension CodedError {
  /// The value or condition that was found; nil by default.
  public var evidence: String? { nil }
  /// The place of the failure in its input; nil if it has none.
  public var location: String? { nil }

  /// The message with the evidence.
  public var sentence: String { [message, evidence].compactMap(\.self).joined(separator: ": ") }

  /// Message and evidence, with code and location in parentheses: `the key is malformed: 31 bytes (cose.key)`.
  public var description: String {
    let origin = [code.rawValue, location].compactMap(\.self).joined(separator: ", ")
    return "\(sentence) (\(origin))"
  }

  /// Returns whether the error has a code.
  public func hasCode(_ code: Code) -> Bool { self.code == code }

  /// Matches every error with a code.
  public static func ~= (code: Code, error: Self) -> Bool { error.hasCode(code) }
}

/// An error of a family that has nothing but a code, a message, and where it helps evidence and a place.
///
/// A family declares its codes and a name: `public typealias QRCodeError = CodedFailure<QRCodeErrorCode>`.
public struct CodedFailure<Code: RawRepresentable & Equatable & Sendable>: CodedError, Equatable
where Code.RawValue == String {
  /// The broken rule.
  public let code: Code
  /// A human-readable description of the failure. It never contains element values or keys.
  public let message: String
  /// The value or condition that was found; nil if the message says everything.
  public let evidence: String?
  /// The place of the failure in its input; nil if it has none.
  public let location: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, evidence: String? = nil, at location: String? = nil) {
    self.code = code
    self.message = message
    self.evidence = evidence
    self.location = location
  }

  /// Creates the error of bytes that the reader of a format refuses, with its code as evidence.
  /// - Parameter place: The place of the bytes in the input.
  public init(_ code: Code, _ error: some CodedError, at place: String? = nil) {
    let places = [place, error.location].compactMap(\.self)
    self.init(
      code, error.message, evidence: error.code.rawValue, at: places.isEmpty ? nil : places.joined(separator: ", "))
  }
}
