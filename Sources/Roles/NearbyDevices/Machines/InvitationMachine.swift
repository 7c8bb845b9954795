import Checks
import Primitives

/// The Mac's part in presentment's model of a nearby iPhone, as a pure machine: from the announcement of a browser's
/// request to its end, or to the QR code.
///
/// ```
/// requested --> searching --an iPhone is near--> inviting --accept--> answering --response--> browser
///                   |                               |                     |
///               none is near                   all decline, or      cancelled, invalid,
///                   |                          cannot answer        or the channel fails
///                   v                               v
///                QR code  <----the person asks---- choosing             the page aborts: every iPhone is withdrawn
/// ```
///
/// The raw request goes to one iPhone only, once, and after the person tapped the notification there.
public struct InvitationMachine: Sendable {
  /// A request that the browser announced.
  public struct Request: Sendable, Equatable {
    /// The browser's number of the call.
    public let call: Int
    /// The invitation for iPhones.
    public let invitation: Invitation

    /// Creates a request.
    public init(call: Int, invitation: Invitation) {
      self.call = call
      self.invitation = invitation
    }
  }

  /// A request in progress, with its iPhones.
  private struct Session: Sendable {
    let request: Request
    /// The iPhones with an open invitation, in the order in which they were found.
    var invited: [DeviceIdentifier] = []
    var isSearching = true
    /// The newest reason for which an iPhone does not answer.
    var reason: PromptReason?
  }

  private enum State: Sendable {
    case idle
    /// Beacons are out, or iPhones are invited.
    case inviting(Session)
    /// An iPhone accepted first, and gets the raw request.
    case answering(Session, DeviceIdentifier, isSent: Bool)
    /// No iPhone answers, and the person chooses between the QR code and the end.
    case choosing(Session)
  }

  /// The reason for which the Mac offers only the QR code.
  public enum PromptReason: String, Sendable, CaseIterable {
    /// The person declined on the iPhone.
    case declined
    /// No app on the iPhone can answer.
    case noDocument = "no-document"
  }

  /// The reason for which the Mac continues with a QR code.
  public enum QRCodeReason: String, Sendable, CaseIterable {
    /// The request's protocol is not offered to an iPhone.
    case `protocol`
    /// No iPhone of the account is near.
    case noneNear = "none-near"
    /// The person asked for it.
    case chosen
  }

  /// The reason for which the browser does not get a response.
  public enum Failure: String, Sendable, Equatable, CaseIterable {
    /// Another request is in progress, on the Mac or on the iPhone.
    case requestInProgress = "request-in-progress"
    /// The person cancelled, on the Mac or on the iPhone.
    case cancelled
    /// No iPhone accepted before the invitation expired.
    case timeout
    /// The iPhone refused the request.
    case invalidRequest = "invalid-request"
    /// The app on the iPhone could not respond.
    case failed
    /// The channel to the iPhone failed.
    case channel
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The browser announced a request.
    case requested(Request)
    /// An iPhone of the account answered the beacon.
    case found(DeviceIdentifier)
    /// The time for answers to the beacon is over.
    case searchEnded(call: Int)
    /// An iPhone sent a message.
    case received(NearbyMessage, from: DeviceIdentifier)
    /// A frame of an iPhone cannot be opened.
    case channelFailed(DeviceIdentifier)
    /// The link to an iPhone is lost: it was switched off.
    case linkLost(DeviceIdentifier)
    /// The browser handed over the raw request of a call.
    case collected(call: Int, rawRequest: [UInt8])
    /// The invitation expires.
    case expired(call: Int)
    /// The person asks for the QR code.
    case qrCodeChosen
    /// The person cancels on the Mac.
    case cancelled
    /// The browser takes its request back.
    case dismissed(call: Int)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Broadcast a beacon for the request of a call.
    case search(call: Int)
    /// Send a message to an iPhone.
    case send(NearbyMessage, to: DeviceIdentifier)
    /// Show that the person continues on one of these iPhones. The QR code is the other way.
    case showInvited([DeviceIdentifier])
    /// Show that the person continues on this iPhone.
    case showAccepted(DeviceIdentifier)
    /// Show that no iPhone answers. The QR code is the other way.
    case showChoice(PromptReason)
    /// Close what is on the screen.
    case close
    /// Collect the raw request of a call from the browser.
    case collectRequest(call: Int)
    /// Continue with a QR code. The machine has no part in it.
    case continueWithQRCode(call: Int, QRCodeReason)
    /// Give the response to the browser.
    case reply(call: Int, response: [UInt8])
    /// Report to the browser that the request failed.
    case fail(call: Int, Failure)
    /// Record the result of a check.
    case record(CheckResult)
  }

  private var state = State.idle

  /// Creates a machine without a request.
  public init() {}

  /// Indicates whether no request is in progress.
  public var isIdle: Bool { if case .idle = state { true } else { false } }

  /// The call in progress.
  public var call: Int? {
    switch state {
    case .idle: nil
    case .inviting(let session), .choosing(let session), .answering(let session, _, _): session.request.call
    }
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect, except that a
  /// message of an iPhone in the session is recorded as unexpected.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (.idle, .requested(let request)):
      // An iPhone answers requests for mobile documents only.
      guard request.invitation.protocol.isExactly(Invitation.protocolIdentifier) else {
        return [.continueWithQRCode(call: request.call, .protocol)]
      }
      state = .inviting(Session(request: request))
      return [.search(call: request.call)]
    case (_, .requested(let request)):
      return request.call == call ? [] : [.fail(call: request.call, .requestInProgress)]
    case (.idle, _): return []
    case (_, .dismissed(let call)): return call == self.call ? end([]) : []
    case (_, .cancelled): return end([failure(.cancelled)])

    case (.inviting(let session), _): return receive(event, in: session)
    case (.answering(let session, let phone, let isSent), _):
      return receive(event, from: phone, in: session, isSent: isSent)
    case (.choosing(let session), .qrCodeChosen): return end([.continueWithQRCode(call: session.request.call, .chosen)])
    case (.choosing, _): return []
    }
  }

  /// Receives an event while iPhones are searched or invited.
  private mutating func receive(_ event: Event, in session: Session) -> [Effect] {
    var session = session
    let call = session.request.call
    switch event {
    case .found(let phone) where session.isSearching && !session.invited.contains(phone):
      session.invited.append(phone)
      state = .inviting(session)
      return [.send(.invitation(session.request.invitation), to: phone), .showInvited(session.invited)]
    case .searchEnded(call):
      session.isSearching = false
      state = .inviting(session)
      return session.invited.isEmpty ? withoutPhones(session) : []
    case .expired(call): return end([failure(.timeout)])
    case .qrCodeChosen: return end([.continueWithQRCode(call: call, .chosen)])
    case .channelFailed(let phone) where session.invited.contains(phone):
      return [.send(.withdraw, to: phone)] + leave(phone, nil, in: session)
    case .linkLost(let phone) where session.invited.contains(phone): return leave(phone, nil, in: session)
    case .received(let message, let phone) where session.invited.contains(phone):
      switch message {
      case .accept:
        let others = session.invited.filter { $0 != phone }
        session.invited = [phone]
        session.isSearching = false
        state = .answering(session, phone, isSent: false)
        return others.map { .send(.withdraw, to: $0) } + [.showAccepted(phone), .collectRequest(call: call)]
      case .result(.ended(.declined)): return leave(phone, .declined, in: session)
      case .result(.ended(.noDocument)): return leave(phone, .noDocument, in: session)
      case .result(.ended(.timeout)):
        return session.invited == [phone] ? end([failure(.timeout)], except: phone) : leave(phone, nil, in: session)
      case .result(.ended): return leave(phone, nil, in: session)
      case .invitation, .rawRequest, .result(.response), .withdraw: return [Self.unexpected]
      }
    default: return []
    }
  }

  /// Receives an event after an iPhone accepted.
  private mutating func receive(
    _ event: Event, from phone: DeviceIdentifier, in session: Session, isSent: Bool
  ) -> [Effect] {
    let call = session.request.call
    switch event {
    case .qrCodeChosen: return end([.continueWithQRCode(call: call, .chosen)])
    case .channelFailed(phone): return end([failure(.channel)])
    case .linkLost(phone): return end([failure(.channel)], except: phone)
    case .collected(call, let rawRequest) where !isSent:
      state = .answering(session, phone, isSent: true)
      return [.send(.rawRequest(rawRequest), to: phone)]
    case .received(let message, from: phone):
      switch message {
      case .result(.response(let response)) where isSent:
        return end([.reply(call: call, response: response)], except: phone)
      case .result(.ended(let reason)):
        switch reason {
        case .cancelled, .declined: return end([failure(.cancelled)], except: phone)
        case .timeout: return end([failure(.timeout)], except: phone)
        case .invalidRequest: return end([failure(.invalidRequest)], except: phone)
        case .requestInProgress: return end([failure(.requestInProgress)], except: phone)
        case .failed: return end([failure(.failed)], except: phone)
        case .noDocument: return leave(phone, .noDocument, in: session)
        }
      case .invitation, .accept, .rawRequest, .result(.response), .withdraw: return [Self.unexpected]
      }
    default: return []
    }
  }

  /// Takes an iPhone out of the session.
  private mutating func leave(_ phone: DeviceIdentifier, _ reason: PromptReason?, in session: Session) -> [Effect] {
    var session = session
    session.invited.removeAll { $0 == phone }
    session.reason = reason ?? session.reason
    state = .inviting(session)
    guard session.invited.isEmpty else { return [.showInvited(session.invited)] }
    return session.isSearching ? [] : withoutPhones(session)
  }

  /// Offers the QR code after the last iPhone. If the person has not declined anywhere, it opens at once.
  private mutating func withoutPhones(_ session: Session) -> [Effect] {
    guard let reason = session.reason else { return end([.continueWithQRCode(call: session.request.call, .noneNear)]) }
    state = .choosing(session)
    return [.showChoice(reason)]
  }

  /// Ends the session: withdraws the iPhones, closes the screen, and adds the effects.
  private mutating func end(_ effects: [Effect], except phone: DeviceIdentifier? = nil) -> [Effect] {
    var ending: [Effect] = []
    switch state {
    case .inviting(let session), .answering(let session, _, _):
      ending = session.invited.filter { $0 != phone }.map { .send(.withdraw, to: $0) }
    case .idle, .choosing: break
    }
    state = .idle
    return ending + [.close] + effects
  }

  private func failure(_ failure: Failure) -> Effect { .fail(call: call ?? 0, failure) }

  private static let unexpected = Effect.record(NearbyFailure(.message, .unexpected).result)
}
