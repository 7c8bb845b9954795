import Checks

/// What a verifier does about the status of documents.
public struct RevocationPolicy: Sendable, Equatable {
  /// Something that a check of a status can come upon.
  public enum Finding: String, Sendable, CaseIterable {
    /// The document does not say where its status is published.
    case absent
    /// The list says that the document was revoked.
    case revoked
    /// The list says that the document is suspended.
    case suspended
    /// No list can be had.
    case unreachable
    /// The list is out of date.
    case stale
    /// There is something, and it is no list that can be believed or that says anything about the document.
    case unusable
  }

  /// Whether the status of documents is looked at.
  public var checksStatus: Bool
  /// What refuses the response. Anything else is accepted with a finding.
  public var refuses: Set<Finding>

  /// A policy from its parts.
  public init(checksStatus: Bool = true, refuses: Set<Finding>) {
    self.checksStatus = checksStatus
    self.refuses = refuses
  }

  /// Checking is optional for a reader (ISO/IEC 18013-5 second edition draft, 12.8.1), so not to be able to refuses
  /// nothing, nor does a document whose issuer publishes none; what a genuine list says does, and so does a list that is
  /// not genuine.
  public static let standard = RevocationPolicy(refuses: [.revoked, .suspended, .unusable])
  /// Only a document that is known to be valid is accepted.
  public static let strict = RevocationPolicy(refuses: Set(Finding.allCases))
  /// As ``strict``, of documents whose issuer publishes their status.
  public static let strictWherePublished = RevocationPolicy(refuses: strict.refuses.subtracting([.absent]))
  /// No list is fetched.
  public static let none = RevocationPolicy(checksStatus: false, refuses: [])
}

extension RevocationPolicy {
  /// The outcome under the policy: what it does not refuse is accepted with a finding.
  package func applied(to check: StatusCheck, _ outcome: CheckOutcome<StatusCheck>) -> CheckOutcome<StatusCheck> {
    guard !outcome.findings.isEmpty else { return outcome }
    return .findings(
      outcome.findings.map { finding in
        guard finding.severity(of: check) == .failure, !refuses.contains(check.finding(finding.reason)) else {
          return finding
        }
        let message = finding.message ?? check.definition.reason(finding.reason?.rawValue)?.message ?? check.id
        return .init(
          finding.reason, "\(message); accepted by the site's policy", finding.evidence, severity: .notice)
      })
  }
}
