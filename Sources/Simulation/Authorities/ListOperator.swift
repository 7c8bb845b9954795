import Certificates
import Messaging
import Primitives
import SimulationKernel
import TrustLists
import Vocabulary
import X509

/// The operator of a list of issuing authorities (ISO/IEC 18013-5, annex C). It issues a list each day, at the time at which
/// the world began, and signs it for each request.
///
/// ```
/// issuing authority --root--> list operator                before the world begins, in person
/// anyone --GET /vical.cbor--> list operator
/// anyone <--signed list------                              with the certificate of the list's signer
/// ```
package actor ListOperator: StationedActor {
  package nonisolated let station: Station
  private let description: WorldDescription.ListOperator
  /// The root certificate in DER, which verifiers are given with the operator's terms.
  package nonisolated let root: [UInt8]
  private let authority: CertificateAuthority
  private let signer: StatusListIssuance.Signer
  private let entries: [VICAL.Entry]
  private let issuer: any IssuerListIssuer

  /// Creates an operator.
  /// - Parameter roots: The listed authorities with their roots in DER, by their names in the world.
  /// - Throws: An error if a certificate cannot be made or read.
  package init(
    _ description: WorldDescription.ListOperator, roots: [String: (issuer: WorldDescription.Issuer, root: [UInt8])],
    station: Station, issuer: any IssuerListIssuer
  ) throws {
    self.station = station
    self.description = description
    self.issuer = issuer
    var keys = station.lastingStream("keys")
    var serials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    let authority = try CertificateAuthority(
      name: CertificateName(
        country: description.country, organization: description.name, commonName: "\(description.name) List Root"),
      contact: description.contact, terms: .root(from: start, serialNumber: serials.bytes(16)),
      signer: try keys.signingKey())
    self.authority = authority
    root = authority.encodedRoot
    let key = try keys.signingKey()
    let certificate = try authority.listSigner(
      name: IssuerListIssuance.signerName(of: description), publicKey: Certificate.PublicKey(key.publicKey),
      contact: description.contact,
      terms: CertificateAuthority.Terms(
        from: start, days: CertificateProfile.listSigner.maximumDays, serialNumber: serials.bytes(16)))
    signer = StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
    entries = try description.entries.compactMap { entry in
      guard let listed = roots[entry.issuer] else { return nil }
      return try VICAL.Entry(
        of: listed.root, documentTypes: entry.documentTypes, issuingAuthority: listed.issuer.name,
        issuingCountry: listed.issuer.certifiedCountry, stateOrProvince: listed.issuer.certifiedState)
    }
  }

  package func receive(_ message: Message) {
    guard message.kind == .getIssuerList, let request = HTTPGetRequest(message.bytes) else {
      return station.ignore(message)
    }
    guard request.host == description.host, request.target == PublishedAddress.issuerList else {
      return station.sendNothing(answering: message)
    }
    do {
      switch try issuer.publish(issuance()) {
      case .list(let bytes): station.answer(message, .issuerList, bytes: bytes, as: MediaType.signedMessage)
      case .nothing: station.sendNothing(answering: message)
      case .silence: break
      }
    } catch {
      station.sendNothing(answering: message)
    }
  }

  /// The issue of today.
  private func issuance() -> IssuerListIssuance {
    let day = (station.now.secondsSince1970 - station.founded.secondsSince1970) / 86_400
    let date = station.founded.adding(days: Int(day))
    return IssuerListIssuance(
      listOperator: description,
      draft: VICALDraft(
        provider: description.name, date: date, issueID: UInt64(max(day, 0)) + 1,
        nextUpdate: date.adding(days: description.days), entries: entries),
      signer: signer, authority: authority, station: station)
  }
}

extension Station {
  /// Answers that there is nothing at an address.
  func sendNothing(answering message: Message) { answer(message, .nothingPublished, bytes: [], as: MediaType.text) }

  /// Answers a request for the root certificate of an authority.
  func publish(_ root: [UInt8], at host: String, answering message: Message) {
    guard let request = HTTPGetRequest(message.bytes), request.host == host, request.target == PublishedAddress.root
    else { return sendNothing(answering: message) }
    answer(message, .publishedRoot, bytes: root, as: MediaType.certificate)
  }
}

/// The answer of a list operator.
package enum IssuerListAnswer: Sendable {
  /// The list.
  case list([UInt8])
  /// There is nothing at the address.
  case nothing
  /// No answer.
  case silence
}

/// Signs the lists of an operator.
package protocol IssuerListIssuer: Sendable {
  /// Publishes the list in its present state.
  /// - Throws: An error that makes the operator answer that there is no list.
  func publish(_ list: IssuerListIssuance) throws -> IssuerListAnswer
}

/// The issuer of a world without faults: signs the list with the operator's signer.
package struct StandardIssuerListIssuer: IssuerListIssuer {
  /// Creates the standard issuer.
  package init() {}

  /// Signs the list as it is.
  package func publish(_ list: IssuerListIssuance) throws -> IssuerListAnswer {
    .list(try list.draft.signed(by: list.signer.key, chain: list.signer.chain))
  }
}

/// A list that an operator is about to publish, with its signer.
package struct IssuerListIssuance: Sendable {
  /// The operator's description in the world.
  package let listOperator: WorldDescription.ListOperator
  /// The content.
  package var draft: VICALDraft
  /// The signer of the list.
  package var signer: StatusListIssuance.Signer
  /// The operator as an authority, which certifies signers.
  package let authority: CertificateAuthority
  /// The operator's time, randomness and journal.
  package let station: Station

  /// The name in the signer's certificate.
  package static func signerName(of listOperator: WorldDescription.ListOperator) -> CertificateName {
    CertificateName(
      country: listOperator.country, organization: listOperator.name,
      commonName: "\(listOperator.name) List Signer")
  }
}
