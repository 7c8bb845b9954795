/// Why a file could not be inspected: what was tried, and why each did not fit.
public struct InspectionFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: String, Sendable, CaseIterable {
    /// There are no bytes.
    case empty = "inspect.empty"
    /// There are more than ``Inspector/maximumLength`` bytes.
    case tooLarge = "inspect.too-large"
    /// The bytes are in no form that is known here.
    case unrecognized = "inspect.unrecognized"

    var sentence: String {
      switch self {
      case .empty: "there is nothing to inspect"
      case .tooLarge: "there are more than \(Inspector.maximumLength) bytes"
      case .unrecognized: "this is nothing that is known here"
      }
    }
  }

  /// A form that was tried.
  public struct Attempt: Sendable, Equatable, CustomStringConvertible {
    /// Which form.
    public let form: InputForm
    /// Why the bytes are not in it, on one line.
    public let reason: String

    /// Form and reason on one line.
    public var description: String { "not \(form.rawValue): \(reason)" }
  }

  /// What kind of failure it is.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// Every form that was tried, in order.
  public let attempts: [Attempt]

  init(_ code: Code, _ sentence: String? = nil, attempts: [Attempt] = []) {
    self.code = code
    self.sentence = sentence ?? code.sentence
    self.attempts = attempts
  }

  /// The sentence with its code, then a line for each form that was tried.
  public var description: String {
    (["\(sentence) (\(code.rawValue))"] + attempts.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// Why bytes are not what they were taken for.
struct Misfit: Error {
  let reason: String

  init(_ reason: String) { self.reason = Printed.onOneLine(reason) }

  /// The reason that a library gives, without the place in its sources that stands at the end.
  init(_ error: any Error) {
    let words = "\(error)".split(separator: " ")
    self.init(words.filter { !$0.contains(".swift:") }.joined(separator: " "))
  }
}
