import Faults
import LocatedYAML
import MobileDocument
import Primitives
import Vocabulary

/// One case of a scenario file: a world, a start, and its steps.
public struct Scenario: Sendable {
  /// The title, with the name of the case if the file has several.
  public let name: String
  /// Path of the file as given.
  public let path: String
  /// Name of the case in a file with a matrix.
  public let caseName: String?
  /// The position of the title.
  public let position: SourcePosition
  /// The reason for the expectations.
  public let because: String?
  /// Seed of the world, unless the run sets one.
  public let seed: UInt64
  /// True if the case always has its own seed, whatever the run says.
  public let isSeedFixed: Bool
  /// The world's time at the start.
  public private(set) var clock: DateTime
  /// The world.
  public private(set) var world: WorldDescription
  /// The steps.
  public private(set) var steps: [LocatedStep]
  /// Labels to select cases by, in the order of the file.
  public var tags: [String] = []
  /// The reason not to run the case; nil to run it.
  public var skip: String?
  /// The reason why the case is expected to fail; nil if it is expected to pass.
  public var expectedFailure: String?
  /// The longest time of the world that the case may take, from its start to the end of its last step; nil for any.
  public var limit: Duration?
  /// The reasons why the case passes without some of its parts.
  public var exemptions: [CaseExemption] = []
  /// The place where all sandboxes parse by order of the run; nil for each device's own.
  public private(set) var sandbox: WorldDescription.SandboxPlace?

  /// Creates a case without tags, limit and exemptions, which is run and expected to pass.
  package init(
    name: String, path: String, caseName: String?, position: SourcePosition, because: String?, seed: UInt64,
    isSeedFixed: Bool, clock: DateTime, world: WorldDescription, steps: [LocatedStep]
  ) {
    self.name = name
    self.path = path
    self.caseName = caseName
    self.position = position
    self.because = because
    self.seed = seed
    self.isSeedFixed = isSeedFixed
    self.clock = clock
    self.world = world
    self.steps = steps
  }

  /// The case with every device's sandbox in one place. A case in which a sandbox's process misbehaves is about that
  /// process, and keeps it.
  public func parsing(_ place: WorldDescription.SandboxPlace) -> Scenario {
    let needsProcess = steps.contains { step in
      if case .fault(let change) = step.step.content { change.fault.party == .sandbox } else { false }
    }
    if needsProcess && place != .process { return self }
    var changed = self
    changed.sandbox = place
    for index in changed.world.devices.indices { changed.world.devices[index].sandbox = place }
    return changed
  }

  /// The case with every device in one language. Its steps and expectations name texts and controls in English.
  public func speaking(_ language: Language) -> Scenario {
    var changed = self
    for index in changed.world.devices.indices { changed.world.devices[index].language = language }
    return changed
  }

  /// The case without some of its steps.
  package func without(_ isLeftOut: (Int, Step) -> Bool) -> Scenario {
    var changed = self
    changed.steps = steps.enumerated().filter { !isLeftOut($0.offset, $0.element.step) }.map(\.element)
    return changed
  }

  /// The seed of the case in a run.
  ///
  /// - Parameter chosen: The seed that the run sets; nil if it sets none.
  public func seed(inRunWith chosen: UInt64?) -> UInt64 { isSeedFixed ? seed : chosen ?? seed }

  /// The case with its world beginning at another time.
  public func beginning(at moment: DateTime) -> Scenario {
    var changed = self
    changed.clock = moment
    return changed
  }

  /// The times at which a world may start: certificates can be written for these years and the twenty that roots are valid
  /// for, and the clock can count them with ``maximumWaiting``.
  public static let clockRange = DateTime(secondsSince1970: -631_152_000)...DateTime(secondsSince1970: 5_680_281_600)
  /// The longest time that a person may wait in a scenario, all waits together: 100 years.
  package static let maximumWaiting = Duration.seconds(100 * 365 * 86_400)

  /// The seed of a world whose scenario leaves it out.
  package static let defaultSeed: UInt64 = 1
  /// The start of a world whose scenario leaves it out: within the validity of everything that worlds make.
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

/// The names of the files of cases, without their endings. Different cases with the same ``Scenario/fileStem`` get
/// different numbers.
public struct CaseFileNames: Sendable {
  private var written: [String: Int] = [:]

  /// Names for the cases of one run.
  public init() {}

  /// The name of the next case. Cases come in the order of the run.
  public mutating func next(for scenario: Scenario) -> String {
    let stem = scenario.fileStem
    let number = written[stem, default: 0] + 1
    written[stem] = number
    return number == 1 ? stem : "\(stem)~\(number)"
  }
}

/// The statement of a file that a case passes without one of its parts.
public struct CaseExemption: Sendable {
  /// The name of the part.
  public let name: String
  /// The position of the name.
  public let position: SourcePosition

  /// Reads the mapping from names to reasons.
  package static func read(_ node: SourceNode, _ context: ReadingContext) -> [CaseExemption]? {
    node.eachEntry(context.problems) { key, value in
      try Form<String>.reason.read(value, context).map { _ in CaseExemption(name: key.value, position: key.position) }
    }
  }
}
