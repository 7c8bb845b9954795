import Foundation
import InteractiveWorlds
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import Vocabulary

/// A running demonstration and its state on the screen: a scenario that is played, a world that the person took over
/// from it, or a world without a scenario.
public final class Demonstration {
  private var setting: DemoConfiguration
  /// The whole run of the scenario; nil for a world without one.
  private var play: Playback?
  /// The world of the person's own steps; nil while the scenario is played.
  private var world: InteractiveWorld?
  /// The person's acts in the world, in order.
  private var acts: [Act] = []
  /// The current state.
  public private(set) var state: DemoState
  /// The screens after each action; nil if they are not recorded.
  public private(set) var screens: ScreenRecording?

  /// Starts a demonstration.
  /// - Parameters:
  ///   - setting: The scenario or the world.
  ///   - screens: An empty recording, which gets the screens.
  /// - Throws: ``InteractiveWorldError`` if the world does not exist, or the scenario cannot be run.
  public init(_ setting: DemoConfiguration, screens: ScreenRecording? = nil) throws(InteractiveWorldError) {
    self.setting = setting
    self.screens = screens
    (play, world, state) = try Self.begin(setting)
    self.screens?.add(state)
  }

  /// An act of the person in the world.
  private enum Act {
    /// By hand.
    case own(Action)
    /// The scenario's own next step.
    case next
  }

  private static func begin(
    _ setting: DemoConfiguration
  ) throws(InteractiveWorldError) -> (Playback?, InteractiveWorld?, DemoState) {
    var state: DemoState
    guard ScenarioOutline(readingFrom: setting.path) != nil else {
      var free = setting
      free.steps = 0
      let world = try free.begin()
      guard let snapshot = world.snapshot else { throw InteractiveWorldError(.broken, "the world has no state") }
      state = DemoState(
        DemoState.Snapshot(snapshot), of: world.scenario.world, entries: world.journal.entries, faults: setting.faults)
      state.notice = world.scenario.world.sandboxNotice
      state.conclusion = world.conclusion
      return (nil, world, state)
    }
    let play = try setting.play()
    guard let first = play.moments.first else {
      let outcome = play.result.outcome
      throw InteractiveWorldError(
        .broken, "the case is \(outcome.verdict.words): \(outcome.headline ?? "no reason given")")
    }
    state = DemoState(DemoState.Snapshot(first), of: play.result.scenario.world, entries: [], faults: setting.faults)
    state.story = DemoStory(play)
    state.notice = state.world.sandboxNotice
    state.show(play, position: 0)
    return (play, nil, state)
  }

  /// Handles a key.
  /// - Returns: True if the demonstration continues.
  public func take(_ key: DemoKey) -> Bool {
    guard let action = state.take(key) else {
      // The person looks at something else.
      state.story?.isPlaying = false
      findDeeds()
      screens?.add(state)
      return true
    }
    return take(action)
  }

  /// Performs the action of a key.
  /// - Returns: True if the demonstration continues.
  public func take(_ action: DemoAction) -> Bool {
    state.notice = nil
    defer { screens?.add(state) }
    let wasPlaying = state.story?.isPlaying ?? false
    state.story?.isPlaying = action == .play && !wasPlaying
    switch action {
    case .quit: return false
    case .combineFaults(let isCombined): state.combinesFaults = isCombined
    case .look(let look): state.show(look)
    case .begin(let names): begin(with: names)
    case .play: if let story = state.story, story.position == story.steps.count { go(to: 0) }
    case .start: go(to: 0)
    case .end: go(to: state.story?.steps.count ?? 0)
    case .back: go(to: (state.story?.position ?? 0) - 1)
    case .leave: leave()
    case .next where state.story?.live == nil: go(to: (state.story?.position ?? 0) + 1)
    case .next: attempt { () throws(InteractiveWorldError) in try perform(.next) }
    case .step(let step):
      state.show(.plain)
      attempt { () throws(InteractiveWorldError) in try perform(.own(.person(step))) }
    case .clerk(let answer, let terminal):
      state.show(.plain)
      attempt { () throws(InteractiveWorldError) in try perform(.own(.clerk(answer, terminal: terminal))) }
    case .deed(let action):
      if !state.staysOpen { state.show(.plain) }
      state.selected = 0
      attempt { () throws(InteractiveWorldError) in try perform(.own(action)) }
    case .byHand(let place): attempt { () throws(InteractiveWorldError) in try showByHand(place) }
    case .undo: attempt { () throws(InteractiveWorldError) in try undo() }
    }
    findDeeds()
    return true
  }

  /// Plays the next step of a scenario that plays by itself.
  public func advance() {
    guard let story = state.story, story.isPlaying else { return }
    go(to: story.position + 1)
    state.story?.isPlaying = story.position + 1 < story.steps.count
    screens?.add(state)
  }

  /// Limits scrolling to the end of the text on a terminal of a given size.
  public func fit(columns: Int, rows: Int) {
    state.scroll = min(state.scroll, DemoDrawing.furthestScroll(state, columns: columns, rows: rows))
  }

  /// Updates the state from the world, which time may have changed.
  public func refresh() {
    guard let world, let snapshot = world.snapshot else { return }
    state.snapshot = DemoState.Snapshot(snapshot)
    let entries = world.journal.entries
    if entries.count != state.entries.count {
      state.entries = entries
      state.conclusion = world.conclusion
    }
    if let failure = snapshot.failure { state.notice = failure.description }
    findDeeds()
  }

  /// Finds what the person can do by hand, for the view that shows it.
  private func findDeeds() {
    state.canUndo = !acts.isEmpty
    guard case .byHand = state.look, let byHand = world?.byHand, let snapshot = world?.snapshot else {
      state.deeds = [:]
      return
    }
    state.deeds = Dictionary(
      state.world.devices.map { ($0.identifier, byHand.deeds(on: $0.identifier, in: snapshot)) }
    ) { first, _ in first }
  }

  private func begin(with names: [String]) {
    var next = setting
    next.faults = names.compactMap(DemoFault.named)
    do throws(InteractiveWorldError) {
      let begun = try Self.begin(next)
      world?.stop()
      acts = []
      let isCombined = state.combinesFaults
      (play, world, state) = begun
      setting = next
      state.combinesFaults = isCombined
    } catch {
      state.notice = error.description
    }
  }

  /// The steps so far, as a scenario.
  /// - Throws: ``InteractiveWorldError`` if the steps of a play cannot be repeated.
  public func recording() throws(InteractiveWorldError) -> ScenarioRecording {
    if let world { return world.recording }
    let world = try takenOver()
    defer { world.stop() }
    return world.recording
  }

  /// Ends the world.
  public func end() { world?.stop() }
}

/// Plays, and worlds that are taken over from them.
extension Demonstration {
  private func attempt(_ body: () throws(InteractiveWorldError) -> Void) {
    do throws(InteractiveWorldError) {
      try body()
    } catch {
      state.notice = error.description
    }
    refresh()
  }

  private func go(to position: Int) {
    guard let play, world == nil else { return }
    state.show(.plain)
    state.show(play, position: max(0, min(play.steps.count, position)))
  }

  /// Goes back from a world that was taken over to the play.
  private func leave() {
    guard let play, let live = state.story?.live else { return }
    world?.stop()
    (world, acts) = (nil, [])
    state.story?.live = nil
    state.words = [:]
    state.show(.plain)
    state.show(play, position: live.from)
  }

  /// A world in which the steps up to the position were done.
  private func takenOver() throws(InteractiveWorldError) -> InteractiveWorld {
    var taken = setting
    taken.steps = max(state.story?.position ?? 0, state.story?.leadingFaults ?? 0)
    return try taken.begin(clock: StandingClock())
  }

  /// Takes the play on the screen over.
  private func takeOver() throws(InteractiveWorldError) {
    guard world == nil, let story = state.story else { return }
    world = try takenOver()
    let done = max(story.position, story.leadingFaults)
    state.story?.live = DemoStory.Live(from: done, next: done)
  }

  /// Shows what the person can do by hand, in a world of their own.
  private func showByHand(_ place: DemoState.HandPlace?) throws(InteractiveWorldError) {
    try takeOver()
    state.show(.byHand(place))
  }

  /// Takes the last act back: the acts before it are done again in a new world.
  private func undo() throws(InteractiveWorldError) {
    let before = Array(acts.dropLast())
    guard !acts.isEmpty else { return }
    let look = state.look
    if state.story == nil {
      begin(with: setting.faults.map(\.name))
    } else {
      leave()
      try takeOver()
    }
    for act in before { attempt { () throws(InteractiveWorldError) in try perform(act) } }
    if case .byHand = look { state.show(look) }
  }

  private func perform(_ act: Act) throws(InteractiveWorldError) {
    let lines = state.entries.count
    func note() {
      refresh()
      if state.entries.count > lines { acts.append(act) }
    }
    do throws(InteractiveWorldError) {
      switch act {
      case .own(let action): try self.act(action)
      case .next: try doNext()
      }
    } catch {
      // An act whose effect failed was done.
      note()
      throw error
    }
    note()
  }

  /// Does a step in the world, which begins with it if a play is on the screen.
  private func perform(_ step: Step) throws(InteractiveWorldError) {
    try takeOver()
    guard let world else { return }
    let focus = state.snapshot.focus
    let lines = world.journal.entries.count
    defer {
      let first = world.journal.entries.dropFirst(lines).first { $0.event.isStep }
      if let first { state.words[first.number] = step.words(in: focus, state.names) }
    }
    try world.performAndWait(step)
  }

  /// Does a step by hand, and judges what the scenario expects after its own action at this place.
  private func act(_ action: Action) throws(InteractiveWorldError) {
    try takeOver()
    let lines = world?.journal.entries.count ?? 0
    try perform(Step(.action(action)))
    guard let story = state.story, let index = story.nextAction else { return }
    let next = story.steps[index]
    let used = world?.journal.entries.dropFirst(lines).deviceUsed ?? world?.snapshot?.device
    let isSame =
      switch (action, next.step.content) {
      case (.person(let one), .action(.person(let other))):
        one.isSame(as: other) && (next.device == nil || next.device == used)
      case (.clerk(let one, _), .action(.clerk(let other, _))): one == other
      default: false
      }
    state.story?.live?.results[index] = isSame ? .done : .instead
    state.story?.live?.next = index + 1
    try judge()
  }

  /// Does the scenario's next step in a world that was taken over.
  private func doNext() throws(InteractiveWorldError) {
    guard let story = state.story, let live = story.live, story.steps.indices.contains(live.next) else { return }
    let next = story.steps[live.next]
    if next.kind != .expectation {
      try perform(next.step)
      state.story?.live?.results[live.next] = .done
      state.story?.live?.next += 1
    }
    try judge()
  }

  /// Judges the expectations up to the scenario's next action.
  private func judge() throws(InteractiveWorldError) {
    while let story = state.story, let next = story.live?.next, story.steps.indices.contains(next),
      story.steps[next].kind == .expectation, let world
    {
      let failure = try world.judgeAndWait(step: next)
      state.story?.live?.results[next] = .judged(failure.map { DemoStory.sentence(.failed($0)) })
      state.story?.live?.next += 1
    }
  }
}

extension DemoState {
  /// True for a place that stays open after an act there, as a screen of the device does.
  fileprivate var staysOpen: Bool {
    guard case .byHand(let place?) = look else { return false }
    return switch place.place {
    case .settings, .store, .app, .person: true
    case .screen, .home, .browser, .terminal, nil: false
    }
  }

  /// Shows the moment of a play after a number of steps.
  mutating func show(_ play: Playback, position: Int) {
    story?.position = position
    let step = position > 0 ? play.steps[position - 1] : nil
    if play.moments.indices.contains(step?.moment ?? 0) { snapshot = Snapshot(play.moments[step?.moment ?? 0]) }
    let whole = play.result.journal.entries
    let isEnd = position == play.steps.count
    let lines = isEnd ? whole.count : step?.lines.upperBound ?? play.steps.first?.lines.lowerBound ?? whole.count
    entries = Array(whole.prefix(lines))
    // The end of the last presentment may come before the end of the run.
    let isConcluded = isEnd || play.conclusion.flatMap { $0.end ?? $0.line }.map { $0 <= lines } ?? false
    conclusion = isConcluded ? play.conclusion : nil
    for played in play.steps {
      let first = whole[played.lines.clamped(to: whole.indices)].first { $0.event.isStep }
      if let first { words[first.number] = played.words }
    }
  }
}
