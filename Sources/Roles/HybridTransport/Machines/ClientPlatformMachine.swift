import Checks
import Primitives

/// The desktop's end of the hybrid transport, as a pure machine.
///
/// ```
/// idle --started--> showingQR --heard: an advert for the QR code--> connecting --tunnelOpened--> handshakeSent
///   |                  ^                                                                            |
///   Bluetooth is off   | on                                     81 bytes that verify                |
///   +---> waitingForBluetooth                  waitingForOffer <------------------------------------+
///                                                    |
///                  digital credentials: collectRequest
///                                                    v
/// locallyShutdown <--response, or cancelled-- requestSent <--collected-- collectingRequest
///   |
///   +--closed, or 3 minutes--> finished                     every failure closes the tunnel and finishes
/// ```
public struct ClientPlatformMachine: KeepsSecrets, Sendable {
  private enum Phase: Sendable {
    case idle
    case waitingForBluetooth(DateTime)
    case showingQR(QRPayload)
    case connecting(any InitiatorHandshake)
    case handshakeSent(any InitiatorHandshake)
    case waitingForOffer(HybridSession)
    case collectingRequest(HybridSession)
    case requestSent(HybridSession)
    case locallyShutdown
    case finished
  }

  private let secrets: Secrets
  private let hint: QRPayload.Hint
  private let conduct: any ClientPlatformConduct
  private var phase = Phase.idle

  /// The content of the message that the last event brought, or nil if none was opened.
  package private(set) var openedContent: [UInt8]?
  private var ignored = IgnoredAdverts()

  /// Creates the machine of one session. Secrets are never used twice.
  public init(secrets: Secrets, hint: QRPayload.Hint = .presentation) {
    self.init(secrets: secrets, hint: hint, conduct: HonestConduct())
  }

  /// Creates the machine of one session, with mistakes.
  package init(secrets: Secrets, hint: QRPayload.Hint = .presentation, conduct: any ClientPlatformConduct) {
    self.secrets = secrets
    self.hint = hint
    self.conduct = conduct
  }

  /// The state of the session.
  public var state: State {
    switch phase {
    case .idle: .idle
    case .waitingForBluetooth: .waitingForBluetooth
    case .showingQR: .showingQR
    case .connecting: .connecting
    case .handshakeSent: .handshakeSent
    case .waitingForOffer: .waitingForOffer
    case .collectingRequest: .collectingRequest
    case .requestSent: .requestSent
    case .locallyShutdown: .locallyShutdown
    case .finished: .finished
    }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    openedContent = nil
    switch (phase, event) {
    case (.idle, .started(let time, let bluetooth)): return start(at: time, bluetooth)
    case (.waitingForBluetooth(let time), .bluetooth(let bluetooth)): return start(at: time, bluetooth)
    case (.waitingForBluetooth, .timedOut(.qrCode)): return end(.lostPower, CheckFailure(.bluetooth, .off))
    case (.showingQR, .bluetooth(.off)): return end(.lostPower, CheckFailure(.bluetooth, .off))
    case (.showingQR, .bluetooth(.unsupported)): return end(.noBluetoothSupport, CheckFailure(.bluetooth, .unsupported))
    case (.showingQR, .bluetooth(.permissionDenied)):
      return end(.permissionDenied, CheckFailure(.bluetooth, .permission))
    case (.showingQR(let payload), .heard(let data)): return hear(data, payload)
    case (.showingQR, .timedOut(.qrCode)):
      return end(.noPhone, CheckFailure(.advert, ignored.reason, evidence: ignored.evidence))
    case (.connecting(let handshake), .tunnelOpened):
      phase = .handshakeSent(handshake)
      return [.progress(.phoneConnected), .send(handshake.message)]
    case (.connecting, .tunnelRefused(let status)):
      phase = .finished
      return [
        .record([
          HybridCheck.tunnel.failure(.refused, .field("status", expected: "101", found: "\(status)"))
        ]), .finish(.failure(.transportError)),
      ]
    case (.handshakeSent(let handshake), .received(let message)): return finish(handshake, with: message)
    case (.waitingForOffer(let session), .received(let message)): return take(offer: message, session)
    case (.collectingRequest(let session), .collected(let request)): return send(request, session)
    case (.collectingRequest(let session), .received(let message)), (.requestSent(let session), .received(let message)):
      return take(message, session)
    case (.locallyShutdown, .tunnelClosed):
      phase = .finished
      return []
    case (.locallyShutdown, .timedOut(.shutdown)):
      phase = .finished
      return [.closeTunnel]
    case (.handshakeSent, .tunnelClosed), (.waitingForOffer, .tunnelClosed), (.collectingRequest, .tunnelClosed),
      (.requestSent, .tunnelClosed), (.connecting, .tunnelClosed):
      let state = state
      phase = .finished
      return [
        .record([HybridCheck.tunnel.failure(.closed, .field("state", found: state.rawValue))]),
        .finish(.failure(.transportError)),
      ]
    case (.collectingRequest(let session), .cancelled), (.requestSent(let session), .cancelled):
      return shutDown(session) + [.finish(.failure(.cancelled))]
    case (.locallyShutdown, _), (.finished, _): return []
    case (_, .cancelled): return end(.cancelled, nil)
    default: return []
    }
  }
}

extension ClientPlatformMachine {
  /// Shows the QR code, if Bluetooth can be used.
  private mutating func start(at time: DateTime, _ bluetooth: BluetoothState) -> [Effect] {
    let timer: [Effect] = state == .idle ? [.setTimer(.qrCode)] : []
    switch bluetooth {
    case .unsupported: return end(.noBluetoothSupport, CheckFailure(.bluetooth, .unsupported))
    case .permissionDenied: return end(.permissionDenied, CheckFailure(.bluetooth, .permission))
    case .off:
      phase = .waitingForBluetooth(time)
      return [.progress(.bluetoothIsOff)] + timer
    case .on:
      let payload = conduct.qrPayload(
        QRPayload(
          identityKey: secrets.identityKey.publicKey, secret: secrets.qrSecret, createdAt: time, hint: hint))
      phase = .showingQR(payload)
      return [
        .record([HybridCheck.bluetooth.passed]), .startScanning, .showQRCode(uri: payload.uri), .progress(.showingQR),
      ] + timer
    }
  }

  /// Looks at an advert. One that is not for the QR code is ignored, and so is every repetition of it.
  private mutating func hear(_ data: [UInt8], _ payload: QRPayload) -> [Effect] {
    guard !ignored.contains(data) else { return [] }
    let keys = HybridKeys(secret: payload.secret)
    do throws(HybridError) {
      let advert = try Advert(opening: try AdvertisingData.serviceData(in: data), with: keys.advertKey)
      guard let host = advert.service.host else { return [] }
      let handshake = conduct.handshake(
        payload, identityKey: secrets.identityKey, ephemeralKey: secrets.ephemeralKey,
        preSharedKey: keys.preSharedKey(advert: advert.plaintext))
      phase = .connecting(handshake)
      return [
        .record([HybridCheck.advert.passed.adding(ignored.evidence)]), .stopScanning, .hideQRCode,
        .progress(.heardPhone),
        .connect(TunnelAddress(host: host, end: .connect(routingID: advert.routingID, tunnelID: keys.tunnelID))),
      ]
    } catch {
      ignored.insert(data, error.code)
      return []
    }
  }

  private mutating func finish(_ handshake: any InitiatorHandshake, with reply: [UInt8]) -> [Effect] {
    do throws(HybridError) {
      phase = .waitingForOffer(HybridSession(try handshake.keys(from: reply)))
      return [.record([HybridCheck.tunnel.passed, HybridCheck.handshake.passed])]
    } catch {
      return end(.transportError, error.failure)
    }
  }

  private mutating func take(offer message: [UInt8], _ session: HybridSession) -> [Effect] {
    var session = session
    do throws(HybridError) {
      let offer = try conduct.offer(offer(message, &session)).get()
      guard offer.features.contains(.digitalCredentials) else {
        throw HybridError(
          .featuresIncompatible, "the features lack '\(PostHandshake.Feature.digitalCredentials.rawValue)'",
          evidence: offer.features.map(\.rawValue).joined(separator: ", "))
      }
      phase = .collectingRequest(session)
      return [.record([HybridCheck.features.passed]), .progress(.readyForRequest), .collectRequest]
    } catch {
      let isIncompatible = error.code == .featuresRevision || error.code == .featuresIncompatible
      return end(isIncompatible ? .incompatibleDevice : .transportError, error.failure)
    }
  }

  private mutating func offer(
    _ message: [UInt8], _ session: inout HybridSession
  ) -> Result<PostHandshake, HybridError> {
    do { return .success(try PostHandshake(cbor: try open(message, &session))) } catch { return .failure(error) }
  }

  /// Decrypts a message, and keeps its content until the next event.
  private mutating func open(_ message: [UInt8], _ session: inout HybridSession) throws(HybridError) -> [UInt8] {
    let plaintext = try session.open(message)
    openedContent = plaintext
    return plaintext
  }

  private mutating func send(_ request: CredentialRequestMessage, _ session: HybridSession) -> [Effect] {
    var session = session
    do throws(HybridError) {
      let message = try session.seal(Frame(.json, conduct.request(request).json).plaintext, conduct)
      phase = .requestSent(session)
      return [.send(message)]
    } catch {
      return end(.transportError, error.failure)
    }
  }

  /// Takes a message after the offer: an update at any time, and the response once after the request.
  private mutating func take(_ message: [UInt8], _ session: HybridSession) -> [Effect] {
    var session = session
    let frame: Frame
    do throws(HybridError) {
      frame = try Frame(plaintext: try open(message, &session))
      if frame.kind == .update {
        try frame.requireMap()
        phase = state == .requestSent ? .requestSent(session) : .collectingRequest(session)
        return []
      }
      guard frame.kind == .json, state == .requestSent else {
        throw HybridError(
          .frameOutOfTurn, "a message of type \(frame.kind.rawValue) (\(frame.kind)) in the state \(state.rawValue)")
      }
    } catch {
      return end(.transportError, error.failure)
    }
    let ending = Self.ending(frame.payload)
    return [.record([HybridCheck.frame.passed, ending.result])] + shutDown(session) + [.finish(ending.outcome)]
  }

  private static func ending(_ json: [UInt8]) -> (result: CheckResult, outcome: Outcome) {
    do throws(HybridError) {
      switch try CredentialResponseMessage(json: json) {
      case .credential(let name, let data): return (HybridCheck.response.passed, .response(protocol: name, data: data))
      case .error(let name):
        let (failure, reason): (HybridFailure, HybridCheck.Reason) =
          switch name {
          case .userCanceled: (.userCanceled, .userCanceled)
          case .deviceAborted: (.deviceAborted, .deviceAborted)
          case .noCredential: (.noCredential, .noCredential)
          case .other: (.otherRemote, .other)
          }
        let evidence = [CheckResult.Evidence("error", found: TerminalSafe.text(name.text))]
        return (HybridCheck.response.failure(reason, evidence), .failure(failure))
      }
    } catch {
      return (error.failure.result, .failure(.invalidResponse))
    }
  }

  /// Sends the shutdown message and waits for the phone to close the tunnel. A late response is dropped.
  private mutating func shutDown(_ session: HybridSession) -> [Effect] {
    var session = session
    phase = .locallyShutdown
    guard let message = try? session.seal(Frame(.shutdown).plaintext, conduct) else {
      phase = .finished
      return [.closeTunnel]
    }
    return [.send(message), .setTimer(.shutdown)]
  }

  /// Ends the session: takes the dialog off the screen or closes the tunnel.
  private mutating func end(_ failure: HybridFailure, _ reason: CheckFailure<HybridCheck>?) -> [Effect] {
    var effects: [Effect] = reason.map { [.record([$0.result])] } ?? []
    switch state {
    case .idle, .waitingForBluetooth: break
    case .showingQR: effects += [.stopScanning, .hideQRCode]
    default: effects.append(.closeTunnel)
    }
    phase = .finished
    return effects + [.finish(.failure(failure))]
  }
}
