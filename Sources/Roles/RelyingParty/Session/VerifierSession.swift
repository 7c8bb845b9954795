import MobileDocument
import OpenID4VP
import Primitives
import TranscriptDiagnosis

/// The state that a server keeps for one call of a page until its answer: its origin, and its request in each protocol that
/// the page asks in. A session accepts one answer, to one of the requests.
///
/// ```
/// requests --data--> page                      the secrets stay in the session
/// page --answer--> VerificationMachine         which has the session marked as used, then decrypts and verifies
/// ```
public struct VerifierSession: Sendable {
  /// The identifier that the page returns with its answer; not a secret.
  public let identifier: String
  /// The serialized origin of the website.
  public let origin: String
  /// The requests in the order of the page's call, each in a protocol of its own.
  public let requests: [SessionRequest]
  /// The time from which answers are too late.
  public let expires: DateTime
  /// True if the session has had its answer.
  public let isUsed: Bool

  /// Begins a session, or restores one from a store.
  /// - Parameters:
  ///   - identifier: Random text that no other session has.
  ///   - origin: The origin of the page, as the browser writes it.
  ///   - requests: The requests in the order of the page's call, each in a protocol of its own.
  ///   - expires: The time from which answers are too late.
  ///   - isUsed: True if the session has had its answer.
  public init(identifier: String, origin: String, requests: [SessionRequest], expires: DateTime, isUsed: Bool = false) {
    self.identifier = identifier
    self.origin = origin
    self.requests = requests
    self.expires = expires
    self.isUsed = isUsed
  }

  /// The request with annex C; nil if the session has none.
  public var annexC: AnnexCSession? {
    for case .annexC(let request) in requests { return request }
    return nil
  }

  /// The requests with OpenID4VP.
  public var openID4VP: [OpenID4VPSession] {
    requests.compactMap { if case .openID4VP(let request) = $0 { request } else { nil } }
  }

  /// The content of the requests, in the terms of a request for mobile documents, for ``RetentionPromise``.
  public var documents: [ItemsRequest] {
    if requests.count == 1, let annexC { return annexC.documents }
    return requests.flatMap { request in
      switch request {
      case .annexC(let asked): asked.documents
      case .openID4VP(let asked): asked.query.credentials.flatMap(\.items)
      }
    }
  }

  /// Returns the request that an answer's protocol names; nil for a protocol that the session did not ask in.
  /// - Parameter identifier: The protocol, also as drafts name it.
  public func request(in identifier: String) -> SessionRequest? {
    requests.first { $0.protocol.isExactly(identifier) }
      ?? requests.first { $0.draftProtocols.contains { $0.isExactly(identifier) } }
  }

  /// The session with another origin.
  package func with(origin: String) -> VerifierSession {
    VerifierSession(identifier: identifier, origin: origin, requests: requests, expires: expires, isUsed: isUsed)
  }
}

/// A verifier server's knowledge besides the session of a response. It serves to explain a failure.
public struct ExchangeContext: Sendable {
  /// Other origins and addresses of the page.
  public let surroundings: TranscriptInputs.Surroundings
  private let otherSessions: @Sendable () -> [VerifierSession]
  /// Other sessions of an app's server, newest first.
  let otherInAppSessions: @Sendable () -> [InAppSession]

  /// Creates a context.
  /// - Parameters:
  ///   - surroundings: Other origins and addresses of the page.
  ///   - otherSessions: Other sessions of the server, newest first; called only when something fails.
  ///   - otherInAppSessions: The same of an app's server.
  public init(
    surroundings: TranscriptInputs.Surroundings = TranscriptInputs.Surroundings(),
    otherSessions: @escaping @Sendable () -> [VerifierSession] = { [] },
    otherInAppSessions: @escaping @Sendable () -> [InAppSession] = { [] }
  ) {
    self.surroundings = surroundings
    self.otherSessions = otherSessions
    self.otherInAppSessions = otherInAppSessions
  }

  func others(than session: VerifierSession) -> [VerifierSession] {
    Array(
      otherSessions().filter { $0.identifier != session.identifier }.prefix(TranscriptExplainer.maximumOtherSessions))
  }
}

extension AnnexCSession {
  /// Explains signatures over another transcript than this request's.
  func explainer(in session: VerifierSession, context: ExchangeContext) -> TranscriptExplainer {
    TranscriptExplainer(
      transcriptInputs(in: session, surroundings: context.surroundings, others: context.others(than: session)))
  }

  func transcriptInputs(
    in session: VerifierSession, surroundings: TranscriptInputs.Surroundings, others: [VerifierSession]
  ) -> TranscriptInputs {
    TranscriptInputs(
      encryptionInfoText: encryptionInfoText, origin: session.origin, surroundings: surroundings,
      otherSessions: others.compactMap { other in
        other.annexC.map {
          TranscriptInputs.OtherSession(
            identifier: other.identifier, encryptionInfoText: $0.encryptionInfoText, origin: other.origin)
        }
      }, openID4VP: session.openID4VP.map { $0.transcriptInputs(origin: session.origin) })
  }
}

extension OpenID4VPSession {
  /// Explains signatures over another transcript than this request's.
  func explainer(in session: VerifierSession, context: ExchangeContext) -> TranscriptExplainer {
    TranscriptExplainer(openID4VP: transcriptInputs(in: session, context: context))
  }

  /// The inputs of the transcript.
  func transcriptInputs(origin: String) -> OpenID4VPTranscriptInputs {
    var inputs = OpenID4VPTranscriptInputs(origin: origin, nonce: nonce, thumbprint: encryption?.key.thumbprint)
    inputs.clientIDs = clientIDs.map(\.text)
    return inputs
  }

  private func transcriptInputs(in session: VerifierSession, context: ExchangeContext) -> OpenID4VPTranscriptInputs {
    var inputs = transcriptInputs(origin: session.origin)
    inputs.encryptionInfoText = session.annexC?.encryptionInfoText
    inputs.surroundings = context.surroundings
    let entries = session.openID4VP.filter { $0.kind != kind }.map { ($0.kind.rawValue, session.origin, $0) }
    let sessions = context.others(than: session).flatMap { other in
      other.openID4VP.map { (other.identifier, other.origin, $0) }
    }
    inputs.others = (entries + sessions).map { name, origin, other in
      OpenID4VPTranscriptInputs.Other(
        name: name, origin: origin, nonce: other.nonce, thumbprint: other.encryption?.key.thumbprint)
    }
    return inputs
  }
}
