import Checks
import Crypto
import HybridTransport
import Primitives
import TestSupport

/// Both machines and the world between them: a camera, the air, a tunnel service, a page and a person.
struct Session {
  var desktop: ClientPlatformMachine
  var phone: AuthenticatorMachine
  /// The request of the page.
  var request = Session.request
  /// The answer that the person gives; nil if the person does not decide.
  var answer: CredentialResponseMessage? = Session.answer
  /// The routing identifier that the tunnel service assigns.
  var routingID: [UInt8] = [1, 2, 3]

  private(set) var desktopEffects: [ClientPlatformMachine.Effect] = []
  private(set) var phoneEffects: [AuthenticatorMachine.Effect] = []
  /// Every message of the tunnel, in the order of sending.
  private(set) var relayed: [[UInt8]] = []
  private var pending: [Step] = []

  private enum Step {
    case desktop(ClientPlatformMachine.Event)
    case phone(AuthenticatorMachine.Event)
  }

  static let time = DateTime(secondsSince1970: 1_767_225_600)
  static let request = CredentialRequestMessage(
    origin: "https://rp.example",
    digital: #"{"requests":[{"data":{"deviceRequest":"AA","encryptionInfo":"AA"},"protocol":"org-iso-mdoc"}]}"#)
  static let answer = CredentialResponseMessage.credential(protocol: "org-iso-mdoc", data: #"{"response":"AA"}"#)

  static func key(_ byte: UInt8) throws -> P256.KeyAgreement.PrivateKey {
    try fixedAgreementKey(byte)
  }

  static func desktopSecrets(_ seed: UInt8 = 1) throws -> ClientPlatformMachine.Secrets {
    ClientPlatformMachine.Secrets(
      identityKey: try key(seed), qrSecret: [UInt8](repeating: seed, count: 16), ephemeralKey: try key(seed + 1))
  }

  static func phoneSecrets(_ seed: UInt8 = 1) throws -> AuthenticatorMachine.Secrets {
    AuthenticatorMachine.Secrets(nonce: [UInt8](repeating: seed, count: 10), ephemeralKey: try key(seed + 2))
  }

  init(
    desktop: any ClientPlatformConduct = HonestConduct(), phone: any AuthenticatorConduct = HonestConduct(),
    offer: PostHandshake = .digitalCredentials, cancelsSilently: Bool = false
  ) throws {
    self.init(
      ClientPlatformMachine(secrets: try Self.desktopSecrets(), conduct: desktop),
      AuthenticatorMachine(
        secrets: try Self.phoneSecrets(), offer: offer, conduct: phone, cancelsSilently: cancelsSilently))
  }

  init(_ desktop: ClientPlatformMachine, _ phone: AuthenticatorMachine) {
    self.desktop = desktop
    self.phone = phone
  }

  /// Runs the session until both machines are at rest.
  mutating func run() {
    tell(.started(at: Self.time, bluetooth: .on))
    settle()
  }

  /// Gives an event to the client platform.
  mutating func tell(_ event: ClientPlatformMachine.Event) { pending.append(.desktop(event)) }
  /// Gives an event to the phone.
  mutating func tell(_ event: AuthenticatorMachine.Event) { pending.append(.phone(event)) }

  /// Performs effects until none is left.
  mutating func settle() {
    while !pending.isEmpty {
      switch pending.removeFirst() {
      case .desktop(let event):
        for effect in desktop.receive(event) { perform(effect) }
      case .phone(let event):
        for effect in phone.receive(event) { perform(effect) }
      }
    }
  }

  private mutating func perform(_ effect: ClientPlatformMachine.Effect) {
    desktopEffects.append(effect)
    switch effect {
    case .showQRCode(let uri): tell(.scanned(uri))
    case .connect: tell(ClientPlatformMachine.Event.tunnelOpened)
    case .collectRequest: tell(.collected(request))
    case .send(let message):
      relayed.append(message)
      tell(AuthenticatorMachine.Event.received(message))
    case .closeTunnel: tell(AuthenticatorMachine.Event.tunnelClosed)
    default: break
    }
  }

  private mutating func perform(_ effect: AuthenticatorMachine.Effect) {
    phoneEffects.append(effect)
    switch effect {
    case .openTunnel: tell(.tunnelOpened(routingID: routingID))
    case .setTimer(.advertDelay): tell(AuthenticatorMachine.Event.timedOut(.advertDelay))
    case .advertise(let data): tell(.heard(advertisingData: data))
    case .deliver: if let answer { tell(.answered(answer)) }
    case .send(let message):
      relayed.append(message)
      tell(ClientPlatformMachine.Event.received(message))
    case .closeTunnel: tell(ClientPlatformMachine.Event.tunnelClosed)
    default: break
    }
  }
}

extension Session {
  /// The end that the client platform reported; nil before it.
  var outcome: ClientPlatformMachine.Outcome? { outcomes.first }
  /// Every end that the client platform reported.
  var outcomes: [ClientPlatformMachine.Outcome] {
    desktopEffects.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }
  }
  /// Every end that the phone reported.
  var phoneOutcomes: [AuthenticatorMachine.Outcome] {
    phoneEffects.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }
  }
  /// The requests that reached the device.
  var delivered: [CredentialRequestMessage] {
    phoneEffects.compactMap { if case .deliver(let request) = $0 { request } else { nil } }
  }
  /// The results of the client platform's checks.
  var desktopChecks: [CheckResult] {
    desktopEffects.flatMap { effect -> [CheckResult] in if case .record(let results) = effect { results } else { [] } }
  }
  /// The results of the phone's checks.
  var phoneChecks: [CheckResult] {
    phoneEffects.flatMap { effect -> [CheckResult] in if case .record(let results) = effect { results } else { [] } }
  }
  /// The names of the client platform's failed checks.
  var desktopFailures: [String] { desktopChecks.filter { $0.status == .failed }.map(\.name) }
  /// The names of the phone's failed checks.
  var phoneFailures: [String] { phoneChecks.filter { $0.status == .failed }.map(\.name) }
}
