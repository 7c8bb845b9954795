import Checks
import Crypto
import DevicePlatform
import DigitalCredentials
import Messaging
import NearbyDevices
import Primitives
import SimulationKernel
import Vocabulary

/// The asking part of a Mac, an iPad or an iPhone in presentment's model of a nearby iPhone. Apple's protocol is not public;
/// this one is presentment's own. The drawing shows a Mac.
///
/// ```
/// operating system --announcement--> Mac
/// Mac --beacon--> Bluetooth --presence--> Mac              iPhones of the account that are near
/// Mac --invitation--> iPhone --accept--> Mac               frames of the session; the first to accept wins
/// Mac --collect--> browser --request data--> Mac --raw request--> iPhone
/// iPhone --response--> Mac --> operating system --> browser
/// Mac --announcement--> client platform                    no iPhone is near, or the person uses the QR code
/// ```
actor NearbyClient: StationedActor {
  /// A session with its beacon and the channels to the iPhones that answered.
  private struct Session {
    let beacon: NearbyAdvert
    let ephemeralKey: P256.KeyAgreement.PrivateKey
    var channels: [DeviceIdentifier: NearbyChannel] = [:]
  }

  nonisolated let station: Station
  private let account: NearbyAccount
  private let hasBluetooth: Bool
  /// True if the device answers too: it listens for beacons all the time.
  private let keepsScanning: Bool
  private var machine = InvitationMachine()
  private var secrets: EntropyStream
  private var session: Session?
  /// The browser's announcements that have not ended.
  private var announced: [Int: AnnounceBody] = [:]
  /// The call that continues with a QR code.
  private var callOfCode: Int?
  private var isSheetOpen = false
  private var isSearching = false

  /// The time for answers to a beacon. Bluetooth hears an advert within a second.
  private static let searchTime = Duration.seconds(2)

  package init(_ account: NearbyAccount, on device: WorldDescription.Device, station: Station) {
    self.station = station
    self.account = account
    hasBluetooth = device.bluetooth == .on
    keepsScanning = device.kind.answersNearby
    secrets = station.stream("invitations")
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.operatingSystem, .announce): announce(message)
    case (.operatingSystem, .dismiss): dismiss(message)
    case (.person, .tap): tapped(message)
    case (.bluetooth, .advert): heard(message)
    case (.bluetooth, .linkLost): lostLink(message)
    case (.nearby, .nearbyFrame): received(message)
    case (.clientPlatform, .response), (.clientPlatform, .presentmentFailed): codeEnded(message)
    default: station.ignore(message)
    }
  }

  /// Receives a call of the browser.
  private func announce(_ message: Message) {
    guard let body = station.body(AnnounceBody.self, of: message) else { return }
    announced[body.call] = body
    guard machine.isIdle, callOfCode == nil else { return fail(body.call, .requestInProgress) }
    let invitation = Invitation(
      origin: body.origin, protocol: body.protocol, expiry: station.now.adding(seconds: Invitation.lifetime))
    perform(machine.receive(.requested(InvitationMachine.Request(call: body.call, invitation: invitation))))
  }

  private func dismiss(_ message: Message) {
    guard let body = station.body(CallReference.self, of: message) else { return }
    announced[body.call] = nil
    if callOfCode == body.call {
      callOfCode = nil
      station.send(.dismiss, body, to: station.part(.clientPlatform))
    }
    perform(machine.receive(.dismissed(call: body.call)))
  }

  private func tapped(_ message: Message) {
    switch message.body(TapBody.self)?.label {
    case ContinueScreen.useQRCode: perform(machine.receive(.qrCodeChosen))
    case ContinueScreen.cancel: perform(machine.receive(.cancelled))
    default: station.ignore(message)
    }
  }

  /// Opens a channel to an iPhone of the account that answers the beacon. Other adverts are ignored.
  private func heard(_ message: Message) {
    guard let session, let presence = try? NearbyAdvert(message.bytes, for: account.device),
      presence.kind == .presence, presence.session == session.beacon.session,
      account.party(of: presence.device) != nil, session.channels[presence.device] == nil,
      let channel = try? NearbyChannel(
        .mac, of: account.device, ephemeralKey: session.ephemeralKey, beacon: session.beacon, presence: presence)
    else { return }
    self.session?.channels[presence.device] = channel
    station.record(NearbyCheck.account.passed)
    perform(machine.receive(.found(presence.device)))
  }

  /// Opens a frame of an iPhone. A frame of an earlier session is late.
  private func received(_ message: Message) {
    guard let phone = account.device(of: message.sender), let session, var channel = session.channels[phone],
      NearbyChannel.session(of: message.bytes) == session.beacon.session
    else { return }
    do throws(NearbyFailure) {
      let opened = try channel.open(message.bytes)
      station.keep(opened.bytes, of: message)
      self.session?.channels[phone] = channel
      perform(machine.receive(.received(opened, from: phone)))
    } catch {
      self.session?.channels[phone] = channel
      station.record(error.result)
      perform(machine.receive(.channelFailed(phone)))
    }
  }

  /// Ends the part of an iPhone that was switched off.
  private func lostLink(_ message: Message) {
    guard let phone = message.body(LostLinkBody.self).flatMap({ account.device(of: Party(.nearby, $0.device)) }),
      session?.channels[phone] != nil
    else { return }
    session?.channels[phone] = nil
    perform(machine.receive(.linkLost(phone)))
  }

  /// Passes the end of a call with a QR code on to the operating system.
  private func codeEnded(_ message: Message) {
    guard let call = callOfCode, message.body(CallReference.self)?.call == call else { return }
    callOfCode = nil
    announced[call] = nil
    station.send(message.kind, bytes: message.bytes, as: message.mediaType, to: station.part(.operatingSystem))
  }

  private func perform(_ effects: [InvitationMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .search(let call): search(for: call)
      case .send(let message, let phone):
        if case .invitation = message { station.note(.nearbyInvited, "the device invites \(account.name(of: phone))") }
        send(message, to: phone)
      case .showInvited(let phones): show(.invited(phones.map(account.name), in: station.language))
      case .showAccepted(let phone):
        station.note(.nearbyAccepted, "the person continues on \(account.name(of: phone))")
        show(.accepted(account.name(of: phone), in: station.language))
      case .showChoice(let reason): show(.choice(reason, in: station.language))
      case .close: close()
      case .collectRequest(let call): collectRequest(of: call)
      case .continueWithQRCode(let call, let reason): continueWithCode(call, reason)
      case .reply(let call, let response):
        announced[call] = nil
        station.send(
          .response, PresentmentResponseBody(call: call, response: Base64URL.encode(response)),
          to: station.part(.operatingSystem))
      case .fail(let call, let failure): fail(call, failure)
      case .record(let result): station.record(result)
      }
    }
  }

  private func search(for call: Int) {
    guard let identifier = SessionIdentifier(secrets.bytes(SessionIdentifier.length)) else { return }
    let key = secrets.keyAgreementKey()
    let beacon = NearbyAdvert(.beacon, session: identifier, from: account.device, ephemeralKey: key)
    after(Self.searchTime, keepsAwake: true) { $0.searchEnded(call) }
    after(.seconds(Invitation.lifetime)) { $0.perform($0.machine.receive(.expired(call: call))) }
    guard hasBluetooth else { return }
    session = Session(beacon: beacon, ephemeralKey: key)
    isSearching = true
    station.send(.scanAdverts, [String](), to: BLEAir.party)
    station.send(.advertise, bytes: beacon.bytes, as: MediaType.advertisingData, to: BLEAir.party)
  }

  private func searchEnded(_ call: Int) {
    guard machine.call == call else { return }
    silence()
    perform(machine.receive(.searchEnded(call: call)))
  }

  private func silence() {
    guard isSearching else { return }
    isSearching = false
    station.send(.stopAdvertising, [String](), to: BLEAir.party)
    if !keepsScanning { station.send(.stopScanning, [String](), to: BLEAir.party) }
  }

  private func send(_ message: NearbyMessage, to phone: DeviceIdentifier) {
    guard let party = account.party(of: phone), var channel = session?.channels[phone] else { return }
    let frame = channel.seal(message)
    session?.channels[phone] = channel
    station.send(.nearbyFrame, bytes: frame, as: MediaType.sealed, to: party)
  }

  /// Gets the raw request from the browser.
  private func collectRequest(of call: Int) {
    station.scheduler.spawn { [self] in
      let answer = try? await station.request(.collectRequest, CallReference(call: call), to: station.part(.browser))
      await collected(answer, of: call)
    }
  }

  private func collected(_ answer: Message?, of call: Int) {
    // Without the data the browser has withdrawn the call, and the withdrawal is on the way.
    guard let answer, answer.kind == .requestData, let body = answer.body(RequestDataBody.self) else { return }
    perform(machine.receive(.collected(call: call, rawRequest: Array(body.requestData.utf8))))
  }

  private func continueWithCode(_ call: Int, _ reason: InvitationMachine.QRCodeReason) {
    guard let body = announced[call] else { return }
    callOfCode = call
    station.note(.nearbyQRCode, value: reason.rawValue, "the device continues with a QR code: \(reason.message)")
    station.send(
      .announce, AnnounceBody(call: call, origin: body.origin, protocol: body.protocol),
      to: station.part(.clientPlatform))
  }

  private func show(_ screen: ContinueScreen) {
    isSheetOpen = true
    station.send(.showContinue, screen, as: MediaType.screen, to: Party.person)
  }

  private func close() {
    session = nil
    silence()
    guard isSheetOpen else { return }
    isSheetOpen = false
    station.send(.dismissContinue, [String](), to: Party.person)
  }

  private func fail(_ call: Int, _ failure: InvitationMachine.Failure) {
    announced[call] = nil
    station.note(.nearbyEnded, value: failure.rawValue, failure.message)
    station.send(
      .presentmentFailed, PresentmentFailedBody(call: call, error: failure.platformFailure.rawValue),
      to: station.part(.operatingSystem))
  }
}

extension InvitationMachine.QRCodeReason {
  fileprivate var message: String {
    switch self {
    case .protocol: "the protocol of the request is not offered to an iPhone"
    case .noneNear: "no iPhone of the account is near"
    case .chosen: "the person uses it"
    }
  }
}

extension InvitationMachine.Failure {
  /// The error for the browser. An invitation that expires is a cancellation: the person did not answer.
  fileprivate var platformFailure: PlatformFailure {
    switch self {
    case .requestInProgress: .requestInProgress
    case .cancelled, .timeout: .cancelledByUser
    case .invalidRequest: .invalidRequest
    case .failed, .channel: .unknown
    }
  }

  fileprivate var message: String {
    switch self {
    case .requestInProgress: "another request is in progress"
    case .cancelled: "the person cancelled"
    case .timeout: "the person did not answer the notification in time"
    case .invalidRequest: "the request is refused"
    case .failed: "the app on the iPhone did not respond"
    case .channel: "the channel to the iPhone failed"
    }
  }
}
