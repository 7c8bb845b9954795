import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner

/// Changing files and running their cases again.
extension ExpectationUpdate {
  /// Changes the expectations of chosen cases at which every case agrees.
  /// - Returns: The steps that are assumed to agree; nil if there is nothing to change.
  mutating func change(_ wishes: [Wish], _ agreements: [Place: Agreement]) -> Set<User>? {
    var edits: [String: [Place: SourceChange]] = [:]
    var corrected: [User: Expectation] = [:]
    var steps: Set<Place> = []
    var counts: [String: Int] = [:]
    for wish in wishes where wish.reason == nil && chosen.contains(wish.key) {
      guard let scenario = scenario(wish.key), refusal(of: wish, agreements) == nil else { continue }
      for (place, change) in wish.changes { edits[place.file, default: [:]][place] = change }
      corrected[User(key: wish.key, step: wish.step)] = wish.expectation
      // A step that several cases share is one expectation.
      guard let file = wish.changes.keys.map(\.file).min(),
        steps.insert(place(of: scenario.steps[wish.step].position)).inserted
      else { continue }
      counts[file, default: 0] += 1
    }
    guard !edits.isEmpty else { return nil }
    var next = changed
    do throws(SourceProblem) {
      for (file, changes) in edits {
        guard let change = changes.values.first else { continue }
        let editor = try editor(of: file, at: change.position)
        let new = try editor.applying(Array(changes.values))
        next[file, default: Changed(old: editor.file, new: new)].new = new
        next[file]?.expectations += counts[file] ?? 0
      }
    } catch {
      for file in edits.keys { closed[file] = error.message }
      return []
    }
    let places = Set(edits.values.flatMap(\.keys))
    let assumed = places.compactMap { place -> Set<User>? in
      if case .agreed(let assumed)? = agreements[place] { assumed } else { nil }
    }
    return adopt(next, files: Set(edits.keys), corrected, places) ? Set(assumed.joined()) : []
  }

  /// Reads the cases of changed files, and runs them. Each step must be as before, or as it was corrected; otherwise the
  /// files stay as they are, and are not changed any more.
  /// - Returns: True if the files were changed.
  private mutating func adopt(
    _ next: [String: Changed], files changedFiles: Set<String>, _ corrected: [User: Expectation],
    _ places: Set<Place>
  ) -> Bool {
    let touched = Set(users(of: places).values.joined())
    let affected = affectedFiles(by: changedFiles)
    var worlds = WorldSources(replacing: next.values.map(\.new))
    var read = files
    for file in affected {
      guard let before = files[file] else { continue }
      let problems = ProblemCollector()
      guard let cases = ScenarioReader.read(before.path, worlds: &worlds, problems),
        cases.count == before.cases.count
      else {
        let reason = problems.problems.first?.message ?? "the number of cases changes"
        for file in changedFiles { closed[file] = "the file would not be usable: \(reason)" }
        return false
      }
      for (number, (old, new)) in zip(before.cases, cases).enumerated() {
        let isSame =
          old.steps.count == new.steps.count
          && zip(old.steps, new.steps).enumerated().allSatisfy { step, steps in
            let user = User(key: CaseKey(file: file, number: number), step: step)
            if let expectation = corrected[user] { return steps.1.step.content == .expectation(expectation) }
            return steps.0.step == steps.1.step || touched.contains(user)
          }
        guard isSame else {
          for file in changedFiles { closed[file] = "another step would change too" }
          return false
        }
      }
      read[file]?.cases = cases
    }
    files = read
    changed = next
    for file in changedFiles { editors[file] = nil }
    runCases(results.keys.filter { affected.contains($0.file) })
    return true
  }

  /// The files of scenarios with a step of some files.
  func affectedFiles(by changed: Set<String>) -> Set<String> {
    var identities: [String: Bool] = [:]
    func isChanged(_ position: SourcePosition) -> Bool {
      let path = position.file.path
      if let known = identities[path] { return known }
      let isChanged = changed.contains(ScenarioFinder.identity(of: path))
      identities[path] = isChanged
      return isChanged
    }
    return Set(
      files.filter { file, read in
        changed.contains(file)
          || read.cases.contains { scenario in
            scenario.steps.contains { isChanged($0.position) || $0.valuePositions.contains(where: isChanged) }
          }
      }.keys)
  }

  /// Runs some cases, and keeps their results.
  mutating func runCases(_ keys: some Collection<CaseKey>) {
    let keys = keys.sorted { ($0.file, $0.number) < ($1.file, $1.number) }
    let scenarios = keys.compactMap { scenario($0) }
    guard !keys.isEmpty, scenarios.count == keys.count else { return }
    let found = RunPlan(scenarios: scenarios, batch.settings, keepsJournals: false).run()
    // An interrupted run leaves out results, and ends the update.
    guard found.count == keys.count else { return }
    for (key, result) in zip(keys, found) { results[key] = result }
  }
}
