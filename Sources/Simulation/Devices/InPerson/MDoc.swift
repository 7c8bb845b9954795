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
/// mdoc <--connection over Bluetooth, by way of the air--> terminal
/// mdoc --announcement--> operating system                          no origin: a reader asks in person
/// sandbox --collect--> mdoc --request, session transcript--> sandbox
/// operating system --release--> mdoc --raw request, seal of the answer--> app
/// operating system --sealed answer--> mdoc --session data--> terminal
/// ```
actor MDoc {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  private let device: WorldDescription.Device
  private let operatingSystem: Party
  private let sandbox: Party
  private let person: Party
  private var secrets: EntropyStream
  private var custody = RequestCustody()
  private var session: Session?
  private var sessions = 0
  private var calls = 0

  /// A session from the engagement on.
  private struct Session {
    let number: Int
    var machine: DeviceSession
    var end: BluetoothEnd
    /// The announced call, until it ends.
    var call: Int?
    var isCodeShown = true
  }

  init(
    _ device: WorldDescription.Device, operatingSystem: Party, sandbox: Party, person: Party, station: Station
  ) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.device = device
    self.operatingSystem = operatingSystem
    self.sandbox = sandbox
    self.person = person
    secrets = station.stream("in person")
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.person, .engage): engage()
    case (.person, .cancel): tell(.terminate)
    case (.bluetooth, _): receiveFromAir(message)
    case (.sandbox, .collectRequest) where message.sender == sandbox:
      custody.answerSandbox(message, of: "the session", at: station)
    case (.operatingSystem, .release): release(message)
    case (.operatingSystem, .response): answered(message)
    case (.operatingSystem, .presentmentFailed): failed(message)
    default: station.ignore(message)
    }
  }

  /// Makes an engagement with fresh keys and shows it. An older session ends.
  private func engage() {
    if session != nil { tell(.terminate) }
    guard device.bluetooth == .on else {
      return station.note(
        .mdocEnded, value: SessionOutcome.failed.rawValue,
        "the device cannot connect: its Bluetooth is \(device.bluetooth.rawValue)")
    }
    let key = EphemeralPrivateKey.p256(secrets.keyAgreementKey())
    let mode = device.inPersonMode.mode
    do {
      let service = try secrets.bluetoothService()
      let options = RetrievalMethod.BluetoothOptions(
        peripheralServer: mode == .peripheralServer ? service : nil,
        centralClient: mode == .centralClient ? service : nil)
      let engagement = try DeviceEngagement(deviceKey: key, methods: options.map { [.bluetooth($0)] } ?? [])
      sessions += 1
      let machine = DeviceSession(SessionOpening(engagement, .qrCode), key: key)
      var end = BluetoothEnd(
        BluetoothLink(mode, of: .mdoc, deviceKeyBytes: engagement.deviceKey.bytes), service: service,
        air: BLEAir.party, station: station)
      end.begin()
      session = Session(number: sessions, machine: machine, end: end)
      station.send(
        .showCode,
        QRCodeScreen(
          origin: InPersonRequest.origin, uri: engagement.uri, message: "Hold your device to the reader.",
          buttons: [QRCodeScreen.cancel]), as: MediaType.screen, to: person)
      perform(machine.beginning)
    } catch {
      station.note(.mdocEnded, value: SessionOutcome.failed.rawValue, "the engagement cannot be made: \(error)")
    }
  }

  private func receiveFromAir(_ message: Message) {
    guard let news = session?.end.receive(message) else { return }
    take(news)
  }

  private func take(_ news: [BluetoothEnd.Event]) {
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
      case .record(let results): for result in results { station.record(result) }
      case .send(let bytes): take(session?.end.send(bytes) ?? [])
      case .deliver(let request):
        if let message { station.keep(request, of: message) }
        announce(request)
      case .withdraw: withdraw()
      case .close: take(session?.end.end() ?? [])
      case .setTimer(let timer): setTimer(timer, in: number)
      case .finish(let outcome): finish(outcome)
      }
    }
  }

  /// Announces a request to the operating system.
  private func announce(_ request: [UInt8]) {
    hideCode()
    guard let transcript = session?.machine.transcript else { return }
    calls += 1
    session?.call = calls
    custody.keep(
      InPersonRequest(deviceRequest: request, transcript: transcript).json, of: CallID(rawValue: calls))
    station.send(
      .announce,
      AnnounceBody(
        call: calls, origin: InPersonRequest.origin, protocol: InPersonRequest.protocolIdentifier),
      to: operatingSystem)
  }

  private func withdraw() {
    guard let call = session?.call else { return }
    session?.call = nil
    custody.end(CallID(rawValue: call))
    station.send(.dismiss, CallReference(call: call), to: operatingSystem)
  }

  /// Gives an app the raw request with the seal of the answer, which the operating system does not get.
  private func release(_ message: Message) {
    guard let body = message.body(ReleaseBody.self), body.call == session?.call,
      let seal = session?.machine.answerSeal, let data = custody.handToApp(CallID(rawValue: body.call)),
      let request = InPersonRequest(json: data)
    else { return station.ignore(message) }
    let released = InPersonRequest(
      deviceRequest: request.deviceRequest, transcript: request.transcript, seal: seal)
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
    guard let body = message.body(PresentmentFailedBody.self) else { return station.ignore(message) }
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

  private func setTimer(_ timer: ProximityTimer, in number: Int) {
    station.scheduler.call(at: station.instant.advanced(by: timer.duration), keepsAwake: false) { [self] in
      station.scheduler.spawn { await self.timedOut(timer, in: number) }
    }
  }

  private func timedOut(_ timer: ProximityTimer, in number: Int) {
    guard session?.number == number else { return }
    tell(.timedOut(timer))
  }

  private func hideCode() {
    guard session?.isCodeShown == true else { return }
    session?.isCodeShown = false
    station.send(.dismissCode, [String](), to: person)
  }

  private func finish(_ outcome: SessionOutcome) {
    hideCode()
    withdraw()
    session = nil
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

extension EntropyStream {
  /// A random UUID (RFC 9562, 5.4).
  fileprivate mutating func bluetoothService() throws -> BluetoothUUID {
    var bytes = bytes(BluetoothUUID.length)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    guard let uuid = BluetoothUUID(bytes) else { throw SimulationError.notApplicable("the UUID has another length") }
    return uuid
  }
}
