import Ecosystem
import SimulationKernel

/// Why a world's device does not answer a request: the code of whoever refused, its message, and what to look at.
public struct WalletResponseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the caller got wrong, as opposed to what the device refuses.
  public enum Code: String, Sendable, CaseIterable {
    /// The world cannot be read, or has no such device or app.
    case world = "answer.world"
    /// The origin is none of a website.
    case origin = "answer.origin"
    /// The app is not among those that the selector offers.
    case appNotOffered = "answer.app-not-offered"
    /// No answer came, and nobody said why.
    case silent = "answer.silent"
    /// The world went wrong.
    case broken = "answer.broken"
  }

  /// A ``Code``, or the code of the check or rule that refused.
  public let code: String
  /// What is wrong, for a person to read.
  public let message: String
  /// What to look at, line by line.
  public let evidence: [String]

  /// A refusal from its parts.
  public init(_ code: Code, _ message: String, evidence: [String] = []) {
    self.init(code: code.rawValue, message, evidence: evidence)
  }

  private init(code: String, _ message: String, evidence: [String]) {
    self.code = code
    self.message = message
    self.evidence = evidence
  }

  /// What a journal says about a request that came to nothing: the first who refused, and what the page got. What was
  /// refused while the world was made ready is of no request.
  init(_ journal: Journal, on device: String) {
    let decisions = journal.entries.compactMap { entry -> Decision? in
      if case .decision(let made) = entry.event { made } else { nil }
    }.drop { $0.kind != .step }
    let exception = decisions.last { $0.kind == .exception }
    let thrown = exception.map { ["the page gets \($0.outcome): \($0.message)"] } ?? []
    if let failed = decisions.first(where: { $0.kind == .check && $0.outcome == "failed" }) {
      let details = failed.details.map { "\($0.name): \($0.value)" }
      self.init(code: failed.code, failed.message, evidence: details + thrown)
    } else if let nobody = decisions.last(where: { $0.code == JournalCode.osNobodyCanAnswer.rawValue }) {
      self.init(code: nobody.code, nobody.message, evidence: journal.nobodyCouldAnswer(on: device))
    } else if let exception {
      self.init(code: exception.code, exception.message, evidence: thrown)
    } else {
      self.init(.silent, "no answer came")
    }
  }

  /// Whether the question was wrong, and not the request: there is no such world, device or origin.
  public var isAboutTheQuestion: Bool { [.world, .origin].contains(Code(rawValue: code)) }

  /// The message with the code, and the evidence below.
  public var description: String { (["\(message) [\(code)]"] + evidence.map { "  \($0)" }).joined(separator: "\n") }
}
