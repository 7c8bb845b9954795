import Ecosystem
import Foundation
import MobileDocument
import Primitives
import Scenarios

/// When a live world begins.
public enum LiveMoment: Sendable {
  /// When its scenario says.
  case asWritten
  /// Now, for parties outside that go by the same clock as everybody.
  case now
}

/// What a demonstration shows: a world, a seed and what goes wrong in it.
public struct DemoWorld: Sendable {
  /// Path of the scenario or the world.
  public var path: String
  /// Name of a case, when the scenario has several; the first when nil.
  public var caseName: String?
  /// The seed; the scenario's own when nil.
  public var seed: UInt64?
  /// What goes wrong.
  public var faults: [DemoFault]
  /// Further changes to the world, as a scenario writes them.
  public var changes: [String]
  /// When the world begins.
  public var moment = LiveMoment.asWritten

  /// A demonstration from its parts.
  public init(
    path: String, caseName: String? = nil, seed: UInt64? = nil, faults: [DemoFault] = [], changes: [String] = []
  ) {
    self.path = path
    self.caseName = caseName
    self.seed = seed
    self.faults = faults
    self.changes = changes
  }

  /// Reads the world, with its changes made.
  ///
  /// - Parameter more: says what else to change, once it is known what there is.
  /// - Throws: ``LiveRefusal``.
  public func scenario(
    changing more: (WorldDescription) throws(LiveRefusal) -> [String] = { _ in [] }
  ) throws(LiveRefusal) -> Scenario {
    let plain = try read(changes, only: caseName)
    var further = try more(plain.world)
    for fault in faults { if let change = try fault.changes(to: plain.world) { further.append(change) } }
    let changed = further.isEmpty ? plain : try read(changes + further, only: plain.caseName)
    switch moment {
    case .asWritten: return changed
    case .now: return changed.beginning(at: DateTime(Date()))
    }
  }

  private func read(_ changes: [String], only caseName: String?) throws(LiveRefusal) -> Scenario {
    let problems = ProblemCollector()
    guard let cases = ScenarioReader.readLive(path, changes: changes, only: caseName, problems) else {
      throw LiveRefusal(.unreadable, problems.rendered())
    }
    guard let scenario = caseName.map({ name in cases.first { $0.caseName == name } }) ?? cases.first else {
      let names = cases.compactMap(\.caseName).joined(separator: ", ")
      throw LiveRefusal(.unreadable, "\(path) has no case \(caseName ?? ""); it has: \(names)")
    }
    return scenario
  }

  /// Brings the world to life, with its faults put in. Waits until everybody in it is ready.
  ///
  /// - Parameter more: says what else to change, once it is known what there is.
  /// - Throws: ``LiveRefusal``.
  public func begin(
    clock: some LiveClock = WallClock(), changing more: (WorldDescription) throws(LiveRefusal) -> [String] = { _ in [] }
  ) throws(LiveRefusal) -> LiveWorld {
    let world = try LiveWorld(try scenario(changing: more), seed: seed, clock: clock)
    for step in faults.compactMap(\.step) { try world.performAndWait(step) }
    return world
  }
}
