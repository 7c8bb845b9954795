import Checks

/// A known mistake in what a signature or an encryption is bound to.
public protocol KnownMistake: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// A human-readable description of the mistake.
  var message: String { get }
}

/// The reason why a signature or a sealed response does not fit a session transcript: the mistake that gives the same
/// bytes, found by trying.
public struct Explanation: Sendable, Equatable {
  /// Codes of the mistakes that were made together: one, or one in the transcript and one in the structure around it.
  public let codes: [String]
  /// A human-readable description of the mistake.
  public let message: String
  /// The expected and the found values, for each mistake.
  public let differences: [CheckResult.Evidence]

  /// The field of evidence that names a mistake by its code.
  public static let field = "explanation"

  /// An explanation by one mistake.
  public init(_ mistake: some KnownMistake, _ differences: [CheckResult.Evidence]) {
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
