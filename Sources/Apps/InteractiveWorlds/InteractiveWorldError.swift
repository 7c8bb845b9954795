import Messaging
import Primitives
import ScenarioLanguage
import ScenarioRunner

/// An error of an interactive world: a step that it does not take, or a request that its device does not answer.
public struct InteractiveWorldError: CodedError, Equatable {
  /// The kind of error, or the name of the check or rule by which a party refused.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The input is not a step of the scenario language.
    public static let unreadable = Code(rawValue: "live.unreadable")
    /// The step is not supported in an interactive world.
    public static let unsuitable = Code(rawValue: "live.unsuitable")
    /// The step cannot be done now: its subject does not exist.
    public static let impossible = Code(rawValue: "live.impossible")
    /// The world has ended.
    public static let ended = Code(rawValue: "live.ended")
    /// The journal reached its limit, so the world has ended.
    public static let full = Code(rawValue: "live.full")
    /// The world failed, or could not be created.
    public static let broken = Code(rawValue: "live.broken")

    /// The world cannot be read, or does not have the device or app.
    public static let world = Code(rawValue: "answer.world")
    /// The origin is not the origin of a website.
    public static let origin = Code(rawValue: "answer.origin")
    /// The selector does not offer the app.
    public static let appNotOffered = Code(rawValue: "answer.app-not-offered")
    /// A fault finds nothing to change in an answer to the request.
    public static let faultWithoutEffect = Code(rawValue: "answer.fault-without-effect")
    /// No answer came, and no party gave a reason.
    public static let silent = Code(rawValue: "answer.silent")
    /// The world of an answer failed.
    public static let noAnswer = Code(rawValue: "answer.broken")

    /// The errors of steps.
    public static let steps = [unreadable, unsuitable, impossible, ended, full, broken]
    /// The errors of answers, as opposed to refusals by the device.
    public static let answers = [world, origin, appNotOffered, faultWithoutEffect, silent, noAnswer]
  }

  /// The kind of error.
  public let code: Code
  /// A human-readable description.
  public let message: String
  /// The evidence, line by line.
  public let details: [String]

  /// Creates an error.
  public init(_ code: Code, _ message: String, details: [String] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  init(_ stop: ScenarioRun.Stop) {
    switch stop {
    case .failed: self.init(.impossible, [stop.message, stop.evidence].compactMap(\.self).joined(separator: ": "))
    case .undecided(let message): self.init(.broken, message)
    }
  }

  /// Finds the reason for a request without an answer in a journal: the first refusal, and the page's result. Refusals
  /// during the set-up of the world do not count.
  init(_ journal: Journal, on device: String) {
    let events = journal.entries.map(\.event).drop { !$0.isStep }
    let exception = events.compactMap(\.exception).last
    let thrown = exception.map { ["the page gets \($0.name): \($0.message)"] } ?? []
    if let fault = events.compactMap(\.fault).last, let reason = fault.reasonNotApplied {
      self.init(.faultWithoutEffect, "the fault '\(fault.fault)' finds nothing to change: \(reason)")
    } else if let failed = events.compactMap(\.check).first(where: { $0.status == .failed }) {
      let evidence = failed.evidence.flatMap(\.named).map { "\($0.name): \($0.value)" }
      self.init(Code(rawValue: failed.name), failed.message, details: evidence + thrown)
    } else if let note = events.compactMap(\.note).last(where: { $0.code == .osNoApp }) {
      self.init(Code(rawValue: note.code.rawValue), note.message, details: journal.appsThatCannotAnswer(on: device))
    } else if let exception {
      self.init(Code(rawValue: exception.code), exception.message, details: thrown)
    } else {
      self.init(.silent, "no answer came")
    }
  }

  /// The evidence in one text.
  public var evidence: String? { details.isEmpty ? nil : details.joined(separator: "; ") }

  /// True if no device decided about the request: the world, device or origin does not exist, or this machine cannot run
  /// the world.
  public var isBeforeAnyDecision: Bool { [.world, .origin, .noAnswer].contains(code) }

  /// The message with the code, and the evidence below.
  public var description: String {
    (["\(message) [\(code.rawValue)]"] + details.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// An error of the program's surroundings: it cannot do its work where it runs.
public typealias ProgramError = CodedFailure<ProgramErrorCode>

/// The kinds of errors.
public enum ProgramErrorCode: String, Sendable {
  /// The terminal cannot be controlled.
  case terminal = "program.terminal"
  /// The server cannot listen on its address.
  case address = "program.address"
  /// A measurement has no result.
  case measurement = "program.measurement"
}
