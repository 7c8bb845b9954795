import Checks

/// Why something that is bound to a session transcript does not fit: the mistake whose outcome fits, found by trying.
public struct Explanation: Sendable, Equatable {
  /// Codes of the mistakes that were made together: one, or one in the transcript and one in the structure around it.
  public let codes: [String]
  /// What was done wrong, for a person to read.
  public let message: String
  /// What should have been there and what was there, for each mistake.
  public let differences: [CheckResult.Evidence]

  /// The field of evidence that names a mistake by its code.
  public static let field = "explanation"

  /// An explanation by one mistake.
  public init(_ mistake: some CheckCode, _ differences: [CheckResult.Evidence]) {
    codes = [mistake.rawValue]
    message = mistake.message
    self.differences = differences
  }

  /// An explanation by two mistakes that were made together.
  public init(_ first: Explanation, and second: Explanation) {
    codes = first.codes + second.codes
    message = "\(first.message), and \(second.message)"
    differences = first.differences + second.differences
  }

  /// The explanation as evidence of the check that failed: the codes, then what differs.
  public var evidence: [CheckResult.Evidence] {
    codes.map { CheckResult.Evidence(Self.field, found: $0) } + differences
  }
}
