import Checks
import DevicePlatform
import DigitalCredentials
import Messaging
import NearbyDevices
import Primitives
import SimulationKernel
import Vocabulary

/// The answering part of an iPhone in presentment's model of a nearby iPhone. Apple's protocol is not public; this one is
/// presentment's own. The operating system has it in the place of a browser.
///
/// ```
/// Bluetooth --beacon--> iPhone --presence--> Bluetooth        of a Mac of the same account only
/// Mac --invitation--> iPhone --notification--> person --tap--> iPhone --accept--> Mac
/// Mac --raw request--> iPhone                                 kept here, as a browser keeps it
/// iPhone --announcement--> operating system                   from here on as for a website on the iPhone
/// sandbox --collect--> iPhone --request data--> sandbox       verifies and parses; the Mac's check does not count
/// operating system --release--> iPhone --raw request--> app   after the person agreed in the app's view
/// operating system --response or failure--> iPhone --result--> Mac
/// ```
actor NearbyIPhone: StationedActor {
  nonisolated let station: Station
  private let account: NearbyAccount
  /// True after the person has unlocked the device.
  private(set) var isUnlocked: Bool
  private let hasBluetooth: Bool
  private var machine = AnsweringMachine()
  private var secrets: EntropyStream
  /// The channels of the newest sessions, oldest first. A Mac can withdraw an invitation that was never opened.
  private var channels: [NearbyChannel] = []
  /// The number of the newest call for the operating system.
  private var call = 0
  private var custody = RequestCustody()

  /// The number of kept channels: more than Macs that are near in a minute.
  private static let maximumChannels = 16
  /// The time for which the iPhone answers a beacon: that for which a Mac listens.
  private static let presenceTime = Duration.seconds(2)
  /// The time for the raw request, which the Mac's browser has ready.
  private static let rawRequestTime = Duration.seconds(10)

  package init(_ account: NearbyAccount, on device: WorldDescription.Device, isUnlocked: Bool, station: Station) {
    self.station = station
    self.account = account
    self.isUnlocked = isUnlocked
    hasBluetooth = device.bluetooth == .on
    secrets = station.stream("sessions")
  }

  /// Begins to listen for beacons.
  func start() {
    guard hasBluetooth else { return }
    station.send(.scanAdverts, [String](), to: BLEAir.party)
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.bluetooth, .advert): heard(message)
    case (.nearby, .nearbyFrame): received(message)
    case (.person, .tap): tapped(message)
    case (.bluetooth, .linkLost): lostLink(message)
    case (.operatingSystem, .unlocked): isUnlocked = true
    case (.sandbox, .collectRequest) where message.sender == station.part(.sandbox):
      custody.answerSandbox(message, of: "the session", at: station)
    case (.operatingSystem, .release): custody.release(message, at: station)
    case (.operatingSystem, .response): responded(message)
    case (.operatingSystem, .presentmentFailed): failed(message)
    default: station.ignore(message)
    }
  }

  /// Answers a beacon of the account. Other adverts are not for the iPhone.
  private func heard(_ message: Message) {
    guard message.bytes.count == NearbyAdvert.length, message.bytes.first == NearbyAdvert.Kind.beacon.rawValue else {
      return
    }
    do throws(NearbyFailure) {
      perform(machine.receive(.heard(try NearbyAdvert(message.bytes, for: account.device), isUnlocked: isUnlocked)))
    } catch {
      station.record(error.result)
    }
  }

  /// Opens a frame of a Mac. A frame of a forgotten session is late.
  private func received(_ message: Message) {
    guard let session = NearbyChannel.session(of: message.bytes),
      let place = channels.firstIndex(where: { $0.session == session }),
      account.party(of: channels[place].peer) == message.sender
    else { return }
    do throws(NearbyFailure) {
      let opened = try channels[place].open(message.bytes)
      station.keep(opened.bytes, of: message)
      if opened == .withdraw, let invited = machine.invited, invited.session == session {
        station.note(
          .nearbyWithdrawn, "\(account.name(of: invited.mac)) withdrew the request of \(invited.invitation.website)")
      }
      perform(machine.receive(.received(opened, session: session, mac: channels[place].peer, at: station.now)))
    } catch {
      station.record(error.result)
      perform(machine.receive(.channelFailed(session)))
    }
  }

  /// Ends the session of a Mac that was switched off.
  private func lostLink(_ message: Message) {
    guard let mac = message.body(LostLinkBody.self).flatMap({ account.device(of: Party(.nearby, $0.device)) }) else {
      return
    }
    if let invited = machine.invited, invited.mac == mac {
      station.note(
        .nearbyWithdrawn, "\(account.name(of: mac)) was switched off: the request of \(invited.invitation.website) ends"
      )
    }
    perform(machine.receive(.linkLost(mac)))
    channels.removeAll { $0.peer == mac }
  }

  private func tapped(_ message: Message) {
    switch message.body(TapBody.self)?.label {
    case NotificationScreen.continue: perform(machine.receive(.tapped))
    case NotificationScreen.decline: perform(machine.receive(.declined))
    default: station.ignore(message)
    }
  }

  private func responded(_ message: Message) {
    guard let body = message.body(PresentmentResponseBody.self), body.call == call,
      let response = Base64URL.decode(body.response)
    else { return station.ignore(message) }
    custody.end(CallID(rawValue: body.call))
    perform(machine.receive(.responded(response)))
  }

  private func failed(_ message: Message) {
    guard let body = message.body(PresentmentFailedBody.self), body.call == call else { return station.ignore(message) }
    custody.end(CallID(rawValue: body.call))
    perform(machine.receive(.ended(Self.reason(of: PlatformFailure(rawValue: body.error) ?? .unknown))))
  }

  /// The reason for the Mac. It does not learn which apps the iPhone has.
  private static func reason(of failure: PlatformFailure) -> NearbyResult.Reason {
    switch failure {
    case .cancelledByUser, .cancelled: .cancelled
    case .invalidRequest: .invalidRequest
    case .requestInProgress: .requestInProgress
    case .nothingCanAnswer: .noDocument
    case .notEntitled, .noAnswer, .unknown: .failed
    }
  }

  private func perform(_ effects: [AnsweringMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .answer(let beacon): answer(beacon)
      case .notify(let invited): notify(invited)
      case .removeNotification: station.send(.dismissNotification, [String](), to: Party.person)
      case .announce(let invitation, let request): announce(invitation, request)
      case .dismiss:
        custody.end(CallID(rawValue: call))
        station.send(.dismiss, CallReference(call: call), to: station.part(.operatingSystem))
      case .send(let message, let session): send(message, in: session)
      case .record(let result): station.record(result)
      }
    }
  }

  private func answer(_ beacon: NearbyAdvert) {
    let key = secrets.keyAgreementKey()
    let presence = NearbyAdvert(.presence, session: beacon.session, from: account.device, ephemeralKey: key)
    guard
      let channel = try? NearbyChannel(
        .iPhone, of: account.device, ephemeralKey: key, beacon: beacon, presence: presence)
    else { return }
    channels = Array((channels + [channel]).suffix(Self.maximumChannels))
    station.send(.advertise, bytes: presence.bytes, as: MediaType.advertisingData, to: BLEAir.party)
    after(Self.presenceTime, keepsAwake: true) { iPhone in
      iPhone.station.send(.stopAdvertising, [String](), to: BLEAir.party)
    }
  }

  private func notify(_ invited: AnsweringMachine.Invited) {
    let mac = account.name(of: invited.mac)
    station.note(
      .nearbyNotified, "a notification asks the person to verify the identity for \(invited.invitation.website)",
      facts: [Note.Fact("origin", invited.invitation.origin), Note.Fact("Mac", mac)])
    station.send(
      .showNotification, NotificationScreen(invited.invitation, mac: mac, in: station.language),
      as: MediaType.screen, to: Party.person)
    let left = invited.invitation.expiry.secondsSince1970 - station.now.secondsSince1970
    after(.seconds(left)) { $0.perform($0.machine.receive(.expired(invited.session))) }
  }

  /// Announces a request to the operating system, with the origin that the Mac's browser names.
  private func announce(_ invitation: Invitation, _ request: [UInt8]) {
    call += 1
    custody.keep(request, of: CallID(rawValue: call))
    station.send(
      .announce, AnnounceBody(call: call, origin: invitation.origin, protocol: invitation.protocol),
      to: station.part(.operatingSystem))
  }

  private func send(_ message: NearbyMessage, in session: SessionIdentifier) {
    guard let place = channels.firstIndex(where: { $0.session == session }),
      let mac = account.party(of: channels[place].peer)
    else { return }
    station.send(.nearbyFrame, bytes: channels[place].seal(message), as: MediaType.sealed, to: mac)
    guard message == .accept else { return }
    after(Self.rawRequestTime) { $0.perform($0.machine.receive(.rawRequestLate(session))) }
  }
}
