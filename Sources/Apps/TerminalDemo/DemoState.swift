import Ecosystem
import InteractiveWorlds
import MobileDocument
import SimulationKernel

/// The state of a demonstration: the world's current state and the person's view of it.
public struct DemoState: Sendable {
  /// The view.
  public enum Look: Sendable, Equatable {
    /// The person's screen.
    case plain
    /// The selector, with the apps that it hides.
    case hiddenApps
    /// The phone during Face ID.
    case face(button: String)
    /// The menu of faults.
    case faults
    /// Every check of the server.
    case checks
    /// A message.
    case message(Int)
  }

  /// The world's current state.
  public var snapshot: InteractiveWorld.Snapshot
  /// Everything that happened.
  public var entries: [Journal.Entry]
  /// The view.
  public var look = Look.plain
  /// The brand icons of the world's websites, by the websites' names.
  public let icons: [String: String]
  /// The faults in the world.
  public var faults: [DemoFault]
  /// The message of the last refusal.
  public var notice: String?
  /// The selected choice, which Enter takes.
  public var selected = 0
  /// The number of lines of a long text above the screen.
  public var scroll = 0

  /// Creates the state at the start of a demonstration.
  public init(
    _ snapshot: InteractiveWorld.Snapshot, entries: [Journal.Entry], icons: [String: String], faults: [DemoFault]
  ) {
    self.snapshot = snapshot
    self.entries = entries
    self.icons = icons
    self.faults = faults
  }

  /// The journal lines since the person's first step.
  var told: ArraySlice<Journal.Entry> {
    let start = entries.firstIndex { entry in
      if case .decision(let made) = entry.event { made.kind == .step } else { false }
    }
    return entries[(start ?? entries.endIndex)...]
  }

  /// The last checks of the server of the website on the screen.
  var checks: [Decision] {
    let server = Party(.server, snapshot.website)
    var found: [Decision] = []
    for entry in told {
      switch entry.event {
      case .message(let message) where message.recipient == server && message.subject.hasSuffix("/response"): found = []
      case .decision(let made) where made.party == server && made.kind == .check: found.append(made)
      default: continue
      }
    }
    return found
  }
}
