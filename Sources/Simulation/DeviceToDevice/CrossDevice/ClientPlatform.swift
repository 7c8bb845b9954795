import Crypto
import DigitalCredentials
import HybridTransport
import JSON
import Messaging
import Primitives
import SimulationKernel
import Vocabulary
import WebPresentment

/// The client platform of CTAP on a device that can ask another one: shows a QR code, finds the phone that scanned it by
/// Bluetooth, and asks the phone through a tunnel.
///
/// ```
/// operating system --announcement--> client platform --QR code--> person      on a desktop the browser announces
/// client platform --scan--> Bluetooth --advert of the phone--> client platform
/// client platform <--handshake--> tunnel service <--handshake--> authenticator
/// client platform --collect--> browser --raw request--> client platform     only with a phone at the other end
/// client platform --origin, request, sealed--> tunnel service --> authenticator
/// authenticator --response, sealed--> tunnel service --> client platform --> operating system --> browser
/// ```
actor ClientPlatform: StationedActor {
  nonisolated let station: Station
  /// The party that announces calls: the operating system, its part in the model of a nearby iPhone, or on a desktop the
  /// browser.
  private let announcer: Party
  private let bluetooth: WorldDescription.Device.BluetoothState
  private let conduct: any CrossDeviceConduct
  private var secrets: EntropyStream
  private var session: Session?
  private var sessions = 0

  /// A session for a call of the browser.
  private struct Session {
    let number: Int
    let call: Int
    let origin: String
    /// The protocol of the page's request.
    let asked: DigitalCredentialPresentationProtocol
    var machine: ClientPlatformMachine
    var tunnelService: Party?
    /// True when the tunnel service has opened the tunnel. What it sends before is for an older one.
    var isOpen = false
    /// The tunnel service while its tunnel is open.
    var openTunnel: Party? { isOpen ? tunnelService : nil }
    var uri: String?
    /// True when the browser has its answer. The tunnel can be open for a while longer.
    var isOver = false
  }

  package init(_ device: WorldDescription.Device, announcer: Party, conduct: any CrossDeviceConduct, station: Station) {
    self.station = station
    self.announcer = announcer
    self.conduct = conduct
    bluetooth = device.bluetooth
    secrets = station.stream("hybrid")
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (_, .announce) where message.sender == announcer: announced(message)
    case (_, .dismiss) where message.sender == announcer: dismissed(message)
    case (.person, .cancel): receive(.cancelled)
    case (.bluetooth, .advert): receive(.heard(advertisingData: message.bytes))
    case (.tunnelService, .tunnelMessage) where message.sender == session?.openTunnel:
      receive(.received(message.bytes), with: message)
    case (.tunnelService, .closeTunnel) where message.sender == session?.openTunnel: receive(.tunnelClosed)
    // Late messages of a tunnel that this end has left.
    case (.tunnelService, .tunnelMessage), (.tunnelService, .closeTunnel): break
    default: station.ignore(message)
    }
  }

  private func announced(_ message: Message) {
    guard let body = station.body(AnnounceBody.self, of: message) else { return }
    guard session?.isOver ?? true else { return fail(body.call, .requestInProgress, nil) }
    guard let asked = DigitalCredentialPresentationProtocol(rawValue: body.protocol) else {
      return fail(body.call, .nothingCanAnswer, "no device can be asked in the protocol \(body.protocol)")
    }
    // The tunnel of the last session can be open for a while longer.
    closeTunnel()
    sessions += 1
    session = Session(
      number: sessions, call: body.call, origin: body.origin, asked: asked,
      machine: ClientPlatformMachine(secrets: makeSecrets(), conduct: conduct.clientPlatform(at: station)))
    receive(.started(at: station.now, bluetooth: bluetooth.state))
  }

  private func makeSecrets() -> ClientPlatformMachine.Secrets {
    ClientPlatformMachine.Secrets(
      identityKey: secrets.keyAgreementKey(), qrSecret: secrets.bytes(QRPayload.secretLength),
      ephemeralKey: secrets.keyAgreementKey())
  }

  private func dismissed(_ message: Message) {
    guard let body = station.body(CallReference.self, of: message) else { return }
    guard session?.call == body.call else { return }
    receive(.cancelled)
  }

  /// - Parameter message: The message that the event is about.
  private func receive(_ event: ClientPlatformMachine.Event, with message: Message? = nil) {
    guard let effects = session?.machine.receive(event) else { return }
    if let message, let content = session?.machine.openedContent {
      station.keep(content, as: MediaType.hybridContent, of: message)
    }
    for effect in effects { perform(effect) }
    // A session that is over keeps no keys.
    if session?.machine.state == .finished { session = nil }
  }

  /// Gives an event to the session that it is for, unless the session has ended.
  private func receive(_ event: ClientPlatformMachine.Event, in number: Int) {
    guard session?.number == number else { return }
    receive(event)
  }

  private func perform(_ effect: ClientPlatformMachine.Effect) {
    guard let session else { return }
    switch effect {
    case .showQRCode(let uri): self.session?.uri = uri
    case .hideQRCode: self.session?.uri = nil
    case .startScanning: station.send(.scanAdverts, [String](), to: BLEAir.party)
    case .stopScanning: station.send(.stopScanning, [String](), to: BLEAir.party)
    case .connect(let address): connect(address, in: session.number)
    case .collectRequest: collect(session)
    case .send(let bytes):
      guard let service = session.tunnelService else { return }
      station.send(.tunnelMessage, bytes: bytes, as: MediaType.sealed, to: service)
    case .closeTunnel: closeTunnel()
    case .progress(let progress): show(progress)
    case .setTimer(let timer): after(timer.duration) { $0.receive(.timedOut(timer), in: session.number) }
    case .record(let results): station.record(results)
    case .finish(let outcome): finish(outcome, session)
    }
  }

  private func closeTunnel() {
    guard let service = session?.tunnelService else { return }
    session?.tunnelService = nil
    station.send(.closeTunnel, [String](), to: service)
  }

  private func show(_ progress: ClientPlatformMachine.Progress) {
    guard let session else { return }
    station.send(
      .showCode, QRCodeScreen(origin: session.origin, uri: session.uri, progress.word, in: station.language),
      as: MediaType.screen, to: Party.person)
  }

  private func connect(_ address: TunnelAddress, in number: Int) {
    let service = TunnelService.party(address.host)
    session?.tunnelService = service
    let nonce = secrets.bytes(TunnelUpgrade.nonceLength)
    station.scheduler.spawn { [self] in await connected(await station.openTunnel(address, nonce: nonce), in: number) }
  }

  private func connected(_ answer: TunnelUpgrade.Answer?, in number: Int) {
    if session?.number == number, case .open? = answer { session?.isOpen = true }
    switch answer {
    case .open?: receive(.tunnelOpened, in: number)
    case .refused(let status)?: receive(.tunnelRefused(status: status), in: number)
    case nil: receive(.tunnelRefused(status: 0), in: number)
    }
  }

  private func collect(_ session: Session) {
    station.scheduler.spawn { [self] in
      // The browser has the raw request.
      let browser = station.part(.browser)
      let answer = try? await station.request(.collectRequest, CallReference(call: session.call), to: browser)
      await collected(answer, session)
    }
  }

  private func collected(_ answer: Message?, _ session: Session) {
    // Without the data the browser has withdrawn the call, and the withdrawal is on the way.
    guard let answer, answer.kind == .requestData,
      let body = answer.body(RequestDataBody.self)
    else { return }
    let digital = PageRequest.digital(protocol: session.asked.rawValue, data: body.requestData)
    receive(.collected(CredentialRequestMessage(origin: session.origin, digital: digital)), in: session.number)
  }

  private func finish(_ outcome: ClientPlatformMachine.Outcome, _ session: Session) {
    self.session?.isOver = true
    station.send(.dismissCode, [String](), as: MediaType.screen, to: Party.person)
    switch outcome {
    case .response(let name, let data):
      guard name == session.asked.rawValue,
        let body = PresentmentResponseBody(call: session.call, credentialData: Array(data.utf8), in: session.asked)
      else {
        let failure = HybridFailure.invalidResponse
        station.note(
          .clientPlatformEnded, value: failure.rawValue,
          "the phone answered in the protocol \(TerminalSafe.text(name)), or without a response")
        return fail(session.call, failure.platformFailure, failure.message)
      }
      station.send(.response, body, to: announcer)
    case .failure(let failure):
      station.note(.clientPlatformEnded, value: failure.rawValue, failure.message)
      fail(session.call, failure.platformFailure, failure.message)
    }
  }

  private func fail(_ call: Int, _ failure: PlatformFailure, _ detail: String?) {
    station.send(
      .presentmentFailed, PresentmentFailedBody(call: call, error: failure.rawValue, detail: detail), to: announcer)
  }
}

extension WorldDescription.Device.BluetoothState {
  fileprivate var state: ClientPlatformMachine.BluetoothState {
    switch self {
    case .on: .on
    case .off: .off
    case .denied: .permissionDenied
    case .missing: .unsupported
    }
  }
}

extension HybridFailure {
  /// The failure in words, for the journal and for developers of the page.
  fileprivate var message: String {
    switch self {
    case .userCanceled: "the person cancelled on the phone"
    case .deviceAborted: "the phone ended the request"
    case .noCredential: "the phone has no credential for the request"
    case .otherRemote: "the phone reports an unknown error"
    case .incompatibleDevice: "the phone does not offer digital credentials"
    case .transportError: "the session with the phone broke"
    case .invalidResponse: "the phone's response is malformed"
    case .noBluetoothSupport: "this device has no Bluetooth"
    case .permissionDenied: "the browser may not use Bluetooth"
    case .lostPower: "Bluetooth is off"
    case .noPhone: "no phone that scanned the QR code is near"
    case .cancelled: "the person closed the QR code, or the page aborted its call"
    }
  }

  /// The failure for the browser's page.
  fileprivate var platformFailure: PlatformFailure {
    switch self {
    case .userCanceled, .cancelled: .cancelledByUser
    case .noCredential: .nothingCanAnswer
    case .deviceAborted, .otherRemote, .incompatibleDevice, .transportError, .invalidResponse, .noBluetoothSupport,
      .permissionDenied, .lostPower, .noPhone:
      .unknown
    }
  }
}

/// The member `digital` of a page's options, as the client platform sends it and the phone reads it.
enum PageRequest {
  /// Writes the member for one request.
  /// - Parameter data: A JSON object, which stays unchanged.
  static func digital(protocol name: String, data: String) -> String {
    #"{"requests":[{"data":\#(data),"protocol":"# + String(decoding: JSONValue.string(name).bytes, as: UTF8.self)
      + "}]}"
  }

  /// The first request of the member in one of the protocols: its protocol and its data as JSON. Nil without one.
  static func request(
    in digital: String, of protocols: [DigitalCredentialPresentationProtocol]
  ) -> (protocol: DigitalCredentialPresentationProtocol, data: [UInt8])? {
    guard let value = try? JSONReader.read(Array(digital.utf8)), case .array(let requests)? = value.member("requests")
    else { return nil }
    for request in requests {
      guard let name = request.member("protocol")?.text, let data = request.member("data"),
        let asked = protocols.first(where: { $0.rawValue == name })
      else { continue }
      return (asked, data.bytes)
    }
    return nil
  }
}
