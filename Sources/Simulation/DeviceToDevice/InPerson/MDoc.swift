import DevicePlatform
import DigitalCredentials
import Messaging
import Primitives
import Proximity
import SimulationKernel
import Vocabulary

/// The part of a device that presents documents to readers near it: shows the code, has the mdoc's end of the session, and
/// takes the browser's place towards the operating system. It keeps the raw request as a browser does.
///
/// ```
/// person --present in person--> mdoc --QR code--> person           who holds the device to a terminal
/// terminal --commands by NFC, by way of the field--> mdoc           or: the device is a tag, which hands over
/// mdoc <--connection over Bluetooth, by way of the air--> terminal  or further commands by NFC
/// mdoc --announcement--> operating system                          no origin: a reader asks in person
/// sandbox --collect--> mdoc --request, session transcript--> sandbox
/// operating system --release--> mdoc --raw request, seal of the answer--> app
/// operating system --sealed answer--> mdoc --session data--> terminal
/// ```
package actor MDoc: StationedActor {
  package nonisolated let station: Station
  private let device: WorldDescription.Device
  private var secrets: EntropyStream
  private var custody = RequestCustody()
  private var session: Session?
  private var tap: Tap?
  private let conduct: any InPersonConduct
  /// True if the person has unlocked the device since it was switched on. A locked one does not act as a tag.
  package private(set) var isUnlocked: Bool
  /// The ephemeral keys of the latest sessions' readers, none of which begins another one.
  private var readerKeys: [EphemeralKey] = []
  private var sessions = 0
  private var calls = 0

  /// A session from the engagement on.
  private struct Session {
    let number: Int
    var machine: DeviceSession
    var end: InPersonEnd
    /// The announced call, until it ends.
    var call: Int?
    /// True from the first request on: a further one has the same key of the reader.
    var hasRequest = false
    var isCodeShown = true
  }

  /// A tag in a terminal's field, until the device leaves it or the session ends. Its engagement has fresh keys.
  private struct Tap {
    let engagement: DeviceEngagement
    let key: EphemeralPrivateKey
    let service: BluetoothUUID
    var tag: EngagementTag
    /// The carrier that both ends agree on; nil before.
    var carrier: AgreedCarrier?
  }

  package init(_ device: WorldDescription.Device, isUnlocked: Bool, conduct: any InPersonConduct, station: Station) {
    self.station = station
    self.device = device
    self.isUnlocked = isUnlocked
    self.conduct = conduct
    secrets = station.stream("in person")
  }

  package func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.person, .engage): engage()
    case (.person, .cancel): tell(.terminate)
    case (.bluetooth, _): receiveFromAir(message)
    case (.nfc, .fieldEntered): enteredField()
    case (.nfc, .command): receiveCommand(message)
    case (.nfc, .fieldLeft): leftField(message)
    case (.sandbox, .collectRequest) where message.sender == station.part(.sandbox):
      custody.answerSandbox(message, of: "the session", at: station)
    case (.operatingSystem, .release): release(message)
    case (.operatingSystem, .unlocked): isUnlocked = true
    case (.operatingSystem, .response): answered(message)
    case (.operatingSystem, .presentmentFailed): failed(message)
    default: station.ignore(message)
    }
  }

  /// Makes an engagement with fresh keys and shows it. An older session ends.
  private func engage() {
    if session != nil { tell(.terminate) }
    guard device.bluetooth == .on else { return noteBluetooth() }
    isUnlocked = true
    let key = EphemeralPrivateKey.p256(conduct.key(secrets.keyAgreementKey(), at: station))
    let mode = device.inPersonMode.mode
    do {
      let service = try secrets.bluetoothService()
      let options = RetrievalMethod.BluetoothOptions(
        peripheralServer: mode == .peripheralServer ? service : nil,
        centralClient: mode == .centralClient ? service : nil)
      let engagement = try DeviceEngagement(deviceKey: key, methods: options.map { [.bluetooth($0)] } ?? [])
      let beginning = begin(
        SessionOpening(engagement, .qrCode), key: key, over: .bluetooth(mode, service), isCodeShown: true)
      station.send(
        .showCode,
        QRCodeScreen(origin: InPersonRequest.origin, uri: engagement.uri, .holdToReader, in: station.language),
        as: MediaType.screen, to: Party.person)
      perform(beginning)
    } catch {
      station.note(.mdocEnded, value: SessionOutcome.failed.rawValue, "the engagement cannot be made: \(error)")
    }
  }

  private func noteBluetooth() {
    station.note(
      .mdocEnded, value: SessionOutcome.failed.rawValue,
      "the device cannot connect: its Bluetooth is \(device.bluetooth.rawValue)")
  }

  /// Begins a session over a carrier, and returns its first effects.
  private func begin(
    _ opening: SessionOpening, key: EphemeralPrivateKey, over carrier: AgreedCarrier, isCodeShown: Bool
  ) -> [SessionEffect] {
    sessions += 1
    let machine = DeviceSession(opening, key: key)
    let end: InPersonEnd
    switch carrier {
    case .bluetooth(let mode, let service):
      var bluetooth = BluetoothEnd(
        BluetoothLink(mode, of: .mdoc, deviceKeyBytes: opening.engagement.deviceKey.bytes), service: service,
        station: station)
      bluetooth.begin()
      end = InPersonEnd(bluetooth)
    case .nfc(let limits): end = InPersonEnd(NFCEnd(tag: limits, station: station))
    }
    session = Session(number: sessions, machine: machine, end: end, isCodeShown: isCodeShown)
    return machine.beginning
  }

  // MARK: NFC

  /// Makes a tag with a fresh engagement. A session that goes on is not disturbed: the device does not act as a tag then.
  private func enteredField() {
    tap = nil
    guard isUnlocked, session.map({ $0.machine.state == .engaged }) ?? true else { return }
    guard device.inPersonTransfer == .nfc || device.bluetooth == .on else { return noteBluetooth() }
    do {
      let key = EphemeralPrivateKey.p256(conduct.key(secrets.keyAgreementKey(), at: station))
      let service = try secrets.bluetoothService()
      let engagement = try DeviceEngagement(deviceKey: key, methods: [])
      switch device.nfcHandover {
      case .fixed:
        let select = HandoverMessage.select([carrier(service)], engagement: engagement.bytes)
        tap = Tap(
          engagement: engagement, key: key, service: service, tag: EngagementTag(.fixed(select)),
          carrier: try AgreedCarrier(select, request: nil))
      case .negotiated:
        tap = Tap(
          engagement: engagement, key: key, service: service,
          tag: EngagementTag(.negotiated(TagService.Parameters(maximumMessage: Self.longestMessage))))
      }
    } catch {
      station.note(.mdocEnded, value: SessionOutcome.failed.rawValue, "the engagement cannot be made: \(error)")
    }
  }

  /// The most bytes of a handover request that the tag takes.
  private static let longestMessage = 0x400

  /// The carrier that the device hands over to. Without a service, the terminal's is used.
  private func carrier(_ service: BluetoothUUID?) -> HandoverMessage.Carrier {
    switch device.inPersonTransfer {
    case .bluetooth:
      .bluetooth(BluetoothCarrier(device.inPersonMode == .centralClient ? .central : .peripheral, uuid: service))
    case .nfc: .nfc(NFCCarrier(NFCEnd.ofDevices))
    }
  }

  private func receiveCommand(_ message: Message) {
    if session?.end.isNFC == true {
      take(session?.end.receive(message) ?? [])
      return
    }
    guard let effects = tap?.tag.receive(.command(message.bytes)) else {
      return respond(ResponseAPDU(ResponseAPDU.Status.notFound).bytes)
    }
    for effect in effects {
      switch effect {
      case .respond(let response): respond(response)
      case .requested(let request): select(answering: request)
      case .handedOver(let handover): handedOver(handover)
      case .record(let results): station.record(results)
      }
    }
  }

  private func respond(_ response: [UInt8]) {
    station.send(.commandResponse, bytes: response, as: MediaType.apdu, to: WorldDescription.nearField)
  }

  /// Answers the terminal's offer of carriers. The end that advertises names its service.
  private func select(answering request: HandoverMessage) {
    guard let tap else { return }
    let service = device.inPersonMode == .peripheralServer ? tap.service : nil
    let select = HandoverMessage.select([carrier(service)], engagement: tap.engagement.bytes)
    self.tap?.carrier = try? AgreedCarrier(select, request: request)
    _ = self.tap?.tag.receive(.select(select))
  }

  private func handedOver(_ handover: Handover) {
    guard let tap, let carrier = tap.carrier else { return }
    // A code that is shown is for another engagement.
    if session != nil { tell(.terminate) }
    self.tap = tap
    perform(begin(SessionOpening(tap.engagement, handover), key: tap.key, over: carrier, isCodeShown: false))
  }

  private func leftField(_ message: Message) {
    tap = nil
    guard session?.end.isNFC == true else { return }
    take(session?.end.receive(message) ?? [])
  }

  // MARK: Session

  private func receiveFromAir(_ message: Message) {
    guard let news = session?.end.receive(message) else { return }
    take(news)
  }

  private func take(_ news: [InPersonEnd.Event]) {
    for event in news {
      switch event {
      case .opened: break
      case .received(let bytes, let message): tell(.received(bytes), with: message)
      case .closed: tell(.closed)
      }
    }
  }

  private func tell(_ event: SessionEvent, with message: Message? = nil) {
    guard let effects = session?.machine.receive(event) else { return }
    perform(effects, with: message)
  }

  private func perform(_ effects: [SessionEffect], with message: Message? = nil) {
    for effect in effects {
      guard let number = session?.number else { return }
      switch effect {
      case .record(let results): station.record(results)
      case .send(let bytes): take(session?.end.send(bytes) ?? [])
      case .deliver(let request):
        if let message { station.keep(request, of: message) }
        guard session?.hasRequest == true || rememberReader() else { return tell(.terminate) }
        session?.hasRequest = true
        announce(request)
      case .withdraw: withdraw()
      case .close: take(session?.end.end() ?? [])
      case .setTimer(let timer): after(timer.duration) { $0.timedOut(timer, in: number) }
      case .finish(let outcome): finish(outcome)
      }
    }
  }

  /// Checks that the reader's key is of no earlier session, and remembers it.
  private func rememberReader() -> Bool {
    guard let key = session?.machine.readerKey else { return false }
    guard !readerKeys.contains(key) else {
      station.record(ProximityCheck.freshness.failure())
      return false
    }
    readerKeys = readerKeys.suffix(ProximityLimits.rememberedKeys - 1) + [key]
    return true
  }

  /// Announces a request to the operating system.
  private func announce(_ request: [UInt8]) {
    hideCode()
    guard let transcript = session?.machine.transcript else { return }
    calls += 1
    session?.call = calls
    custody.keep(InPersonRequest(deviceRequest: request, transcript: transcript).json, of: CallID(rawValue: calls))
    station.send(
      .announce,
      AnnounceBody(call: calls, origin: InPersonRequest.origin, protocol: InPersonRequest.protocolIdentifier),
      to: station.part(.operatingSystem))
  }

  private func withdraw() {
    guard let call = session?.call else { return }
    session?.call = nil
    custody.end(CallID(rawValue: call))
    station.send(.dismiss, CallReference(call: call), to: station.part(.operatingSystem))
  }

  /// Gives an app the raw request with the seal of the answer, which the operating system does not get.
  private func release(_ message: Message) {
    guard let body = message.body(ReleaseBody.self), body.call == session?.call,
      let seal = session?.machine.answerSeal, let data = custody.handToApp(CallID(rawValue: body.call)),
      let request = InPersonRequest(json: data)
    else { return station.ignore(message) }
    let released = InPersonRequest(deviceRequest: request.deviceRequest, transcript: request.transcript, seal: seal)
    station.send(.rawRequest, RawRequestBody(requestData: released.json), to: Party(.app, body.app))
  }

  private func answered(_ message: Message) {
    guard let body = message.body(PresentmentResponseBody.self), let sealed = Base64URL.decode(body.response) else {
      return station.ignore(message)
    }
    guard end(of: body.call) else { return }
    tell(.sendSealed(sealed, isLast: false))
  }

  /// Ends the session. The reader cannot tell why.
  private func failed(_ message: Message) {
    guard let body = station.body(PresentmentFailedBody.self, of: message) else { return }
    guard end(of: body.call) else { return }
    tell(.terminate)
  }

  /// Ends a call at the operating system. Returns false if the session is no longer about it.
  private func end(of call: Int) -> Bool {
    custody.end(CallID(rawValue: call))
    guard session?.call == call else { return false }
    session?.call = nil
    return true
  }

  private func timedOut(_ timer: ProximityTimer, in number: Int) {
    guard session?.number == number else { return }
    tell(.timedOut(timer))
  }

  private func hideCode() {
    guard session?.isCodeShown == true else { return }
    session?.isCodeShown = false
    station.send(.dismissCode, [String](), to: Party.person)
  }

  private func finish(_ outcome: SessionOutcome) {
    hideCode()
    withdraw()
    session = nil
    tap = nil
    guard outcome != .completed, outcome != .unconfirmed else { return }
    station.note(.mdocEnded, value: outcome.rawValue, outcome.message)
  }
}

extension WorldDescription.Device.InPersonMode {
  fileprivate var mode: BluetoothMode {
    switch self {
    case .centralClient: .centralClient
    case .peripheralServer: .peripheralServer
    }
  }
}
