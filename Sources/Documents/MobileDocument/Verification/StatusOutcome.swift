import Checks
import Primitives
import StatusLists

/// A report with the checks of the documents' status, and the lists that a verifier may keep.
public struct StatusOutcome: Sendable {
  /// The report, refused when the policy says so.
  public let report: VerificationReport
  /// The time until which the token of each URI may be used again; only for tokens without a fault, whatever they say of a
  /// document.
  public let lifetimes: [(list: String, until: DateTime)]
}

extension VerificationReport {
  /// The data to look up the status of the documents; empty if the response is refused, because a URI in a document that
  /// did not verify is untrusted input.
  public var statusQueries: [StatusQuery] { foundDocuments.compactMap(\.statusQuery) }

  /// The lists to fetch, each once, in the order of the documents.
  public func statusLists(under policy: RevocationPolicy) -> [StatusListLocation] {
    guard policy.checksStatus else { return [] }
    return statusQueries.flatMap { query in
      query.status.references.compactMap { StatusListLocation($0.uri, form: query.form) }
    }.uniqued()
  }

  /// Checks the status of every document and appends the checks to the others.
  ///
  /// - Parameters:
  ///   - answers: The result of fetching each of ``statusLists(under:)``, by `StatusListLocation.name`; a missing one
  ///     counts as unreachable.
  ///   - policy: The findings about the status that refuse.
  ///   - formPolicy: Whether departures of form refuse too.
  ///   - moment: The time at which the lists must be up to date.
  public func checkingStatus(
    _ answers: [String: StatusListAnswer], under policy: RevocationPolicy, formPolicy: VerificationPolicy = .standard,
    at moment: DateTime
  ) async -> StatusOutcome {
    guard policy.checksStatus else { return StatusOutcome(report: self, lifetimes: []) }
    var checks = checks
    var isAccepted = true
    var lifetimes: [(list: String, until: DateTime)] = []
    for document in foundDocuments {
      let own = CheckRun(StatusCheck.ofDocument, subject: document.documentType, policy: formPolicy) { check in
        policy.applied(to: check, check == .published ? document.statusPublication(under: policy) : document.statusForm)
      }
      checks += own.results
      isAccepted = isAccepted && !own.hasFailed
      guard let query = document.statusQuery else { continue }
      for reference in query.status.references {
        let name = StatusListLocation.name(reference.uri, query.form)
        let list = await StatusListVerification(
          query, reference, in: answers[name] ?? .unreachable("it was not fetched"), at: moment)
        let run = CheckRun(
          StatusCheck.ofList, subject: "\(query.documentType), \(reference.kind.words)", policy: formPolicy
        ) { policy.applied(to: $0, list.outcome(of: $0)) }
        checks += run.results
        // A check is only left out after a finding that the policy accepts.
        isAccepted = isAccepted && (run.isAccepted || !run.hasFailed && run.results.contains { $0.status == .deviates })
        if let until = list.usableUntil(under: formPolicy) { lifetimes.append((name, until)) }
      }
    }
    return StatusOutcome(report: replacing(checks, isAccepted: isAccepted), lifetimes: lifetimes)
  }
}

extension VerifiedDocument {
  /// The outcome for the place of the document's status. An issuer need not publish one, so its absence is a finding
  /// only under a policy that refuses it.
  fileprivate func statusPublication(under policy: RevocationPolicy) -> CheckOutcome<StatusCheck> {
    if statusQuery != nil { return .passed }
    return policy.refuses.contains(.absent) ? .found() : .notApplicable("the issuer publishes no status")
  }

  /// The outcome for the form of the document's status entry.
  fileprivate var statusForm: CheckOutcome<StatusCheck> {
    guard let statusQuery else { return .notApplicable("the issuer publishes no status") }
    return .findings(statusQuery.status.problems.map { .init(nil, $0) })
  }
}
