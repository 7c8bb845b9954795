import Authorities
import Certificates
import MobileDocument
import Primitives
import SimulationKernel
import Synchronization
import TrustLists
import Vocabulary
import X509

/// The effect of a fault in the lists that list operators publish.
enum IssuerListChange: Sendable {
  /// The address answers with something else, or not at all.
  case answer(@Sendable () -> IssuerListAnswer)
  /// The content, which is signed by the operator.
  case draft(@Sendable (inout VICALDraft) throws -> Void)
  /// The signer.
  case signer(@Sendable (inout OtherListSigners) throws -> StatusListIssuance.Signer)

  /// Publishes a list with the fault.
  func publish(_ list: IssuerListIssuance) throws -> IssuerListAnswer {
    var list = list
    switch self {
    case .answer(let answer): return answer()
    case .draft(let change): try change(&list.draft)
    case .signer(let make):
      var signers = OtherListSigners(list)
      list.signer = try make(&signers)
    }
    return try StandardIssuerListIssuer().publish(list)
  }
}

extension Fault {
  /// Faults of list operators.
  static let ofListOperators: [Fault] = [
    issuerList("unavailable", "The list is not available", .fails(RootCheck.address, .missing), .answer { .nothing }),
    issuerList(
      "silent", "The address of the list does not answer", .fails(RootCheck.address, .noAnswer), .answer { .silence }),
    issuerList(
      "unreadable", "A web page is published in place of the list", .fails(VICALCheck.structure, .malformed),
      .answer { .list(Array("<!doctype html><title>Welcome</title>".utf8)) }),
    issuerList(
      "enormous", "The list is longer than any list may be", .fails(RootCheck.address, .tooLong),
      .answer { .list([UInt8](repeating: 0, count: PublicationFetcher.longestList + 1)) }),
    issuerList(
      "signed-under-another-root", "Another operator signs the list", .fails(VICALCheck.signer, .untrusted),
      .signer { try $0.signer(under: try $0.otherRoot()) }),
    issuerList(
      "signed-by-reader", "A reader that the operator certified signs the list", .fails(VICALCheck.signer, .invalid),
      .signer { try $0.reader() }),
    issuerList(
      "signed-with-expired-certificate", "The list is signed with an expired certificate",
      .fails(VICALCheck.signer, .invalid),
      .signer { try $0.signer(from: $0.start.adding(days: -OtherListSigners.days)) }),
    issuerList(
      "signed-with-another-key", "The list is signed with another key than its certificate has",
      .fails(VICALCheck.signature), .signer { try $0.anotherKey() }),
    issuerList(
      "provider-too-long", "The name of the provider in the list is too long", .fails(VICALCheck.contents, .malformed),
      .draft { $0.provider = String(repeating: "x", count: VICAL.Limits.textBytes + 1) }),
    issuerList(
      "another-version", "The list has version 2.0", .fails(VICALCheck.version), .draft { $0.version = "2.0" }),
    issuerList(
      "rolled-back", "The list of the day before is published again", .fails(VICALCheck.sequence),
      .draft { draft in
        draft.date = draft.date.adding(days: -1)
        draft.issueID = draft.issueID.map { $0 - 1 }
        draft.nextUpdate = draft.nextUpdate?.adding(days: -1)
      }),
    issuerList(
      "dated-ahead", "The list is dated tomorrow", .fails(VICALCheck.validity, .notYetValid),
      .draft { $0.date = $0.date.adding(days: 2) }),
    issuerList(
      "outdated", "The next list is overdue", .deviates(VICALCheck.validity, .stale),
      .draft { $0.nextUpdate = $0.date.adding(seconds: -1) }),
    issuerList(
      "another-document-type", "The entries are for another type of documents",
      .fails(ResponseCheck.issuerTrust, .documentType),
      .draft { draft in try draft.changeEntries { $0.with(documentTypes: ["org.iso.7367.1.mVRC"]) } }),
    issuerList(
      "entry-of-another-certificate", "The entries describe other certificates than their own",
      .deviates(VICALCheck.entries, .mismatch),
      .draft { draft in try draft.changeEntries { $0.with(serialNumber: [1]) } }),
    issuerList(
      "entry-unusable", "The certificates of the entries cannot be read", .deviates(VICALCheck.entries, .unusable),
      .draft { draft in try draft.changeEntries { $0.with(certificate: [0x30, 0]) } }),
  ]

  private static func issuerList(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: IssuerListChange
  ) -> Fault {
    Fault(.listOperator, name, title, findings, at: "list of issuing authorities", .issuerList(change))
  }
}

extension VICALDraft {
  /// Changes each entry.
  fileprivate mutating func changeEntries(_ change: (VICAL.Entry) -> VICAL.Entry) throws {
    guard !entries.isEmpty else { throw SimulationError.notApplicable("the list has no entries") }
    entries = entries.map(change)
  }
}

/// Signers in place of an operator's list signer.
struct OtherListSigners {
  let list: IssuerListIssuance
  /// The start of their certificates.
  let start: DateTime
  private var keys: EntropyStream

  static let days = CertificateProfile.listSigner.maximumDays

  init(_ list: IssuerListIssuance) {
    self.list = list
    start = list.station.founded.adding(days: -1)
    keys = list.station.lastingStream("keys of a list fault")
  }

  private mutating func terms(from start: DateTime? = nil) -> CertificateAuthority.Terms {
    let start = start ?? self.start
    return CertificateAuthority.Terms(from: start, days: Self.days, serialNumber: keys.bytes(16))
  }

  /// Another operator with the same name.
  mutating func otherRoot() throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(
        country: list.listOperator.country, organization: list.listOperator.name,
        commonName: "\(list.listOperator.name) List Root"),
      contact: "https://attacker.example", terms: terms(), signer: try keys.signingKey())
  }

  /// A list signer.
  mutating func signer(
    under authority: CertificateAuthority? = nil, from start: DateTime? = nil
  ) throws -> StatusListIssuance.Signer {
    let key = try keys.signingKey()
    let certificate = try (authority ?? list.authority).listSigner(
      name: IssuerListIssuance.signerName(of: list.listOperator), publicKey: Certificate.PublicKey(key.publicKey),
      contact: "https://\(list.listOperator.identifier).example", terms: terms(from: start))
    return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
  }

  /// A reader.
  mutating func reader() throws -> StatusListIssuance.Signer {
    let key = try keys.signingKey()
    let certificate = try list.authority.reader(
      name: CertificateName(country: list.listOperator.country, commonName: "\(list.listOperator.name) Reader"),
      domain: "\(list.listOperator.identifier).example", brand: nil, publicKey: Certificate.PublicKey(key.publicKey),
      terms: terms())
    return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
  }

  /// The operator's certificate with another key.
  mutating func anotherKey() throws -> StatusListIssuance.Signer {
    StatusListIssuance.Signer(key: try keys.signingKey(), chain: list.signer.chain)
  }
}

/// The list issuer of a world with faults: publishes lists with the fault that acts.
final class FaultyIssuerListIssuer: IssuerListIssuer {
  private let fault = Mutex<Acting<IssuerListChange>?>(nil)

  /// Begins a fault, or ends the one that acts.
  func set(_ fault: Acting<IssuerListChange>?) { self.fault.withLock { $0 = fault } }

  func publish(_ list: IssuerListIssuance) throws -> IssuerListAnswer {
    guard let fault = fault.withLock({ $0 }) else { return try StandardIssuerListIssuer().publish(list) }
    list.station.record(.fault(fault.fault.event))
    return try fault.change.publish(list)
  }
}
