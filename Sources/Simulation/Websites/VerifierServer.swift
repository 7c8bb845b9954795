import CBOR
import COSE
import Certificates
import Checks
import JSON
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import ReaderOnboarding
import RelyingParty
import SimulationKernel
import StatusLists
import Storage
import TranscriptDiagnosis
import Vocabulary
import X509

/// A website's verifier server: builds and signs requests, keeps their secrets, opens and verifies the responses.
///
/// ```
/// server --certificate request--> each reader authority     before the first visit, and before the certificate expires
/// server <--root certificate----- each accepted issuer      compared with the fingerprint that the operator configured
/// server <--signed list---------- list operator             if the website accepts a list of issuing authorities
/// page   --POST /presentments-->  new nonce, new recipient key, one readerAuthAll entry for each reader authority
/// page   <--request------------   the secrets stay here
/// page   --POST .../response-->   session, HPKE, every check of the device response
/// issuer --status lists-->        if a verified document names a list
/// page   <--verification result--
///                                 the store keeps the elements that the request retains, and nothing else
/// page   --POST /orders-->        the order of a person with verified documents
/// page   --POST /fallback-->      a picture of an ID, kept with the session's order
/// ```
package actor VerifierServer: StationedActor {
  package nonisolated let station: Station
  let website: WorldDescription.Website
  let sessions: SessionStore
  private let requestSigner: any RequestSigner
  private let encryptionInfoSource: any EncryptionInfoSource
  private let retention: any RetentionPolicy
  /// The fingerprints of the issuers' roots that the operator has configured.
  let roots: RootFingerprints
  /// The root of the operator of the list that the website accepts, which the operator of the website has configured.
  let listRoots: TrustedCertificates
  /// The requirements that reader authorities publish.
  let requirements: [String: OnboardingRequirements]
  /// The key and the certificates of the website, by the authority's name in the world.
  var enrollments: [String: DeviceRequestDraft.Reader] = [:]
  /// The expiry of the certificate that is renewed next, by the authority's name in the world.
  var expiries: [String: DateTime] = [:]
  /// The tokens of reader authorities that the website serves, by the authority's name in the world.
  var tokens: [String: String] = [:]
  /// The brand that the website applies with.
  var brand: BrandIdentity
  /// Indicates whether the operator has met the requirements that the website did not meet at first.
  var isCorrected = false
  var trustedIssuers = TrustedCertificates([], for: .documentSigner)
  /// The same, by the issuing authority's name in the world.
  var issuerRoots: [String: Certificate] = [:]
  /// The list of issuing authorities that counts; nil without one.
  var issuerList: IssuerList?
  /// Maps each host of status lists to the party that serves it.
  private let hosts: [String: Party]
  private var desk: OrderDesk
  /// Status lists that were fetched before.
  private var lists = StatusListCopies()
  /// Certificates of document signers that were read before.
  private var signers = CertificateMemory()
  var readerKeys: EntropyStream
  /// The apps of the server.
  let apps: [WorldDescription.RequestingApp]
  /// The developer accounts of the apps, with their keys.
  var merchants: [Merchant] = []
  var merchantKeys: EntropyStream
  var nonces: EntropyStream
  private var recipientKeys: EntropyStream
  var identifiers: EntropyStream

  package init(
    _ website: WorldDescription.Website, apps: [WorldDescription.RequestingApp], sessions: SessionStore,
    hosts: [String: Party], requirements: [String: OnboardingRequirements], requestSigner: any RequestSigner,
    encryptionInfoSource: any EncryptionInfoSource, retention: any RetentionPolicy, roots: RootFingerprints,
    listRoots: TrustedCertificates, station: Station
  ) {
    self.station = station
    self.website = website
    self.apps = apps
    self.sessions = sessions
    self.hosts = hosts
    self.requirements = requirements
    brand = website.brand
    desk = OrderDesk(website, sessions: sessions, station: station)
    self.requestSigner = requestSigner
    self.encryptionInfoSource = encryptionInfoSource
    self.retention = retention
    self.roots = roots
    self.listRoots = listRoots
    merchantKeys = station.stream("merchant keys")
    readerKeys = station.stream("reader keys")
    nonces = station.stream("nonces")
    recipientKeys = station.stream("recipient keys")
    identifiers = station.stream("session identifiers")
  }

  /// Gets the reader certificates that the website signs with, and the roots of the issuers that it accepts.
  package func prepare() async {
    for authority in website.signsFor { await enroll(at: authority) }
    await fetchRoots()
    await prepareMerchants()
  }

  package func receive(_ message: Message) async {
    switch message.kind {
    case .beginPresentment: begin(message)
    case .submitResponse: await verify(message)
    case .getProof: serveToken(message)
    case .accountNews: await receiveNews(message)
    case .placeOrder: answer(message) { try $0.place(message) }
    case .uploadScan: answer(message) { try $0.receiveScan(message) }
    case .beginIdentityRequest: beginIdentityRequest(message)
    case .submitEnvelope: await verifyEnvelope(message)
    default: station.ignore(message)
    }
  }

  private func answer(_ message: Message, _ body: (inout OrderDesk) throws -> Void) {
    do {
      try body(&desk)
    } catch {
      station.refuse(message, noting: .websiteStorage, "the order cannot be kept: \(journalMessage(of: error))")
    }
  }

  private func begin(_ message: Message) {
    do {
      let recipientKey = recipientKeys.keyAgreementKey()
      let info = encryptionInfoSource.encryptionInfo(for: recipientKey.publicKey, drawing: &nonces)
      let asks = website.namesIssuers.isEmpty ? website.asks : website.asks.map(namingIssuers)
      let draft = DeviceRequestDraft(version: website.requestVersion, documents: asks, useCases: website.useCases)
      // The reading of the world has found mobile documents to ask for where the page asks for them.
      let mobile = draft.ofMobileDocuments ?? draft
      let annexC = AnnexCSession(asking: mobile, recipientKey: recipientKey, encryptionInfo: info)
      let readers = website.signsFor.compactMap { enrollments[$0] }
      let session = VerifierSession(
        identifier: Base64URL.encode(identifiers.bytes(12)), origin: website.origin.serialized,
        requests: try website.asksIn.map { asked in
          guard let kind = OpenID4VPProtocol(identifier: asked.rawValue) else { return .annexC(annexC) }
          return .openID4VP(try openID4VP(kind, asking: draft, for: readers))
        }, expires: station.now.adding(seconds: website.sessionSeconds))
      var origin = session.origin
      var requests: [BegunPresentment.Request] = []
      for asked in session.requests {
        switch asked {
        case .openID4VP(let asked):
          let data = try requestSigner.data(
            of: asked.draft(origin: session.origin), in: asked.kind, for: readers, at: station)
          requests.append(BegunPresentment.Request(protocol: asked.kind.rawValue, data: try JSONReader.read(data)))
        case .annexC(let asked):
          let request = try requestSigner.signed(
            mobile, for: readers,
            over: TranscriptInputs(
              encryptionInfoText: asked.encryptionInfoText, origin: session.origin, surroundings: website.surroundings),
            at: station)
          origin = request.sessionOrigin
          requests.append(
            BegunPresentment.Request(protocol: website.protocolIdentifier, data: asked.data(request.encoded)))
        }
      }
      try sessions.insert(session.with(origin: origin))
      station.answer(message, .presentmentBegun, BegunPresentment(session: session.identifier, requests: requests))
    } catch {
      station.refuse(message, noting: .websiteCannotBegin, "the request cannot be made: \(journalMessage(of: error))")
    }
  }

  /// Begins a request in OpenID4VP.
  private func openID4VP(
    _ kind: OpenID4VPProtocol, asking draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader]
  ) throws -> OpenID4VPSession {
    OpenID4VPSession(
      kind, asking: try DCQLQuery(asking: draft.documents, useCases: draft.useCases),
      nonce: nonces.bytes(OpenID4VPSession.nonceLength),
      recipientKey: website.encryptsAnswers ? recipientKeys.keyAgreementKey() : nil,
      signedBy: kind == .unsigned ? [] : readers.compactMap { PresentationRequestDraft.Signer($0) }, at: station.now)
  }

  private func namingIssuers(_ request: ItemsRequest) -> ItemsRequest {
    ItemsRequest(
      documentType: request.documentType, nameSpaces: request.nameSpaces,
      issuerIdentifiers: website.namesIssuers.compactMap { issuerRoots[$0]?.subjectKeyIdentifier })
  }

  private func verify(_ message: Message) async {
    guard let submitted = message.body(ReceivedResponse.self) else {
      return station.refuse(message, noting: .websiteBadRequest, "the page sent something unreadable")
    }
    do {
      let session = try sessions.session(submitted.session)
      try await verify(
        message, .session(session), event: .submitted(submitted.answer), explaining: knowledge(besides: session)
      ) { [sessions] in try sessions.markVerified(submitted.session) }
    } catch {
      station.refuse(message, noting: .websiteStorage, "the session cannot be read: \(journalMessage(of: error))")
    }
  }

  /// Verifies an answer to a session, and sends the verdict.
  /// - Parameter keep: Keeps the success of a verification.
  func verify(
    _ message: Message, _ subject: VerificationMachine.Subject, event: VerificationMachine.Event,
    explaining: ExchangeContext, keepingSuccess keep: () throws -> Void = {}
  ) async throws {
    let markUsed = if case .inApp = subject { sessions.markInAppUsed } else { sessions.markUsed(_:) }
    var context = VerificationContext(
      trustedIssuers: await currentIssuers(), revocation: website.revocation, policy: website.policy)
    context.acceptsTestDocuments = !website.isInProduction
    var machine = VerificationMachine(
      of: subject, in: context, explaining: explaining, copies: lists, certificates: signers)
    var effects = await machine.receive(event, at: station.now)
    defer {
      signers = machine.certificates
      if let response = machine.deviceResponse { station.keep(response, of: message) }
      // What came in the clear was not opened.
      if case .submitted(let answer) = event, let opened = machine.presentations?.received, opened != answer.data {
        station.keep(opened, as: MediaType.json, of: message)
      }
    }
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .markUsed(let identifier):
        effects += await machine.receive(.marked(isFirst: try markUsed(identifier)), at: station.now)
      case .fetch(let list):
        let fetched = await StatusFetcher(station: station, hosts: hosts).fetch(list)
        effects += await machine.receive(.fetched(list, fetched), at: station.now)
      case .reuse(let copy, let list): station.note(.websiteListReused, "the copy of \(list.uri) of \(copy.fetched)")
      case .keep(let copy, let uri): lists.keep(copy, of: uri)
      case .conclude(let verdict):
        if verdict.failure == nil { try keep() }
        let kept = subject.session.map { session in
          retention.kept(of: verdict.documents, asking: session.requests, response: message.bytes, at: station)
        }
        if let session = subject.session, let kept { try sessions.keep(kept, of: session.identifier) }
        conclude(message, verdict)
        if let session = subject.session { noteKept(of: session.identifier) }
      }
    }
  }

  /// Further knowledge to explain an answer that does not fit its session.
  private func knowledge(besides session: VerifierSession?) -> ExchangeContext {
    ExchangeContext(surroundings: website.surroundings) { [sessions] in
      // Without the other sessions an answer is refused all the same, with a less exact reason.
      guard let session else { return [] }
      return (try? sessions.newest(TranscriptExplainer.maximumOtherSessions, besides: session.identifier)) ?? []
    }
  }

  private func conclude(_ answer: Message, _ verdict: VerificationVerdict) {
    station.record(verdict.exchange + verdict.response)
    station.record(.verdict(VerdictEvent(failure: verdict.failure)))
    station.answer(answer, .verificationResult, bytes: Array(verdict.pageJSON.utf8), as: MediaType.verificationResult)
  }
}

extension VerificationMachine.Subject {
  /// The identifier and the requests of a session that the server has.
  fileprivate var session: (identifier: String, requests: [ItemsRequest])? {
    switch self {
    case .session(let session): session.map { ($0.identifier, $0.documents) }
    case .inApp(let session): session.map { ($0.identifier, $0.requests ?? []) }
    case .exchange, .inAppExchange, .response, .issuedCredential: nil
    }
  }
}

/// Fetches status lists for a verifier's server over the network.
struct StatusFetcher {
  let station: Station
  /// The party that serves each host, as a name service would resolve it.
  let hosts: [String: Party]

  /// Fetches a list.
  func fetch(_ list: StatusListLocation) async -> StatusListAnswer {
    guard let party = hosts[list.host] else { return .unreachable("no server has the name \(list.host)") }
    let request = HTTPGetRequest(host: list.host, target: list.target)
      .encoded(accepting: list.mediaTypes)
    do {
      let answer = try await station.endpoint.request(.getList, request, as: MediaType.http, to: party)
      guard answer.kind == .list else { return .unreachable("\(list.host) has nothing there") }
      return .token(answer.bytes, fetched: station.now)
    } catch {
      return .unreachable("\(list.host) does not answer: \(error)")
    }
  }
}
