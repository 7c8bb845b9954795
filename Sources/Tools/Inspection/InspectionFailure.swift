import Primitives

/// The reason why bytes are not in a form, or why a file could not be inspected, with a reason for each form that was
/// tried.
public struct InspectionFailure: CodedError, Equatable {
  /// The kinds of failure.
  public enum Code: String, Sendable, CaseIterable {
    /// The file is empty.
    case empty = "inspect.empty"
    /// The file has more than ``Inspector/maximumLength`` bytes.
    case tooLarge = "inspect.too-large"
    /// The file is not in a supported form.
    case unrecognized = "inspect.unrecognized"

    var message: String {
      switch self {
      case .empty: "the input is empty"
      case .tooLarge: "the input exceeds the limit of \(Inspector.maximumLength) bytes"
      case .unrecognized: "unrecognized input"
      }
    }
  }

  /// A form that was tried.
  public struct Attempt: Sendable, Equatable, CustomStringConvertible {
    /// The form.
    public let form: InputForm
    /// The reason why the bytes are not in this form, on one line.
    public let reason: String

    /// Form and reason on one line.
    public var description: String { "not \(form.rawValue): \(reason)" }
  }

  /// The kind of failure.
  public let code: Code
  /// A human-readable description of the failure.
  public let message: String
  /// The forms that were tried, in order.
  public let attempts: [Attempt]

  init(_ code: Code, _ message: String? = nil, attempts: [Attempt] = []) {
    self.code = code
    self.message = message ?? code.message
    self.attempts = attempts
  }

  /// The message with its code, then a line for each form that was tried.
  public var description: String {
    (["\(message) (\(code.rawValue))"] + attempts.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension InspectionFailure {
  /// Creates the error of bytes that are not in an expected form.
  init(_ reason: String) { self.init(.unrecognized, Printed.onOneLine(reason)) }

  /// Returns what was read, or throws the description of the reader's error.
  static func instead<Value>(of value: @autoclosure () throws -> Value) throws(InspectionFailure) -> Value {
    do { return try value() } catch { throw InspectionFailure("\(error)") }
  }

  /// Takes the reason of a library's error, without the source location at its end.
  init(_ error: any Error) {
    let words = "\(error)".split(separator: " ")
    self.init(words.filter { !$0.contains(".swift:") }.joined(separator: " "))
  }
}
