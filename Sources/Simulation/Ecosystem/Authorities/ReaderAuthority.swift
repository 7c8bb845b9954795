import Certificates
import Checks
import Messaging
import MobileDocument
import SimulationKernel
import X509

/// A reader authority: verifies a website's identity and certifies its key with the approved brand.
///
/// ```
/// anyone  --root-->                    its published root certificate
/// anyone  --issuing certificate-->     the issuing certificate: an intermediate, or the root
/// server  --certificate request-->     signature, domain, brand
/// server  <--certificate--             for the domain, with the brand, and the intermediate if there is one
/// ```
actor ReaderAuthority {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let authority: CertificateAuthority
  private let certificateDays: Int
  private let customers: [Customer]
  private var serials: EntropyStream

  /// A website that the authority knows, with its verified domain and approved brand.
  struct Customer: Sendable {
    let server: Party
    let domain: String
    let organization: String
    let approvedBrand: BrandIdentity?
  }

  static let rootDays = 20 * 365
  /// Half of the root's lifetime, so that a new intermediate can be issued while the root is valid.
  static let intermediateDays = 10 * 365

  init(_ description: WorldDescription.ReaderAuthority, customers: [Customer], station: Station) throws {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.customers = customers
    certificateDays = description.certificateDays
    var keys = station.lastingStream("keys")
    var rootSerials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    let root = try CertificateAuthority(
      profile: .readerRoot, pathLength: description.hasIntermediate ? 1 : 0,
      name: CertificateName(organization: description.name, commonName: "\(description.name) Reader Root"),
      contact: "https://\(description.identifier).example",
      terms: CertificateAuthority.Terms(
        from: start, until: start.adding(days: Self.rootDays), serialNumber: rootSerials.bytes(16)),
      signer: try keys.signingKey())
    serials = station.stream("serial numbers of readers")
    guard description.hasIntermediate else {
      authority = root
      return
    }
    authority = try root.intermediate(
      name: CertificateName(organization: description.name, commonName: "\(description.name) Reader Issuing"),
      terms: CertificateAuthority.Terms(
        from: start, until: start.adding(days: Self.intermediateDays), serialNumber: rootSerials.bytes(16)),
      signer: try keys.signingKey())
  }

  func receive(_ message: Message) {
    switch message.kind {
    case .root:
      publish(authority.root, message)
    case .issuing:
      publish(authority.issuing, message)
    case .certify:
      do {
        let chain = try [certify(message)] + authority.intermediates.map { try $0.derEncoded() }
        let isAlone = chain.count == 1
        station.send(
          .certificate, bytes: isAlone ? chain[0] : CertificateChain.pem(chain),
          as: isAlone ? MediaType.certificate : MediaType.certificateChain, to: message.sender, answering: message)
      } catch {
        let refusal = error as? ReaderCertificateRequest.Refusal ?? .init(.request, .malformed)
        record(stoppedBy: refusal)
        station.send(
          .refused, RefusalBody(code: refusal.name, message: refusal.message), to: message.sender,
          answering: message)
      }
    default:
      station.ignore(message)
    }
  }

  private func publish(_ certificate: Certificate, _ message: Message) {
    let encoded = (try? certificate.derEncoded()) ?? []
    station.send(message.kind, bytes: encoded, as: MediaType.certificate, to: message.sender, answering: message)
  }

  private func certify(_ message: Message) throws -> [UInt8] {
    let request = try ReaderCertificateRequest(message.bytes)
    guard let customer = customers.first(where: { $0.server == message.sender }) else {
      throw ReaderCertificateRequest.Refusal(.domain)
    }
    let brand = try request.approvedBrand(
      domain: customer.domain, organization: customer.organization, brand: customer.approvedBrand)
    let now = station.now
    let certificate = try authority.reader(
      name: CertificateName(organization: customer.organization, commonName: request.domain),
      domain: request.domain, brand: brand, publicKey: request.publicKey,
      terms: CertificateAuthority.Terms(
        from: now, until: now.adding(days: certificateDays), serialNumber: serials.bytes(16)))
    let encoded = try certificate.derEncoded()
    record(stoppedBy: nil)
    station.note(
      .readerAuthorityCertified, "\(request.domain) is certified as \(brand.name) for \(certificateDays) days")
    return encoded
  }

  private func record(stoppedBy refusal: ReaderCertificateRequest.Refusal?) {
    for result in CheckRun(ReaderAuthorityCheck.allCases, stoppedBy: refusal).results { station.record(result) }
  }
}
