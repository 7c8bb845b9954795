import Checks
import MobileDocument
import Primitives

/// The mdoc's end of a session, from the engagement on, as a pure machine.
///
/// ```
/// engaged --session establishment: derive keys, decrypt, deliver the request--> requested
///    |                                                                            |    ^
///    +-- 30 s: finished                                send the response          v    | a further request
///                                                      finished <--isLast-- answered --+
///                                                                              |
///                                                                              +--status, closed, or 300 s--> finished
/// ```
///
/// A message that fails a check ends the session with a status. No state allows a response without a request before it.
public struct DeviceSession: Sendable, KeepsSecrets {
  private enum Phase: Sendable {
    case engaged(EphemeralPrivateKey)
    case requested(SessionChannel)
    case answered(SessionChannel)
    case finished
  }

  /// A state of the session.
  public enum State: String, Sendable, CaseIterable {
    case engaged, requested, answered, finished
  }

  /// The engagement and its handover.
  public let opening: SessionOpening
  private var phase: Phase
  private var hasAnswered = false

  /// The transcript of the session; nil before its establishment.
  public private(set) var transcript: SessionTranscript?
  /// The reader's ephemeral key, which a message authentication code needs; nil before the establishment.
  public private(set) var readerKey: EphemeralKey?

  /// Creates the session of an engagement.
  /// - Parameter key: The private key of the engagement. The machine drops it at the establishment or at the end.
  public init(_ opening: SessionOpening, key: EphemeralPrivateKey) {
    self.opening = opening
    phase = .engaged(key)
  }

  /// The state of the session.
  public var state: State {
    switch phase {
    case .engaged: .engaged
    case .requested: .requested
    case .answered: .answered
    case .finished: .finished
    }
  }

  /// The seal of the answer that is due; nil while none is.
  public var answerSeal: AnswerSeal? { if case .requested(let channel) = phase { channel.seal } else { nil } }

  /// The effects of the engagement, before any event.
  public var beginning: [SessionEffect] { [.setTimer(.establishment)] }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: SessionEvent) -> [SessionEffect] {
    switch (phase, event) {
    case (.finished, _): return []
    case (.engaged(let key), .received(let message)): return establish(message, key)
    case (.requested(let channel), .received(let message)), (.answered(let channel), .received(let message)):
      return take(message, channel)
    case (.requested(let channel), .send(let response, let isLast)):
      return answer(isLast, channel) { (channel) throws(ProximityError) in try channel.seal(response) }
    case (.requested(let channel), .sendSealed(let data, let isLast)):
      return answer(isLast, channel) { (channel) throws(ProximityError) in
        try channel.skip()
        return data
      }
    case (.engaged, .send), (.answered, .send), (.engaged, .sendSealed), (.answered, .sendSealed): return []
    case (.engaged, .terminate): return end(.cancelled, sending: nil)
    case (_, .terminate): return end(hasAnswered ? .completed : .cancelled, sending: .termination)
    case (_, .closed):
      return [.record([ProximityCheck.completion.failure(.closed)])]
        + end(hasAnswered ? .unconfirmed : .failed, sending: nil, isClosed: true)
    case (.engaged, .timedOut(.establishment)): return timeOut(sending: nil)
    case (.answered, .timedOut(.idle)): return timeOut(sending: .termination)
    case (_, .timedOut): return []
    }
  }

  /// Takes the first message. Only a key on the own curve and data that decrypts establish the session.
  private mutating func establish(_ message: [UInt8], _ key: EphemeralPrivateKey) -> [SessionEffect] {
    do throws(ProximityError) {
      let establishment = try SessionEstablishment(message)
      let transcript = opening.transcript(readerKeyBytes: establishment.readerKey.bytes)
      let keys = try SessionKeys(own: key, other: establishment.readerKey.value, transcript: transcript)
      var channel = SessionChannel(of: .device, keys)
      let request = try channel.open(establishment.data)
      self.transcript = transcript
      readerKey = establishment.readerKey.value
      phase = .requested(channel)
      return [
        .record([ProximityCheck.establishment.passed, ProximityCheck.encryption.passed]), .deliver(request),
      ]
    } catch {
      return fail(error)
    }
  }

  private mutating func take(_ message: [UInt8], _ channel: SessionChannel) -> [SessionEffect] {
    do throws(ProximityError) {
      let message = try SessionData(message)
      // The reader's data never comes with a status. A status alone uses no counter.
      if let status = message.status { return endByPeer(status) }
      guard state == .answered, let data = message.data else {
        throw ProximityError(.sessionOutOfTurn, "a request while another one is answered", evidence: state.rawValue)
      }
      var channel = channel
      let request = try channel.open(data)
      phase = .requested(channel)
      return [.record([ProximityCheck.encryption.passed]), .deliver(request)]
    } catch {
      return fail(error)
    }
  }

  private mutating func answer(
    _ isLast: Bool, _ channel: SessionChannel,
    sealing seal: (inout SessionChannel) throws(ProximityError) -> [UInt8]
  ) -> [SessionEffect] {
    var channel = channel
    do throws(ProximityError) {
      let data = try seal(&channel)
      hasAnswered = true
      phase = .answered(channel)
      let message = SessionData(data: data, status: isLast ? .termination : nil)
      guard isLast else { return [.send(message.encoded), .setTimer(.idle)] }
      return [.send(message.encoded)] + end(.completed, sending: nil)
    } catch {
      return fail(error)
    }
  }

  private mutating func endByPeer(_ status: SessionStatus) -> [SessionEffect] {
    let finding = status.finding
    let outcome: SessionOutcome = finding != nil ? .failed : hasAnswered ? .completed : .terminatedByPeer
    return [.record([finding ?? ProximityCheck.completion.passed])] + end(outcome, sending: nil)
  }

  private mutating func timeOut(sending status: SessionStatus?) -> [SessionEffect] {
    [.record([ProximityCheck.completion.failure(.time)])] + end(.timedOut, sending: status)
  }

  private mutating func fail(_ error: ProximityError) -> [SessionEffect] {
    [.record([error.failure.result])] + end(.failed, sending: error.status)
  }

  /// Ends the session: takes the request back, sends a status, drops the keys and closes the connection.
  private mutating func end(_ outcome: SessionOutcome, sending status: SessionStatus?, isClosed: Bool = false)
    -> [SessionEffect]
  {
    var effects: [SessionEffect] = state == .requested ? [.withdraw] : []
    phase = .finished
    if let status { effects.append(.send(SessionData(data: nil, status: status).encoded)) }
    return effects + (isClosed ? [] : [.close]) + [.finish(outcome)]
  }
}

extension SessionStatus {
  /// The failure that a status of the peer is; nil for a termination.
  var finding: CheckResult? {
    let reason: ProximityCheck.Reason
    switch self {
    case .termination: return nil
    case .encryptionError: reason = .encryptionError
    case .decodingError: reason = .decodingError
    case .undefined: reason = .undefinedStatus
    }
    return ProximityCheck.completion.failure(reason, .field("status", found: description))
  }
}
