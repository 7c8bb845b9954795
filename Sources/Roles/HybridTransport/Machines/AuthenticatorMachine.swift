import Checks
import Primitives

/// The phone's end of the hybrid transport, as a pure machine.
///
/// ```
/// idle --scanned--> scanned --tunnelOpened--> tunnelOpen --250 ms--> advertising --handshake--> established
///                                                                                                   |
///          the first message that decrypts proves the client platform: deliver the request          |
///   answered <--answered, or cancelled by the person-- consent <------------------------------------+
///      |                                                  |
///      +--shutdown, closed, or 3 minutes--> finished      +--shutdown, closed, or 60 s: withdraw--> finished
/// ```
public struct AuthenticatorMachine: KeepsSecrets, Sendable {
  private enum Phase: Sendable {
    case idle
    case scanned(QRPayload)
    case tunnelOpen(QRPayload, Advert)
    case advertising(NoiseResponder)
    case established(HybridSession)
    case consent(HybridSession)
    case answered(HybridSession)
    case finished
  }

  private let secrets: Secrets
  private let service: TunnelServiceNumber
  private let offer: PostHandshake
  private let conduct: any AuthenticatorConduct
  /// Indicates whether the phone closes the tunnel without a message if the person cancels, as iOS was seen to do.
  private let cancelsSilently: Bool
  private var phase = Phase.idle

  /// The content of the message that the last event brought, or nil if none was opened.
  package private(set) var openedContent: [UInt8]?

  /// Creates the machine of one session. Secrets are never used twice.
  /// - Parameters:
  ///   - secrets: Fresh keys and nonces of this session.
  ///   - service: The phone's tunnel service.
  ///   - offer: The first message after the handshake.
  public init(
    secrets: Secrets, service: TunnelServiceNumber = .google, offer: PostHandshake = .digitalCredentials
  ) { self.init(secrets: secrets, service: service, offer: offer, conduct: HonestConduct()) }

  /// Creates the machine of one session, with mistakes.
  package init(
    secrets: Secrets, service: TunnelServiceNumber = .google, offer: PostHandshake = .digitalCredentials,
    conduct: any AuthenticatorConduct, cancelsSilently: Bool = false
  ) {
    self.secrets = secrets
    self.service = service
    self.offer = offer
    self.conduct = conduct
    self.cancelsSilently = cancelsSilently
  }

  /// The state of the session.
  public var state: State {
    switch phase {
    case .idle: .idle
    case .scanned: .scanned
    case .tunnelOpen: .tunnelOpen
    case .advertising: .advertising
    case .established: .established
    case .consent: .consent
    case .answered: .answered
    case .finished: .finished
    }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    openedContent = nil
    switch (phase, event) {
    case (.idle, .scanned(let text)): return scan(text)
    case (.scanned(let payload), .tunnelOpened(let routingID)): return opened(routingID, payload)
    case (.scanned, .tunnelRefused(let status)):
      phase = .finished
      return [
        .record([
          HybridCheck.tunnel.failure(.refused, .field("status", expected: "101", found: "\(status)"))
        ]), .finish(.failed),
      ]
    case (.tunnelOpen(let payload, let advert), .timedOut(.advertDelay)): return advertise(advert, payload)
    case (.advertising(let responder), .received(let message)): return shake(message, responder)
    case (.advertising, .timedOut(.connection)), (.established, .timedOut(.connection)),
      (.consent, .timedOut(.request)):
      return end(.timedOut)
    case (.established(let session), .received(let message)): return takeRequest(message, session)
    case (.consent(let session), .answered(let answer)): return send(answer, session)
    case (.consent(let session), .cancelledByPerson) where !cancelsSilently:
      return [.withdraw] + send(.error(.userCanceled), session)
    case (.consent(let session), .received(let message)), (.answered(let session), .received(let message)):
      return takeShutdown(message, session)
    case (.answered, .tunnelClosed):
      phase = .finished
      return [.finish(.answered)]
    case (.answered, .timedOut(.shutdown)): return end(.answered)
    case (.answered, _), (.idle, _), (.finished, _): return []
    case (_, .cancelledByPerson): return end(.cancelled)
    case (_, .tunnelClosed):
      let failure = HybridCheck.tunnel.failure(.closed, .field("state", found: state.rawValue))
      return [.record([failure])] + end(.failed, isClosed: true)
    case (.tunnelOpen, .received):
      // Without the advert a client platform does not know the routing identifier.
      return fail(HybridError(.frameOutOfTurn, "a message in the state \(state.rawValue)"))
    default: return []
    }
  }
}

extension AuthenticatorMachine {
  private mutating func scan(_ text: String) -> [Effect] {
    do throws(HybridError) {
      let payload = try QRPayload(uri: text)
      guard payload.offersTunnel else {
        throw HybridError(.qrChannel, "the channel over Bluetooth is not offered here", at: "key 6")
      }
      guard let host = service.host else {
        throw HybridError(.tunnelURL, "the phone's tunnel service has no host", evidence: "\(service.rawValue)")
      }
      phase = .scanned(payload)
      return [
        .record([HybridCheck.qrCode.passed]),
        .openTunnel(TunnelAddress(host: host, end: .new(tunnelID: HybridKeys(secret: payload.secret).tunnelID))),
      ]
    } catch {
      phase = .finished
      return [.record([error.failure.result]), .finish(.failed)]
    }
  }

  private mutating func opened(_ routingID: [UInt8], _ payload: QRPayload) -> [Effect] {
    do throws(HybridError) {
      phase = .tunnelOpen(payload, try Advert(nonce: secrets.nonce, routingID: routingID, service: service))
      return [.setTimer(.advertDelay)]
    } catch {
      return fail(HybridError(.tunnelHeader, error.message, evidence: error.evidence))
    }
  }

  private mutating func advertise(_ advert: Advert, _ payload: QRPayload) -> [Effect] {
    let keys = HybridKeys(secret: payload.secret)
    let plaintext = conduct.advert(advert.plaintext)
    do throws(HybridError) {
      let sealed = try Advert.seal(plaintext: plaintext, with: keys.advertKey)
      phase = .advertising(
        NoiseResponder(
          initiatorKey: payload.identityKey, ephemeralKey: secrets.ephemeralKey,
          preSharedKey: keys.preSharedKey(advert: plaintext)))
      return [
        .advertise(conduct.advertisingData(AdvertisingData.make(serviceData: sealed))), .setTimer(.connection),
      ]
    } catch {
      return fail(error)
    }
  }

  private mutating func shake(_ message: [UInt8], _ responder: NoiseResponder) -> [Effect] {
    do throws(HybridError) {
      let (reply, keys) = try responder.reply(to: message)
      var session = HybridSession(keys)
      let offer = try session.seal(offer.cbor, conduct)
      phase = .established(session)
      return [
        .stopAdvertising, .record([HybridCheck.tunnel.passed, HybridCheck.handshake.passed]), .send(reply),
        .send(offer),
      ]
    } catch {
      return fail(error)
    }
  }

  /// Takes the first message. Only its decryption proves that the client platform holds the QR code's private key.
  private mutating func takeRequest(_ message: [UInt8], _ session: HybridSession) -> [Effect] {
    var session = session
    let plaintext: [UInt8]
    do { plaintext = try open(message, &session) } catch {
      guard error.code == .frameAuthentication else { return fail(error) }
      return [
        .record([
          HybridCheck.clientPlatform.failure(
            nil, error.evidence.map { [CheckResult.Evidence("message", found: $0)] } ?? [])
        ])
      ] + end(.failed)
    }
    do throws(HybridError) {
      let frame = try Frame(plaintext: plaintext)
      if frame.kind == .shutdown { return [.record([HybridCheck.clientPlatform.passed])] + end(.withdrawn) }
      guard frame.kind == .json else { throw outOfTurn(frame) }
      let request = try CredentialRequestMessage(json: frame.payload)
      phase = .consent(session)
      return [
        .record([HybridCheck.clientPlatform.passed, HybridCheck.request.passed]), .deliver(request),
        .setTimer(.request),
      ]
    } catch {
      return [.record([HybridCheck.clientPlatform.passed])] + fail(error)
    }
  }

  private mutating func send(_ answer: CredentialResponseMessage, _ session: HybridSession) -> [Effect] {
    var session = session
    do throws(HybridError) {
      let message = try session.seal(Frame(.json, answer.json).plaintext, conduct)
      phase = .answered(session)
      return [.send(message), .setTimer(.shutdown)]
    } catch {
      return fail(error)
    }
  }

  /// Decrypts a message, and keeps its content until the next event.
  private mutating func open(_ message: [UInt8], _ session: inout HybridSession) throws(HybridError) -> [UInt8] {
    let plaintext = try session.open(message)
    openedContent = plaintext
    return plaintext
  }

  /// Takes a message while a request is answered, or after it. Only the shutdown is expected.
  private mutating func takeShutdown(_ message: [UInt8], _ session: HybridSession) -> [Effect] {
    var session = session
    let isAnswered = state == .answered
    do throws(HybridError) {
      let frame = try Frame(plaintext: try open(message, &session))
      guard frame.kind == .shutdown else { throw outOfTurn(frame) }
      return [.record([HybridCheck.frame.passed])] + end(isAnswered ? .answered : .withdrawn)
    } catch {
      return fail(error)
    }
  }

  private func outOfTurn(_ frame: Frame) -> HybridError {
    HybridError(
      .frameOutOfTurn, "a message of type \(frame.kind.rawValue) (\(frame.kind)) in the state \(state.rawValue)")
  }

  private mutating func fail(_ error: HybridError) -> [Effect] { [.record([error.failure.result])] + end(.failed) }

  /// Ends the session: stops the advert, takes the request back and closes the tunnel.
  private mutating func end(_ outcome: Outcome, isClosed: Bool = false) -> [Effect] {
    var effects: [Effect] = []
    switch state {
    case .advertising: effects.append(.stopAdvertising)
    case .consent: effects.append(.withdraw)
    default: break
    }
    phase = .finished
    return effects + (isClosed ? [] : [.closeTunnel]) + [.finish(outcome)]
  }
}
