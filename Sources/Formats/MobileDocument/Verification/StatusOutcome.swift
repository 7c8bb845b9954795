import Checks
import Primitives
import StatusLists

/// A report with the checks of the documents' status, and what a verifier may keep of the lists.
public struct StatusOutcome: Sendable {
  /// The report, refused when the policy says so.
  public let report: VerificationReport
  /// Until when the token of each URI may be used again; only of those with which nothing is wrong, whatever they say of
  /// a document.
  public let lifetimes: [(uri: String, until: DateTime)]
}

extension VerificationReport {
  /// What it takes to look up the status of the documents; nothing when the response is refused, because a URI in a
  /// document that did not verify is a stranger's wish.
  public var statusQueries: [StatusQuery] { verified?.documents.compactMap(\.statusQuery) ?? [] }

  /// The lists to fetch, each once, in the order of the documents.
  public func statusLists(under policy: RevocationPolicy) -> [StatusListLocation] {
    guard policy.checksStatus else { return [] }
    return statusQueries.flatMap(\.status.references).compactMap { StatusListLocation($0.uri) }.uniqued()
  }

  /// Checks the status of every document and puts the checks behind the others.
  ///
  /// - Parameters:
  ///   - answers: what came of fetching each of ``statusLists(under:)``, by URI; none counts as unreachable.
  ///   - policy: what about the status refuses.
  ///   - formPolicy: whether departures of form refuse too.
  ///   - moment: the time at which the lists must be up to date.
  public func checkingStatus(
    _ answers: [String: StatusListAnswer], under policy: RevocationPolicy, formPolicy: VerificationPolicy = .standard,
    at moment: DateTime
  ) async -> StatusOutcome {
    guard policy.checksStatus else { return StatusOutcome(report: self, lifetimes: []) }
    var checks = checks
    var holds = true
    var lifetimes: [(uri: String, until: DateTime)] = []
    for document in verified?.documents ?? [] {
      // Not to publish any is the issuer's right, and no finding where the policy does not refuse it.
      if policy.refuses.contains(.absent) {
        checks.append(
          CheckResult(
            StatusCheck.published, subject: document.documentType, document.statusQuery == nil ? .failed : .passed))
      }
      guard let query = document.statusQuery else {
        holds = holds && !policy.refuses.contains(.absent)
        continue
      }
      var list = StatusChecklist(query, [.readable], policy: policy, formPolicy: formPolicy)
      for problem in query.status.problems { list.find(.readable, problem) }
      list.pass(.readable)
      checks += list.results
      holds = holds && list.holds
      for reference in query.status.references {
        var check = StatusListVerification(
          query, reference, policy: policy, formPolicy: formPolicy, at: moment)
        await check.look(in: answers[reference.uri] ?? .unreachable("nobody tried to fetch it"))
        checks += check.list.results
        holds = holds && check.list.holds
        if let until = check.usableUntil { lifetimes.append((reference.uri, until)) }
      }
    }
    return StatusOutcome(
      report: VerificationReport(checks: checks, verified: holds ? verified : nil), lifetimes: lifetimes)
  }
}
