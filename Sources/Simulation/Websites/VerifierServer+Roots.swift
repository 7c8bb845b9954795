import Certificates
import Checks
import Messaging
import Primitives
import Storage
import TrustLists
import Vocabulary
import X509

/// The roots of issuing authorities that a server trusts: those of the authorities that it accepts itself, and those of the
/// list that it accepts.
///
/// ```
/// server <--root certificate-- each accepted issuer        compared with the fingerprint that the operator configured
/// server <--signed list------- list operator               at the start, and before a verification when a day has passed
/// ```
///
/// A list that fails a check changes nothing: the server keeps to the last one, also after a restart.
extension VerifierServer {
  /// The age at which a list is fetched again, in seconds: a day, which is the time that a withdrawn authority stays trusted.
  private static let listSeconds: Int64 = 86_400

  /// The list that the server trusts.
  struct IssuerList: Sendable {
    /// The roots of the list.
    let roots: TrustedCertificates
    /// The time of the last attempt to fetch the list.
    let fetched: DateTime
    /// The time at which the next list is due.
    let nextUpdate: DateTime?
  }

  /// Gets the roots of the accepted issuers, and the accepted list.
  func fetchRoots() async {
    for issuer in website.acceptsIssuers {
      do {
        let encoded = try await PublicationFetcher(station: station)
          .root(of: Party(.issuer, issuer), from: website.rootSource)
        let root = try roots.certificate(encoded, of: issuer)
        if website.rootSource == .address { station.record(RootCheck.fingerprint.passed) }
        trustedIssuers = trustedIssuers.adding(TrustedCertificates([root], for: .documentSigner))
        issuerRoots[issuer] = root
      } catch {
        if let failure = error as? CheckFailure<RootCheck> { station.record(failure.result) }
        station.note(.websiteNoIssuerRoot, "from \(issuer): \(journalMessage(of: error))")
      }
    }
    await fetchIssuerList()
  }

  /// The roots that count now. Fetches the accepted list again if it has aged.
  func currentIssuers() async -> TrustedCertificates {
    guard website.acceptsList != nil else { return trustedIssuers }
    let now = station.now
    let isFresh =
      issuerList.map { list in
        now < list.fetched.adding(seconds: Self.listSeconds) && list.nextUpdate.map { now <= $0 } ?? true
      } ?? false
    if !isFresh { await fetchIssuerList() }
    return issuerList.map { trustedIssuers.adding($0.roots) } ?? trustedIssuers
  }

  private func fetchIssuerList() async {
    guard let listOperator = website.acceptsList else { return }
    do {
      let bytes = try await PublicationFetcher(station: station).issuerList(of: Party(.listOperator, listOperator))
      let report = await verified(bytes, after: try sessions.issuerList(of: listOperator)?.issue)
      station.record(report.checks)
      if let list = report.list {
        try sessions.keep(SessionStore.KeptIssuerList(issue: list.issue, content: bytes), of: listOperator)
        return station.note(
          .websiteIssuerList, "the server trusts the authorities of \(list.issue) of \(list.provider)",
          facts: report.trustedIssuers.anchors.map { Note.Fact("root", "\($0.subject)") })
      }
    } catch let failure as CheckFailure<RootCheck> {
      station.record(failure.result)
    } catch {
      station.note(.websiteStorage, "the list cannot be kept: \(journalMessage(of: error))")
    }
    await keepToLastList(of: listOperator)
  }

  /// Trusts the last list that was verified, if it still verifies.
  private func keepToLastList(of listOperator: String) async {
    do {
      guard let last = try sessions.issuerList(of: listOperator) else {
        issuerList = nil
        return station.note(.websiteNoIssuerList, "\(listOperator): no list was verified before")
      }
      let report = await verified(last.content, after: last.issue)
      station.record(report.checks.filter(\.status.isFinding))
      if let list = report.list {
        return station.note(.websiteIssuerListKept, "the server keeps to \(list.issue) of \(list.provider)")
      }
      issuerList = nil
      station.note(.websiteNoIssuerList, "\(listOperator): the last list no longer verifies")
    } catch {
      issuerList = nil
      station.note(.websiteStorage, "the last list cannot be read: \(journalMessage(of: error))")
    }
  }

  /// Verifies a list, and trusts it if no check fails.
  private func verified(_ bytes: [UInt8], after last: VICAL.Issue?) async -> UnverifiedVICAL.Report {
    let report = await UnverifiedVICAL(bytes).verified(
      trusting: listRoots, at: station.now, after: last, policy: website.policy)
    if let list = report.list {
      issuerList = IssuerList(roots: report.trustedIssuers, fetched: station.now, nextUpdate: list.nextUpdate)
    }
    return report
  }
}
