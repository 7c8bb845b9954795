import Faults
import LocatedYAML
import Telling
import Vocabulary

/// One step of a scenario: an action, a fault or an expectation. A plain value that programs can make.
public struct Step: Sendable, Equatable {
  /// The action, the fault or the expectation.
  public enum Content: Sendable, Equatable {
    /// Something that a party does.
    case action(Action)
    /// The world is restarted from its storage.
    case restartWorld
    /// A fault acts from now on, or no longer.
    case fault(FaultChange)
    /// Something that must be so.
    case expectation(Expectation)
  }

  /// The action, the fault or the expectation.
  public var content: Content
  /// The reason for the expectation; the scenario's own if nil.
  public var because: String?
  /// A part of the report's first line about the step, which must fail; nil for a step that must not fail.
  public var fails: String?
  /// True for a fault that must not change anything until the end of the case; any other must change something.
  public var neverActs = false

  /// Creates a step.
  public init(_ content: Content, because: String? = nil, fails: String? = nil) {
    self.content = content
    self.because = because
    self.fails = fails
  }

  /// Creates an action of the person.
  public static func person(_ action: Action.ByPerson) -> Step { Step(.action(.person(action))) }

  /// The step as one that fails with a message of the report.
  public func failing(_ message: String) -> Step { Step(content, because: because, fails: message) }

  /// True for a step that can fail a case: an expectation, or a step that must fail.
  package var expects: Bool {
    if case .expectation = content { true } else { fails != nil || neverActs }
  }

  /// True for a step that can be put into an interactive world: an action or a fault whose recording can be run again.
  public var isInteractive: Bool {
    guard fails == nil else { return false }
    return switch content {
    case .action(.person(let action)): action.isInteractive
    case .action(.page), .action(.app), .action(.requestingApp), .fault: true
    case .action(.restartServer), .action(.authority), .action(.readerAuthority), .action(.website), .action(.clerk),
      .restartWorld, .expectation:
      false
    }
  }
}

extension Action.ByPerson {
  /// True for an action that can be put into an interactive world.
  fileprivate var isInteractive: Bool {
    switch self {
    case .on(_, let action): action.isInteractive
    case .touch(.install), .touch(.update), .touch(.remove), .restart: false
    default: true
    }
  }
}

/// The place of a value in a step, for the caret of a failure: keys from the step's own key on.
public struct StepPath: Sendable, Equatable {
  /// The end of the path that a caret marks.
  public enum End: Sendable, Equatable {
    /// The last key itself.
    case key
    /// The value of the last key.
    case value
    /// The item of a list that is this text.
    case item(String)
  }

  /// Keys, from the step's own key on; empty for the step's own key.
  public var keys: [String]
  /// The end of the path.
  public var end: End

  /// Creates the path of a value.
  public init(_ keys: String..., end: End = .value) {
    self.keys = keys
    self.end = end
  }

  /// The step's own key.
  public static let step = StepPath(end: .key)
}

/// A step with its place in a file.
public struct LocatedStep: Sendable {
  /// The step.
  public let step: Step
  /// The position of the step's own key.
  public let position: SourcePosition
  /// The places where the flow that the step is from is used, the nearest first; empty for a step of the scenario itself.
  public let uses: [SourcePosition]
  let source: SourceNode

  /// The position of a value in the step; the step's own where the file does not write the value.
  public func position(of path: StepPath) -> SourcePosition {
    guard !path.keys.isEmpty else { return position }
    var node = source
    var key = position
    for name in path.keys {
      guard case .mapping(let entries) = node.content, let entry = entries.first(where: { $0.key.value == name }) else {
        return position
      }
      key = entry.key.position
      node = entry.value
    }
    switch path.end {
    case .key: return key
    case .value: return node.position
    case .item(let text):
      guard case .sequence(let items) = node.content else { return node.position }
      return items.first { $0.scalar?.text == text }?.position ?? node.position
    }
  }
}

extension Step {
  /// The step in one sentence, for people who follow a run.
  ///
  /// - Parameters:
  ///   - focus: The page and the device used last before the step; nil if the world does not exist.
  ///   - names: The titles of the world's parts.
  public func words(in focus: Focus?, _ names: WorldNames) -> String {
    let sentence: String
    switch content {
    case .action(.person(.wait(let duration))): sentence = "\(names.actor) waits \(DurationUnit.text(duration))"
    case .action(let action): sentence = focus.map { action.words(in: $0, names) } ?? text
    case .restartWorld: sentence = "the world is restarted from its storage"
    case .fault(.begins(let planned)): sentence = "a fault begins: \(planned.title)"
    case .fault(.ends(let fault)): sentence = "a fault ends: \(fault.title)"
    case .expectation(let expected): sentence = expected.words(names)
    }
    let failing = fails.map { ", which fails: \(names.titled($0))" } ?? ""
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + failing
  }
}
