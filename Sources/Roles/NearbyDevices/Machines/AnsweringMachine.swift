import Checks
import Primitives

/// The iPhone's part in presentment's model of a nearby iPhone, as a pure machine: from the invitation to the result.
///
/// ```
/// invited --> notified --tapped--> fetching --raw request--> answering --> result
///                |                     |                         |
///        declined, expired       none in time          refused by the sandbox, cancelled,
///        or withdrawn                                  or no app can answer
/// ```
///
/// In every state, the session also ends if the Mac withdraws it, is switched off, or opens another one.
///
/// From the raw request on everything is the iPhone's own, as for a request of its own browser: its sandbox verifies the
/// reader signatures and parses, its system compares the registrations and shows the selector, and an app gets the raw
/// request after the person agreed in its view. Nothing that the Mac has checked counts.
public struct AnsweringMachine: Sendable {
  /// An invitation with its session and its sender.
  public struct Invited: Sendable, Equatable {
    /// The session.
    public let session: SessionIdentifier
    /// The Mac.
    public let mac: DeviceIdentifier
    /// The invitation.
    public let invitation: Invitation
  }

  private enum State: Sendable {
    case idle
    /// A notification is on the screen.
    case notified(Invited)
    /// The person tapped the notification, and the raw request is awaited.
    case fetching(Invited)
    /// The system has the request: it is parsed, or the selector or an app's view is open.
    case answering(Invited)
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// A Mac's beacon was heard.
    case heard(NearbyAdvert, isUnlocked: Bool)
    /// A Mac sent a message in its session.
    case received(NearbyMessage, session: SessionIdentifier, mac: DeviceIdentifier, at: DateTime)
    /// A frame of a session cannot be opened.
    case channelFailed(SessionIdentifier)
    /// The link to a Mac is lost: it was switched off.
    case linkLost(DeviceIdentifier)
    /// The person tapped the notification.
    case tapped
    /// The person declined the notification.
    case declined
    /// The invitation of a session expires.
    case expired(SessionIdentifier)
    /// The time for the raw request of a session is over.
    case rawRequestLate(SessionIdentifier)
    /// The app responded.
    case responded([UInt8])
    /// The system has no response.
    case ended(NearbyResult.Reason)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Answer a beacon with the iPhone's presence, and open the channel of its session.
    case answer(NearbyAdvert)
    /// Show a notification about an invitation.
    case notify(Invited)
    /// Remove the notification.
    case removeNotification
    /// Keep the raw request, and announce it to the system with the origin of the invitation.
    case announce(Invitation, rawRequest: [UInt8])
    /// Take the request back from the system: the selector or the view closes.
    case dismiss
    /// Send a message to the Mac of a session.
    case send(NearbyMessage, session: SessionIdentifier)
    /// Record the result of a check.
    case record(CheckResult)
  }

  /// The number of sessions whose beacons are remembered: more than Macs that are near in a minute.
  private static let maximumHeard = 16

  private var state = State.idle
  /// The sessions whose beacons were answered, newest last. A beacon that is heard again has no effect.
  private var heard: [SessionIdentifier] = []

  /// Creates a machine without an invitation.
  public init() {}

  /// Indicates whether the iPhone can take an invitation. While it cannot, it does not answer other Macs' beacons.
  public var isIdle: Bool { if case .idle = state { true } else { false } }

  /// The invitation in progress.
  public var invited: Invited? {
    switch state {
    case .idle: nil
    case .notified(let invited), .fetching(let invited), .answering(let invited): invited
    }
  }

  /// Returns the effects of an event. An event of another session, or one that does not fit the state, is late and has
  /// no effect, except that an unexpected message of the session's Mac is recorded.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (_, .heard(let beacon, let isUnlocked)): return hear(beacon, isUnlocked: isUnlocked)
    case (.idle, .received(.invitation(let invitation), let session, let mac, let now)):
      do throws(NearbyFailure) {
        try invitation.check(at: now)
      } catch {
        return [.record(error.result), .send(.result(.ended(.invalidRequest)), session: session)]
      }
      let invited = Invited(session: session, mac: mac, invitation: invitation)
      state = .notified(invited)
      return [.record(NearbyCheck.invitation.passed), .notify(invited)]
    case (_, .received(.invitation, let session, _, _)) where session != invited?.session:
      // Another Mac was faster.
      return [.send(.result(.ended(.declined)), session: session)]
    case (_, .received(let message, let session, _, _)):
      guard let invited = invited, session == invited.session else { return [] }
      return receive(message, in: invited)
    case (_, .channelFailed(let session)):
      // The Mac waits for an answer even if its invitation is the frame that cannot be opened.
      let end = Effect.send(.result(.ended(.invalidRequest)), session: session)
      guard let invited, session == invited.session else { return [end] }
      return close() + [end]
    case (_, .linkLost(let mac)):
      guard let invited, mac == invited.mac else { return [] }
      return close()

    case (.notified(let invited), .tapped):
      state = .fetching(invited)
      return [.removeNotification, .send(.accept, session: invited.session)]
    case (.notified(let invited), .declined): return finish(invited, .declined)
    case (.notified(let invited), .expired(let session)) where session == invited.session:
      return finish(invited, .timeout)

    case (.fetching(let invited), .rawRequestLate(let session)) where session == invited.session:
      return close() + [.send(.result(.ended(.failed)), session: session)]
    case (.answering(let invited), .responded(let response)):
      state = .idle
      return [.send(.result(.response(response)), session: invited.session)]
    case (.answering(let invited), .ended(let reason)):
      state = .idle
      return [.send(.result(.ended(reason)), session: invited.session)]

    case (_, .tapped), (_, .declined), (_, .expired), (_, .rawRequestLate), (_, .responded), (_, .ended): return []
    }
  }

  /// Answers a new beacon. While an invitation of another Mac is in progress, or before the iPhone is unlocked, it does
  /// not. A Mac has one session at a time, so its new beacon ends its earlier session.
  private mutating func hear(_ beacon: NearbyAdvert, isUnlocked: Bool) -> [Effect] {
    guard beacon.kind == .beacon, !heard.contains(beacon.session) else { return [] }
    guard isUnlocked else { return [.record(NearbyFailure(.unlocked).result)] }
    var ending: [Effect] = []
    if let invited {
      guard invited.mac == beacon.device, invited.session != beacon.session else { return [] }
      ending = close() + [.send(.result(.ended(.failed)), session: invited.session)]
    }
    heard = Array((heard + [beacon.session]).suffix(Self.maximumHeard))
    return ending + [.record(NearbyCheck.account.passed), .record(NearbyCheck.unlocked.passed), .answer(beacon)]
  }

  /// Receives a message of the session's Mac.
  private mutating func receive(_ message: NearbyMessage, in invited: Invited) -> [Effect] {
    switch (state, message) {
    case (_, .withdraw): return close()
    case (.fetching, .rawRequest(let request)):
      state = .answering(invited)
      return [.announce(invited.invitation, rawRequest: request)]
    default: return [.record(NearbyFailure(.message, .unexpected).result)]
    }
  }

  /// Ends the session without a message to the Mac.
  private mutating func close() -> [Effect] {
    defer { state = .idle }
    return switch state {
    case .idle, .fetching: []
    case .notified: [.removeNotification]
    case .answering: [.dismiss]
    }
  }

  private mutating func finish(_ invited: Invited, _ reason: NearbyResult.Reason) -> [Effect] {
    state = .idle
    return [.removeNotification, .send(.result(.ended(reason)), session: invited.session)]
  }
}
