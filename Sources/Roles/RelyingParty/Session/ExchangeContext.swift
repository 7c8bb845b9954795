import MobileDocument
import WebPresentment

/// A verifier server's knowledge besides the session of a response. It serves to explain a failure.
public struct ExchangeContext: Sendable {
  /// Other origins and addresses of the page.
  public let surroundings: TranscriptInputs.Surroundings
  private let otherSessions: @Sendable () -> [VerifierSession]

  /// Creates a context.
  /// - Parameter otherSessions: Other sessions of the server, newest first; called only when something fails.
  public init(
    surroundings: TranscriptInputs.Surroundings = TranscriptInputs.Surroundings(),
    otherSessions: @escaping @Sendable () -> [VerifierSession] = { [] }
  ) {
    self.surroundings = surroundings
    self.otherSessions = otherSessions
  }

  func others(than session: VerifierSession) -> [VerifierSession] {
    Array(
      otherSessions().filter { $0.identifier != session.identifier }.prefix(TranscriptExplainer.maximumOtherSessions))
  }
}

extension VerifierSession {
  /// Explains signatures over another transcript than this session's.
  package func explainer(context: ExchangeContext) -> TranscriptExplainer {
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
