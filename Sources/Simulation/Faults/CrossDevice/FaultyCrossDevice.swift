import Crypto
import DeviceToDevice
import HybridTransport
import Messaging
import SimulationKernel
import Synchronization
import Vocabulary

/// The conduct of client platforms, phones and tunnel services of a world with faults.
final class FaultyCrossDevice: CrossDeviceConduct {
  /// The faults that act.
  struct Plan: Sendable {
    var clientPlatform: (acting: Acting<ClientPlatformChange>, arguments: [String: String])?
    var authenticator: Acting<AuthenticatorChange>?
    var tunnelService: Acting<TunnelServiceChange>?
    /// A message that the tunnel service holds back.
    var held: TunnelMessage?
    /// True after the tunnel service did what its fault says. It does it once.
    var isDone = false
  }

  private let state = Mutex(Plan())

  /// Begins or ends faults.
  func change(_ change: (inout Plan) -> Void) { state.withLock { change(&$0) } }

  func clientPlatform(at station: Station) -> any ClientPlatformConduct {
    guard let (acting, arguments) = state.withLock({ $0.clientPlatform }) else { return HonestConduct() }
    return FaultyClientPlatform(acting: acting, arguments: arguments, station: station)
  }

  func authenticator(at station: Station) -> any AuthenticatorConduct {
    guard let acting = state.withLock({ $0.authenticator }) else { return HonestConduct() }
    return FaultyAuthenticator(acting: acting, station: station)
  }

  func delivered(_ message: TunnelMessage, at station: Station) -> [TunnelMessage] {
    state.withLock { plan in
      guard let acting = plan.tunnelService, !plan.isDone else { return [message] }
      if let held = plan.held, held.sender == message.sender {
        plan.held = nil
        plan.isDone = true
        return [message, held]
      }
      guard acting.change.acts(message) else { return [message] }
      station.record(.fault(acting.fault.event))
      guard let delivered = acting.change.delivered(message) else {
        plan.held = message
        return []
      }
      plan.isDone = true
      return delivered
    }
  }
}

/// A client platform with a fault.
private struct FaultyClientPlatform: ClientPlatformConduct {
  let acting: Acting<ClientPlatformChange>
  let arguments: [String: String]
  let station: Station

  private func report() { station.record(.fault(acting.fault.event)) }

  func qrPayload(_ honest: QRPayload) -> QRPayload {
    guard case .qrPayload(let change) = acting.change else { return honest }
    report()
    var payload = honest
    change(&payload)
    return payload
  }

  func handshake(
    _ payload: QRPayload, identityKey: P256.KeyAgreement.PrivateKey, ephemeralKey: P256.KeyAgreement.PrivateKey,
    preSharedKey: [UInt8]
  ) -> any InitiatorHandshake {
    var stream = station.stream("faulty handshake")
    var identityKey = identityKey
    var preSharedKey = preSharedKey
    if case .keys(let change) = acting.change {
      report()
      change(&identityKey, &preSharedKey, &stream)
    }
    let honest = NoiseInitiator(identityKey: identityKey, ephemeralKey: ephemeralKey, preSharedKey: preSharedKey)
    guard case .keyNotHeld = acting.change else { return honest }
    report()
    return ClaimedHandshake(
      message: honest.message,
      keys: NoiseKeys(handshakeHash: stream.bytes(32), writing: stream.bytes(32), reading: stream.bytes(32)))
  }

  /// An attacker without the keys cannot read the offer, and guesses it.
  func offer(_ read: Result<PostHandshake, HybridError>) -> Result<PostHandshake, HybridError> {
    if case .keyNotHeld = acting.change { .success(.digitalCredentials) } else { read }
  }

  func request(_ honest: CredentialRequestMessage) -> CredentialRequestMessage {
    guard case .request(let change) = acting.change else { return honest }
    report()
    var request = honest
    change(&request, arguments)
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
  let acting: Acting<AuthenticatorChange>
  let station: Station

  private func report() { station.record(.fault(acting.fault.event)) }

  func advert(_ honest: [UInt8]) -> [UInt8] {
    guard case .advert(let change) = acting.change else { return honest }
    report()
    var advert = honest
    change(&advert)
    return advert
  }

  func plaintext(_ honest: [UInt8]) -> [UInt8] {
    guard let changed = acting.change.plaintext(for: honest) else { return honest }
    report()
    return changed
  }

  func padded(_ honest: [UInt8]) -> [UInt8] {
    guard case .paddedAnswer(let padded) = acting.change, AuthenticatorChange.isAnswer(honest) else { return honest }
    report()
    return padded
  }
}
