/// The code of an error or a refusal: stable, lower-case words joined by dots.
public protocol CheckCode: RawRepresentable, CaseIterable, Sendable, Hashable where RawValue == String {
  /// A human-readable description of the failure.
  var message: String { get }

  /// A human-readable description of the property that holds otherwise.
  var title: String { get }
}

extension CheckCode {
  /// Codes that only ever refuse have nothing more to say about holding.
  public var title: String { "as required" }
}

extension CheckResult {
  /// Makes the result of a rule that is declared by its code alone.
  public init(
    _ code: some CheckCode, subject: String? = nil, _ status: Status, message: String? = nil,
    evidence: [Evidence] = []
  ) {
    let declared =
      switch status {
      case .failed: code.message
      case .passed: code.title
      case .deviates, .notReached: status.rawValue
      }
    self.init(
      code.rawValue, reason: nil, subject: subject, status, message: message ?? declared, evidence: evidence)
  }
}
