import Authorities
import CBOR
import COSE
import Certificates
import Ecosystem
import Messaging
import MobileDocument
import Primitives
import SimulationKernel
import StatusLists
import Synchronization
import X509

/// A fault in the status lists that an issuing authority publishes.
public enum StatusListFault: String, Sendable, CaseIterable {
  case unavailable
  case outdated
  case unreadable
  case anotherType = "another-type"
  case signedByDocumentSigner = "signed-by-document-signer"
  case signedUnderAnotherRoot = "signed-under-another-root"
  case signedByReader = "signed-by-reader"
  case signedWithExpiredCertificate = "signed-with-expired-certificate"
  case withoutEnd = "without-end"
  case anotherList = "another-list"
  case datedAhead = "dated-ahead"
  case tooShort = "too-short"
  case unknownValue = "unknown-value"
  case typeAsInExample = "type-as-in-example"
  case untagged
  case unprotectedChain = "unprotected-chain"
  case fractionalSeconds = "fractional-seconds"
  case shortSerialNumber = "short-serial-number"

  /// The title and what the verifier finds.
  public var declaration: FaultDeclaration {
    switch self {
    case .unavailable: FaultDeclaration("The lists are not available", .deviates("status.list.fetched"))
    case .outdated: FaultDeclaration("The lists are not updated any more", .deviates("status.list.validity/stale"))
    case .unreadable:
      FaultDeclaration("A web page is published in place of each list", .fails("status.list.structure/malformed"))
    case .anotherType:
      FaultDeclaration("The lists have the type of other tokens", .fails("status.list.type/other-type"))
    case .signedByDocumentSigner:
      FaultDeclaration("The document signer signs the lists", .fails("status.list.signer"))
    case .signedUnderAnotherRoot:
      FaultDeclaration("The lists are signed under another root", .fails("status.list.trust"))
    case .signedByReader: FaultDeclaration("A reader signs the lists", .fails("status.list.certificate/invalid"))
    case .signedWithExpiredCertificate:
      FaultDeclaration("The lists are signed with an expired certificate", .fails("status.list.certificate/invalid"))
    case .withoutEnd: FaultDeclaration("The lists lack their expiry", .fails("status.list.claims/malformed"))
    case .anotherList:
      FaultDeclaration("Another list is published in place of each list", .fails("status.list.subject"))
    case .datedAhead: FaultDeclaration("The lists are dated tomorrow", .fails("status.list.validity/not-yet-valid"))
    case .tooShort: FaultDeclaration("The status list is empty", .fails("status.entry"))
    case .unknownValue: FaultDeclaration("The status list has unknown values", .fails("status.value"))
    case .typeAsInExample:
      FaultDeclaration(
        "The type of the lists is spelled as in the standard's example", .deviates("status.list.type/departs"))
    case .untagged: FaultDeclaration("The lists are not in tag 18", .deviates("status.list.structure/departs"))
    case .unprotectedChain:
      FaultDeclaration(
        "The certificate chain of the lists is in the unprotected header", .deviates("status.list.structure/departs"))
    case .fractionalSeconds:
      FaultDeclaration("The dates of the lists have fractional seconds", .deviates("status.list.claims/departs"))
    case .shortSerialNumber:
      FaultDeclaration(
        "The certificate of the lists has a serial number that is too short",
        .deviates("status.list.certificate/profile"))
    }
  }

  /// A value that the Token Status List draft leaves to applications.
  private static let applicationValue: UInt8 = 12

  /// Changes what is signed.
  func change(_ token: inout StatusTokenDraft, of kind: StatusListKind) {
    switch self {
    case .anotherType: token.type = "application/cwt"
    case .typeAsInExample: token.type = kind.typeInExample
    case .anotherList: token.claims.subject += "0"
    case .datedAhead:
      token.claims.issuedAt = token.claims.issuedAt.adding(days: 1)
      token.claims.expires = token.claims.expires.adding(days: 1)
    case .tooShort, .unknownValue:
      guard case .statusList(let list) = token.claims.content else { return }
      let count = self == .tooShort ? 0 : list.count
      var changed = StatusList(entrySize: self == .tooShort ? list.entrySize : .four, count: count)
      for index in 0..<count { changed.set(UInt64(index), to: Self.applicationValue) }
      token.claims.content = .statusList(changed)
    default: break
    }
  }

  /// Changes the form of a signed token, and signs it again where the signature covers the change.
  func change(_ token: [UInt8], signedAgainBy key: DeterministicSigningKey) throws -> [UInt8] {
    guard case .tagged(_, let message) = CBORValue(try CBORReader.read(token)) else {
      throw SimulationError.notApplicable("the token is untagged")
    }
    let parts = try message.items
    var protected = CBORValue(try CBORReader.read(try parts[0].content))
    var unprotected = parts[1]
    var claims = CBORValue(try CBORReader.read(try parts[2].content))
    switch self {
    case .untagged: return message.encoded
    case .unprotectedChain:
      let chain = try protected.entries.filter { $0.key == .integer(COSEHeaderLabel.x5chain) }
      protected = try protected.removing(.integer(COSEHeaderLabel.x5chain))
      unprotected = .map(chain)
    case .withoutEnd: claims = try claims.removing(.integer(Self.expires))
    case .fractionalSeconds:
      for label in [Self.issuedAt, Self.expires] {
        claims = try claims.changing([.member(.integer(label))]) { date in
          guard case .unsigned(let seconds) = date else {
            throw SimulationError.notApplicable("a date has fractions already")
          }
          return .float(Double(seconds) + 0.5)
        }
      }
    default: return token
    }
    return try COSESign1.signTagged(
      payload: claims.encoded, protectedHeader: protected.encoded, unprotectedHeader: unprotected.encoded, with: key)
  }

  /// Labels of claims (RFC 8392, 4).
  private static let (expires, issuedAt) = (4, 6)

  /// Certifies the signer that the fault needs; nil when the authority's status signer signs.
  func signer(of list: StatusListIssuance) throws -> StatusListIssuance.Signer? {
    let station = list.station
    var keys = station.lastingStream("keys of a status fault")
    let start = station.founded.adding(days: -1)
    let days = CertificateProfile.statusListSigner.maximumDays
    func terms(from start: DateTime, serialNumber: [UInt8]) -> CertificateAuthority.Terms {
      CertificateAuthority.Terms(from: start, until: start.adding(days: days), serialNumber: serialNumber)
    }
    func signer(
      under authority: CertificateAuthority, from start: DateTime, serialNumber: [UInt8]
    ) throws -> StatusListIssuance.Signer {
      let key = try keys.signingKey()
      let certificate = try authority.statusListSigner(
        name: StatusListIssuance.signerName(of: list.issuer), publicKey: Certificate.PublicKey(key.publicKey),
        contact: list.issuer.contact, terms: terms(from: start, serialNumber: serialNumber))
      return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
    }
    let serialNumber = keys.bytes(16)
    switch self {
    case .signedByDocumentSigner: return list.documentSigner
    case .signedUnderAnotherRoot:
      let other = try CertificateAuthority(
        profile: .issuingAuthorityRoot,
        name: CertificateName(country: list.issuer.country, commonName: "Another Root"), contact: list.issuer.contact,
        terms: terms(from: start, serialNumber: keys.bytes(16)), signer: try keys.signingKey())
      return try signer(under: other, from: start, serialNumber: serialNumber)
    case .signedByReader:
      let key = try keys.signingKey()
      let certificate = try list.authority.reader(
        name: CertificateName(
          country: list.issuer.country, state: list.issuer.state, commonName: "\(list.issuer.name) Reader"),
        domain: list.issuer.host, brand: nil, publicKey: Certificate.PublicKey(key.publicKey),
        terms: terms(from: start, serialNumber: serialNumber))
      return StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
    case .signedWithExpiredCertificate:
      return try signer(under: list.authority, from: start.adding(days: -days), serialNumber: serialNumber)
    case .shortSerialNumber: return try signer(under: list.authority, from: start, serialNumber: [1])
    default: return nil
    }
  }
}

/// The status-list issuer of a world with faults: publishes lists with the fault that acts on their issuer.
final class FaultyStatusListIssuer: StatusListIssuer {
  private struct Plan {
    let fault: StatusListFault
    /// The lists when the fault began, for issuers whose lists get outdated.
    let outdated: [StatusListKind: PublishedList]
  }

  private let plans = Mutex<[String: Plan]>([:])
  private let statusEntries: StatusEntryFaults

  /// An issuer of correct lists, until a fault acts.
  init(statusEntries: StatusEntryFaults) { self.statusEntries = statusEntries }

  /// The list as it fits the references in the issuer's documents.
  private func fitting(_ list: StatusListIssuance) -> StatusListIssuance {
    statusEntries[list.issuer.identifier]?.changed(list) ?? list
  }

  /// Begins a fault of an issuer's lists, or ends the one that acts.
  func set(_ fault: StatusListFault?, for issuer: String, present lists: [StatusListIssuance]) {
    var outdated: [StatusListKind: PublishedList] = [:]
    if fault == .outdated {
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
    list.station.record(
      .fault(FaultEvent("issuer.status-list.\(plan.fault.rawValue)", plan.fault.declaration.title)))
    switch plan.fault {
    case .unavailable: return nil
    case .outdated: return try plan.outdated[list.kind] ?? StandardStatusListIssuer().publish(list)
    case .unreadable:
      return PublishedList(bytes: Array("<!doctype html><title>Welcome</title>".utf8), mediaType: "text/html")
    default:
      var token = list.token
      plan.fault.change(&token, of: list.kind)
      let signer = try plan.fault.signer(of: list) ?? list.signer
      let signed = try token.signed(by: signer.key, chain: signer.chain)
      return PublishedList(bytes: try plan.fault.change(signed, signedAgainBy: signer.key), mediaType: list.mediaType)
    }
  }
}
