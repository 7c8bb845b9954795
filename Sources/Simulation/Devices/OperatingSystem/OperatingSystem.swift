import Certificates
import DevicePlatform
import DigitalCredentials
import IdentityDocumentServices
import JSON
import Messaging
import Primitives
import Storage
import Vocabulary
import WebPresentment

/// A device's operating system: keeps registrations, lets the sandbox parse requests, shows the selector, starts the
/// app that the person picks, and lets the browser release the raw request to it only after the person agreed. The raw
/// request never passes through the operating system.
///
/// ```
/// browser --announcement--> operating system --call, origin--> sandbox --collect--> browser --request--> sandbox
/// sandbox --partial request--> operating system
/// operating system --selector--> person --picks--> operating system
/// operating system --partial request and origin--> app
/// app --view, controls that agree--> operating system --> person --taps--> operating system --> app
/// app --sendResponse--> operating system --release--> browser --raw request--> app
/// app --response--> operating system --> browser
///
/// operating system --announcement--> nearby, or client platform      no app may answer, or the person picks another device
/// nearby, or client platform --response or failure--> operating system --> browser
/// ```
package actor OperatingSystem: StationedActor {
  package nonisolated let station: Station
  let device: String
  /// The calls in progress, by the identifiers that the machine knows them by.
  var calls = AnnouncedCalls()
  var readerCertificates = CertificateMemory()
  /// The part that asks another device for the device's browser; nil if the device cannot ask one.
  let otherDevices: Party?
  /// The parts that answer nearby devices and terminals, as long as the person has not unlocked the device.
  private var locked: [Party]
  let authorityReading: Selection.AuthorityReading
  let authoritySignatures: Selection.AuthoritySignatures
  let database: RegistrationDatabase
  var registrations: RegistrationService
  /// The apps of the app store.
  let manifests: [AppManifest]
  /// Indicates whether the browser learns which apps cannot answer, and why.
  let explainsExceptions: Bool
  var machine: PresentmentMachine
  var owner = OwnerAuthentication()
  /// The positions of the settings.
  private var settings: DeviceSettings
  /// The view of an app on the screen, for a website or for a requesting app.
  var screen = ViewOnScreen()
  private(set) var isRunning = true
  /// The requests of apps for documents in Wallet.
  var identityRequests: IdentityRequests
  /// The number of the newest watch for dates that change the open selector.
  var dateWatch = 0

  /// The interval of registration updates. Apple specifies "periodically"; a week does not fill the journal, and is
  /// short compared with the lifetime of a document.
  static let registrationUpdateInterval = Duration.seconds(7 * 86_400)

  /// The longest watch for a date, in seconds: a month. Dates in a distant future do not fit into the clock.
  static let longestDateWatch: Int64 = 30 * 86_400

  package init(
    _ device: DeviceManifest, requestingApps: [WorldDescription.RequestingApp], database: RegistrationDatabase,
    otherDevices: Party?, locked: [Party], settings: DeviceSettings, station: Station
  ) {
    self.station = station
    self.device = device.identifier
    self.otherDevices = otherDevices
    self.locked = locked
    self.settings = settings
    owner.isFaceOn = settings.isOn(.faceID)
    authorityReading = device.authorityReading
    authoritySignatures = device.authoritySignatures
    manifests = device.apps
    explainsExceptions = device.explainsExceptions
    machine = PresentmentMachine(protocols: device.protocols.map(\.rawValue))
    self.database = database
    identityRequests = IdentityRequests(on: device, of: requestingApps)
    registrations = RegistrationService(database, isSupported: device.supportsDocumentProviders)
  }

  /// Starts the system's own activities.
  package func start() {
    perform(registrations.start())
    scheduleRegistrationUpdates()
  }

  /// Ends them when the device is switched off.
  package func stop() { isRunning = false }

  func party(of app: String) -> Party { Party(.app, "\(device)/\(app)") }

  func app(of party: Party) -> String { String(party.name.dropFirst(device.count + 1)) }

  package func receive(_ message: Message) async {
    if message.kind == .unlocked, [.browser, .requestingApp].contains(message.sender.role) { return unlock() }
    if message.sender == Party.person { unlock() }
    if message.kind == .unlocked { return }
    switch message.sender.role {
    case _ where message.sender == otherDevices && [.response, .presentmentFailed].contains(message.kind):
      endedElsewhere(message)
    case .browser, .authenticator, .nearby, .mdoc: receiveFromHolder(message)
    case .person: receiveFromPerson(message)
    case .app: receiveFromApp(message)
    case .requestingApp: receiveFromRequestingApp(message)
    default: station.ignore(message)
    }
  }

  /// Tells the parts that answer nearby devices and terminals that the person uses the device.
  private func unlock() {
    for part in locked { station.send(.unlocked, [String](), to: part) }
    locked = []
  }

  /// Receives a request, or its withdrawal: from the device's browser, or, for a browser elsewhere, from its authenticator or
  /// from its part in the model of a nearby iPhone, or, for a reader near it, from its mdoc.
  private func receiveFromHolder(_ message: Message) {
    switch message.kind {
    case .announce:
      guard let body = station.body(AnnounceBody.self, of: message) else { return }
      let call = calls.add(AnnouncedCall(holder: message.sender, number: body.call), body)
      guard identityRequests.machine.isIdle else { return fail(call, .requestInProgress) }
      guard message.sender.role != .mdoc else { return perform(machine.receive(.requestedInPerson(call))) }
      // A request from another device is not passed on to a third one.
      perform(
        machine.receive(
          .requested(
            call, protocol: body.protocol, origin: body.origin,
            canAskAnother: otherDevices != nil && message.sender.role == .browser)))
    case .dismiss:
      guard let body = station.body(CallReference.self, of: message) else { return }
      guard let call = calls.identifier(of: AnnouncedCall(holder: message.sender, number: body.call)) else { return }
      perform(machine.receive(.dismissed(call)))
      _ = calls.end(call)
    default: station.ignore(message)
    }
  }

  /// Receives the end of a call for which another device was asked.
  private func endedElsewhere(_ message: Message) {
    let browser = Party(.browser, device)
    guard let body = message.body(CallReference.self),
      let call = calls.identifier(of: AnnouncedCall(holder: browser, number: body.call)),
      machine.receive(.endedElsewhere(call)) == [.passOnEnd(call)]
    else { return station.ignore(message) }
    _ = calls.end(call)
    station.send(message.kind, bytes: message.bytes, as: message.mediaType, to: browser)
  }

  /// Receives the person's choices, taps and cancellations.
  private func receiveFromPerson(_ message: Message) {
    guard let seen = station.body(SeenTouch.self, of: message) else { return }
    let touch = seen.touch
    switch touch {
    case .pick(let app): perform(machine.receive(.picked(app: app, at: station.now)))
    case .pickAnotherDevice: perform(machine.receive(.anotherDevicePicked))
    case .cancelSelector: perform(machine.receive(.selectorCancelled))
    case .tap, .authorize, .choose: touchedView(seen)
    case .delete(_, let app): station.send(.tap, touch, to: party(of: app))
    case .answerPrompt(let app, let isAllowed): perform(registrations.answerPrompt(of: app, isAllowed: isAllowed))
    case .switchApp(let app, let isOn): perform(registrations.switchInSettings(app, isAllowed: isOn))
    case .turn(let setting, let isOn): turn(setting, isOn: isOn)
    case .install(let name), .update(let name), .remove(let name):
      guard let app = manifests.first(where: { $0.name == name }) else { return station.ignore(message) }
      manage(app, touch)
    }
  }

  /// Turns a setting on or off. The device, and not its system, has the connection that flight mode ends.
  private func turn(_ setting: Action.DeviceSetting, isOn: Bool) {
    guard settings.turn(setting, isOn: isOn) else {
      return station.note(.osNotInSettings, "\(setting.label) is \(isOn ? "on" : "off") already")
    }
    owner.isFaceOn = settings.isOn(.faceID)
    station.note(
      .osSettingChanged, value: "\(setting.rawValue) \(isOn ? "on" : "off")",
      "the person turns \(setting.label) \(isOn ? "on" : "off")")
  }

  /// Receives registrations, views and responses of apps.
  private func receiveFromApp(_ message: Message) {
    let app = app(of: message.sender)
    switch message.kind {
    case .addRegistration, .removeRegistration, .registrations, .status:
      perform(registrations.receive(message, of: app))
    case .show:
      guard appOnScreen == app else { return }
      guard var view = station.body(AuthorizationScreen.self, of: message) else { return }
      if identityRequests.appOnScreen == nil {
        perform(machine.receive(.shown(app: app, agreeing: view.agreeing)))
      } else {
        _ = identityRequests.machine.receive(.shown(agreeing: view.agreeing))
      }
      // The app offers the passcode in the place of a face that does not count.
      if view.agreeing.contains(OwnerAuthentication.Method.faceID.rawValue), !owner.isFaceOn {
        station.send(.authenticationFailed, AuthenticationFailedBody(reason: .faceOff), to: party(of: app))
      }
      let number = screen.show(view.number, of: app)
      guard number != view.number else {
        return station.send(.show, bytes: message.bytes, as: MediaType.screen, to: Party.person)
      }
      view.number = number
      station.send(.show, view, as: MediaType.screen, to: Party.person)
    case .sendResponse: perform(machine.receive(.rawRequestAsked(app: app)))
    case .response: perform(machine.receive(.responded(app: app, response: message.bytes)))
    case .cancel: perform(machine.receive(.cancelledByApp(app: app)))
    case .abandon:
      let reason = message.body(AbandonBody.self)?.reason ?? "the app gave no reason"
      perform(machine.receive(.abandonedByApp(app: app, reason: reason)))
    default: station.ignore(message)
    }
  }
}

/// A call of a page that a party announced: the device's browser, or the part of the device that answers a browser on another
/// one.
struct AnnouncedCall: Hashable, Sendable {
  /// The party, which holds the raw request.
  let holder: Party
  /// The party's number of the call.
  let number: Int
}

/// The announced calls that have not ended.
struct AnnouncedCalls: Sendable {
  private var calls: [(identifier: Int, call: AnnouncedCall, announcement: AnnounceBody)] = []
  private var next = 1

  /// Adds a call and returns its identifier on the device.
  mutating func add(_ call: AnnouncedCall, _ announcement: AnnounceBody) -> Int {
    defer { next += 1 }
    calls.append((next, call, announcement))
    return next
  }

  /// The call with an identifier.
  subscript(identifier: Int) -> AnnouncedCall? { calls.first { $0.identifier == identifier }?.call }

  /// The protocol of OpenID4VP that the call with an identifier uses; nil for a request for mobile documents.
  func exchangeProtocol(of identifier: Int) -> OpenID4VPExchangeProtocolIdentifier? {
    announcement(of: identifier).flatMap { OpenID4VPExchangeProtocolIdentifier(rawValue: $0.protocol) }
  }

  /// The announcement of the call with an identifier.
  func announcement(of identifier: Int) -> AnnounceBody? { calls.first { $0.identifier == identifier }?.announcement }

  /// The identifier of a call.
  func identifier(of call: AnnouncedCall) -> Int? { calls.last { $0.call == call }?.identifier }

  /// Removes a call that has ended.
  mutating func end(_ identifier: Int) -> AnnouncedCall? {
    calls.firstIndex { $0.identifier == identifier }.map { calls.remove(at: $0).call }
  }
}
