import MobileDocument
import Simulation
import X509

/// A reader authority: checks who a website is and certifies its key, with the brand that it has approved.
///
/// ```
/// anyone  --root-->                    its root certificate, as it publishes it
/// server  --certificate request-->     signature, domain, brand
/// server  <--certificate--             for the domain, with the brand in it
/// ```
actor ReaderAuthority {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let authority: CertificateAuthority
  private let certificateDays: Int
  private let customers: [Customer]
  private var serials: EntropyStream

  /// Somebody whom the authority knows: how they proved their domain and which brand was approved is settled before.
  struct Customer: Sendable {
    let server: Party
    let domain: String
    let organization: String
    let approvedBrand: BrandIdentity?
  }

  static let rootDays = 20 * 365

  init(_ description: WorldDescription.ReaderAuthority, customers: [Customer], station: Station) throws {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.customers = customers
    certificateDays = description.certificateDays
    var keys = station.lastingStream("keys")
    var rootSerials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    authority = try CertificateAuthority(
      profile: .readerRoot,
      name: CertificateName(organization: description.name, commonName: "\(description.name) Reader Root"),
      contact: "https://\(description.identifier).example",
      terms: CertificateAuthority.Terms(
        from: start, until: start.adding(days: Self.rootDays), serialNumber: rootSerials.bytes(16)),
      signer: try keys.signingKey())
    serials = station.stream("serial numbers of readers")
  }

  func receive(_ message: Message) {
    switch message.subject {
    case Subject.root:
      let root = (try? authority.root.derEncoded()) ?? []
      station.send(Subject.root, bytes: root, as: MediaType.certificate, to: message.sender, answering: message)
    case Subject.certify:
      do {
        let certificate = try certify(message)
        station.send(
          Subject.certificate, bytes: certificate, as: MediaType.certificate, to: message.sender, answering: message)
      } catch {
        let refusal = error as? ReaderCertificateRequest.Refusal ?? .malformed
        station.record(.check, code: refusal.rawValue, outcome: "failed", sentence: refusal.sentence)
        station.send(
          Subject.refused, RefusalBody(code: refusal.rawValue, sentence: refusal.sentence), to: message.sender,
          answering: message)
      }
    default:
      station.record(
        .note, code: .readerAuthorityUnknownSubject, outcome: "ignored",
        sentence: "nobody here does \(message.subject)")
    }
  }

  private func certify(_ message: Message) throws -> [UInt8] {
    let request = try ReaderCertificateRequest(message.bytes)
    guard let customer = customers.first(where: { $0.server == message.sender }), customer.domain == request.domain
    else { throw ReaderCertificateRequest.Refusal.domain }
    guard let brand = customer.approvedBrand, request.organization == customer.organization else {
      throw ReaderCertificateRequest.Refusal.brand
    }
    let now = station.now
    let certificate = try authority.reader(
      name: CertificateName(organization: customer.organization, commonName: request.domain),
      domain: request.domain, brand: brand, publicKey: request.publicKey,
      terms: CertificateAuthority.Terms(
        from: now, until: now.adding(days: certificateDays), serialNumber: serials.bytes(16)))
    station.record(
      .check, code: .readerAuthorityCertified, outcome: "passed",
      sentence: "\(request.domain) is certified as \(brand.name) for \(certificateDays) days")
    return try certificate.derEncoded()
  }
}
