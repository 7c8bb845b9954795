import Checks

/// The result of one rule.
enum RuleResult {
  /// The rule holds.
  case holds
  /// The rule holds, and a recommendation of the profile is not followed.
  case notes(String)
  /// The rule is broken. An essential rule then fails, and any other deviates.
  case breaks(String? = nil, expected: String? = nil, found: String? = nil)
  /// The rule is broken in a way that is accepted as a deviation, even if the rule is essential.
  case deviates(String? = nil, expected: String? = nil, found: String? = nil)

  /// Returns that a rule holds if a condition is true, else that it is broken, with what was found.
  static func require(
    _ condition: Bool, _ message: @autoclosure () -> String? = nil, expected: @autoclosure () -> String? = nil,
    found: @autoclosure () -> String?
  ) -> RuleResult {
    condition ? .holds : .breaks(message(), expected: expected(), found: found() ?? "none")
  }

  func result(
    _ rule: CertificateRule, of certificate: CertificateFields, profile: CertificateProfile
  ) -> CheckResult {
    func broken(
      _ outcome: CheckResult.Status, _ message: String?, _ expected: String?, _ found: String?
    ) -> CheckResult {
      let field = CheckResult.Evidence(rule.field, expected: expected, found: found)
      let whose = CheckResult.Evidence("certificate", found: certificate.subject.description)
      return profile.result(
        of: rule, outcome, message, evidence: expected == nil && found == nil ? [whose] : [field, whose])
    }
    switch self {
    case .holds: return profile.result(of: rule, .passed)
    case .notes(let message): return profile.result(of: rule, .passed, message)
    case .breaks(let message, let expected, let found):
      return broken(rule.isEssential ? .failed : .deviates, message, expected, found)
    case .deviates(let message, let expected, let found): return broken(.deviates, message, expected, found)
    }
  }
}

extension CertificateRule {
  /// The field that evidence names: the rule, with spaces.
  fileprivate var field: String { rawValue.split(separator: "-").joined(separator: " ") }
}
