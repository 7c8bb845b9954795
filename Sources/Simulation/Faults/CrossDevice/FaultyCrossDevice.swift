import Crypto
import Devices
import Ecosystem
import HybridTransport
import Messaging
import SimulationKernel
import Synchronization
import Vocabulary

/// The conduct of client platforms, phones and tunnel services of a world with faults.
final class FaultyCrossDevice: CrossDeviceConduct {
  /// The faults that act.
  struct Plan: Sendable {
    var clientPlatform: (fault: ClientPlatformFault, arguments: [String: String])?
    var authenticator: AuthenticatorFault?
    var tunnelService: TunnelServiceFault?
    /// A message that the tunnel service holds back.
    var held: TunnelMessage?
    /// True after the tunnel service did what its fault says. It does it once.
    var isDone = false
  }

  private let state = Mutex(Plan())

  /// Begins or ends faults.
  func change(_ change: (inout Plan) -> Void) { state.withLock { change(&$0) } }

  func clientPlatform(at station: Station) -> any ClientPlatformConduct {
    guard let (fault, arguments) = state.withLock(\.clientPlatform) else { return HonestConduct() }
    return FaultyClientPlatform(fault: fault, arguments: arguments, station: station)
  }

  func authenticator(at station: Station) -> any AuthenticatorConduct {
    guard let fault = state.withLock(\.authenticator) else { return HonestConduct() }
    return FaultyAuthenticator(fault: fault, station: station)
  }

  func delivered(_ message: TunnelMessage, at station: Station) -> [TunnelMessage] {
    state.withLock { plan in
      guard let fault = plan.tunnelService, !plan.isDone else { return [message] }
      if let held = plan.held, held.sender == message.sender {
        plan.held = nil
        plan.isDone = true
        return [message, held]
      }
      guard fault.acts(on: message) else { return [message] }
      station.record(.fault(FaultCatalogue.event(fault.id)))
      guard fault != .swapped else {
        plan.held = message
        return []
      }
      plan.isDone = true
      return fault.delivered(message)
    }
  }
}

extension Mutex where Value == FaultyCrossDevice.Plan {
  fileprivate borrowing func withLock<Part: Sendable>(_ path: KeyPath<Value, Part> & Sendable) -> Part {
    withLock { $0[keyPath: path] }
  }
}

/// A client platform with a fault.
private struct FaultyClientPlatform: ClientPlatformConduct {
  let fault: ClientPlatformFault
  let arguments: [String: String]
  let station: Station

  private func report() { station.record(.fault(FaultCatalogue.event(fault.id))) }

  func qrPayload(_ honest: QRPayload) -> QRPayload {
    guard fault == .noTunnel else { return honest }
    report()
    var payload = honest
    payload.keySix = .channels([QRPayload.Channel.bluetooth])
    return payload
  }

  func handshake(
    _ payload: QRPayload, identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey,
    preSharedKey: [UInt8]
  ) -> any InitiatorHandshake {
    var stream = station.stream("faulty handshake")
    var identityKey = identityKey
    var preSharedKey = preSharedKey
    switch fault {
    case .anotherKey:
      report()
      identityKey = stream.keyAgreementKey()
    case .anotherAdvert:
      report()
      preSharedKey = stream.bytes(preSharedKey.count)
    default: break
    }
    let honest = NoiseInitiator(identityKey: identityKey, ephemeralKey: ephemeralKey, preSharedKey: preSharedKey)
    guard fault == .keyNotHeld else { return honest }
    report()
    return ClaimedHandshake(
      message: honest.message,
      keys: NoiseKeys(handshakeHash: stream.bytes(32), writing: stream.bytes(32), reading: stream.bytes(32)))
  }

  /// An attacker without the keys cannot read the offer, and guesses it.
  func offer(_ read: Result<PostHandshake, HybridError>) -> Result<PostHandshake, HybridError> {
    fault == .keyNotHeld ? .success(.digitalCredentials) : read
  }

  func request(_ honest: CredentialRequestMessage) -> CredentialRequestMessage {
    var request = honest
    switch fault {
    case .anotherOrigin:
      report()
      request.origin = arguments["origin"] ?? "https://attacker.example"
    case .originNotSerialized:
      report()
      request.origin += "/"
    case .requestMalformed:
      report()
      request.digital = "[]"
    default: break
    }
    return request
  }
}

/// A handshake of an end that lacks the key: the first message needs the public key alone.
private struct ClaimedHandshake: InitiatorHandshake {
  let message: [UInt8]
  let keys: NoiseKeys

  func keys(from reply: [UInt8]) throws(HybridError) -> NoiseKeys { keys }
}

/// A phone with a fault.
private struct FaultyAuthenticator: AuthenticatorConduct {
  let fault: AuthenticatorFault
  let station: Station

  private func report() { station.record(.fault(FaultCatalogue.event(fault.id))) }

  func advert(_ honest: [UInt8]) -> [UInt8] {
    var advert = honest
    switch fault {
    case .unassignedService:
      report()
      advert[14] = 2
      advert[15] = 0
    case .reservedByte:
      report()
      advert[0] = 1
    default: break
    }
    return advert
  }

  func plaintext(_ honest: [UInt8]) -> [UInt8] {
    guard let changed = fault.plaintext(for: honest) else { return honest }
    report()
    return changed
  }

  func padded(_ honest: [UInt8]) -> [UInt8] {
    guard let changed = fault.padded(honest) else { return honest }
    report()
    return changed
  }
}
