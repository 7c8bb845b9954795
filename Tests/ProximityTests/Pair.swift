import Checks
import Crypto
import DocumentFixtures
import MobileDocument
import Proximity
import TestSupport
import Testing

/// Both ends of a session and the channel between them, which may lose, repeat, reorder and change messages.
struct Pair {
  var device: DeviceSession
  var reader: ReaderSession
  /// The messages on their way to each end.
  var toDevice: [[UInt8]] = []
  var toReader: [[UInt8]] = []
  private(set) var deviceEffects: [SessionEffect] = []
  private(set) var readerEffects: [SessionEffect] = []
  /// Every message that an end sent.
  private(set) var sentByDevice: [[UInt8]] = []
  private(set) var sentByReader: [[UInt8]] = []

  /// A pair whose ends have one key.
  init(of key: EphemeralPrivateKey) throws {
    let opening = SessionOpening(try Fixed.engagement(key: key), .qrCode)
    device = DeviceSession(opening, key: key)
    reader = try ReaderSession(opening, key: key)
  }

  init(reader key: EphemeralPrivateKey? = nil, _ opening: SessionOpening? = nil) throws {
    let opening = try opening ?? Fixed.opening()
    device = DeviceSession(opening, key: try Fixed.deviceKey())
    reader = try ReaderSession(opening, key: try key ?? Fixed.readerKey())
  }

  /// Gives an event to the mdoc.
  mutating func device(_ event: SessionEvent) {
    let effects = device.receive(event)
    deviceEffects += effects
    for effect in effects {
      guard case .send(let message) = effect else { continue }
      sentByDevice.append(message)
      toReader.append(message)
    }
  }

  /// Gives an event to the reader.
  mutating func reader(_ event: SessionEvent) {
    let effects = reader.receive(event)
    readerEffects += effects
    for effect in effects {
      guard case .send(let message) = effect else { continue }
      sentByReader.append(message)
      toDevice.append(message)
    }
  }

  /// Delivers what is on its way until nothing is.
  mutating func settle() {
    while !toDevice.isEmpty || !toReader.isEmpty {
      if !toDevice.isEmpty { device(.received(toDevice.removeFirst())) }
      if !toReader.isEmpty { reader(.received(toReader.removeFirst())) }
    }
  }

  var requests: [[UInt8]] { Self.delivered(deviceEffects) }
  var responses: [[UInt8]] { Self.delivered(readerEffects) }
  var deviceOutcomes: [SessionOutcome] { Self.outcomes(deviceEffects) }
  var readerOutcomes: [SessionOutcome] { Self.outcomes(readerEffects) }
  var deviceFailures: [String] { failures(deviceEffects) }
  var readerFailures: [String] { failures(readerEffects) }
  /// The statuses that the mdoc sent.
  var deviceStatuses: [SessionStatus] { sentByDevice.compactMap { try? SessionData($0).status } }
  var readerStatuses: [SessionStatus] { sentByReader.compactMap { try? SessionData($0).status } }

  private static func delivered(_ effects: [SessionEffect]) -> [[UInt8]] {
    effects.compactMap { if case .deliver(let plaintext) = $0 { plaintext } else { nil } }
  }
  private static func outcomes(_ effects: [SessionEffect]) -> [SessionOutcome] {
    effects.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }
  }
}

extension DeviceSession {
  /// The answer of a wallet with two elements of its document, authenticated by a method.
  func answer(of port: Spaceport, by method: DeviceAuthenticationMethod) throws -> [UInt8] {
    let transcript = try #require(transcript)
    let held = try port.held()
    let chosen = held.answer(to: Spaceport.request(["family_name", "portrait"])).nameSpaces
    let document =
      switch method {
      case .signature: try held.presented(chosen, over: transcript, signedWith: port.deviceKey)
      case .messageAuthenticationCode:
        try held.presented(
          chosen, over: transcript,
          authenticatedWith: P256.KeyAgreement.PrivateKey(rawRepresentation: port.deviceKey.rawRepresentation),
          readerKey: #require(readerKey).key.p256KeyAgreementKey())
      }
    return DeviceResponseWriter.encoded(documents: [document])
  }
}
