import Primitives

/// Work that was to be measured and did not have its expected result.
package struct MeasuredWorkError: CodedError, Equatable {
  /// The kinds of errors.
  package enum Code: String, Sendable {
    case result = "measurement.result"
  }

  package let code = Code.result
  /// A human-readable description.
  package let message: String

  init(_ message: String) { self.message = message }
}
