import Flaws
import Synchronization
import WebPresentment

/// A mistake that the apps or the servers of a world make from some step of a scenario on: they sign and seal with their
/// real keys, and something else than they should.
public enum PlannedMistake: Sendable, Equatable {
  /// Apps make the transcript so, for signing and for sealing.
  case appTranscript(TranscriptMistake)
  /// Apps sign over such a transcript, and seal for the right one.
  case appSignsTranscript(TranscriptMistake)
  /// Apps sign so around the transcript.
  case appSigns(DeviceAuthenticationMistake)
  /// Apps seal for such a transcript, and sign over the right one.
  case appSealsTranscript(TranscriptMistake)
  /// Apps seal so.
  case appSeals(SealingMistake)
  /// Servers sign over such a transcript for their readers.
  case websiteSignsTranscript(TranscriptMistake)
  /// Servers sign so around the transcript.
  case websiteSigns(ReaderAuthenticationMistake)
  /// Servers keep their origin with a slash at the end, and verify answers for that.
  case websiteKeepsSlash
  /// Apps get every document that they answer with anew, from an issuing authority that issues it so.
  case document(DocumentFlaw)
  /// Apps answer so.
  case answer(AnswerFlaw)

  /// What is done wrong, in words.
  var sentence: String {
    switch self {
    case .appTranscript(let mistake): "apps make the session transcript with a mistake: \(mistake.sentence)"
    case .appSignsTranscript(let mistake): "apps sign with a mistake: \(mistake.sentence)"
    case .appSigns(let mistake): "apps sign with a mistake: \(mistake.sentence)"
    case .appSealsTranscript(let mistake): "apps seal with a mistake: \(mistake.sentence)"
    case .appSeals(let mistake): "apps seal with a mistake: \(mistake.sentence)"
    case .websiteSignsTranscript(let mistake): "websites sign with a mistake: \(mistake.sentence)"
    case .websiteSigns(let mistake): "websites sign with a mistake: \(mistake.sentence)"
    case .websiteKeepsSlash: "websites keep their origin with one \"/\" too many at its end"
    case .document(let flaw): "issuing authorities err: \(flaw.sentence)"
    case .answer(let flaw): "apps err or cheat: \(flaw.sentence)"
    }
  }
}

/// The mistakes that are made in a world now. Those of different kinds are made together.
final class PlannedMistakes: Sendable {
  private struct State {
    var answer = AnswerMistakes()
    var request = RequestMistakes()
    var keepsSlash = false
    var documentFlaw: DocumentFlaw?
    var answerFlaw: AnswerFlaw?
  }

  private let state = Mutex(State())
  private let websites: [WorldDescription.Website]

  /// No mistakes yet, in a world with these websites.
  init(websites: [WorldDescription.Website]) { self.websites = websites }

  /// What apps do wrong.
  var answer: AnswerMistakes { state.withLock { $0.answer } }
  /// What is wrong with the documents that apps answer with.
  var documentFlaw: DocumentFlaw? { state.withLock { $0.documentFlaw } }
  /// What is wrong with the answers of apps.
  var answerFlaw: AnswerFlaw? { state.withLock { $0.answerFlaw } }
  /// Whether servers keep their origin with a slash at the end.
  var keepsSlash: Bool { state.withLock { $0.keepsSlash } }
  /// What servers do wrong when their readers sign.
  var request: RequestMistakes { state.withLock { $0.request } }

  func add(_ mistake: PlannedMistake) {
    state.withLock { state in
      switch mistake {
      case .appTranscript(let mistake):
        state.answer.signedTranscript = mistake
        state.answer.sealedTranscript = mistake
      case .appSignsTranscript(let mistake): state.answer.signedTranscript = mistake
      case .appSigns(let mistake): state.answer.authentication = mistake
      case .appSealsTranscript(let mistake): state.answer.sealedTranscript = mistake
      case .appSeals(let mistake): state.answer.sealing = mistake
      case .websiteSignsTranscript(let mistake): state.request.transcript = mistake
      case .websiteSigns(let mistake): state.request.authentication = mistake
      case .websiteKeepsSlash: state.keepsSlash = true
      case .document(let flaw): state.documentFlaw = flaw
      case .answer(let flaw): state.answerFlaw = flaw
      }
    }
  }

  /// Takes over what was planned in the world before this one.
  func take(over other: PlannedMistakes) {
    let planned = other.state.withLock { $0 }
    state.withLock { $0 = planned }
  }

  /// What a wallet may take for the origin of a page.
  func surroundings(of origin: String) -> TranscriptInputs.Surroundings {
    websites.first { $0.origin.serialized == origin }?.surroundings ?? TranscriptInputs.Surroundings()
  }
}
