/// One family of checks, a case for each check in the order in which they are made.
///
/// A family declares everything about a check in one place, ``definition``: adding a check is a case, its definition and
/// the function that makes it.
public protocol CheckFamily: CaseIterable, Sendable, Hashable {
  /// The names of the family's reasons.
  associatedtype Reason: RawRepresentable, Sendable, Hashable = NoReason where Reason.RawValue == String

  /// The declaration of the check.
  var definition: CheckDefinition { get }
}

extension CheckFamily {
  /// The declarations of all checks, in the order of the cases.
  public static var definitions: [CheckDefinition] { allCases.map(\.definition) }

  /// The identifier of the check, such as `issuer.signature`.
  public var id: String { definition.id }

  /// The name of a failure: the check, and the reason if the check has several.
  public func name(_ reason: Reason? = nil) -> String { CheckResult.name(id, reason?.rawValue) }

  /// The result if the property holds.
  package var passed: CheckResult { CheckResult(id, .passed, message: definition.title) }

  /// The result if the check was not made.
  /// - Parameter message: The reason.
  package func notReached(_ message: String) -> CheckResult { CheckResult(id, .notReached, message: message) }

  /// The result of a failure.
  package func failure(_ reason: Reason? = nil, _ evidence: [CheckResult.Evidence] = []) -> CheckResult {
    CheckFailure(self, reason, evidence: evidence).result
  }
}

/// The declaration of a check: its identifier, the property that holds when it passes, and everything that can be found
/// instead.
public struct CheckDefinition: Sendable, Equatable {
  /// The effect of a finding.
  public enum Severity: String, Sendable {
    /// The finding refuses.
    case failure
    /// A departure from the standard that wallets and issuers in use show: refused, except by a lenient policy.
    case tolerance
    /// A departure from the standard that is seen in the wild: accepted with a finding, refused by a strict policy.
    case deviation
    /// A finding that does not depart from the standard: accepted by every policy.
    case notice

    /// Returns whether a finding refuses under a policy.
    package func refuses(under policy: VerificationPolicy) -> Bool {
      switch self {
      case .failure: true
      case .tolerance: policy != .lenient
      case .deviation: policy == .strict
      case .notice: false
      }
    }
  }

  /// One way in which the property does not hold.
  public struct Reason: Sendable, Equatable {
    /// The identifier, unique within the check; nil for the check's only way to fail, or its main one.
    public let id: String?
    /// A description of the finding.
    public let message: String
    /// The effect of the finding.
    public let severity: Severity
    /// The implementations that show a tolerated departure; nil for other findings.
    public let source: String?

    fileprivate init(id: String?, message: String, severity: Severity, source: String? = nil) {
      self.id = id
      self.message = message
      self.severity = severity
      self.source = source
    }

    /// A reason that refuses.
    public static func failure(_ id: some RawRepresentable<String>, _ message: String) -> Reason {
      Reason(id: id.rawValue, message: message, severity: .failure)
    }

    /// The reason without an identifier: every failure of the check that no other reason names.
    public static func failure(_ message: String) -> Reason { Reason(id: nil, message: message, severity: .failure) }

    /// A departure that a lenient policy accepts.
    /// - Parameter source: The implementations that show it.
    public static func tolerance(
      _ id: some RawRepresentable<String>, _ message: String, seenIn source: String
    ) -> Reason {
      Reason(id: id.rawValue, message: message, severity: .tolerance, source: source)
    }

    /// An accepted departure from the standard.
    public static func deviation(_ id: some RawRepresentable<String>, _ message: String) -> Reason {
      Reason(id: id.rawValue, message: message, severity: .deviation)
    }

    /// A finding that every policy accepts.
    public static func notice(_ id: some RawRepresentable<String>, _ message: String) -> Reason {
      Reason(id: id.rawValue, message: message, severity: .notice)
    }
  }

  /// The identifier: the property, as lower-case words with dots and dashes.
  public let id: String
  /// The property, shown when the check passes.
  public let title: String
  /// The clause of the standard that requires the property.
  public let clause: String
  private let declared: Declared

  /// The reasons as they are declared. Most checks pass, and an unread list is not made.
  private enum Declared: Sendable {
    case only(message: String, Severity)
    case several(@Sendable () -> [Reason])
  }

  /// The ways in which the property does not hold. At most one has no identifier.
  public var reasons: [Reason] {
    switch declared {
    case .only(let message, let severity): [Reason(id: nil, message: message, severity: severity)]
    case .several(let list): list()
    }
  }

  /// A check with one way to fail.
  public init(_ id: String, _ title: String, _ message: String, _ severity: Severity = .failure, clause: String) {
    self.id = id
    self.title = title
    declared = .only(message: message, severity)
    self.clause = clause
  }

  /// A check with several ways to fail.
  public init(
    _ id: String, _ title: String, clause: String,
    _ reasons: @autoclosure @escaping @Sendable () -> [Reason]
  ) {
    self.id = id
    self.title = title
    declared = .several(reasons)
    self.clause = clause
  }

  /// Returns whether two declarations say the same.
  public static func == (left: CheckDefinition, right: CheckDefinition) -> Bool {
    left.id == right.id && left.title == right.title && left.clause == right.clause
      && left.reasons == right.reasons
  }

  /// The declaration of a reason.
  public func reason(_ id: String?) -> Reason? { reasons.first { $0.id == id } }

  /// The name of every finding: `check/reason`, or the check alone if it has one way to fail.
  public var findings: [String] { reasons.map { CheckResult.name(id, $0.id) } }

  /// The name of the check and of each of its reasons, as results and scenario files write them.
  public var names: [String] {
    var names = [id]
    for case let reason? in reasons.map(\.id) { names.append("\(id)/\(reason)") }
    return names
  }
}

/// The reasons of a family whose checks have one way to fail each.
public enum NoReason: RawRepresentable, Sendable, Hashable {
  /// Finds no reason.
  public init?(rawValue: String) { nil }
  /// The name of a reason; never called.
  public var rawValue: String { switch self {} }
}
