import COSE
import Certificates
import Checks
import Crypto
import Messaging
import MobileDocument
import Primitives
import Proximity
import ReaderOnboarding
import RelyingParty
import SimulationKernel
import StatusLists
import Storage
import TranscriptDiagnosis
import Vocabulary

/// A terminal: a reader at a counter. Its camera reads the code of a device, or its NFC reader the tag that a device is; its
/// radio or NFC carries the session, and it verifies the response as a website's server does.
///
/// ```
/// terminal --certificate request--> each reader authority     once, when it is set up
/// terminal <--root certificate----- each accepted issuer      compared with the fingerprint that the operator configured
/// person --QR code--> terminal                                who holds a device to it
/// terminal --commands by NFC, by way of the field--> mdoc     or: who holds a device to it
/// terminal <--connection over Bluetooth, by way of the air--> mdoc
/// terminal                                                    device request, signed over the session; then every check
/// issuer --status lists-->                                    if a verified document names a list
/// terminal --result--> person                                 it keeps what the request retains, and nothing else
/// ```
package actor Terminal: StationedActor {
  package nonisolated let station: Station
  private let description: WorldDescription.Terminal
  /// Maps each host of status lists to the party that serves it.
  private let hosts: [String: Party]
  private let roots: RootFingerprints
  private let retention: any RetentionPolicy
  private var enrollments: [DeviceRequestDraft.Reader] = []
  private var trustedIssuers = TrustedCertificates([], for: .documentSigner)
  /// The elements that its requests retain, of all sessions.
  private var kept: [SessionStore.KeptItem] = []
  private var lists = StatusListCopies()
  private var signers = CertificateMemory()
  private var readerKeys: EntropyStream
  private var ephemeralKeys: EntropyStream
  private var services: EntropyStream
  private var session: Session?
  private var tap: TagReader?
  private var taps = 0
  private let conduct: any InPersonConduct
  /// The ephemeral keys of the latest sessions' devices, none of which begins another one.
  private var deviceKeys: [[UInt8]] = []
  /// The transcripts of the latest sessions, the newest last, to explain a signature over one of them.
  private var transcripts: [SessionTranscript] = []
  /// The verified response that waits for the comparison of its portrait with the person.
  private var awaiting: JudgedResponse?

  /// A response with its verdict.
  private struct JudgedResponse {
    let verdict: VerificationVerdict
    let response: [UInt8]
    let asks: [ItemsRequest]
    let session: Int
  }
  private var sessions = 0

  /// A session from the engagement on.
  private struct Session {
    let number: Int
    var machine: ReaderSession
    var end: InPersonEnd
    /// The items of the newest request.
    var asks: [ItemsRequest]
    let request: [UInt8]
    /// The items of the further request, until it was sent; nil without one.
    var asksAgain: [ItemsRequest]?
    /// The ephemeral key, for a message authentication code of the device.
    let key: P256.KeyAgreement.PrivateKey
    let deviceKeyBytes: [UInt8]
  }

  package init(
    _ description: WorldDescription.Terminal, hosts: [String: Party], roots: RootFingerprints,
    retention: any RetentionPolicy, conduct: any InPersonConduct, station: Station
  ) {
    self.station = station
    self.description = description
    self.hosts = hosts
    self.roots = roots
    self.retention = retention
    self.conduct = conduct
    readerKeys = station.stream("reader keys")
    ephemeralKeys = station.stream("ephemeral keys")
    services = station.stream("services")
  }

  /// Gets the reader certificates that the terminal signs with, and the roots of the issuers that it accepts.
  package func prepare() async {
    for authority in description.signsFor { await certify(at: authority) }
    for issuer in description.acceptsIssuers {
      do {
        let answer = try await station.request(.root, [String](), to: Party(.issuer, issuer))
        let root = try roots.certificate(answer.bytes, of: issuer)
        trustedIssuers = trustedIssuers.adding(TrustedCertificates([root], for: .documentSigner))
      } catch {
        if let failure = error as? CheckFailure<RootCheck> { station.record(failure.result) }
        station.note(.terminalNoIssuerRoot, "from \(issuer): \(journalMessage(of: error))")
      }
    }
  }

  private func certify(at authority: String) async {
    do {
      let key = try readerKeys.signingKey()
      let request = try ReaderCertificateRequest.make(
        organization: description.brand.name, domain: description.readerDomain, signer: key)
      let answer = try await station.endpoint.request(
        .certify, request, as: MediaType.certificateRequest, to: Party(.readerAuthority, authority))
      guard answer.kind == .certificate else {
        return station.note(.terminalNoReaderCertificate, "\(authority) refuses the request")
      }
      let isAlone = answer.mediaType == MediaType.certificate
      let chain = isAlone ? [answer.bytes] : try CertificateChain.blocks(ofFile: answer.bytes)
      enrollments.append(DeviceRequestDraft.Reader(signer: key, chain: chain))
    } catch {
      station.note(.terminalNoReaderCertificate, "from \(authority): \(error)")
    }
  }

  package func receive(_ message: Message) async {
    switch (message.sender.role, message.kind) {
    case (.person, .scan): scanned(message)
    case (.bluetooth, _): await receiveFromAir(message)
    case (.nfc, .fieldEntered): await enteredField()
    case (.nfc, _): await receiveFromField(message)
    default: station.ignore(message)
    }
  }

  /// Begins a session with the device whose code the camera reads. An older one ends.
  private func scanned(_ message: Message) {
    let text = String(decoding: message.bytes, as: UTF8.self)
    do {
      let engagement = try DeviceEngagement(uri: text)
      guard let carrier = engagement.bluetooth else {
        return station.record(ProximityCheck.engagement.failure(.methods))
      }
      station.record(ProximityCheck.engagement.passed)
      try begin(SessionOpening(engagement, .qrCode), over: carrier)
    } catch {
      noteFailure(error)
    }
  }

  private func noteFailure(_ error: any Error) {
    if let error = error as? ProximityError { return station.record(error.failure.result) }
    station.note(.terminalCannotBegin, "the request cannot be made: \(journalMessage(of: error))")
  }

  /// Begins a session with a device. Returns what the carrier reports at once.
  @discardableResult
  private func begin(_ opening: SessionOpening, over carrier: AgreedCarrier) throws -> [InPersonEnd.Event] {
    let deviceKeyBytes = opening.engagement.deviceKey.bytes
    guard !deviceKeys.contains(deviceKeyBytes) else {
      station.record(ProximityCheck.freshness.failure())
      return []
    }
    let fresh = ephemeralKeys.keyAgreementKey()
    let key = conduct.key(fresh, at: station)
    let machine = try ReaderSession(opening, key: .p256(key))
    let request = try self.request(for: description.asks, over: machine.transcript)
    abandon(.cancelled)
    sessions += 1
    let end: InPersonEnd
    var news: [InPersonEnd.Event] = []
    switch carrier {
    case .bluetooth(let mode, let service):
      var bluetooth = BluetoothEnd(
        BluetoothLink(mode, of: .reader, deviceKeyBytes: deviceKeyBytes), service: service, station: station)
      bluetooth.begin()
      end = InPersonEnd(bluetooth)
    case .nfc(let limits):
      var nfc = NFCEnd(reader: limits, station: station)
      news = nfc.begin()
      end = InPersonEnd(nfc)
    }
    awaiting = nil
    session = Session(
      number: sessions, machine: machine, end: end, asks: description.asks, request: request,
      asksAgain: description.asksAgain, key: key, deviceKeyBytes: deviceKeyBytes)
    show(PageScreen(title: description.brand.name, buttons: []))
    setTimer(.establishment, in: sessions)
    return news
  }

  /// Returns a request that is signed over a session.
  private func request(for asks: [ItemsRequest], over transcript: SessionTranscript) throws -> [UInt8] {
    let signed = try DeviceRequestDraft(documents: asks).encoded(
      signedFor: conduct.readers(enrollments, at: station), over: transcript)
    return conduct.request(signed, at: station)
  }

  // MARK: NFC

  /// Reads the tag of a device in the field. A session that goes on is not disturbed.
  private func enteredField() async {
    guard session.map({ $0.machine.state == .ready }) ?? true else { return }
    do {
      let service = try services.bluetoothService()
      taps += 1
      tap = TagReader(
        request: .request([
          .bluetooth(BluetoothCarrier(.bothPreferringPeripheral, uuid: service)), .nfc(NFCCarrier(nil)),
        ]))
      await tellTap(.discovered)
    } catch {
      noteFailure(error)
    }
  }

  private func receiveFromField(_ message: Message) async {
    switch message.kind {
    case _ where session?.end.isNFC == true: await take(session?.end.receive(message) ?? [])
    case .commandResponse: await tellTap(.response(message.bytes))
    case .fieldLeft: await tellTap(.lost)
    default: station.ignore(message)
    }
  }

  private func tellTap(_ event: TagReader.Event) async {
    for effect in tap?.receive(event) ?? [] {
      switch effect {
      case .send(let command):
        station.send(.command, bytes: command, as: MediaType.apdu, to: WorldDescription.nearField)
      case .wait(let microseconds):
        after(.microseconds(microseconds), keepsAwake: true) { [taps] in await $0.waited(in: taps) }
      case .record(let results): station.record(results)
      case .engaged:
        guard let engagement = tap?.engagement else { continue }
        tap = nil
        do {
          await take(try begin(engagement.opening, over: engagement.carrier))
        } catch {
          noteFailure(error)
        }
      case .failed: tap = nil
      }
    }
  }

  private func waited(in number: Int) async {
    guard taps == number else { return }
    await tellTap(.waited)
  }

  // MARK: Session

  private func receiveFromAir(_ message: Message) async {
    guard let news = session?.end.receive(message) else { return }
    await take(news)
  }

  private func take(_ news: [InPersonEnd.Event]) async {
    for event in news {
      switch event {
      case .opened:
        guard let session else { continue }
        deviceKeys = deviceKeys.suffix(ProximityLimits.rememberedKeys - 1) + [session.deviceKeyBytes]
        transcripts = transcripts.suffix(TranscriptExplainer.maximumOtherSessions) + [session.machine.transcript]
        await tell(.send(session.request, isLast: false))
      case .received(let bytes, let message): await tell(.received(bytes), with: message)
      case .closed: await tell(.closed)
      }
    }
  }

  private func tell(_ event: SessionEvent, with message: Message? = nil) async {
    guard let number = session?.number, let effects = session?.machine.receive(event) else { return }
    for effect in effects where session?.number == number {
      switch effect {
      case .record(let results): station.record(results)
      case .send(let bytes): await take(session?.end.send(bytes) ?? [])
      case .deliver(let response): if let message { await verify(response, in: message, session: number) }
      case .close: await take(session?.end.end() ?? [])
      case .setTimer(let timer): setTimer(timer, in: number)
      case .finish(let outcome): finish(outcome)
      case .withdraw: break
      }
    }
  }

  private func verify(_ response: [UInt8], in message: Message, session number: Int) async {
    guard let transcript = session?.machine.transcript, let key = session?.key, let asks = session?.asks else { return }
    station.keep(response, of: message)
    var context = VerificationContext(
      trustedIssuers: trustedIssuers, revocation: description.revocation, policy: description.policy)
    context.acceptsTestDocuments = !description.isInProduction
    let expected = ExpectedResponse(
      transcript: transcript, requests: asks,
      explainer: TranscriptExplainer(inPerson: transcript, besides: transcripts), readerKey: key)
    var machine = VerificationMachine(of: .response(expected), in: context, copies: lists, certificates: signers)
    var isVerified = false
    var effects = await machine.receive(.submittedUnencrypted(response), at: station.now)
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .markUsed: break
      case .fetch(let list):
        let fetched = await StatusFetcher(station: station, hosts: hosts).fetch(list)
        effects += await machine.receive(.fetched(list, fetched), at: station.now)
      case .reuse: break
      case .keep(let copy, let uri): lists.keep(copy, of: uri)
      case .conclude(let verdict):
        isVerified = verdict.isVerified
        compareOrConclude(JudgedResponse(verdict: verdict, response: response, asks: asks, session: number))
      }
    }
    signers = machine.certificates
    guard session?.number == number else { return }
    if isVerified, awaiting == nil, let asks = session?.asksAgain {
      await askAgain(for: asks)
    } else {
      await tell(.terminate)
    }
  }

  /// Sends the further request in the same session.
  private func askAgain(for asks: [ItemsRequest]) async {
    guard let transcript = session?.machine.transcript else { return }
    session?.asksAgain = nil
    session?.asks = asks
    do {
      let request = try self.request(for: asks, over: transcript)
      await tell(.send(request, isLast: false))
    } catch {
      noteFailure(error)
      await tell(.terminate)
    }
  }

  /// Concludes, or lets the clerk compare the portrait of a verified response with the person before it.
  private func compareOrConclude(_ judged: JudgedResponse) {
    let verdict = judged.verdict
    guard description.comparesPortrait, verdict.isVerified else { return conclude(judged) }
    guard verdict.documents.flatMap(\.elements).contains(where: { $0.identifier == Self.portrait }) else {
      return conclude(judged, adding: ProximityCheck.portrait.failure(.missing))
    }
    awaiting = judged
    let elements = ReceivedVerdict(json: Array(verdict.pageJSON.utf8))?.elements ?? []
    var screen = PageScreen(
      title: description.brand.name, buttons: Action.ByClerk.answers.map(\.label),
      verified: elements.filter { $0.identifier == Self.portrait })
    screen.notices = ["Does the person look like the portrait?"]
    show(screen)
  }

  private static let portrait = "portrait"

  /// Takes the clerk's comparison of the portrait with the person at the counter.
  package func compare(isAlike: Bool) {
    guard let awaiting else { return }
    self.awaiting = nil
    conclude(awaiting, adding: isAlike ? ProximityCheck.portrait.passed : ProximityCheck.portrait.failure(.differs))
  }

  /// - Parameter check: The comparison of the portrait; nil without one.
  private func conclude(_ judged: JudgedResponse, adding check: CheckResult? = nil) {
    let verdict = check.map(judged.verdict.adding) ?? judged.verdict
    station.record(verdict.response)
    station.record(.verdict(VerdictEvent(failure: verdict.failure)))
    keep(
      retention.kept(of: verdict.documents, asking: judged.asks, response: judged.response, at: station),
      session: judged.session)
    let received = ReceivedVerdict(json: Array(verdict.pageJSON.utf8))
    show(
      PageScreen(
        title: description.brand.name, buttons: [], verdict: received?.verdict, code: received?.failure,
        verified: received?.verdict == "verified" ? received?.elements : nil))
  }

  private func keep(_ items: [SessionStore.KeptItem], session number: Int) {
    guard !items.isEmpty else { return }
    kept += items
    let names = items.map { item in
      if case .element(_, _, let identifier) = item.kind { identifier } else { "the response" }
    }
    station.note(
      .terminalKept, "after the session the terminal holds \(names.joined(separator: ", "))",
      facts: [Note.Fact(Note.Kept.session, String(number))]
        + items.map { item in
          switch item.kind {
          case .element(let documentType, let nameSpace, let identifier):
            Note.Kept.Element(documentType: documentType, nameSpace: nameSpace, identifier: identifier).fact
          case .response: Note.Fact(Note.Kept.response, "decrypted")
          }
        })
  }

  private func show(_ screen: PageScreen) {
    station.send(.showTerminal, screen, as: MediaType.screen, to: Party.person)
  }

  private func setTimer(_ timer: ProximityTimer, in number: Int) {
    after(timer.duration) { await $0.timedOut(timer, in: number) }
  }

  private func timedOut(_ timer: ProximityTimer, in number: Int) async {
    guard session?.number == number else { return }
    guard timer == .establishment else { return await tell(.timedOut(timer)) }
    guard session?.machine.state == .ready else { return }
    // The device is not near, or gone.
    station.record(ProximityCheck.completion.failure(.time))
    abandon(.timedOut)
  }

  /// Ends a session without another message of it.
  private func abandon(_ outcome: SessionOutcome) {
    var end = session?.end
    finish(outcome)
    _ = end?.end()
  }

  private func finish(_ outcome: SessionOutcome) {
    guard session != nil else { return }
    session = nil
    guard outcome != .completed, outcome != .unconfirmed else { return }
    station.note(.terminalEnded, value: outcome.rawValue, outcome.message)
  }
}

extension DeviceEngagement {
  /// The first connection over Bluetooth that the engagement offers, with its service.
  fileprivate var bluetooth: AgreedCarrier? {
    for case .bluetooth(let options) in methods {
      let mode = BluetoothMode.preferred(options)
      let service = mode == .centralClient ? options.centralClient : options.peripheralServer
      if let service { return .bluetooth(mode, service) }
    }
    return nil
  }
}
