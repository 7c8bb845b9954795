import Authorities
import CBOR
import COSE
import Certificates
import MobileDocument
import Primitives
import SimulationKernel
import StatusLists
import Synchronization
import X509

/// The effect of a fault in the status lists that an issuing authority publishes.
enum StatusListChange: Sendable {
  /// Lists stay as they are when the fault begins.
  case outdated
  /// Something else is published in place of each list, or nothing.
  case replacement(PublishedList?)
  /// The signed content.
  case token(@Sendable (inout StatusTokenDraft, StatusListKind) -> Void)
  /// The signer.
  case signer(@Sendable (inout OtherStatusSigners) throws -> StatusListIssuance.Signer)
  /// The form of the token, which is signed again.
  case form(@Sendable (inout TokenParts) throws -> Void)
  /// The encoding of the signed token.
  case encoding(@Sendable (_ message: CBORValue) -> CBORValue)

  /// The parts of a token's COSE_Sign1.
  struct TokenParts {
    var protected: CBORValue
    var unprotected: CBORValue
    var claims: CBORValue

    init(_ message: CBORValue) throws {
      let parts = try message.items
      protected = CBORValue(try CBORReader.read(try parts[0].content))
      unprotected = parts[1]
      claims = CBORValue(try CBORReader.read(try parts[2].content))
    }
  }

  /// Publishes a list with the fault.
  /// - Parameter outdated: The list when the fault began.
  func publish(_ list: StatusListIssuance, outdated: PublishedList?) throws -> PublishedList? {
    var (token, signer) = (list.token, list.signer)
    switch self {
    case .outdated: return try outdated ?? StandardStatusListIssuer().publish(list)
    case .replacement(let replacement): return replacement
    case .token(let change): change(&token, list.kind)
    case .signer(let make):
      var signers = OtherStatusSigners(list)
      signer = try make(&signers)
    case .form, .encoding: break
    }
    let signed = try list.signed(token, by: signer)
    guard list.form == .cwt else {
      switch self {
      case .form, .encoding: throw SimulationError.notApplicable("the list is a JWT")
      default: return PublishedList(bytes: signed, mediaType: list.mediaType)
      }
    }
    return PublishedList(bytes: try changed(signed, signedAgainBy: signer.key), mediaType: list.mediaType)
  }

  private func changed(_ token: [UInt8], signedAgainBy key: DeterministicSigningKey) throws -> [UInt8] {
    func message() throws -> CBORValue {
      guard case .tagged(_, let message) = CBORValue(try CBORReader.read(token)) else {
        throw SimulationError.notApplicable("the token is untagged")
      }
      return message
    }
    switch self {
    case .encoding(let change): return change(try message()).encoded
    case .form(let change):
      var parts = try TokenParts(try message())
      try change(&parts)
      return try COSESign1.signTagged(
        payload: parts.claims.encoded, protectedHeader: parts.protected.encoded,
        unprotectedHeader: parts.unprotected.encoded, with: key)
    case .outdated, .replacement, .token, .signer: return token
    }
  }
}

extension Fault {
  /// Faults of status lists.
  static let ofStatusLists: [Fault] = [
    statusList("unavailable", "The lists are not available", .deviates(StatusCheck.fetched), .replacement(nil)),
    statusList(
      "outdated", "The lists are not updated any more", .deviates(StatusCheck.listValidity, .stale), .outdated),
    statusList(
      "unreadable", "A web page is published in place of each list", .fails(StatusCheck.listStructure, .malformed),
      .replacement(
        PublishedList(bytes: Array("<!doctype html><title>Welcome</title>".utf8), mediaType: "text/html"))),
    statusList(
      "another-type", "The lists have the type of other tokens", .fails(StatusCheck.listType, .otherType),
      .token { token, _ in token.type = "application/cwt" }),
    statusList(
      "signed-by-document-signer", "The document signer signs the lists", .fails(StatusCheck.listSigner),
      .signer { $0.list.documentSigner }),
    statusList(
      "signed-under-another-root", "The lists are signed under another root", .fails(StatusCheck.listTrust),
      .signer { try $0.signer(under: try $0.otherRoot()) }),
    statusList(
      "signed-by-reader", "A reader signs the lists", .fails(StatusCheck.listCertificate, .invalid),
      .signer { try $0.reader() }),
    statusList(
      "signed-with-expired-certificate", "The lists are signed with an expired certificate",
      .fails(StatusCheck.listCertificate, .invalid),
      .signer { try $0.signer(from: $0.start.adding(days: -OtherStatusSigners.days)) }),
    statusList(
      "without-end", "The lists lack their expiry", .fails(StatusCheck.listClaims, .malformed),
      .form { $0.claims = try $0.claims.removing(.integer(expires)) }),
    statusList(
      "another-list", "Another list is published in place of each list", .fails(StatusCheck.listSubject),
      .token { token, _ in token.claims.subject += "0" }),
    statusList(
      "dated-ahead", "The lists are dated tomorrow", .fails(StatusCheck.listValidity, .notYetValid),
      .token { token, _ in
        token.claims.issuedAt = token.claims.issuedAt.adding(days: 1)
        token.claims.expires = token.claims.expires.adding(days: 1)
      }),
    statusList(
      "too-short", "The status list is empty", .fails(StatusCheck.entry),
      .list { StatusList(entrySize: $0.entrySize, count: 0) }),
    statusList(
      "unknown-value", "The status list has unknown values", .fails(StatusCheck.value),
      .list { list in
        var changed = StatusList(entrySize: .four, count: list.count)
        for index in 0..<list.count { changed.set(UInt64(index), to: applicationValue) }
        return changed
      }),
    statusList(
      "type-as-in-example", "The type of the lists is spelled as in the standard's example",
      .deviates(StatusCheck.listType, .departs), .token { token, kind in token.type = kind.typeInExample }),
    statusList(
      "untagged", "The lists are not in tag 18", .deviates(StatusCheck.listStructure, .departs), .encoding { $0 }),
    statusList(
      "unprotected-chain", "The certificate chain of the lists is in the unprotected header",
      .deviates(StatusCheck.listStructure, .departs),
      .form { parts in
        let label = CBORValue.integer(COSEHeaderLabel.x5chain)
        parts.unprotected = .map(try parts.protected.entries.filter { $0.key == label })
        parts.protected = try parts.protected.removing(label)
      }),
    statusList(
      "fractional-seconds", "The dates of the lists have fractional seconds",
      .deviates(StatusCheck.listClaims, .departs),
      .form { parts in
        for label in [issuedAt, expires] {
          parts.claims = try parts.claims.changing([.member(.integer(label))]) { date in
            guard case .unsigned(let seconds) = date else {
              throw SimulationError.notApplicable("a date has fractions already")
            }
            return .float(Double(seconds) + 0.5)
          }
        }
      }),
    statusList(
      "short-serial-number", "The certificate of the lists has a serial number that is too short",
      .deviates(StatusCheck.listCertificate, .profile), .signer { try $0.signer(serialNumber: [1]) }),
  ]

  private static func statusList(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: StatusListChange
  ) -> Fault {
    Fault(
      .issuer, "status-list.\(name)", title, findings, at: "status list", parameters: [publisher],
      .statusList(change))
  }

  /// Labels of claims (RFC 8392, 4).
  private static let (expires, issuedAt) = (4, 6)
  /// A value that the Token Status List draft leaves to applications.
  private static let applicationValue: UInt8 = 12
}

extension StatusListChange {
  /// Changes a status list; a list of identifiers stays.
  fileprivate static func list(_ change: @escaping @Sendable (StatusList) -> StatusList) -> StatusListChange {
    .token { token, _ in
      if case .statusList(let list) = token.claims.content { token.claims.content = .statusList(change(list)) }
    }
  }
}

/// Signers in place of an authority's status signer.
struct OtherStatusSigners {
  let list: StatusListIssuance
  /// The start of their certificates.
  let start: DateTime
  private var keys: EntropyStream
  private let serialNumber: [UInt8]

  static let days = CertificateProfile.statusListSigner.maximumDays

  init(_ list: StatusListIssuance) {
    self.list = list
    start = list.station.founded.adding(days: -1)
    keys = list.station.lastingStream("keys of a status fault")
    serialNumber = keys.bytes(16)
  }

  private func terms(from start: DateTime? = nil, serialNumber: [UInt8]? = nil) -> CertificateAuthority.Terms {
    let start = start ?? self.start
    return CertificateAuthority.Terms(from: start, days: Self.days, serialNumber: serialNumber ?? self.serialNumber)
  }

  /// Another authority.
  mutating func otherRoot() throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(country: list.issuer.country, commonName: "Another Root"), contact: list.issuer.contact,
      terms: terms(serialNumber: keys.bytes(16)), signer: try keys.signingKey())
  }

  /// A status signer.
  mutating func signer(
    under authority: CertificateAuthority? = nil, from start: DateTime? = nil, serialNumber: [UInt8]? = nil
  ) throws -> StatusListIssuance.Signer {
    let key = try keys.signingKey()
    let certificate = try (authority ?? list.authority).statusListSigner(
      name: StatusListIssuance.signerName(of: list.issuer), publicKey: Certificate.PublicKey(key.publicKey),
      contact: list.issuer.contact, terms: terms(from: start, serialNumber: serialNumber))
    return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
  }

  /// A reader.
  mutating func reader() throws -> StatusListIssuance.Signer {
    let key = try keys.signingKey()
    let certificate = try list.authority.reader(
      name: CertificateName(
        country: list.issuer.country, state: list.issuer.state, commonName: "\(list.issuer.name) Reader"),
      domain: list.issuer.host, brand: nil, publicKey: Certificate.PublicKey(key.publicKey), terms: terms())
    return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
  }
}

/// The status-list issuer of a world with faults: publishes lists with the fault that acts on their issuer.
final class FaultyStatusListIssuer: StatusListIssuer {
  private struct Plan {
    let fault: Acting<StatusListChange>
    /// The lists when the fault began, for issuers whose lists get outdated.
    let outdated: [StatusListKind: PublishedList]
  }

  private let plans = Mutex<[String: Plan]>([:])
  private let statusEntries: StatusEntryFaults

  /// An issuer of correct lists, until a fault acts.
  init(statusEntries: StatusEntryFaults) { self.statusEntries = statusEntries }

  /// The list as it fits the references in the issuer's documents.
  private func fitting(_ list: StatusListIssuance) -> StatusListIssuance {
    statusEntries[list.issuer.identifier]?.change.changed(list) ?? list
  }

  /// Begins a fault of an issuer's lists, or ends the one that acts.
  func set(_ fault: Acting<StatusListChange>?, for issuer: String, present lists: [StatusListIssuance]) {
    var outdated: [StatusListKind: PublishedList] = [:]
    if case .outdated = fault?.change {
      for list in lists { outdated[list.kind] = try? StandardStatusListIssuer().publish(fitting(list)) }
    }
    let plan = fault.map { Plan(fault: $0, outdated: outdated) }
    plans.withLock { $0[issuer] = plan }
  }

  func publish(_ list: StatusListIssuance) throws -> PublishedList? {
    let list = fitting(list)
    guard let plan = plans.withLock({ $0[list.issuer.identifier] }) else {
      return try StandardStatusListIssuer().publish(list)
    }
    list.station.record(.fault(plan.fault.fault.event))
    return try plan.fault.change.publish(list, outdated: plan.outdated[list.kind])
  }
}
