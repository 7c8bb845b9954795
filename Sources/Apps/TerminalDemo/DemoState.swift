import Ecosystem
import InteractiveWorlds
import MobileDocument
import SimulationKernel

/// Where a demonstration stands: the world as it is now, and how the person looks at it.
public struct DemoState: Sendable {
  /// How the person looks at the moment.
  public enum Look: Sendable, Equatable {
    /// As it is.
    case plain
    /// At the selector, with the apps that it hides.
    case hiddenApps
    /// At the phone, which waits for a face.
    case face(button: String)
    /// At what can go wrong.
    case faults
    /// At every check of the server.
    case checks
    /// At a message.
    case message(Int)
  }

  /// The world as it is now.
  public var snapshot: InteractiveWorld.Snapshot
  /// Everything that happened.
  public var entries: [Journal.Entry]
  /// How the person looks at it.
  public var look = Look.plain
  /// The brand icons of the world's websites, by the websites' names.
  public let icons: [String: String]
  /// What goes wrong in the world.
  public var faults: [DemoFault]
  /// What was just refused, in words.
  public var notice: String?
  /// The choice that Enter takes.
  public var selected = 0
  /// How many lines of a long text are above the screen.
  public var scroll = 0

  /// A demonstration at its beginning.
  public init(
    _ snapshot: InteractiveWorld.Snapshot, entries: [Journal.Entry], icons: [String: String], faults: [DemoFault]
  ) {
    self.snapshot = snapshot
    self.entries = entries
    self.icons = icons
    self.faults = faults
  }

  /// Lines of the journal that the person's own steps led to.
  var told: ArraySlice<Journal.Entry> {
    let start = entries.firstIndex { entry in
      if case .decision(let made) = entry.event { made.kind == .step } else { false }
    }
    return entries[(start ?? entries.endIndex)...]
  }

  /// What the server of the website on the screen concluded last, check by check.
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
