import MobileDocument

/// What a verification of an exchange found: every check, and the elements when none failed.
public struct ExchangeReport: Sendable {
  /// Checks that belong together.
  public struct Group: Sendable {
    /// What they are about: `exchange`, `response`, or `document` and its type.
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
  public var failure: CheckResult? { checks.first { $0.outcome == .failed } }

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
    var ofResponse = response.filter { $0.subject == nil }
    var documents: [[CheckResult]] = []
    for check in response where check.subject != nil {
      // A document's checks begin with the same one, so its return begins the next document.
      let previous = documents.last?.last
      let begins =
        previous?.subject != check.subject || check.code == documents.last?.first?.code && previous?.code != check.code
      if begins { documents.append([]) }
      documents[documents.count - 1].append(check)
    }
    if documents.isEmpty {
      let named = Set(ofResponse.map(\.code))
      ofResponse += ResponseCheck.allCases.filter { !named.contains($0.rawValue) }.map { CheckResult($0, .notReached) }
    }
    groups.append(Group(title: "response", checks: ofResponse))
    groups += documents.map { Group(title: "document \(Printable.text($0[0].subject ?? ""))", checks: $0) }
    self.groups = groups
  }
}
