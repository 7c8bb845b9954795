import Ecosystem
import Messaging

/// The reason why a world's device does not answer a request: the code of the party that refused, its message and
/// evidence.
public struct WalletResponseError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Errors of the caller, as opposed to refusals by the device.
  public enum Code: String, Sendable, CaseIterable {
    /// The world cannot be read, or does not have the device or app.
    case world = "answer.world"
    /// The origin is not the origin of a website.
    case origin = "answer.origin"
    /// The selector does not offer the app.
    case appNotOffered = "answer.app-not-offered"
    /// No answer came, and no party gave a reason.
    case silent = "answer.silent"
    /// The world failed.
    case broken = "answer.broken"
  }

  /// A ``Code``, or the code of the check or rule that refused.
  public let code: String
  /// A human-readable description.
  public let message: String
  /// The evidence, line by line.
  public let evidence: [String]

  /// Creates an error.
  public init(_ code: Code, _ message: String, evidence: [String] = []) {
    self.init(code: code.rawValue, message, evidence: evidence)
  }

  private init(code: String, _ message: String, evidence: [String]) {
    self.code = code
    self.message = message
    self.evidence = evidence
  }

  /// Finds the reason for a request without an answer in a journal: the first refusal, and the page's result. Refusals
  /// during the set-up of the world do not count.
  init(_ journal: Journal, on device: String) {
    let events = journal.entries.map(\.event).drop { !$0.isStep }
    let exception = events.compactMap(\.exception).last
    let thrown = exception.map { ["the page gets \($0.name): \($0.message)"] } ?? []
    if let failed = events.compactMap(\.check).first(where: { $0.status == .failed }) {
      let evidence = failed.evidence.flatMap(\.named).map { "\($0.name): \($0.value)" }
      self.init(code: failed.name, failed.message, evidence: evidence + thrown)
    } else if let noApp = events.compactMap(\.note).last(where: { $0.code == .osNoApp }) {
      self.init(code: noApp.code.rawValue, noApp.message, evidence: journal.nobodyCouldAnswer(on: device))
    } else if let exception {
      self.init(code: exception.code, exception.message, evidence: thrown)
    } else {
      self.init(.silent, "no answer came")
    }
  }

  /// True if the query is wrong rather than the request: the world, device or origin does not exist.
  public var isAboutTheQuestion: Bool { [.world, .origin].contains(Code(rawValue: code)) }

  /// The message with the code, and the evidence below.
  public var description: String { (["\(message) [\(code)]"] + evidence.map { "  \($0)" }).joined(separator: "\n") }
}
