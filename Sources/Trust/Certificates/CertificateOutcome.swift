import Checks

/// How one rule came out.
enum CertificateOutcome {
  /// As the profile asks.
  case holds
  /// As the profile asks, though not as it recommends.
  case notes(String)
  /// Not as the profile asks; whether that refuses is the rule's nature.
  case breaks(String? = nil, expected: String? = nil, found: String? = nil)
  /// Not as the profile asks, and let pass whatever the rule's nature.
  case deviates(String? = nil, expected: String? = nil, found: String? = nil)

  /// A condition and what was found where it does not hold.
  static func require(
    _ condition: Bool, _ sentence: @autoclosure () -> String? = nil, expected: @autoclosure () -> String? = nil,
    found: @autoclosure () -> String?
  ) -> CertificateOutcome {
    condition ? .holds : .breaks(sentence(), expected: expected(), found: found() ?? "none")
  }

  func result(
    _ rule: CertificateRule, of certificate: CertificateFields, profile: CertificateProfile
  ) -> CheckResult {
    func broken(
      _ outcome: CheckResult.Outcome, _ sentence: String?, _ expected: String?, _ found: String?
    ) -> CheckResult {
      let field = CheckResult.Evidence(rule.field, expected: expected, found: found)
      let whose = CheckResult.Evidence("certificate", found: certificate.subject.description)
      return CheckResult(
        rule, subject: profile.rawValue, outcome, sentence: sentence ?? rule.sentence,
        evidence: expected == nil && found == nil ? [whose] : [field, whose])
    }
    switch self {
    case .holds: return CheckResult(rule, subject: profile.rawValue, .passed)
    case .notes(let sentence): return CheckResult(rule, subject: profile.rawValue, .passed, sentence: sentence)
    case .breaks(let sentence, let expected, let found):
      return broken(rule.isEssential ? .failed : .deviates, sentence, expected, found)
    case .deviates(let sentence, let expected, let found): return broken(.deviates, sentence, expected, found)
    }
  }
}

extension CertificateRule {
  /// The field that evidence names: the code without its family, in words.
  fileprivate var field: String {
    rawValue.drop { $0 != "." }.dropFirst().split(separator: "-").joined(separator: " ")
  }
}
