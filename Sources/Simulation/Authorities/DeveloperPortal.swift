import Certificates
import Checks
import JSON
import Messaging
import SimulationKernel
import Vocabulary

/// The developer portal: certifies the encryption key of each merchant identifier, and gives the certificate to devices.
/// A merchant identifier belongs to one developer account.
///
/// ```
/// server --certificate request--> portal     signature, merchant identifier of the account
/// server <--certificate---------- portal     organization, team identifier, merchant identifier
/// device --root, merchant-------> portal
/// device <--certificate---------- portal     the newest one
/// ```
package actor DeveloperPortal: StationedActor {
  /// The account of a merchant identifier.
  package struct Account: Sendable {
    let merchantIdentifier: String
    let teamIdentifier: String
    let organization: String
    let server: Party

    package init(merchantIdentifier: String, teamIdentifier: String, organization: String, server: Party) {
      (self.merchantIdentifier, self.teamIdentifier) = (merchantIdentifier, teamIdentifier)
      (self.organization, self.server) = (organization, server)
    }
  }

  package nonisolated let station: Station
  private let authority: CertificateAuthority
  private let accounts: [Account]
  private var certificates: [String: [UInt8]] = [:]
  private var serials: EntropyStream

  /// Twenty-five months, as the portal's certificates for payments have.
  static let certificateDays = 760

  package init(accounts: [Account], station: Station) throws {
    self.station = station
    self.accounts = accounts
    var keys = station.lastingStream("keys")
    var rootSerials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    authority = try CertificateAuthority(
      name: CertificateName(organization: "Developer Portal", commonName: "Portal Root"),
      contact: "https://portal.example", terms: .root(from: start, serialNumber: rootSerials.bytes(16)),
      signer: try keys.signingKey())
    serials = station.stream("serial numbers of merchants")
  }

  package func receive(_ message: Message) {
    switch message.kind {
    case .root:
      let root = authority.encodedRoot
      station.answer(message, .root, bytes: root, as: MediaType.certificate)
    case .certifyMerchant: certify(message)
    case .merchantCertificate:
      let merchant = message.body(MerchantBody.self)?.merchantIdentifier ?? ""
      guard let certificate = certificates[merchant] else {
        return station.refuse(message, code: "portal.merchant", "no certificate")
      }
      station.answer(message, .merchantCertificate, bytes: certificate, as: MediaType.certificate)
    default: station.ignore(message)
    }
  }

  private func certify(_ message: Message) {
    do {
      let encoded = try certificate(for: message)
      record(stoppedBy: nil)
      station.answer(message, .merchantCertificate, bytes: encoded, as: MediaType.certificate)
    } catch {
      let refusal = error as? MerchantCertificateRequest.Refusal ?? .init(.request, .malformed)
      record(stoppedBy: refusal)
      station.refuse(message, code: refusal.name, refusal.message)
    }
  }

  private func certificate(for message: Message) throws -> [UInt8] {
    let request = try MerchantCertificateRequest(message.bytes)
    guard let account = accounts.first(where: { $0.merchantIdentifier == request.merchantIdentifier }),
      account.server == message.sender
    else { throw MerchantCertificateRequest.Refusal(.merchant) }
    let now = station.now
    let encoded = try authority.merchant(
      request, organization: account.organization, teamIdentifier: account.teamIdentifier,
      terms: CertificateAuthority.Terms(from: now, days: Self.certificateDays, serialNumber: serials.bytes(16))
    ).derEncoded()
    certificates[request.merchantIdentifier] = encoded
    station.note(
      .portalCertified,
      "\(request.merchantIdentifier) of team \(account.teamIdentifier) is certified for \(Self.certificateDays) days")
    return encoded
  }

  private func record(stoppedBy refusal: MerchantCertificateRequest.Refusal?) {
    station.record(CheckRun(PortalCheck.allCases, stoppedBy: refusal).results)
  }
}
