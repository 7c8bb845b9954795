import DigitalCredentials
import HybridTransport
import Messaging
import Primitives
import SimulationKernel
import Vocabulary
import WebPresentment

/// The authenticator of CTAP on a phone, with its camera: reads a QR code, opens a tunnel to the browser that shows it, and
/// takes the browser's place towards the operating system. It keeps the raw request as a browser does.
///
/// ```
/// person --QR code--> authenticator --GET /cable/new--> tunnel service
/// authenticator --advert--> Bluetooth                              the device with the browser hears it if it is near
/// authenticator <--handshake, request, sealed--> tunnel service
/// authenticator --announcement--> operating system                 origin of the browser, as on the browser's own device
/// sandbox --collect--> authenticator --request data--> sandbox
/// operating system --release--> authenticator --raw request--> app
/// operating system --response--> authenticator --response, sealed--> tunnel service
/// ```
actor Authenticator: StationedActor {
  nonisolated let station: Station
  private let device: WorldDescription.Device
  private let conduct: any CrossDeviceConduct
  private var secrets: EntropyStream
  private var custody = RequestCustody()
  private var session: Session?
  private var sessions = 0

  /// A session from the scan of a QR code on.
  private struct Session {
    /// The number, which is also that of the call at the operating system.
    let number: Int
    var machine: AuthenticatorMachine
    var tunnelService: Party?
    /// True when the tunnel service has opened the tunnel. What it sends before is for an older one.
    var isOpen = false
    /// The tunnel service while its tunnel is open.
    var openTunnel: Party? { isOpen ? tunnelService : nil }
    /// The protocol of the request, from the announcement to the answer.
    var asked: DigitalCredentialPresentationProtocol?
  }

  package init(_ device: WorldDescription.Device, conduct: any CrossDeviceConduct, station: Station) {
    self.station = station
    self.device = device
    self.conduct = conduct
    secrets = station.stream("hybrid")
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.person, .scan): scanned(message)
    case (.tunnelService, .tunnelMessage) where message.sender == session?.openTunnel:
      receive(.received(message.bytes), with: message)
    case (.tunnelService, .closeTunnel) where message.sender == session?.openTunnel: receive(.tunnelClosed)
    // Late messages of a tunnel that this end has left.
    case (.tunnelService, .tunnelMessage), (.tunnelService, .closeTunnel): break
    case (.sandbox, .collectRequest) where message.sender == station.part(.sandbox):
      custody.answerSandbox(message, of: "the session", at: station)
    case (.operatingSystem, .release): custody.release(message, at: station)
    case (.operatingSystem, .response): answered(message)
    case (.operatingSystem, .presentmentFailed): failed(message)
    default: station.ignore(message)
    }
  }

  /// Begins a session. The code of another client platform ends an older session; any other text does not.
  private func scanned(_ message: Message) {
    guard let text = String(validating: message.bytes, as: UTF8.self) else { return station.ignore(message) }
    guard device.bluetooth == .on else {
      return station.note(
        .authenticatorEnded, value: AuthenticatorMachine.Outcome.failed.rawValue,
        "the phone cannot advertise: its Bluetooth is \(device.bluetooth.rawValue)")
    }
    sessions += 1
    var new = Session(
      number: sessions,
      machine: AuthenticatorMachine(
        secrets: AuthenticatorMachine.Secrets(
          nonce: secrets.bytes(Advert.nonceLength), ephemeralKey: secrets.keyAgreementKey()),
        service: TunnelServiceNumber(rawValue: UInt16(clamping: device.tunnelService)),
        conduct: conduct.authenticator(at: station), cancelsSilently: device.cancelStyle == .silent))
    let effects = new.machine.receive(.scanned(text))
    guard new.machine.state != .finished else {
      for case .record(let results) in effects { station.record(results) }
      return station.note(
        .authenticatorEnded, value: AuthenticatorMachine.Outcome.failed.rawValue, "the QR code is not that of a browser"
      )
    }
    if session != nil {
      receive(.cancelledByPerson)
      closeTunnel()
    }
    session = new
    for effect in effects { perform(effect) }
  }

  private func closeTunnel() {
    guard let service = session?.tunnelService else { return }
    station.send(.closeTunnel, [String](), to: service)
  }

  /// - Parameter message: The message that the event is about.
  private func receive(_ event: AuthenticatorMachine.Event, with message: Message? = nil) {
    guard let effects = session?.machine.receive(event) else { return }
    if let message, let content = session?.machine.openedContent {
      station.keep(content, as: MediaType.hybridContent, of: message)
    }
    for effect in effects { perform(effect) }
  }

  /// Gives an event to the session that it is for, unless the session has ended.
  private func receive(_ event: AuthenticatorMachine.Event, in number: Int) {
    guard session?.number == number else { return }
    receive(event)
  }

  private func perform(_ effect: AuthenticatorMachine.Effect) {
    guard let session else { return }
    switch effect {
    case .openTunnel(let address): openTunnel(address, in: session.number)
    case .advertise(let data): station.send(.advertise, bytes: data, as: MediaType.advertisingData, to: BLEAir.party)
    case .stopAdvertising: station.send(.stopAdvertising, [String](), to: BLEAir.party)
    case .send(let bytes):
      guard let service = session.tunnelService else { return }
      station.send(.tunnelMessage, bytes: bytes, as: MediaType.sealed, to: service)
    case .closeTunnel: closeTunnel()
    case .deliver(let request): announce(request, session)
    case .withdraw: withdraw(session)
    case .setTimer(let timer):
      // The wait before the advert is a part of the flow; the others are time limits.
      after(timer.duration, keepsAwake: timer == .advertDelay) { $0.receive(.timedOut(timer), in: session.number) }
    case .record(let results): station.record(results)
    case .finish(let outcome): finish(outcome, session)
    }
  }

  private func openTunnel(_ address: TunnelAddress, in number: Int) {
    let service = TunnelService.party(address.host)
    session?.tunnelService = service
    let nonce = secrets.bytes(TunnelUpgrade.nonceLength)
    station.scheduler.spawn { [self] in await opened(await station.openTunnel(address, nonce: nonce), in: number) }
  }

  private func opened(_ answer: TunnelUpgrade.Answer?, in number: Int) {
    if session?.number == number, case .open? = answer { session?.isOpen = true }
    switch answer {
    case .open(let routingID?)?: receive(.tunnelOpened(routingID: routingID), in: number)
    case .refused(let status)?: receive(.tunnelRefused(status: status), in: number)
    // The machine judges the reply without a routing identifier.
    case .open(nil)?: receive(.tunnelOpened(routingID: []), in: number)
    case nil: receive(.tunnelRefused(status: 0), in: number)
    }
  }

  /// Announces a request to the operating system, with the origin that the other device's browser names.
  private func announce(_ message: CredentialRequestMessage, _ session: Session) {
    // The other device is not trusted: the name of a protocol in which no app on the phone answers goes no further.
    guard message.requestType == .get,
      let request = PageRequest.request(in: message.digital, of: DeviceManifest(device).protocols)
    else {
      return receive(.answered(.error(.noCredential)))
    }
    self.session?.asked = request.protocol
    custody.keep(request.data, of: CallID(rawValue: session.number))
    station.send(
      .announce, AnnounceBody(call: session.number, origin: message.origin, protocol: request.protocol.rawValue),
      to: station.part(.operatingSystem))
  }

  private func withdraw(_ session: Session) {
    guard session.asked != nil else { return }
    self.session?.asked = nil
    custody.end(CallID(rawValue: session.number))
    station.send(.dismiss, CallReference(call: session.number), to: station.part(.operatingSystem))
  }

  private func answered(_ message: Message) {
    guard let body = station.body(PresentmentResponseBody.self, of: message) else { return }
    // A session that has ended takes no answer.
    guard session?.number == body.call, let asked = session?.asked else {
      return custody.end(CallID(rawValue: body.call))
    }
    let data = String(decoding: body.credentialData(in: asked), as: UTF8.self)
    finishCall(body.call, with: .answered(.credential(protocol: asked.rawValue, data: data)))
  }

  private func failed(_ message: Message) {
    guard let body = station.body(PresentmentFailedBody.self, of: message) else { return }
    switch PlatformFailure(rawValue: body.error) ?? .unknown {
    case .cancelledByUser, .cancelled: finishCall(body.call, with: .cancelledByPerson)
    case let failure: finishCall(body.call, with: .answered(.error(failure.errorName)))
    }
  }

  /// Ends the call at the operating system, and tells the session that it was for.
  private func finishCall(_ number: Int, with event: AuthenticatorMachine.Event) {
    custody.end(CallID(rawValue: number))
    guard session?.number == number else { return }
    session?.asked = nil
    receive(event)
  }

  private func finish(_ outcome: AuthenticatorMachine.Outcome, _ session: Session) {
    withdraw(session)
    self.session = nil
    guard outcome != .answered else { return }
    station.note(.authenticatorEnded, value: outcome.rawValue, outcome.message)
  }
}

extension AuthenticatorMachine.Outcome {
  /// The end of a session in words.
  fileprivate var message: String {
    switch self {
    case .answered: "the answer was sent"
    case .withdrawn: "the browser on the other device ended the session"
    case .cancelled: "the person cancelled"
    case .timedOut: "the time for the session is over"
    case .failed: "the session with the other device broke"
    }
  }
}

extension PlatformFailure {
  /// The error for a browser on another device.
  fileprivate var errorName: CredentialResponseMessage.ErrorName {
    switch self {
    case .cancelledByUser, .cancelled: .userCanceled
    case .nothingCanAnswer: .noCredential
    case .invalidRequest, .requestInProgress, .notEntitled, .noAnswer, .unknown: .deviceAborted
    }
  }
}
