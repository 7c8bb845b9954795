import Checks
import MobileDocument
import Primitives

/// What a verification of an exchange found: every check, and the elements when none failed.
public struct ExchangeReport: Sendable {
  /// Checks that belong together.
  public struct Group: Sendable {
    /// What they are about: `exchange`, `response`, `document` and its type, or `all documents`.
    public let title: String
    /// The checks in the order of the standard.
    public let checks: [CheckResult]
  }

  /// Every check, by what it is about.
  public let groups: [Group]
  /// The verified response; nil when a check failed.
  public let verified: VerifiedDeviceResponse?
  /// The origin, when it is known.
  let origin: String?
  /// For when it was verified.
  let moment: DateTime

  /// Every check.
  public var checks: [CheckResult] { groups.flatMap(\.checks) }

  /// The first check that failed.
  public var failure: CheckResult? { checks.failure }

  /// Whether the response may be believed.
  public var isVerified: Bool { verified != nil && failure == nil }

  /// Sorts checks into groups. Checks that were not reached because no document was looked at are named too.
  init(
    exchange: [CheckResult], response: [CheckResult], verified: VerifiedDeviceResponse?, origin: String?,
    moment: DateTime
  ) {
    self.verified = verified
    self.origin = origin
    self.moment = moment
    var groups: [Group] = []
    if !exchange.isEmpty { groups.append(Group(title: "exchange", checks: exchange)) }
    var parts: [[CheckResult]] = []
    for check in response {
      // A document's checks begin with the same one, so its return begins the next document.
      let previous = parts.last?.last
      let begins =
        previous?.subject != check.subject || parts.isEmpty
        || check.subject != nil && check.check == parts.last?.first?.check && previous?.check != check.check
      if begins { parts.append([]) }
      parts[parts.count - 1].append(check)
    }
    if !response.contains(where: { $0.subject != nil }) {
      let named = Set(response.map(\.check))
      let planned = CheckRun(ResponseCheck.allCases) { _ in .notReached }
      parts = [response + planned.results.filter { !named.contains($0.check) }]
    }
    for (place, part) in parts.enumerated() {
      let document = part.first?.subject.map { "document \(Printable.text($0))" }
      groups.append(Group(title: document ?? (place == 0 ? "response" : "all documents"), checks: part))
    }
    self.groups = groups
  }
}
