/// The outcome of one check: what a check function returns.
@usableFromInline package struct CheckOutcome<Family: CheckFamily>: Sendable {
  /// One way in which the property of a check does not hold.
  @usableFromInline package struct Finding: Sendable {
    @usableFromInline let named: NamedFinding

    /// A finding.
    /// - Parameters:
    ///   - reason: The reason; nil for a check that has one way to fail.
    ///   - message: A description with details; nil for the declared one.
    ///   - severity: The effect, where it is another one than declared.
    @inlinable package init(
      _ reason: Family.Reason? = nil, _ message: String? = nil, _ evidence: [CheckResult.Evidence] = [],
      severity: CheckDefinition.Severity? = nil
    ) {
      named = NamedFinding(reason: reason?.rawValue, message: message, evidence: evidence, severity: severity)
    }

    fileprivate init(_ named: NamedFinding) { self.named = named }

    /// The reason; nil for a check that has one way to fail.
    package var reason: Family.Reason? { named.reason.flatMap(Family.Reason.init(rawValue:)) }
    /// A description with details; nil for the declared one.
    package var message: String? { named.message }
    /// The fields to look at.
    package var evidence: [CheckResult.Evidence] { named.evidence }

    /// The effect of the finding: its own, or the declared one. A finding that is not declared refuses.
    package func severity(of check: Family) -> CheckDefinition.Severity { named.severity(of: check.definition) }
  }

  @usableFromInline let kind: OutcomeKind

  @inlinable init(kind: OutcomeKind) { self.kind = kind }

  /// The property holds.
  @inlinable package static var passed: Self { Self(kind: .passed(nil, [])) }

  /// The property holds.
  /// - Parameter message: A description with details.
  @inlinable package static func passed(_ message: String, _ evidence: [CheckResult.Evidence] = []) -> Self {
    Self(kind: .passed(message, evidence))
  }

  /// The check does not apply: it passes, and its message and evidence say why.
  package static func notApplicable(_ reason: String) -> Self {
    Self(kind: .passed("does not apply: \(reason)", .field("not applicable", found: reason)))
  }

  /// An earlier failure leaves nothing to check.
  @inlinable package static var notReached: Self { Self(kind: .notReached) }

  /// The property does not hold.
  @inlinable package static func found(
    _ reason: Family.Reason? = nil, _ message: String? = nil, _ evidence: [CheckResult.Evidence] = []
  ) -> Self {
    Self(kind: .found([Finding(reason, message, evidence).named]))
  }

  /// The outcome of findings: none passes.
  @inlinable package static func findings(_ findings: [Finding]) -> Self {
    findings.isEmpty ? .passed : Self(kind: .found(findings.map(\.named)))
  }

  /// The outcome of a condition.
  @inlinable package static func require(
    _ condition: Bool, _ reason: Family.Reason? = nil, _ message: @autoclosure () -> String? = nil,
    _ evidence: @autoclosure () -> [CheckResult.Evidence] = []
  ) -> Self {
    condition ? .passed : .found(reason, message(), evidence())
  }

  /// The findings.
  package var findings: [Finding] { if case .found(let findings) = kind { findings.map(Finding.init) } else { [] } }

  /// True if the property holds.
  package var isPassed: Bool { if case .passed = kind { true } else { false } }

  /// Returns true if the check was made and does not refuse.
  package func isAccepted(_ check: Family, under policy: VerificationPolicy) -> Bool {
    switch kind {
    case .passed: true
    case .notReached: false
    case .found(let findings): findings.allSatisfy { !$0.severity(of: check.definition).refuses(under: policy) }
    }
  }

  /// The outcome with the findings of another one about the same check.
  @inlinable package func joined(with other: Self) -> Self {
    switch (kind, other.kind) {
    case (.found(let own), .found(let others)): Self(kind: .found(own + others))
    case (_, .found): other
    case (.notReached, .passed): other
    default: self
    }
  }
}

/// The outcomes of checks that are made one after the other. A check that is not made was not reached.
package struct CheckOutcomes<Family: CheckFamily>: Sendable {
  private var made: [Family: CheckOutcome<Family>] = [:]

  /// Begins without an outcome.
  package init() { made.reserveCapacity(Family.allCases.count) }

  /// The outcome of a check.
  package subscript(check: Family) -> CheckOutcome<Family> {
    get { made[check] ?? .notReached }
    set { made[check] = newValue }
  }
}

/// The results of a whole plan of checks, each of which was made or was not reached.
@usableFromInline package struct CheckRun<Family: CheckFamily>: Sendable {
  /// The results in the order of the plan. A check with several findings has a result for each.
  @usableFromInline package let results: [CheckResult]
  /// Whether every check of the plan was made and none failed. Nothing may be believed otherwise.
  @usableFromInline package let isAccepted: Bool

  /// True if a check failed.
  package var hasFailed: Bool { results.contains { $0.status == .failed } }

  /// Runs every check of a plan.
  /// - Parameters:
  ///   - subject: What the checks are about if there are several of the kind.
  ///   - policy: Whether deviations refuse.
  ///   - outcome: Makes one check.
  @inlinable package init(
    _ plan: [Family], subject: String? = nil, policy: VerificationPolicy = .standard,
    _ outcome: (Family) -> CheckOutcome<Family>
  ) {
    var results: [CheckResult] = []
    results.reserveCapacity(plan.count)
    for check in plan {
      outcome(check).kind.append(to: &results, of: check.definition, subject: subject, policy: policy)
    }
    self.results = results
    isAccepted = results.allSatisfy { $0.status != .failed && $0.status != .notReached }
  }

  /// Lists the checks of a plan that stops at its first failure.
  /// - Parameter failure: The failure; nil if every check passed.
  package init(_ plan: [Family], stoppedBy failure: CheckFailure<Family>?) {
    var isReached = true
    self.init(plan) { check in
      guard isReached else { return .notReached }
      guard let failure, check == failure.check else { return .passed }
      isReached = false
      return .found(failure.reason, failure.message, failure.evidence)
    }
  }
}

/// A finding of any family of checks, with the name of its reason.
@usableFromInline struct NamedFinding: Sendable {
  let reason: String?
  let message: String?
  let evidence: [CheckResult.Evidence]
  let severity: CheckDefinition.Severity?

  @usableFromInline init(
    reason: String?, message: String?, evidence: [CheckResult.Evidence], severity: CheckDefinition.Severity?
  ) {
    self.reason = reason
    self.message = message
    self.evidence = evidence
    self.severity = severity
  }

  func severity(of check: CheckDefinition) -> CheckDefinition.Severity {
    severity ?? check.reason(reason)?.severity ?? .failure
  }
}

/// The three kinds of outcome. They know no family, so that a run of checks handles them without its metadata.
@usableFromInline enum OutcomeKind: Sendable {
  case passed(String?, [CheckResult.Evidence])
  case found([NamedFinding])
  case notReached

  @usableFromInline func append(
    to results: inout [CheckResult], of definition: CheckDefinition, subject: String?, policy: VerificationPolicy
  ) {
    switch self {
    case .passed(let message, let evidence):
      results.append(
        CheckResult(
          definition.id, subject: subject, .passed, message: message ?? definition.title, evidence: evidence))
    case .notReached:
      results.append(
        CheckResult(definition.id, subject: subject, .notReached, message: "an earlier failure left nothing to check"))
    case .found(let findings):
      for finding in findings {
        let severity = finding.severity(of: definition)
        results.append(
          CheckResult(
            definition.id, reason: finding.reason, subject: subject,
            severity.refuses(under: policy) ? .failed : .deviates,
            message: finding.message ?? definition.reason(finding.reason)?.message ?? definition.title,
            evidence: finding.evidence + Self.evidence(of: severity, refusedBy: policy)))
      }
    }
  }
}

extension OutcomeKind {
  /// Names the policy where another one accepts the finding.
  private static func evidence(
    of severity: CheckDefinition.Severity, refusedBy policy: VerificationPolicy
  ) -> [CheckResult.Evidence] {
    guard severity != .failure, severity.refuses(under: policy) else { return [] }
    return [CheckResult.Evidence("policy", expected: severity == .tolerance ? "lenient" : nil, found: policy.rawValue)]
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
