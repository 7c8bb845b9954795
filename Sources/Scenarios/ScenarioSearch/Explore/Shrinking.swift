import LocatedYAML
import ScenarioFiles
import ScenarioLanguage

/// Makes a failing run smaller: it takes out steps, faults and parts of the world as long as the run still fails in the
/// same way.
struct Shrinking {
  /// The smallest run so far.
  private(set) var smallest: ExploredRun
  /// The failure that must stay.
  private let failure: ExploreFailure
  /// The number of runs.
  private(set) var attempts = 0

  /// The most runs of one shrinking: enough for a world of two devices, in some ten seconds.
  private static let maximumAttempts = 1_500

  /// Shrinks a run that fails.
  init(_ run: ExploredRun, failure: ExploreFailure) {
    smallest = run
    self.failure = failure
    shrinkSteps()
    // A part can go only after everything that names it.
    while attempts < Self.maximumAttempts, shrinkWorld() {}
    shrinkSteps()
  }

  /// The most runs of one candidate for a failure that depends on the machine's threads. A candidate that fails every
  /// other time is lost once in thirty-two.
  private static let triesOfUndecided = 5

  /// Keeps a candidate if its run fails in the same way. Returns true if it does.
  ///
  /// A run that cannot be repeated fails now and then. Without further tries a candidate would keep steps that it does not
  /// need, and that can be done only while the failure delays what comes before them.
  private mutating func keep(_ candidate: () -> ExploredRun?) -> Bool {
    for _ in 1...(failure.isUndecided ? Self.triesOfUndecided : 1) {
      attempts += 1
      guard var run = candidate() else { return false }
      if failure == .differs { run.repeatOnce() }
      guard let found = run.failure, found.canBe(failure) else { continue }
      smallest = run
      return true
    }
    return false
  }

  /// Takes out as many steps as possible: first long stretches, then shorter ones, then single steps.
  private mutating func shrinkSteps() {
    var length = max(1, smallest.steps.count / 2)
    while true {
      var isSmaller = false
      var end = smallest.steps.count
      while end > 0, attempts < Self.maximumAttempts {
        let start = max(0, end - length)
        var steps = smallest.steps
        steps.removeSubrange(start..<min(end, steps.count))
        let before = smallest
        if keep({ ExploredRun(before.scenario, like: before, repeating: steps) }) { isSmaller = true }
        end = start
      }
      guard attempts < Self.maximumAttempts, isSmaller || length > 1 else { return }
      if !isSmaller { length /= 2 }
    }
  }

  /// Takes out as many parts of the world as possible, the largest first. Returns true if there was one.
  private mutating func shrinkWorld() -> Bool {
    guard var tree = try? YAMLValue(parsing: smallest.file) else { return false }
    var isSmaller = false
    var depth = 0
    // Each level has parts that the level above it kept.
    while attempts < Self.maximumAttempts {
      let places = tree.places(atDepth: depth).filter { $0.count > 1 && $0.first == .key("world") }
      guard !places.isEmpty || depth < 2 else { break }
      // From the last to the first, so that the places of those to come stay.
      for place in places.reversed() where attempts < Self.maximumAttempts {
        let candidate = tree.removing(place)
        let before = smallest
        guard keep({ Self.run(of: candidate, like: before) }) else { continue }
        tree = candidate
        isSmaller = true
      }
      depth += 1
    }
    return isSmaller
  }

  /// The run of a file in which something was taken out; nil if it cannot be read.
  private static func run(of tree: YAMLValue, like smallest: ExploredRun) -> ExploredRun? {
    let problems = ProblemCollector()
    guard let file = try? SourceFile(path: "explored.yaml", text: tree.block()),
      let scenario = ScenarioReader.read(file, problems)?.first
    else { return nil }
    let steps = scenario.steps.map(\.step).filter { step in
      if case .expectation = step.content { false } else { true }
    }
    return ExploredRun(scenario.parsing(smallest.scenario.sandbox ?? .inProcess), like: smallest, repeating: steps)
  }
}

/// A step from a value to a part of it.
enum YAMLPathStep: Hashable {
  case key(String)
  case item(Int)
}

extension YAMLValue {
  /// The paths of every part at a depth, in order; the parts of the whole are at depth 0.
  fileprivate func places(atDepth depth: Int) -> [[YAMLPathStep]] {
    let parts: [(YAMLPathStep, YAMLValue)] =
      switch self {
      case .text, .plain: []
      case .list(let items): items.enumerated().map { (.item($0.offset), $0.element) }
      case .mapping(let entries): entries.map { (.key($0.key), $0.value) }
      }
    guard depth > 0 else { return parts.map { [$0.0] } }
    return parts.flatMap { step, part in part.places(atDepth: depth - 1).map { [step] + $0 } }
  }

  /// The value without a part.
  fileprivate func removing(_ path: some Collection<YAMLPathStep>) -> YAMLValue {
    guard let step = path.first else { return self }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.list(var items), .item(let number)) where items.indices.contains(number):
      if rest.isEmpty { items.remove(at: number) } else { items[number] = items[number].removing(rest) }
      return .list(items)
    case (.mapping(var entries), .key(let key)):
      guard let number = entries.firstIndex(where: { $0.key == key }) else { return self }
      if rest.isEmpty {
        entries.remove(at: number)
      } else {
        entries[number].value = entries[number].value.removing(rest)
      }
      return .mapping(entries)
    default: return self
    }
  }
}
