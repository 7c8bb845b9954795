import Certificates
import Checks
import Messaging
import MobileDocument
import Primitives
import ReaderOnboarding
import SimulationKernel
import Vocabulary
import X509

/// A reader authority: verifies a website's identity and certifies its key with the approved brand. An `OnboardingCase`
/// for each website decides.
///
/// ```
/// anyone  --root-->                    its published root certificate
/// anyone  --GET root certificate-->    the same, at its address
/// anyone  --issuing certificate-->     the issuing certificate: an intermediate, or the root
/// server  --POST /accounts-->          terms, number in the register; the answer has a token
/// server  --POST /accounts/proof-->    authority --GET domain proof--> the host of the domain
/// authority --account news--> server   the outcome of a brand review by staff
/// server  --certificate request-->     signature, domain, brand
/// server  <--certificate--             for the domain, with the brand, and the intermediate if there is one
/// app     --GET revocation list-->     the revoked certificates
/// ```
package actor ReaderAuthority: StationedActor {
  package nonisolated let station: Station
  private let description: WorldDescription.ReaderAuthority
  private let authority: CertificateAuthority
  /// The root certificate in DER.
  package nonisolated let root: [UInt8]
  /// The party that serves each host, as a name service would resolve it.
  private let hosts: [String: Party]
  private let onboarding: OnboardingRequirements?
  private var cases: [Party: OnboardingCase]
  private var issued: [Party: [Certificate.SerialNumber]] = [:]
  private var revocations: [CertificateAuthority.Revocation] = []
  private var serials: EntropyStream
  private var tokens: EntropyStream

  /// The lifetime of a list of revoked certificates in seconds: an app learns of a revocation within a day.
  static let revocationListSeconds: Int64 = 86_400
  /// The path of the list.
  static let revocationListPath = "/crl"
  /// Half of the root's lifetime, so that a new intermediate can be issued while the root is valid.
  static let intermediateDays = 10 * 365

  /// Creates an authority with the cases of its websites.
  /// - Parameter hosts: The party that serves each host.
  package init(
    _ description: WorldDescription.ReaderAuthority, cases: [Party: OnboardingCase], hosts: [String: Party],
    station: Station
  ) throws {
    self.station = station
    self.description = description
    self.cases = cases
    self.hosts = hosts
    onboarding = description.onboarding
    tokens = station.stream("tokens")
    var keys = station.lastingStream("keys")
    var rootSerials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    let root = try CertificateAuthority(
      pathLength: description.hasIntermediate ? 1 : 0,
      name: CertificateName(
        country: description.certifiedCountry, organization: description.name,
        commonName: "\(description.name) Reader Root"),
      contact: "https://\(description.identifier).example",
      terms: .root(from: start, serialNumber: rootSerials.bytes(16)), signer: try keys.signingKey())
    self.root = description.outsideRoot?.certificate ?? root.encodedRoot
    serials = station.stream("serial numbers of readers")
    guard description.hasIntermediate else {
      authority = root
      return
    }
    authority = try root.intermediate(
      name: CertificateName(
        country: description.certifiedCountry, organization: description.name,
        commonName: "\(description.name) Reader Issuing"),
      terms: CertificateAuthority.Terms(from: start, days: Self.intermediateDays, serialNumber: rootSerials.bytes(16)),
      signer: try keys.signingKey())
  }

  package func receive(_ message: Message) async {
    switch message.kind {
    case .root: station.answer(message, .root, bytes: root, as: MediaType.certificate)
    case .issuing:
      let issuing = description.outsideRoot?.certificate ?? authority.encodedIssuing
      station.answer(message, .issuing, bytes: issuing, as: MediaType.certificate)
    case .getRoot: station.publish(root, at: description.host, answering: message)
    case .apply: await apply(message)
    case .announceProof: await step(.proofAnnounced, message)
    case .submitBrand:
      guard let brand = station.body(BrandIdentity.self, of: message) else { return }
      await step(.brandSubmitted(brand), message)
    case .certify: await step(.certificateRequested(message.bytes), message)
    case .getRevocationList: publishRevocations(message)
    default: station.ignore(message)
    }
  }

  private func apply(_ message: Message) async {
    guard let application = station.body(OnboardingApplication.self, of: message) else { return }
    await step(.applied(application, token: Base64URL.encode(tokens.bytes(16))), message)
  }

  /// Passes an event to the case of the sender and answers it.
  private func step(_ event: OnboardingCase.Event, _ message: Message) async {
    let website = message.sender
    for effect in update(website, event) {
      switch effect {
      case .fetchProof(let domain):
        let content = await proof(of: domain)
        return await step(.proofFetched(content), message)
      case .report(let status):
        report(status, of: website)
        station.answer(message, .account, AccountBody(status: status, token: cases[website]?.token))
      case .review(let brand):
        station.note(
          .readerAuthorityAccount, value: OnboardingStatus.inReview.rawValue,
          "the brand \(brand.name) of \(website.name) waits for the staff")
      case .issue(let request, let organization, let brand): issue(request, organization, brand, message)
      case .refuse(let refusal): refuse(refusal, message)
      }
    }
  }

  private func update(_ website: Party, _ event: OnboardingCase.Event) -> [OnboardingCase.Effect] {
    var requester = cases[website] ?? OnboardingCase(onboarding ?? OnboardingRequirements())
    let effects = requester.receive(event)
    cases[website] = requester
    return effects
  }

  private func report(_ status: OnboardingStatus, of website: Party) {
    station.note(
      .readerAuthorityAccount, value: status.rawValue, "the application of \(website.name) is \(status.rawValue)")
  }

  /// Fetches the token from a domain, or returns nil.
  private func proof(of domain: String) async -> String? {
    guard let host = hosts[domain] else { return nil }
    let target = OnboardingRequirements.wellKnownPath + description.identifier
    let request = HTTPGetRequest(host: domain, target: target).encoded(accepting: [MediaType.text])
    let answer = try? await station.endpoint.request(.getProof, request, as: MediaType.http, to: host)
    return answer.flatMap { $0.kind == .proof ? String(validating: $0.bytes, as: UTF8.self) : nil }
  }

  /// Acts as the authority's staff.
  package func perform(_ action: Action.ByReaderAuthority) {
    switch action {
    case .reviews(let decision, let website): review(decision, of: Party(.server, website))
    case .revokes(let website): revoke(Party(.server, website))
    }
  }

  private func review(_ decision: BrandDecision, of website: Party) {
    guard cases[website]?.status == .inReview else {
      return station.note(.readerAuthorityUnchanged, "no brand of \(website.name) is in review")
    }
    let effects = update(website, .brandReviewed(decision))
    station.note(
      .readerAuthorityReviewed, value: decision.rawValue, "the brand of \(website.name): \(decision.rawValue)")
    for case .report(let status) in effects { station.send(.accountNews, AccountBody(status: status), to: website) }
  }

  private func revoke(_ website: Party) {
    guard let serials = issued.removeValue(forKey: website), !serials.isEmpty else {
      return station.note(.readerAuthorityUnchanged, "no certificate of \(website.name) is left to revoke")
    }
    let now = station.now
    revocations += serials.map { CertificateAuthority.Revocation(serialNumber: $0, date: now) }
    let verb = serials.count == 1 ? "is" : "are"
    station.note(.readerAuthorityRevoked, "\(serials.count.counted("certificate")) of \(website.name) \(verb) revoked")
  }

  private func publishRevocations(_ message: Message) {
    let now = station.now
    guard description.publishesRevocations, let request = HTTPGetRequest(message.bytes),
      request.host == description.host, request.target == Self.revocationListPath,
      let list = try? authority.revocationList(
        revocations, number: Int(now.secondsSince1970), from: now,
        until: now.adding(seconds: Self.revocationListSeconds))
    else {
      return station.answer(message, .noRevocationList, bytes: [], as: MediaType.text)
    }
    station.answer(message, .revocationList, bytes: list, as: MediaType.revocationList)
  }

  private func issue(
    _ request: ReaderCertificateRequest, _ organization: String, _ brand: BrandIdentity?, _ message: Message
  ) {
    let now = station.now
    let days = description.certificateDays
    do {
      let terms = CertificateAuthority.Terms(from: now, days: days, serialNumber: serials.bytes(16))
      let certificate = try authority.encodedReader(
        for: request, country: description.certifiedCountry, organization: organization, brand: brand,
        revocationList: description.publishesRevocations
          ? "https://\(description.host)\(Self.revocationListPath)" : nil, terms: terms)
      let chain = [certificate] + authority.encodedIntermediates
      issued[message.sender, default: []].append(terms.serial)
      record(stoppedBy: nil)
      station.note(
        .readerAuthorityCertified,
        "\(request.domain) is certified\(brand.map { " as \($0.name)" } ?? " without a brand") for \(days) days")
      let isAlone = chain.count == 1
      station.answer(
        message, .certificate, bytes: isAlone ? chain[0] : CertificateChain.pem(chain),
        as: isAlone ? MediaType.certificate : MediaType.certificateChain)
    } catch {
      // A name that does not fit into a certificate.
      refuse(ReaderCertificateRequest.Refusal(.request, .malformed), message)
    }
  }

  private func refuse(_ refusal: ReaderCertificateRequest.Refusal, _ message: Message) {
    record(stoppedBy: refusal)
    station.refuse(message, code: refusal.name, refusal.message)
  }

  private func record(stoppedBy refusal: ReaderCertificateRequest.Refusal?) {
    station.record(CheckRun(ReaderAuthorityCheck.allCases, stoppedBy: refusal).results)
  }
}
