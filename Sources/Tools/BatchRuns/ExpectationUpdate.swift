import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner

/// Changes the expectations that fail, in memory, until their cases pass or nothing more can be changed.
///
/// A case stops at the first expectation that fails, so each round changes what is known to fail, reads the changed files
/// and runs their cases again.
struct ExpectationUpdate {
  /// A case by its file's path without links, and its number in the file.
  struct CaseKey: Hashable {
    let file: String
    let number: Int
  }

  /// A place in a file, the same for every spelling of the file's path.
  struct Place: Hashable {
    let file: String
    let line: Int
    let column: Int
  }

  /// A failure of a chosen case that stays.
  struct Kept: Hashable {
    let position: SourcePosition
    let headline: String
    let reason: String
  }

  /// A file with changed expectations.
  struct Changed {
    let old: SourceFile
    var new: SourceFile
    /// The number of expectations that were changed.
    var expectations = 0
  }

  /// A file of scenarios as it was read last.
  struct ReadFile {
    let path: String
    var cases: [Scenario]
  }

  /// A failed expectation, and how to change it.
  struct Wish {
    let key: CaseKey
    let step: Int
    let failure: ExpectationFailure
    let expectation: Expectation?
    let changes: [Place: SourceChange]
    /// The reason why the expectation cannot be changed; nil if it can.
    let reason: String?
  }

  /// The result of asking every case that uses a place.
  enum Agreement {
    /// Every case needs the same value, or is assumed to after an earlier step needs it.
    case agreed(assuming: Set<User>)
    case refused(String)
  }

  /// Files that were changed, by their paths without links.
  var changed: [String: Changed] = [:]
  /// The failures that stay.
  private(set) var kept: [Kept] = []

  let batch: BatchRun
  let chosen: [CaseKey]
  var files: [String: ReadFile] = [:]
  var results: [CaseKey: CaseResult] = [:]
  var editors: [String: SourceEditor] = [:]
  /// Reasons not to change a file any more.
  var closed: [String: String] = [:]
  /// Folders whose scenarios were all read, as they may use the flows there.
  var searched: [String: String?] = [:]

  /// The maximum number of rounds. Each changes at least one expectation; a case in which more fail one after the other
  /// is not the same case any more.
  static let maximumRounds = 100

  /// Takes the results of a run.
  init(_ batch: BatchRun, _ read: FilesOfRun, _ results: [CaseResult]) {
    self.batch = batch
    for case .cases(let cases) in read.entries {
      guard let path = cases.first?.path else { continue }
      files[ScenarioFinder.identity(of: path)] = ReadFile(path: path, cases: cases)
    }
    var chosen: [CaseKey] = []
    for result in results {
      let file = ScenarioFinder.identity(of: result.scenario.path)
      guard
        let number = files[file]?.cases.firstIndex(where: { $0.caseName == result.scenario.caseName })
      else { continue }
      chosen.append(CaseKey(file: file, number: number))
      self.results[CaseKey(file: file, number: number)] = result
    }
    self.chosen = chosen
  }

  /// The results of the chosen cases.
  var chosenResults: [CaseResult] { chosen.compactMap { results[$0] } }

  /// Changes expectations until nothing more can be changed.
  mutating func run() {
    let start = self
    if run(assuming: true) { return }
    self = start
    _ = run(assuming: false)
  }

  /// Changes expectations until nothing more can be changed.
  ///
  /// A flow can be used twice in a case, which reaches the second use only after the first one has changed.
  ///
  /// - Parameter assumes: True if the later use is assumed to need the same value.
  /// - Returns: False if the assumption does not hold.
  private mutating func run(assuming assumes: Bool) -> Bool {
    var assumed: Set<User> = []
    for _ in 0..<Self.maximumRounds {
      let wishes = wishes()
      if wishes.contains(where: { assumed.contains(User(key: $0.key, step: $0.step)) }) { return false }
      assumed = assumed.filter { !(results[$0.key]?.heldSteps.contains($0.step) ?? false) }
      let agreements = agreements(about: wishes, assuming: assumes)
      guard !batch.settings.control.isStopped, let further = change(wishes, agreements) else {
        keep(wishes, agreements)
        return assumed.isEmpty || batch.settings.control.isStopped
      }
      assumed.formUnion(further)
    }
    let rest = wishes()
    keep(rest, agreements(about: rest, assuming: false))
    return assumed.isEmpty
  }

  /// Takes back the changes of some files, and runs their cases again.
  mutating func takeBack(_ paths: some Sequence<String>) {
    let affected = affectedFiles(by: Set(paths))
    for path in paths { changed[path] = nil }
    var worlds = WorldSources(replacing: changed.values.map(\.new))
    for file in affected {
      guard let path = files[file]?.path,
        let cases = ScenarioReader.read(path, worlds: &worlds, ProblemCollector()),
        cases.count == files[file]?.cases.count
      else {
        // The file was saved meanwhile, and is another one.
        for key in results.keys where key.file == file { results[key] = nil }
        continue
      }
      files[file]?.cases = cases
    }
    runCases(results.keys.filter { affected.contains($0.file) })
  }
}

/// Failures, and the changes with which their expectations hold.
extension ExpectationUpdate {
  mutating func wishes() -> [Wish] {
    let keys = results.keys.sorted { ($0.file, $0.number) < ($1.file, $1.number) }
    var wishes: [Wish] = []
    for key in keys {
      guard let result = results[key], case .failed(let first) = result.outcome else { continue }
      for failure in [first] + first.others { wishes.append(wish(of: failure, key)) }
    }
    return wishes
  }

  private mutating func wish(of failure: ExpectationFailure, _ key: CaseKey) -> Wish {
    func impossible(_ reason: String) -> Wish {
      Wish(key: key, step: failure.stepNumber ?? -1, failure: failure, expectation: nil, changes: [:], reason: reason)
    }
    guard case .expectation(let expectation) = failure.correction, let number = failure.stepNumber else {
      if case .impossible(let reason) = failure.correction { return impossible(reason) }
      return impossible("the failure is not of a step")
    }
    guard let scenario = scenario(key), scenario.steps.indices.contains(number) else {
      return impossible("the file has changed meanwhile")
    }
    do throws(SourceProblem) {
      var changes: [Place: SourceChange] = [:]
      for change in try scenario.steps[number].changes(to: expectation, for: scenario) {
        let place = place(of: change.position)
        if let reason = closed[place.file] { return impossible(reason) }
        // A change is tried alone, so that it does not keep the others back.
        _ = try editor(of: place.file, at: change.position).applying([change])
        changes[place] = change
      }
      return Wish(key: key, step: number, failure: failure, expectation: expectation, changes: changes, reason: nil)
    } catch {
      return impossible(error.message)
    }
  }

  mutating func editor(of file: String, at position: SourcePosition) throws(SourceProblem) -> SourceEditor {
    if let editor = editors[file] { return editor }
    let editor = try SourceEditor(changed[file]?.new ?? position.file)
    editors[file] = editor
    return editor
  }

  func place(of position: SourcePosition) -> Place {
    Place(file: ScenarioFinder.identity(of: position.file.path), line: position.line, column: position.column)
  }

  func scenario(_ key: CaseKey) -> Scenario? {
    guard let cases = files[key.file]?.cases, cases.indices.contains(key.number) else { return nil }
    return cases[key.number]
  }
}

/// Failures that stay.
extension ExpectationUpdate {
  /// The reason why an expectation that could be changed is not; nil if every case agrees.
  func refusal(of wish: Wish, _ agreements: [Place: Agreement]) -> String? {
    for place in wish.changes.keys.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
      switch agreements[place] {
      case .agreed: continue
      case .refused(let reason): return reason
      case nil: return "not every case is known"
      }
    }
    return nil
  }

  private mutating func keep(_ wishes: [Wish], _ agreements: [Place: Agreement]) {
    var seen: Set<Kept> = []
    for key in chosen {
      guard let result = results[key] else { continue }
      if case .undecided(let message) = result.outcome {
        kept.append(Kept(position: result.scenario.position, headline: "the case is undecided", reason: message))
      }
      for wish in wishes where wish.key == key {
        let reason =
          wish.reason ?? refusal(of: wish, agreements) ?? "the update ends after \(Self.maximumRounds) rounds"
        let kept = Kept(
          position: wish.failure.position ?? result.scenario.position, headline: wish.failure.headline, reason: reason)
        if seen.insert(kept).inserted { self.kept.append(kept) }
      }
    }
  }
}
