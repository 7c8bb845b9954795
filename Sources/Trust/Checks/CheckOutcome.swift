/// The outcome of one check: what a check function returns.
package struct CheckOutcome<Family: CheckFamily>: Sendable {
  /// One way in which the property of a check does not hold.
  package struct Finding: Sendable {
    package let reason: Family.Reason?
    package let message: String?
    package let evidence: [CheckResult.Evidence]
    package let severity: CheckDefinition.Severity?

    /// A finding.
    /// - Parameters:
    ///   - reason: the reason; nil for a check that has one way to fail.
    ///   - message: a description with details; nil for the declared one.
    ///   - severity: the effect, where it is another one than declared.
    package init(
      _ reason: Family.Reason? = nil, _ message: String? = nil, _ evidence: [CheckResult.Evidence] = [],
      severity: CheckDefinition.Severity? = nil
    ) {
      self.reason = reason
      self.message = message
      self.evidence = evidence
      self.severity = severity
    }

    /// The effect of the finding: its own, or the declared one. A finding that is not declared refuses.
    package func severity(of check: Family) -> CheckDefinition.Severity {
      severity ?? check.definition.reason(reason?.rawValue)?.severity ?? .failure
    }
  }

  /// The three kinds of outcome.
  package enum Kind: Sendable {
    case passed(String?, [CheckResult.Evidence])
    case found([Finding])
    case notReached
  }

  package let kind: Kind

  /// The property holds.
  package static var passed: Self { Self(kind: .passed(nil, [])) }

  /// The property holds.
  /// - Parameter message: a description with details.
  package static func passed(_ message: String, _ evidence: [CheckResult.Evidence] = []) -> Self {
    Self(kind: .passed(message, evidence))
  }

  /// The check does not apply: it passes, and its message and evidence say why.
  package static func notApplicable(_ reason: String) -> Self {
    Self(kind: .passed("does not apply: \(reason)", [CheckResult.Evidence("not applicable", found: reason)]))
  }

  /// An earlier failure leaves nothing to check.
  package static var notReached: Self { Self(kind: .notReached) }

  /// The property does not hold.
  package static func found(
    _ reason: Family.Reason? = nil, _ message: String? = nil, _ evidence: [CheckResult.Evidence] = []
  ) -> Self {
    Self(kind: .found([Finding(reason, message, evidence)]))
  }

  /// The outcome of findings: none passes.
  package static func findings(_ findings: [Finding]) -> Self {
    findings.isEmpty ? .passed : Self(kind: .found(findings))
  }

  /// The outcome of a condition.
  package static func require(
    _ condition: Bool, _ reason: Family.Reason? = nil, _ message: @autoclosure () -> String? = nil,
    _ evidence: @autoclosure () -> [CheckResult.Evidence] = []
  ) -> Self {
    condition ? .passed : .found(reason, message(), evidence())
  }

  /// The findings.
  package var findings: [Finding] { if case .found(let findings) = kind { findings } else { [] } }

  /// True if the property holds.
  package var isPassed: Bool { if case .passed = kind { true } else { false } }

  /// Returns true if the check was made and does not refuse.
  package func isAccepted(_ check: Family, under policy: VerificationPolicy) -> Bool {
    switch kind {
    case .passed: true
    case .notReached: false
    case .found(let findings): findings.allSatisfy { !$0.severity(of: check).refuses(under: policy) }
    }
  }

  /// The outcome with the findings of another one about the same check.
  package func joined(with other: Self) -> Self {
    switch (kind, other.kind) {
    case (.found(let own), .found(let others)): Self(kind: .found(own + others))
    case (_, .found): other
    case (.notReached, .passed): other
    default: self
    }
  }
}

/// The results of a whole plan of checks, each of which was made or was not reached.
package struct CheckRun<Family: CheckFamily>: Sendable {
  /// The results in the order of the plan. A check with several findings has a result for each.
  package let results: [CheckResult]
  /// Whether every check of the plan was made and none failed. Nothing may be believed otherwise.
  package let isAccepted: Bool

  /// True if a check failed.
  package var hasFailed: Bool { results.contains { $0.status == .failed } }

  /// Makes every check of a plan.
  /// - Parameters:
  ///   - subject: what the checks are about if there are several of the kind.
  ///   - policy: whether deviations refuse.
  ///   - outcome: makes one check.
  package init(
    _ plan: some Collection<Family>, subject: String? = nil, policy: VerificationPolicy = .standard,
    _ outcome: (Family) -> CheckOutcome<Family>
  ) {
    var results: [CheckResult] = []
    results.reserveCapacity(plan.count)
    var isAccepted = true
    for check in plan {
      let first = results.count
      outcome(check).append(to: &results, check, subject: subject, policy: policy)
      for result in results[first...] where result.status == .failed || result.status == .notReached {
        isAccepted = false
      }
    }
    self.results = results
    self.isAccepted = isAccepted
  }

  /// Lists the checks of a plan that stops at its first failure.
  /// - Parameter failure: the failure; nil if every check passed.
  package init(_ plan: some Collection<Family>, stoppedBy failure: CheckFailure<Family>?) {
    var isReached = true
    self.init(plan) { check in
      guard isReached else { return .notReached }
      guard let failure, check == failure.check else { return .passed }
      isReached = false
      return .found(failure.reason, failure.message, failure.evidence)
    }
  }
}

extension CheckOutcome {
  fileprivate func append(
    to results: inout [CheckResult], _ check: Family, subject: String?, policy: VerificationPolicy
  ) {
    let definition = check.definition
    switch kind {
    case .passed(let message, let evidence):
      results.append(
        CheckResult(
          definition.id, subject: subject, .passed, message: message ?? definition.title, evidence: evidence))
    case .notReached:
      results.append(
        CheckResult(definition.id, subject: subject, .notReached, message: "an earlier failure left nothing to check"))
    case .found(let findings):
      for finding in findings {
        let id = finding.reason?.rawValue
        let reason = definition.reason(id)
        let severity = finding.severity(of: check)
        results.append(
          CheckResult(
            definition.id, reason: id, subject: subject, severity.refuses(under: policy) ? .failed : .deviates,
            message: finding.message ?? reason?.message ?? definition.title,
            evidence: finding.evidence + Self.evidence(of: severity, refusedBy: policy)))
      }
    }
  }
}

extension CheckOutcome {
  /// Names the policy where another one accepts the finding.
  private static func evidence(
    of severity: CheckDefinition.Severity, refusedBy policy: VerificationPolicy
  ) -> [CheckResult.Evidence] {
    guard severity != .failure, severity.refuses(under: policy) else { return [] }
    return [
      CheckResult.Evidence("policy", expected: severity == .tolerance ? "lenient" : nil, found: policy.rawValue)
    ]
  }
}

/// The findings of a verification that refuse. A forged or altered response is refused under each of them.
public enum VerificationPolicy: String, Sendable, CaseIterable {
  /// Departures that the standard forbids, and that wallets and issuers in use show, are accepted too, each with a
  /// finding.
  case lenient
  /// Departures that are seen in the wild and do no harm are accepted, each with a finding.
  case standard
  /// Those refuse too.
  case strict
}
