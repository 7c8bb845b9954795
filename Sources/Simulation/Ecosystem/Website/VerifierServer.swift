import CBOR
import COSE
import Certificates
import Checks
import Foundation
import Messaging
import MobileDocument
import Primitives
import SimulationKernel
import WebPresentment
import X509

/// A website's verifier server: builds and signs requests, keeps their secrets, opens and verifies the responses.
///
/// ```
/// server --certificate request--> each reader authority     once, before anybody visits; the answer is a chain
/// server <--root certificate----- each accepted issuer
/// page   --POST /presentments-->  new nonce, new recipient key, one readerAuthAll entry for each reader authority
/// page   <--request------------   the secrets stay here
/// page   --POST .../response-->   session, HPKE, every check of the device response
/// issuer --status lists-->        if a verified document names a list
/// page   <--verification result--
/// ```
actor VerifierServer {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let website: WorldDescription.Website
  private let sessions: SessionStore
  private let requestSigner: any RequestSigner
  private let encryptionInfoSource: any EncryptionInfoSource
  private var readers: [DeviceRequestDraft.Reader] = []
  private var trustedIssuers: [Certificate] = []
  /// The same, by the issuing authority's name in the world.
  private var issuerRoots: [String: Certificate] = [:]
  /// Whose each host is that publishes lists.
  private let hosts: [String: Party]
  /// Lists that were fetched, by URI.
  private var lists = StatusCopies()
  private var readerKeys: EntropyStream
  private var nonces: EntropyStream
  private var recipientKeys: EntropyStream
  private var identifiers: EntropyStream

  init(
    _ website: WorldDescription.Website, sessions: SessionStore, hosts: [String: Party], equipment: Equipment,
    station: Station
  ) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.website = website
    self.sessions = sessions
    self.hosts = hosts
    requestSigner = equipment.requestSigner
    encryptionInfoSource = equipment.encryptionInfoSource
    readerKeys = station.stream("reader keys")
    nonces = station.stream("nonces")
    recipientKeys = station.stream("recipient keys")
    identifiers = station.stream("session identifiers")
  }

  /// Gets the reader certificates that the website signs with, and the roots of the issuers that it accepts.
  func prepare() async {
    for authority in website.signsFor {
      do {
        let key = try readerKeys.signingKey()
        let request = try ReaderCertificateRequest.make(
          organization: website.brand.name, domain: website.origin.host ?? "", signer: key)
        let answer = try await station.endpoint.request(
          .certify, request, as: MediaType.certificateRequest, to: Party(.readerAuthority, authority))
        guard answer.kind == .certificate else { continue }
        let isAlone = answer.mediaType == MediaType.certificate
        let chain = isAlone ? [answer.bytes] : try CertificateChain.blocks(ofPEM: answer.bytes)
        readers.append(DeviceRequestDraft.Reader(signer: key, chain: chain))
      } catch {
        station.note(.websiteNoReaderCertificate, .failed, "from \(authority): \(error)")
      }
    }
    for issuer in website.acceptsIssuers {
      guard
        let answer = try? await station.request(.root, [String](), to: Party(.issuer, issuer)),
        let root = try? Certificate(derEncoded: answer.bytes)
      else { continue }
      trustedIssuers.append(root)
      issuerRoots[issuer] = root
    }
  }

  func receive(_ message: Message) async {
    switch message.kind {
    case .beginPresentment: begin(message)
    case .submitResponse: await verify(message)
    default:
      station.ignore(message)
    }
  }

  private func begin(_ message: Message) {
    do {
      let recipientKey = recipientKeys.keyAgreementKey()
      let info = encryptionInfoSource.encryptionInfo(for: recipientKey.publicKey, drawing: &nonces)
      let origin = website.origin.serialized
      let asks = website.namesIssuers.isEmpty ? website.asks : website.asks.map(namingIssuers)
      let draft = DeviceRequestDraft(
        version: website.requestVersion, documents: asks, useCases: website.useCases)
      let request = try requestSigner.signed(
        draft, for: readers,
        over: TranscriptInputs(
          encryptionInfoText: info.text, origin: origin, surroundings: website.surroundings), at: station)
      let session = VerifierSession(
        identifier: Base64URL.encode(identifiers.bytes(12)), origin: request.sessionOrigin, requests: asks,
        useCases: draft.writtenUseCases,
        encryptionInfoText: info.text, recipientKey: recipientKey,
        expires: station.now.adding(seconds: website.sessionSeconds))
      try sessions.insert(session)
      station.send(
        .presentmentBegun,
        BegunPresentment(
          session: session.identifier, protocol: website.protocolIdentifier,
          data: BegunPresentment.RequestMembers(
            deviceRequest: Base64URL.encode(request.encoded), encryptionInfo: info.text)),
        to: message.sender, answering: message)
    } catch {
      refuse(message, code: .websiteCannotBegin, message: "the request cannot be made: \(journalMessage(of: error))")
    }
  }

  private func namingIssuers(_ request: ItemsRequest) -> ItemsRequest {
    ItemsRequest(
      documentType: request.documentType, nameSpaces: request.nameSpaces,
      issuerIdentifiers: website.namesIssuers.compactMap { issuerRoots[$0]?.subjectKeyIdentifier })
  }

  private func verify(_ message: Message) async {
    guard let submitted = JSONBody.decode(SubmittedResponse.self, from: message.bytes) else {
      return refuse(message, code: .websiteBadRequest, message: "the page sent something unreadable")
    }
    do {
      guard var session = try sessions.session(submitted.session) else {
        return conclude(message, checks: VerifierSession.unknownSessionChecks, verified: nil)
      }
      let data = JSONBody.encode(submitted.data)
      let context = context(of: session)
      for effect in session.receive(
        .answered(protocol: submitted.protocol, data: data), at: station.now, context: context,
        policy: website.policy)
      {
        switch effect {
        case .markUsed: try sessions.markUsed(session.identifier)
        case .refuse(let checks): conclude(message, checks: checks, verified: nil)
        case .verify(let response, let checks):
          let verifier = DeviceResponseVerifier(trustedIssuers: trustedIssuers, policy: website.policy)
          let report = await verifier.verify(
            response, over: session.sessionTranscript, requests: session.requests, useCases: session.useCases,
            at: station.now, explainer: session.explainer(context: context))
          let outcome = await checkStatus(of: report)
          conclude(message, checks: checks + outcome.checks, verified: outcome.verified)
        }
      }
    } catch {
      refuse(message, code: .websiteStorage, message: "the session cannot be read: \(journalMessage(of: error))")
    }
  }

  /// What explains an answer that does not fit its session.
  private func context(of session: VerifierSession) -> ExchangeContext {
    ExchangeContext(surroundings: website.surroundings) { [sessions] in
      // Without the others an answer is refused all the same, and only less is known of why.
      (try? sessions.newest(ExchangeContext.maximumOtherSessions, besides: session.identifier)) ?? []
    }
  }

  /// Looks up the status of the documents. Nothing is fetched for a response that is refused.
  private func checkStatus(of report: VerificationReport) async -> VerificationReport {
    let wanted = report.statusLists(under: website.revocation)
    let answers = await StatusFetcher(station: station, hosts: hosts).fetch(wanted, copies: lists)
    let outcome = await report.checkingStatus(
      answers, under: website.revocation, formPolicy: website.policy, at: station.now)
    for (uri, until) in outcome.lifetimes {
      guard case .token(let bytes, let fetched)? = answers[uri] else { continue }
      lists.keep(StatusCopies.Copy(bytes: bytes, fetched: fetched, until: until), of: uri)
    }
    return outcome.report
  }

  private func conclude(_ answer: Message, checks: [CheckResult], verified: VerifiedDeviceResponse?) {
    for check in checks { station.record(check) }
    let failure = checks.failure
    let message = failure?.message ?? "the response is genuine"
    station.record(.verdict(VerdictEvent(failure: failure)))
    let documents = (verified?.documents ?? []).map { document in
      VerificationResult.Document(
        documentType: document.documentType, issuer: document.issuer,
        elements: document.elements.map { VerificationResult.Element($0.nameSpace, $0.identifier, $0.value) })
    }
    station.send(
      .verificationResult,
      VerificationResult(
        verdict: verified == nil ? "refused" : "verified", code: failure?.name, message: message,
        documents: documents), as: MediaType.verificationResult,
      to: answer.sender, answering: answer)
  }

  private func refuse(_ request: Message, code: NoteCode, message: String) {
    station.note(code, .failed, message)
    station.send(
      .refused, RefusalBody(code: code.rawValue, message: message), to: request.sender, answering: request)
  }
}
