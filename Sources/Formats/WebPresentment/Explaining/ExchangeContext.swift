import MobileDocument

/// What a verifier's server knows besides the session that an answer is for: needed only to explain a failure.
public struct ExchangeContext: Sendable {
  /// Other origins and addresses of the page.
  public let surroundings: TranscriptInputs.Surroundings
  private let otherSessions: @Sendable () -> [VerifierSession]

  /// Most other sessions whose transcripts and keys are tried, the newest first: two attempts each.
  public static let maximumOtherSessions = 16

  /// A context from its parts.
  /// - Parameter otherSessions: other sessions of the server, newest first; asked for only when something fails.
  public init(
    surroundings: TranscriptInputs.Surroundings = TranscriptInputs.Surroundings(),
    otherSessions: @escaping @Sendable () -> [VerifierSession] = { [] }
  ) {
    self.surroundings = surroundings
    self.otherSessions = otherSessions
  }

  func others(than session: VerifierSession) -> [VerifierSession] {
    Array(otherSessions().filter { $0.identifier != session.identifier }.prefix(Self.maximumOtherSessions))
  }
}

extension VerifierSession {
  /// What explains signatures over another transcript than this session's.
  public func explainer(context: ExchangeContext) -> TranscriptExplainer {
    let session = self
    return TranscriptExplainer(
      session.transcriptInputs(surroundings: context.surroundings, others: context.others(than: session)))
  }

  func transcriptInputs(
    surroundings: TranscriptInputs.Surroundings, others: [VerifierSession]
  ) -> TranscriptInputs {
    TranscriptInputs(
      encryptionInfoText: encryptionInfoText, origin: origin, surroundings: surroundings,
      otherSessions: others.map {
        TranscriptInputs.OtherSession(
          identifier: $0.identifier, encryptionInfoText: $0.encryptionInfoText, origin: $0.origin)
      })
  }
}
