import Foundation
import JSON
import OwnServers

/// One person's visit to the server under test: a client with cookies of its own, and a session.
@dynamicMemberLookup
struct TargetSession: Sendable {
  private let client: any HTTPCaller
  private var session: ServerSession

  /// A visit of a person whom the server does not know.
  /// - Parameter client: A client without cookies.
  init(_ target: VerifierTarget, _ client: any HTTPCaller) {
    session = ServerSession(target)
    self.client = client
  }

  /// A property of the session.
  subscript<Value>(dynamicMember property: KeyPath<ServerSession, Value>) -> Value { session[keyPath: property] }

  /// Begins a session, and finds the request.
  mutating func begin() throws(HTTPFailure) { try session.begin(with: try client.send(session.beginCall)) }

  /// Hands in a credential.
  ///
  /// - Parameter credential: The result of `navigator.credentials.get`.
  func submit(_ credential: JSONValue) throws(HTTPFailure) -> HTTPAnswer {
    try client.send(session.submitCall(credential))
  }

  /// Hands in other bytes in place of a credential with its values.
  func submit(bytes: [UInt8]) throws(HTTPFailure) -> HTTPAnswer { try client.send(session.submitCall(bytes: bytes)) }

  /// The body with a credential.
  func body(_ credential: JSONValue) -> JSONValue { session.body(credential) }

  /// Asks for the person's view of the session; nil if the target does not say how.
  ///
  /// - Parameter isAwaited: Waits until it looks as after acceptance, as long as the target says.
  func shown(isAwaited: Bool) throws(HTTPFailure) -> (answer: HTTPAnswer, isVerified: Bool)? {
    guard let shown = session.target.shown, let call = session.shownCall else { return nil }
    let end = ContinuousClock.now + (isAwaited ? shown.within : .zero)
    while true {
      let answer = try client.send(call)
      if shown.verified.matches(answer) { return (answer, true) }
      if ContinuousClock.now >= end { return (answer, false) }
      Thread.sleep(forTimeInterval: Self.pollInterval)
    }
  }

  private static let pollInterval = 0.1

  /// The visit of a person whose calls have another origin in their header `Origin` than the target's.
  func claiming(_ origin: String) -> TargetSession {
    var session = self
    session.session.claimedOrigin = origin
    return session
  }

  /// The session with the values of another one, and its own cookies.
  func with(valuesOf other: ServerSession) -> TargetSession {
    var session = self
    session.session = self.session.with(valuesOf: other)
    return session
  }
}
