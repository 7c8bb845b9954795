import Checks
import Ecosystem
import MobileDocument
import WebPresentment

/// Reads the mistakes that apps and websites make.
extension StepReader {
  /// Apps make the transcript with a mistake, for signing and for sealing.
  func readAppTranscript(_ node: SourceNode) throws -> PlannedMistake {
    .appTranscript(try node.oneOf(TranscriptMistake.self, "mistake"))
  }

  /// Apps sign with a mistake, in the transcript or around it.
  func readAppSigns(_ node: SourceNode) throws -> PlannedMistake {
    try either(TranscriptMistake.self, PlannedMistake.appSignsTranscript, PlannedMistake.appSigns, node)
  }

  /// Apps seal with a mistake, in the transcript or otherwise.
  func readAppSealsWith(_ node: SourceNode) throws -> PlannedMistake {
    let mistake = try either(TranscriptMistake.self, PlannedMistake.appSealsTranscript, PlannedMistake.appSeals, node)
    if case .appSeals(let sealing) = mistake, !sealing.needsNothingElse {
      throw SourceProblem(
        .unreadableValue, "a response to another session is made by sending one again", at: node.position,
        hint: "page: { replays: new-session }")
    }
    return mistake
  }

  /// Servers sign for their readers with a mistake, in the transcript or around it.
  func readWebsiteSigns(_ node: SourceNode) throws -> PlannedMistake {
    try either(TranscriptMistake.self, PlannedMistake.websiteSignsTranscript, PlannedMistake.websiteSigns, node)
  }

  private func either<First: CheckCode, Second: CheckCode>(
    _ first: First.Type, _ makeFirst: (First) -> PlannedMistake, _ makeSecond: (Second) -> PlannedMistake,
    _ node: SourceNode
  ) throws -> PlannedMistake {
    let code = try node.oneOf(First.allCases.map(\.rawValue) + Second.allCases.map(\.rawValue), "mistake")
    if let mistake = First(rawValue: code) { return makeFirst(mistake) }
    return makeSecond(try node.oneOf(Second.self, "mistake"))
  }

  /// The code of a mistake that an explanation must name.
  func readExplained(_ node: SourceNode) throws -> Located<String> {
    try node.located { try $0.oneOf(CodeRegistry.explanations, "explanation") }
  }
}
