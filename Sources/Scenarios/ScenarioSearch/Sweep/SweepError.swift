import Primitives

/// The reason why a case cannot be swept.
package struct SweepError: CodedError {
  /// The kinds of reasons.
  package enum Code: String, Sendable {
    /// The case does not pass without an alteration.
    case notPassed = "sweep.not-passed"
    /// The case has no message of that number.
    case noMessage = "sweep.no-message"
    /// The message has no alteration of that name.
    case noChange = "sweep.no-change"
  }

  /// The kind of reason.
  package let code: Code
  /// A human-readable description.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
