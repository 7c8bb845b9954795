import Checks
import MobileDocument
import Primitives

/// The reader's end of a session, from the received engagement on, as a pure machine.
///
/// ```
/// ready --send the first request: session establishment--> waiting --response: decrypt, deliver--> responded
///                                                            |   ^                                   |    |
///                      status, closed or 300 s: finished <---+   +----- a further request -----------+    |
///                                                                       finished <-- terminate: status ---+
/// ```
///
/// The reader answers every response with a further request or a status. A message that fails a check ends the session
/// with a status.
public struct ReaderSession: Sendable, KeepsSecrets {
  private enum Phase: Sendable {
    case ready(SessionChannel)
    case waiting(SessionChannel)
    case responded(SessionChannel)
    case finished
  }

  /// A state of the session.
  public enum State: String, Sendable, CaseIterable {
    case ready, waiting, responded, finished
  }

  /// The transcript of the session.
  public let transcript: SessionTranscript
  private let readerKeyBytes: [UInt8]
  private var phase: Phase
  private var hasResponse = false

  /// Creates the session of a received engagement.
  /// - Parameter key: A fresh key on the curve of the mdoc's. The mdoc's message authentication code needs it later.
  /// - Throws: ``ProximityError`` with `sessionCurve`.
  public init(_ opening: SessionOpening, key: EphemeralPrivateKey) throws(ProximityError) {
    readerKeyBytes = key.taggedPublicKey
    transcript = opening.transcript(readerKeyBytes: readerKeyBytes)
    let keys = try SessionKeys(own: key, other: opening.engagement.deviceKey.value, transcript: transcript)
    phase = .ready(SessionChannel(of: .reader, keys))
  }

  /// The state of the session.
  public var state: State {
    switch phase {
    case .ready: .ready
    case .waiting: .waiting
    case .responded: .responded
    case .finished: .finished
    }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: SessionEvent) -> [SessionEffect] {
    switch (phase, event) {
    case (.finished, _): return []
    case (.ready(let channel), .send(let request, _)): return ask(request, channel, isFirst: true)
    case (.responded(let channel), .send(let request, _)): return ask(request, channel, isFirst: false)
    case (.waiting, .send), (_, .sendSealed): return []
    case (.waiting(let channel), .received(let message)): return take(message, channel)
    case (.ready, .received), (.responded, .received): return takeStatus(event)
    case (.ready, .terminate): return end(.cancelled, sending: nil)
    case (_, .terminate): return end(hasResponse ? .completed : .cancelled, sending: .termination)
    case (_, .closed):
      return [.record([ProximityCheck.completion.failure(.closed)])]
        + end(hasResponse ? .unconfirmed : .failed, sending: nil, isClosed: true)
    case (.waiting, .timedOut(.idle)):
      return [.record([ProximityCheck.completion.failure(.time)])] + end(.timedOut, sending: .termination)
    case (_, .timedOut): return []
    }
  }

  private mutating func ask(_ request: [UInt8], _ channel: SessionChannel, isFirst: Bool) -> [SessionEffect] {
    var channel = channel
    do throws(ProximityError) {
      let data = try channel.seal(request)
      phase = .waiting(channel)
      let message =
        isFirst
        ? SessionEstablishment.encoded(readerKeyBytes: readerKeyBytes, data: data)
        : SessionData(data: data, status: nil).encoded
      return [.send(message), .setTimer(.idle)]
    } catch {
      return fail(error)
    }
  }

  /// Takes a response, a status, or both. Data is delivered before the status beside it ends the session.
  private mutating func take(_ bytes: [UInt8], _ channel: SessionChannel) -> [SessionEffect] {
    do throws(ProximityError) {
      let message = try SessionData(bytes)
      // Beside an error the standard has no data.
      guard let data = message.data, message.status == nil || message.status == .termination else {
        return endByPeer(message.status ?? .termination)
      }
      var channel = channel
      let response = try channel.open(data)
      hasResponse = true
      phase = .responded(channel)
      let delivered: [SessionEffect] = [.record([ProximityCheck.encryption.passed]), .deliver(response)]
      return delivered + (message.status.map { endByPeer($0) } ?? [])
    } catch {
      return fail(error)
    }
  }

  /// Takes a message when no response is due. Only a status is expected.
  private mutating func takeStatus(_ event: SessionEvent) -> [SessionEffect] {
    guard case .received(let bytes) = event else { return [] }
    do throws(ProximityError) {
      let message = try SessionData(bytes)
      guard message.data == nil, let status = message.status else {
        throw ProximityError(.sessionOutOfTurn, "data without a request before it", evidence: state.rawValue)
      }
      return endByPeer(status)
    } catch {
      return fail(error)
    }
  }

  private mutating func endByPeer(_ status: SessionStatus) -> [SessionEffect] {
    let finding = status.finding
    let outcome: SessionOutcome = finding != nil ? .failed : hasResponse ? .completed : .terminatedByPeer
    return [.record([finding ?? ProximityCheck.completion.passed])] + end(outcome, sending: nil)
  }

  private mutating func fail(_ error: ProximityError) -> [SessionEffect] {
    [.record([error.failure.result])] + end(.failed, sending: error.status)
  }

  /// Ends the session: sends a status, drops the keys and closes the connection.
  private mutating func end(_ outcome: SessionOutcome, sending status: SessionStatus?, isClosed: Bool = false)
    -> [SessionEffect]
  {
    // Without the session establishment message the mdoc does not know of a session.
    let isKnown = state != .ready
    phase = .finished
    let sent: [SessionEffect] =
      isKnown ? (status.map { [.send(SessionData(data: nil, status: $0).encoded)] } ?? []) : []
    return sent + (isClosed ? [] : [.close]) + [.finish(outcome)]
  }
}
