import Foundation
import InteractiveWorlds
import ScenarioLanguage

/// A running demonstration: a live world and its state on the screen.
public final class Demonstration {
  private var setting: DemoConfiguration
  private var world: InteractiveWorld
  private let makeClock: () -> any InteractiveClock
  /// The current state.
  public private(set) var state: DemoState
  /// The screens after each action; nil if they are not recorded.
  public private(set) var screens: ScreenRecording?

  /// Starts a demonstration.
  /// - Parameters:
  ///   - setting: The world.
  ///   - screens: An empty recording, which gets the screens. The clock of the world then stands still, so that the same
  ///     keys give the same recording.
  /// - Throws: ``InteractiveWorldError`` if the world does not exist or cannot be read.
  public init(_ setting: DemoConfiguration, screens: ScreenRecording? = nil) throws(InteractiveWorldError) {
    self.setting = setting
    self.screens = screens
    makeClock = screens == nil ? { WallClock() } : { StandingClock() }
    world = try setting.begin(clock: makeClock())
    state = try Self.state(of: world, setting)
    self.screens?.add(state)
  }

  private static func state(of world: InteractiveWorld, _ setting: DemoConfiguration) throws(InteractiveWorldError)
    -> DemoState
  {
    guard let snapshot = world.snapshot else { throw InteractiveWorldError(.broken, "the world has no state") }
    let icons = world.scenario.world.websites.map { ($0.identifier, $0.brand.icon) }
    var state = DemoState(
      snapshot, entries: world.journal.entries, icons: Dictionary(icons) { first, _ in first },
      devices: world.scenario.world.devices, faults: setting.faults)
    state.notice = world.scenario.world.sandboxNotice
    state.conclusion = world.conclusion
    return state
  }

  /// Handles a key.
  /// - Returns: true if the demonstration continues.
  public func take(_ key: DemoKey) -> Bool {
    guard let action = state.take(key) else {
      screens?.add(state)
      return true
    }
    return take(action)
  }

  /// Performs the action of a key.
  /// - Returns: true if the demonstration continues.
  public func take(_ action: DemoAction) -> Bool {
    state.notice = nil
    defer { screens?.add(state) }
    switch action {
    case .quit: return false
    case .combineFaults(let isCombined): state.combinesFaults = isCombined
    case .look(let look): state.show(look)
    case .step(let step):
      state.show(.plain)
      do throws(InteractiveWorldError) {
        try world.performAndWait(.person(step))
      } catch {
        state.notice = error.description
      }
      refresh()
    case .begin(let names): begin(with: names)
    }
    return true
  }

  /// Limits scrolling to the end of the text on a terminal of a given size.
  public func fit(columns: Int, rows: Int) {
    state.scroll = min(state.scroll, DemoDrawing.furthestScroll(state, columns: columns, rows: rows))
  }

  /// Updates the state from the world, which time may have changed.
  public func refresh() {
    guard let snapshot = world.snapshot else { return }
    state.snapshot = snapshot
    let entries = world.journal.entries
    if entries.count != state.entries.count {
      state.entries = entries
      state.conclusion = world.conclusion
    }
    if let failure = snapshot.failure { state.notice = failure.description }
  }

  private func begin(with names: [String]) {
    var next = setting
    next.faults = names.compactMap(DemoFault.named)
    do throws(InteractiveWorldError) {
      let born = try next.begin(clock: makeClock())
      world.stop()
      (world, setting) = (born, next)
      let isCombined = state.combinesFaults
      state = try Self.state(of: born, next)
      state.combinesFaults = isCombined
    } catch {
      state.notice = error.description
    }
  }

  /// The steps in the current world, as a scenario.
  public var recording: ScenarioRecording { world.recording }

  /// Ends the world.
  public func end() { world.stop() }
}
