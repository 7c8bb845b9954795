import Ecosystem
import Faults
import MobileDocument
import Primitives

/// One case of a scenario file: a world, a start, and what is done and expected step by step.
public struct Scenario: Sendable {
  /// What it is called, with the name of its case when the file has several.
  public let name: String
  /// Path of the file as given.
  public let path: String
  /// Name of the case in a file with a matrix.
  public let caseName: String?
  /// Where the file says what it is called.
  public let position: SourcePosition
  /// Why what it expects is right.
  public let because: String?
  /// Seed of the world, unless the run sets one.
  public let seed: UInt64
  /// The world's time at the start.
  public let clock: DateTime
  /// Who lives in the world.
  public private(set) var world: WorldDescription
  /// How the world is written, changes included.
  let worldSource: SourceNode
  /// What is done and expected.
  public let steps: [Step]
  /// Where all sandboxes parse by order of the run; nil when each device has its own.
  public private(set) var sandbox: WorldDescription.SandboxPlace?

  /// The case with every device's sandbox in one place. A case in which a sandbox's process misbehaves is about that
  /// process, and keeps it.
  public func parsing(_ place: WorldDescription.SandboxPlace) -> Scenario {
    let needsProcess = steps.contains { step in
      if case .fault(let change) = step.kind { change.fault.party == .sandbox } else { false }
    }
    if needsProcess && place != .process { return self }
    var changed = self
    changed.sandbox = place
    for index in changed.world.devices.indices { changed.world.devices[index].sandbox = place }
    return changed
  }

  /// The case with its world beginning at another time.
  public func beginning(at moment: DateTime) -> Scenario {
    Scenario(
      name: name, path: path, caseName: caseName, position: position, because: because, seed: seed, clock: moment,
      world: world, worldSource: worldSource, steps: steps, sandbox: sandbox)
  }

  /// When a world may start: certificates can be written for these years and the twenty that roots are valid for, and
  /// the clock can count them with ``maximumWaiting``.
  public static let clockRange =
    DateTime(secondsSince1970: -631_152_000)...DateTime(secondsSince1970: 5_680_281_600)
  /// For how long a person may wait in a scenario, all waits together: 100 years.
  static let maximumWaiting = Duration.seconds(100 * 365 * 86_400)

  /// When a world starts whose scenario does not say: within the validity of everything that worlds make.
  public static let defaultClock = DateTime(secondsSince1970: 1_757_955_600)
}

extension Scenario {
  /// Name of files that belong to the case: its path with underscores for slashes, and the name of the case.
  public var fileStem: String {
    var stem = path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path
    if let caseName { stem += "--\(caseName)" }
    let safe = stem.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-")
        ? Character(scalar) : scalar == "/" ? "_" : "-"
    }
    return String(String(safe).trimmingPrefix { $0 == "_" || $0 == "-" })
  }
}

/// One step: an action or an expectation.
public struct Step: Sendable {
  /// What is done or expected.
  public enum Kind: Sendable {
    case person(PersonAction)
    /// On the device used last when none is named.
    case page(website: Located<String>?, device: String?, World.PageAction)
    case app(String, World.AppAction)
    /// The server of a website ends and begins again.
    case server(String)
    case authority(String, AuthorityAction)
    case world(WorldAction)
    case fault(FaultChange)
    case prompt(PromptExpectation)
    case selector(SelectorExpectation)
    case consent(ConsentExpectation)
    case website(WebsiteExpectation)
    case exception(ExceptionExpectation)
    case decision(DecisionExpectation)
  }

  /// Something that the person does.
  public enum PersonAction: Sendable {
    case visits(website: String, device: String?)
    case taps(String)
    case picks(String)
    case cancelsSelector
    case authorizes(with: String)
    case waits(Duration)
    case deletes(document: String, app: String)
    case answersPrompt(app: String, isAllowed: Bool)
    case switches(app: String, isOn: Bool)
    case manages(World.AppManagement, app: String)
    case restarts(device: String)
  }

  /// Something that an issuing authority does about the status of documents.
  public enum AuthorityAction: Sendable {
    /// Changes the status of a document in an app; on the device used last when none is named.
    case changes(StatusChange, document: String, app: String, device: String?)
  }

  /// Something that happens to the whole world.
  public enum WorldAction: String, CaseIterable, Sendable {
    /// It ends, and begins again from its storage.
    case restarts
  }

  /// Where it stands: at its key.
  public let position: SourcePosition
  /// How it is written.
  let source: SourceNode
  /// What is done or expected.
  public let kind: Kind
  /// Why what it expects is right; the scenario's reason when the step has none.
  public let because: String?
  /// The step must fail, and this must be part of what the report says of it in one line; nil when it must not.
  public let fails: Located<String>?
}

/// What prompt must be on the screen.
public struct PromptExpectation: Sendable {
  /// The app that the prompt is for; nil when there must be no prompt.
  public let app: Located<String>?
}

/// What the selector must offer and hide.
public struct SelectorExpectation: Sendable {
  /// Apps that must be offered, and no others.
  public let shows: Located<[Located<String>]>?
  /// Document identifiers of the registrations with which apps must be offered, and no others.
  public let offers: [(app: Located<String>, registrations: Located<[String]>)]
  /// Apps that must be hidden, with the code of the reason.
  public let hides: [(app: Located<String>, code: Located<String>)]
}

/// What the consent sheet or the app's own view must show.
public struct ConsentExpectation: Sendable {
  /// Who asks.
  public let requester: Located<String>?
  /// The requester's icon.
  public let icon: Located<String>?
  /// Whether a trusted reader authority vouches for the requester.
  public let certified: Located<Bool>?
  /// Identifiers of all elements that are asked for.
  public let asks: Located<[String]>?
  /// Identifiers of the elements that will be retained.
  public let retains: Located<[String]>?
}

/// What the website must conclude and show.
public struct WebsiteExpectation: Sendable {
  /// Which website; the one visited last when left out.
  public let name: Located<String>?
  /// Verified elements with their values in words.
  public let verified: Located<[(identifier: Located<String>, value: Located<String>)]>?
  /// Code of the check that refuses the response.
  public let refused: Located<String>?
  /// Code of a mistake that the refusal must be explained by.
  public let explained: Located<String>?
  /// Name of the exception after which it falls back.
  public let fallsBack: Located<String>?
  /// Identifiers of requested elements that are not among the verified.
  public let without: Located<[String]>?
}

/// What exception the page's newest call must have thrown.
public struct ExceptionExpectation: Sendable {
  /// Name of the exception.
  public let name: Located<String>?
  /// Code of the rule that rejected the call.
  public let code: Located<String>?
  /// Texts that must be in its message.
  public let mentions: [Located<String>]
}

/// A decision that some party must have made since the last action.
public struct DecisionExpectation: Sendable {
  /// Role of the party.
  public let role: Located<String>
  /// Code of the decision.
  public let code: Located<String>
  /// How it must have ended; any way when left out.
  public let outcome: Located<String>?
  /// Code of a mistake that it must be explained by.
  public let explained: Located<String>?
}
