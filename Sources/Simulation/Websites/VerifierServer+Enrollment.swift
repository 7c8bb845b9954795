import Certificates
import JSON
import Messaging
import MobileDocument
import Primitives
import ReaderOnboarding
import SimulationKernel
import Vocabulary
import X509

/// The website's reader certificates: the application at each reader authority, the certificate request, the renewal.
extension VerifierServer {
  /// Gets a reader certificate. A website applies first where the authority has requirements.
  func enroll(at authority: String) async {
    if requirements[authority] != nil {
      guard await apply(at: authority) == .ready else { return }
    }
    await certify(at: authority)
  }

  private func apply(at authority: String) async -> OnboardingStatus? {
    let readiness = website.readiness
    let application = OnboardingApplication(
      organization: website.brand.name, domain: website.readerDomain,
      acceptsTerms: readiness.acceptsTerms || isCorrected, registrationNumber: readiness.registrationNumber,
      brand: brand)
    var account = await send(.apply, application, to: authority)
    if account?.status == .challenged, let token = account?.token {
      tokens[authority] = readiness.servesToken || isCorrected ? token : nil
      account = await send(.announceProof, [String](), to: authority)
    }
    return account?.status
  }

  /// Sends a message about the application. Returns nil if the authority refuses it or does not answer.
  private func send(_ kind: MessageKind, _ body: some JSONWritable, to authority: String) async -> AccountBody? {
    guard let answer = try? await station.request(kind, body, to: Party(.readerAuthority, authority)),
      answer.kind == .account, let account = answer.body(AccountBody.self)
    else { return nil }
    note(account.status, at: authority)
    return account
  }

  private func note(_ status: OnboardingStatus, at authority: String) {
    station.note(.websiteOnboarding, value: status.rawValue, "the application at \(authority) is \(status.rawValue)")
  }

  /// Requests a certificate for a new key.
  /// - Returns: True if the authority issues one.
  @discardableResult
  private func certify(at authority: String) async -> Bool {
    do {
      let key = try readerKeys.signingKey()
      let request = try ReaderCertificateRequest.make(
        organization: website.brand.name, domain: website.readerDomain, signer: key)
      let answer = try await station.endpoint.request(
        .certify, request, as: MediaType.certificateRequest, to: Party(.readerAuthority, authority))
      guard answer.kind == .certificate else { return false }
      let isAlone = answer.mediaType == MediaType.certificate
      let chain = isAlone ? [answer.bytes] : try CertificateChain.blocks(ofFile: answer.bytes)
      enrollments[authority] = DeviceRequestDraft.Reader(signer: key, chain: chain)
      if let validity = chain.first.flatMap({ try? Certificate.validity(ofEncoded: $0) }) {
        scheduleRenewal(at: authority, validity)
      }
      return true
    } catch {
      station.note(.websiteNoReaderCertificate, "from \(authority): \(error)")
      return false
    }
  }

  /// Renews a certificate when a third of its validity is left, so that there is time to try again.
  private func scheduleRenewal(at authority: String, _ validity: (from: DateTime, until: DateTime)) {
    guard website.readiness.renewsCertificates else { return }
    let lifetime = validity.until.secondsSince1970 - validity.from.secondsSince1970
    expiries[authority] = validity.until
    scheduleRenewal(at: authority, validity.from.adding(seconds: lifetime / 3 * 2), until: validity.until)
  }

  private func scheduleRenewal(at authority: String, _ moment: DateTime, until: DateTime) {
    guard moment < until else { return }
    at(WorldClock.Instant(secondsSince1970: moment.secondsSince1970)) { await $0.renew(at: authority, until: until) }
  }

  private func renew(at authority: String, until: DateTime) async {
    // A server that was ended leaves the renewal to its successor, and a new certificate has a renewal of its own.
    guard station.endpoint.isCurrent, expiries[authority] == until else { return }
    if await certify(at: authority) {
      station.note(.websiteCertificateRenewed, "the certificate of \(authority), before it expires on \(until)")
    } else {
      station.note(.websiteNotRenewed, "\(authority) does not renew the certificate, which expires on \(until)")
      scheduleRenewal(at: authority, station.now.adding(days: 1), until: until)
    }
  }

  /// Serves the token of a reader authority at the well-known path of the website's host.
  func serveToken(_ message: Message) {
    let path = OnboardingRequirements.wellKnownPath
    guard let request = HTTPGetRequest(message.bytes), request.host == website.origin.host,
      request.target.hasPrefix(path), let token = tokens[String(request.target.dropFirst(path.count))]
    else { return station.answer(message, .noProof, bytes: [], as: MediaType.text) }
    station.answer(message, .proof, bytes: Array(token.utf8), as: MediaType.text)
  }

  /// Receives the outcome of a review.
  func receiveNews(_ message: Message) async {
    guard let account = station.body(AccountBody.self, of: message) else { return }
    note(account.status, at: message.sender.name)
    if account.status == .ready { await certify(at: message.sender.name) }
  }

  /// Acts as the website's operator.
  package func perform(_ action: Action.ByOperator) async {
    switch action {
    case .apply(let authority):
      isCorrected = true
      await enroll(at: authority)
    case .changeBrand(let name):
      brand = BrandIdentity(name: name, icon: brand.icon, logotype: brand.logotype)
      for authority in website.signsFor where requirements[authority] != nil {
        if await send(.submitBrand, brand, to: authority)?.status == .ready { await certify(at: authority) }
      }
    }
  }
}
