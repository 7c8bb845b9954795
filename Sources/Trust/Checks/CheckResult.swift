import JSON

/// The result of one named check of a verification.
public struct CheckResult: Sendable, Equatable {
  /// The status of a check.
  public enum Status: String, Sendable, CaseIterable {
    /// The property holds.
    case passed
    /// A departure that is accepted, with this finding.
    case deviates
    /// The property does not hold.
    case failed
    /// An earlier failure left nothing to check.
    case notReached = "not-reached"

    /// True if the check found something: a failure, or a departure that is accepted.
    public var isFinding: Bool { self == .failed || self == .deviates }
  }

  /// A field with the expected and the found value. Never holds element values or keys.
  public struct Evidence: Sendable, Equatable {
    /// The field or the bytes.
    public let field: String
    /// The expected value, if there is one.
    public let expected: String?
    /// The found value.
    public let found: String?

    /// The values with their names, in order: `expected FIELD` and `found FIELD`, or the field alone without an expected
    /// value.
    public var named: [(name: String, value: String)] {
      guard let expected else { return found.map { [(field, $0)] } ?? [] }
      return [("expected \(field)", expected)] + (found.map { [("found \(field)", $0)] } ?? [])
    }

    /// Creates evidence.
    public init(_ field: String, expected: String? = nil, found: String? = nil) {
      self.field = field
      self.expected = expected
      self.found = found
    }
  }

  /// The identifier of the check, such as `issuer.signature`.
  public let check: String
  /// The reason of a finding; nil if the check passed or has one way to fail.
  public let reason: String?
  /// The part that the check is about if there are several of its kind: a document type, a reader.
  public let subject: String?
  /// The status of the check.
  public let status: Status
  /// A human-readable description of the result.
  public let message: String
  /// The fields to look at.
  public let evidence: [Evidence]

  /// The name of the finding as reports and scenario files write it: `check/reason`, or the check alone.
  public var name: String { Self.name(check, reason) }

  package static func name(_ check: String, _ reason: String?) -> String {
    guard let reason else { return check }
    return "\(check)/\(reason)"
  }

  /// Returns true if an expectation names a finding: a check alone covers each of its reasons.
  package static func isName(_ name: String, expectedAs expected: String) -> Bool {
    name == expected || name.utf8.starts(with: "\(expected)/".utf8)
  }

  /// The result with more evidence.
  package func adding(_ evidence: [Evidence]) -> CheckResult {
    CheckResult(check, reason: reason, subject: subject, status, message: message, evidence: self.evidence + evidence)
  }

  /// Creates the result of a check.
  package init(
    _ check: String, reason: String? = nil, subject: String? = nil, _ status: Status, message: String,
    evidence: [Evidence] = []
  ) {
    self.check = check
    self.reason = reason
    self.subject = subject
    self.status = status
    self.message = message
    self.evidence = evidence
  }
}

extension [CheckResult.Evidence] {
  /// Evidence of one field.
  package static func field(_ field: String, expected: String? = nil, found: String? = nil) -> Self {
    [CheckResult.Evidence(field, expected: expected, found: found)]
  }
}

extension CheckResult.Status: JSONWritable, JSONReadable, JSONTyped {}

extension CheckResult.Evidence: JSONObject, JSONTyped {
  package static let json = JSONForm<Self>(
    Self.init, Member("field", \.field, "field"), Member(optional: "expected", \.expected, "expected value"),
    Member(optional: "found", \.found, "found value"))
}

extension CheckResult: JSONObject, JSONTyped {
  package static let json = JSONForm<Self>(
    Self.init, Member("check", \.check, "identifier of the check"),
    Member(optional: "reason", \.reason, "reason of a finding"),
    Member(optional: "subject", \.subject, "part that the check is about"),
    Member("status", \.status, "result of the check"), Member("message", \.message, "human-readable description"),
    Member("evidence", \.evidence, "fields with expected and found values"))
}
