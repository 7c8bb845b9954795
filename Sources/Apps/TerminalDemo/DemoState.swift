import Checks
import Ecosystem
import InteractiveWorlds
import Messaging
import MobileDocument

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
  public var entries: [JournalEntry]
  /// How the person looks at it.
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
    _ snapshot: InteractiveWorld.Snapshot, entries: [JournalEntry], icons: [String: String], faults: [DemoFault]
  ) {
    self.snapshot = snapshot
    self.entries = entries
    self.icons = icons
    self.faults = faults
  }

  /// Lines of the journal that the person's own steps led to.
  var told: ArraySlice<JournalEntry> {
    let start = entries.firstIndex(where: \.event.isStep)
    return entries[(start ?? entries.endIndex)...]
  }

  /// The last checks of the server of the website on the screen.
  var checks: [CheckResult] {
    let server = Party(.server, snapshot.website)
    var found: [CheckResult] = []
    for entry in told {
      switch entry.event {
      case .message(let message) where message.recipient == server && message.kind == .submitResponse: found = []
      case .check(let result) where entry.party == server: found.append(result)
      default: continue
      }
    }
    return found
  }
}
