import Foundation
import InteractiveWorlds
import ScenarioLanguage

/// A demonstration under way: the world that lives, and where it stands for who looks at it.
public final class Demonstration {
  private var setting: DemoConfiguration
  private var world: InteractiveWorld
  /// Where it stands.
  public private(set) var state: DemoState

  /// Begins a demonstration.
  /// - Throws: ``InteractiveWorldError`` when there is no such world.
  public init(_ setting: DemoConfiguration) throws(InteractiveWorldError) {
    self.setting = setting
    world = try setting.begin()
    state = try Self.state(of: world, setting)
  }

  private static func state(of world: InteractiveWorld, _ setting: DemoConfiguration) throws(InteractiveWorldError)
    -> DemoState
  {
    guard let snapshot = world.snapshot else { throw InteractiveWorldError(.broken, "the world shows nothing") }
    let icons = world.scenario.world.websites.map { ($0.identifier, $0.brand.icon) }
    return DemoState(
      snapshot, entries: world.journal.entries, icons: Dictionary(icons) { first, _ in first }, faults: setting.faults)
  }

  /// Takes a key.
  /// - Returns: whether the demonstration goes on.
  public func take(_ key: DemoKey) -> Bool {
    guard let action = state.take(key) else { return true }
    return take(action)
  }

  /// Does what comes of a key.
  /// - Returns: whether the demonstration goes on.
  public func take(_ action: DemoAction) -> Bool {
    state.notice = nil
    switch action {
    case .quit: return false
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

  /// Scrolls no further than to the end of what a terminal of a size shows.
  public func fit(columns: Int, rows: Int) {
    state.scroll = min(state.scroll, DemoDrawing.furthestScroll(state, columns: columns, rows: rows))
  }

  /// Looks at the world anew: time may have changed something in it.
  public func refresh() {
    guard let snapshot = world.snapshot else { return }
    state.snapshot = snapshot
    state.entries = world.journal.entries
    if let failure = snapshot.failure { state.notice = failure.description }
  }

  private func begin(with names: [String]) {
    var next = setting
    next.faults = names.compactMap(DemoFault.named)
    do throws(InteractiveWorldError) {
      let born = try next.begin()
      world.stop()
      (world, setting) = (born, next)
      state = try Self.state(of: born, next)
    } catch {
      state.notice = error.description
    }
  }

  /// What was done in the world as it lives now, as a scenario.
  public var recording: ScenarioRecording { world.recording }

  /// Ends the world.
  public func end() { world.stop() }
}
