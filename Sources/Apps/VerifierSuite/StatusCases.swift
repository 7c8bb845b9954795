import CaseSuites
import Faults
import InteractiveWorlds
import Vocabulary

/// Cases of documents whose issuing authority publishes their status.
extension SuiteCatalogue {
  /// The case of lists that cannot be fetched, and that of outdated ones, which a server's policy decides.
  static let (unreachable, stale) = ("revocation.unreachable", "revocation.stale")

  private static func publisher(_ id: String, _ publishes: PublishedStatus = .statusList) -> StatusPlan.Publisher {
    // The last part alone: a name in a certificate has at most 64 characters (RFC 5280, ub-common-name).
    StatusPlan.Publisher(
      identifier: "suite-" + id.replacing(".", with: "-"),
      name: "Suite \((id.split(separator: ".").last ?? "").replacing("-", with: " "))", publishes: publishes)
  }

  private static func statusCase(
    _ name: String, _ title: String, _ publishes: PublishedStatus = .statusList, _ change: StatusChange? = nil,
    of document: String = SuiteWorld.license, expects: SuiteCase.Expectation, weight: SuiteCase.Weight = .must,
    finding: String? = nil, adjusting adjust: (inout AnswerPlan) -> Void = { _ in }
  ) -> VerifierCase {
    let id = "revocation.\(name)"
    let publisher = publisher(id, publishes)
    var plan = AnswerPlan()
    plan.status = StatusPlan(
      publisher: publisher,
      change: change.map { DocumentStatusChange($0, of: document, in: "Wallet", by: publisher.identifier) })
    adjust(&plan)
    return VerifierCase(
      id: id, group: .revocation, title: title, clause: "ISO/IEC 18013-5 second edition draft, 12.8.1",
      expects: expects, weight: weight, findings: [finding].compactMap(\.self), play: .answer(plan))
  }

  /// Longer than the lists are valid.
  private static let sinceLastList = 9 * day

  static let revocation = [
    statusCase("valid", "the status list says that the document is valid", expects: .accept),
    statusCase(
      "valid-identifier-list", "the identifier list does not have the document", .identifierList, expects: .accept),
    statusCase(
      "valid-in-both", "status list and identifier list say that the document is valid", .both, expects: .accept),
    statusCase(
      "another-revoked", "the status list says that another document is revoked", .statusList, .revokes,
      of: SuiteWorld.licenseOfAnother, expects: .accept
    ) { $0.changes = [.anotherPerson] },
    statusCase(
      "revoked", "the status list says that the document is revoked", .statusList, .revokes, expects: .refuse,
      finding: "status.revocation/revoked"),
    statusCase(
      "revoked-identifier-list", "the identifier list has the document", .identifierList, .revokes, expects: .refuse,
      finding: "status.revocation/revoked"),
    statusCase(
      "suspended", "the status list says that the document is suspended", .statusList, .suspends, expects: .refuse,
      finding: "status.revocation/suspended"),
    statusCase(
      "unreachable", "the status list cannot be fetched", expects: .either, weight: .may, finding: "status.list.fetched"
    ) { $0.status?.isUnreachable = true },
    statusCase(
      "stale", "the status list is outdated", expects: .either, weight: .may, finding: "status.list.validity/stale"
    ) { $0.issuedBefore = sinceLastList },
  ]

  /// The status of the license in an answer with a fault; nil for a fault that is not about it.
  static func status(of fault: Fault) -> StatusPlan? {
    guard fault.id.hasPrefix("issuer.status-list.") || fault.id.hasPrefix("issuer.status-entry.") else { return nil }
    let isOfIdentifiers = fault.id == "issuer.status-entry.text-identifiers"
    return StatusPlan(publisher: publisher(fault.id, isOfIdentifiers ? .identifierList : .statusList))
  }

  /// The issuing authorities with lists.
  static let publishers = all.compactMap { found -> StatusPlan.Publisher? in
    guard case .answer(let plan) = found.play else { return nil }
    return plan.status?.publisher
  }
}
