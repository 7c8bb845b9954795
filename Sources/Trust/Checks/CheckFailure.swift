import Primitives

/// A check and the reason for which its property does not hold.
public struct CheckFinding<Family: CheckFamily>: Sendable, Hashable {
  /// The check.
  public let check: Family
  /// The reason; nil for a check with one way to fail.
  public let reason: Family.Reason?

  /// Creates a finding.
  public init(_ check: Family, _ reason: Family.Reason? = nil) {
    self.check = check
    self.reason = reason
  }

  /// Returns the declared finding with a name, such as `sandbox.worker/time`, or nil if the family declares none.
  public init?(name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Every declared finding, in the order of the declarations.
  public static var all: [Self] {
    Family.allCases.flatMap { check in
      check.definition.reasons.map { Self(check, $0.id.flatMap(Family.Reason.init(rawValue:))) }
    }
  }

  /// The name of the finding: `check/reason`, or the check alone if it has one way to fail.
  public var name: String { check.name(reason) }

  /// The declared description of the finding.
  public var message: String {
    let definition = check.definition
    return definition.reason(reason?.rawValue)?.message ?? definition.title
  }

  /// The finding as the result of its check, failed or deviating as declared.
  /// - Parameter message: A description with details; nil for the declared one.
  package func result(
    subject: String? = nil, _ message: String? = nil, evidence: [CheckResult.Evidence] = []
  ) -> CheckResult {
    let severity = check.definition.reason(reason?.rawValue)?.severity ?? .failure
    return CheckResult(
      check.id, reason: reason?.rawValue, subject: subject, severity == .failure ? .failed : .deviates,
      message: message ?? self.message, evidence: evidence)
  }
}

/// A check that failed, as an error: the finding, a description and the evidence.
public struct CheckFailure<Family: CheckFamily>: Error, Sendable, CustomStringConvertible {
  /// The check and the reason.
  public let finding: CheckFinding<Family>
  /// A human-readable description of the failure.
  public let message: String
  /// The fields to look at.
  public let evidence: [CheckResult.Evidence]

  /// Creates a failure.
  /// - Parameters:
  ///   - reason: The reason; nil for a check with one way to fail.
  ///   - message: A description with details; nil for the declared one.
  public init(
    _ check: Family, _ reason: Family.Reason? = nil, _ message: String? = nil,
    evidence: [CheckResult.Evidence] = []
  ) {
    self.init(CheckFinding(check, reason), message, evidence: evidence)
  }

  /// Creates a failure whose message is the declared one with a detail.
  public init(
    _ check: Family, _ reason: Family.Reason? = nil, adding detail: String, evidence: [CheckResult.Evidence] = []
  ) {
    let finding = CheckFinding(check, reason)
    self.init(finding, "\(finding.message): \(detail)", evidence: evidence)
  }

  /// Creates a failure of a finding.
  public init(_ finding: CheckFinding<Family>, _ message: String? = nil, evidence: [CheckResult.Evidence] = []) {
    self.finding = finding
    self.message = message ?? finding.message
    self.evidence = evidence
  }

  /// Creates the failure of a finding that an error is the cause of. Its message is the declared one with that of the error.
  public init(_ finding: CheckFinding<Family>, _ error: some CodedError) {
    self.init(
      finding, error.message == finding.message ? nil : "\(finding.message): \(error.message)",
      evidence: [
        CheckResult.Evidence("error", found: error.code.rawValue),
        error.location.map { CheckResult.Evidence("place", found: $0) },
        error.evidence.map { CheckResult.Evidence("found", found: $0) },
      ].compactMap(\.self))
  }

  /// The check.
  public var check: Family { finding.check }
  /// The reason; nil for a check with one way to fail.
  public var reason: Family.Reason? { finding.reason }
  /// The name of the finding: `check/reason`, or the check alone if it has one way to fail.
  public var name: String { finding.name }
  /// The message.
  public var description: String { message }

  /// The failure as the result of its check.
  public var result: CheckResult {
    CheckResult(check.id, reason: reason?.rawValue, .failed, message: message, evidence: evidence)
  }
}

extension CheckFailure: Equatable {
  /// Compares the findings.
  public static func == (left: Self, right: Self) -> Bool { left.finding == right.finding }
}
