import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner

/// Places that several cases, or several steps of one, share.
extension ExpectationUpdate {
  struct User: Hashable {
    let key: CaseKey
    let step: Int
  }

  /// Asks every case that uses a place whether it needs the same value there.
  /// - Parameter assumes: True if a use after another one in the same case is assumed to need the same value.
  mutating func agreements(about wishes: [Wish], assuming assumes: Bool) -> [Place: Agreement] {
    var wanted: [Place: SourceChange] = [:]
    for wish in wishes where chosen.contains(wish.key) { wanted.merge(wish.changes) { first, _ in first } }
    var unread: [String: String] = [:]
    for (place, change) in wanted where files[place.file] == nil {
      unread[place.file] = readUsers(ofFlowAt: change.position.file.path)
    }
    let users = users(of: Set(wanted.keys))
    // A case that was not chosen says what it needs too.
    runCases(Set(users.values.joined().map(\.key)).filter { results[$0] == nil && isJudged($0) })
    var needs = Dictionary(wishes.map { (User(key: $0.key, step: $0.step), $0) }) { first, _ in first }
    for wish in self.wishes() where needs[User(key: wish.key, step: wish.step)] == nil {
      needs[User(key: wish.key, step: wish.step)] = wish
    }
    return Dictionary(
      uniqueKeysWithValues: wanted.map { place, change in
        if let reason = unread[place.file] { return (place, .refused(reason)) }
        var assumed: Set<User> = []
        for user in users[place] ?? [] {
          let need = needs[user]
          if assumes, need == nil, isAfterChange(user, to: change, at: place, needs) {
            assumed.insert(user)
            continue
          }
          if let reason = obstacle(of: user, need, to: change, at: place) { return (place, .refused(reason)) }
        }
        return (place, .agreed(assuming: assumed))
      })
  }

  /// True for a step that its case has not reached, because an earlier step with the same place needs a change there.
  private func isAfterChange(_ user: User, to change: SourceChange, at place: Place, _ needs: [User: Wish]) -> Bool {
    guard let scenario = scenario(user.key), scenario.steps[user.step].step.fails == nil,
      let result = results[user.key], !result.heldSteps.contains(user.step)
    else { return false }
    return needs.contains { other, need in
      other.key == user.key && other.step < user.step && need.changes[place]?.content == change.content
    }
  }

  /// The reason why a case that uses a place keeps its value; nil if it needs the change.
  private func obstacle(of user: User, _ need: Wish?, to change: SourceChange, at place: Place) -> String? {
    guard let scenario = scenario(user.key) else { return "the file has changed meanwhile" }
    let isOwn = files[place.file] != nil
    let name = scenario.caseName.flatMap { isOwn ? SourceText.quote($0) : nil }
    let words = "the case \(name ?? "\(scenario.path)  \(scenario.name)")"
    if scenario.skip != nil { return "\(words) has it too, and is skipped" }
    if scenario.expectedFailure != nil { return "\(words) has it too, and is expected to fail" }
    if scenario.steps[user.step].step.fails != nil { return "\(words) has it too, in a step with 'fails'" }
    guard let need else {
      return results[user.key]?.heldSteps.contains(user.step) ?? false
        ? "it holds in \(words)" : "\(words) has it too, and ends before it"
    }
    if let reason = need.reason { return "\(words) has it too: \(reason)" }
    guard let other = need.changes[place] else { return "it holds in \(words)" }
    return other.content == change.content ? nil : "\(words) needs another value"
  }

  /// The steps of all cases that use some places.
  func users(of places: Set<Place>) -> [Place: [User]] {
    var identities: [String: String] = [:]
    var users: [Place: [User]] = [:]
    let ofFiles = Set(places.map(\.file))
    let isOwn = ofFiles.allSatisfy { files[$0] != nil }
    for (file, read) in files.sorted(by: { $0.key < $1.key }) where !isOwn || ofFiles.contains(file) {
      for (number, scenario) in read.cases.enumerated() {
        for (step, located) in scenario.steps.enumerated() {
          for position in located.valuePositions {
            let path = position.file.path
            let identity = identities[path] ?? ScenarioFinder.identity(of: path)
            identities[path] = identity
            let place = Place(file: identity, line: position.line, column: position.column)
            guard places.contains(place) else { continue }
            users[place, default: []].append(User(key: CaseKey(file: file, number: number), step: step))
          }
        }
      }
    }
    return users
  }

  /// True for a case whose expectations are judged by a run.
  private func isJudged(_ key: CaseKey) -> Bool {
    guard let scenario = scenario(key) else { return false }
    return scenario.skip == nil && scenario.expectedFailure == nil
  }

  /// Reads the scenarios that may use a flow: those beside its folder and below.
  /// - Returns: The reason why a user may be missing, or nil.
  private mutating func readUsers(ofFlowAt path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 2 ? parts.dropLast(2).joined(separator: "/") : path.hasPrefix("/") ? "/" : "."
    if let known = searched[folder] { return known }
    let finding = ProblemCollector()
    var problem: String?
    var worlds = WorldSources(replacing: changed.values.map(\.new))
    for path in ScenarioFinder.files(at: [folder.isEmpty ? "/" : folder], finding) {
      let identity = ScenarioFinder.identity(of: path)
      guard files[identity] == nil else { continue }
      guard let cases = ScenarioReader.read(path, worlds: &worlds, ProblemCollector()) else {
        problem = problem ?? "\(SourceText.visible(path)) cannot be read, and may use the flow"
        continue
      }
      files[identity] = ReadFile(path: path, cases: cases)
    }
    searched[folder] = .some(problem)
    return problem
  }
}
