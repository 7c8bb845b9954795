import Checks
import MobileDocument
import Primitives
import RelyingParty

/// The result of verifying an exchange: every check, and the verified elements if no check failed.
public struct ExchangeReport: Sendable {
  /// A group of checks.
  public struct Group: Sendable {
    /// The subject: `exchange`, `response`, `document` and its type, or `all documents`.
    public let title: String
    /// The checks in the order of the standard.
    public let checks: [CheckResult]
  }

  /// The verdict, in the words of the relying party.
  public let verdict: VerificationVerdict
  /// The checks by subject.
  public let groups: [Group]
  /// The origin; nil if it is not known.
  let origin: String?
  /// The time of the verification.
  let moment: DateTime

  /// The checks of all groups.
  public var checks: [CheckResult] { groups.flatMap(\.checks) }

  /// The first check that failed.
  public var failure: CheckResult? { verdict.failure }

  /// True if the response is verified and no check failed.
  public var isVerified: Bool { verdict.isVerified }

  /// The report as one line of JSON. It contains elements only if every check passed.
  public var json: String { verdict.json }

  /// Groups the checks of a verdict. The checks of documents are listed as not reached if no document was checked.
  init(_ verdict: VerificationVerdict, origin: String?, moment: DateTime) {
    self.verdict = verdict
    self.origin = origin
    self.moment = moment
    var groups: [Group] = []
    if !verdict.exchange.isEmpty { groups.append(Group(title: "exchange", checks: verdict.exchange)) }
    var parts: [[CheckResult]] = []
    for check in verdict.response {
      // The checks of each document begin with the same check, so its repetition begins the next document.
      let previous = parts.last?.last
      let begins =
        previous?.subject != check.subject || parts.isEmpty
        || check.subject != nil && check.check == parts.last?.first?.check && previous?.check != check.check
      if begins { parts.append([]) }
      parts[parts.count - 1].append(check)
    }
    let unreached = verdict.unreachedChecks
    if !unreached.isEmpty { parts = [verdict.response + unreached] }
    for (place, part) in parts.enumerated() {
      let document = part.first?.subject.map { "document \(TerminalSafe.text($0))" }
      groups.append(Group(title: document ?? (place == 0 ? "response" : "all documents"), checks: part))
    }
    self.groups = groups
  }
}
