import Checks
import DevicePlatform
import InteractiveWorlds
import Messaging
import MobileDocument
import Primitives
import Telling
import Vocabulary

/// The state of a demonstration: the world's current state and the person's view of it.
public struct DemoState: Sendable {
  /// The view.
  public enum Look: Sendable, Equatable {
    /// The person's screen.
    case plain
    /// The selector, with the apps that it hides.
    case hiddenApps
    /// The phone while it authenticates the person.
    case authentication(OwnerAuthentication.Method)
    /// The menu of faults.
    case faults
    /// Every check of the server.
    case checks
    /// A message.
    case message(Int)
    /// The acts that the person can do by hand: on all devices, on one of them, or at a place of it.
    case byHand(HandPlace?)
    /// The field for the text of an act by hand.
    case entry(TextEntry)
  }

  /// A text that the person enters for an act.
  public struct TextEntry: Sendable, Equatable {
    /// The place of the act.
    let place: HandPlace
    /// The act.
    let deed: ByHand.Deed
    /// The text so far.
    var text = ""
  }

  /// A place on a device where the person finds actions.
  public struct HandPlace: Sendable, Equatable {
    /// The device.
    let device: String
    /// The place; nil for all of the device.
    var place: ByHand.Place?
  }

  /// The world at a moment of a play, or as it is now.
  public struct Snapshot: Sendable {
    /// The person's screens.
    public var view: PersonView
    /// The page and the device used last.
    public var focus: Focus
    /// The world's time.
    public var now: DateTime
    /// The settings of the devices.
    var settings: [String: DeviceSettings]

    /// The device used last.
    var device: String { focus.device }
    /// The website visited last.
    var website: String { focus.website }

    init(_ snapshot: InteractiveWorld.Snapshot) {
      (view, focus, now) = (snapshot.view, snapshot.focus, snapshot.now)
      settings = snapshot.contents.mapValues(\.settings)
    }

    init(_ moment: Playback.Moment) {
      (view, focus, now, settings) = (moment.view, moment.focus, moment.now, moment.settings)
    }
  }

  /// The world's current state.
  public var snapshot: Snapshot
  /// Everything that happened.
  public var entries: [JournalEntry] { didSet { terminals = TerminalView.all(in: world, after: entries) } }
  /// The terminals of the world.
  private(set) var terminals: [TerminalView]
  /// The scenario that is told; nil for a world without one.
  public var story: DemoStory?
  /// How the person looks at it.
  public var look = Look.plain
  /// The description of the world.
  let world: WorldDescription
  /// The titles of the world's parts.
  let names: WorldNames
  /// The acts that the person can do by hand on each device; empty while the view does not show it.
  var deeds: [String: [ByHand.Deed]] = [:]
  /// True if an act of the person can be taken back.
  var canUndo = false
  /// The words of steps by the numbers of their journal lines.
  var words: [Int: String] = [:]
  /// The faults in the world.
  public var faults: [DemoFault]
  /// True if a chosen fault is added to the others instead of replacing them.
  public var combinesFaults = false
  /// The end of the last presentment; nil while none has ended.
  public var conclusion: Conclusion?
  /// The message of the last refusal.
  public var notice: String?
  /// The selected choice, which Enter takes.
  public var selected = 0
  /// The number of lines of a long text above the screen.
  public var scroll = 0

  /// Creates the state at the start of a demonstration.
  init(_ snapshot: Snapshot, of world: WorldDescription, entries: [JournalEntry], faults: [DemoFault]) {
    self.snapshot = snapshot
    self.world = world
    self.entries = entries
    self.faults = faults
    names = world.names
    terminals = TerminalView.all(in: world, after: entries)
  }

  /// The terminal that a phone was held to last, at first the world's first; nil in a world without one.
  var terminal: TerminalView? { terminals.first { $0.identifier == snapshot.focus.terminal } ?? terminals.first }

  /// The language of a device.
  func language(of device: String) -> Language { world.languages[device] ?? .english }

  /// Returns a text in the language of a device.
  func says(_ word: ScreenWord, on device: String) -> String { word.text(in: language(of: device)) }

  /// The devices that the person uses.
  var devicesInUse: DevicesInUse { DevicesInUse(world.devices, current: snapshot.device) }

  /// The view that the way back leads to.
  var back: Look {
    if case .entry(let entry) = look { return .byHand(entry.place) }
    guard case .byHand(let place?) = look, world.devices.count > 1 || place.place != nil else { return .plain }
    return .byHand(place.place == nil || world.devices.count == 1 ? nil : HandPlace(device: place.device))
  }

  /// Lines of the journal that the person's own steps led to.
  var told: ArraySlice<JournalEntry> {
    let start = entries.firstIndex(where: \.event.isStep)
    return entries[(start ?? entries.endIndex)...]
  }

  /// The last checks of the server of the website on the screen, or of the servers of the frames in its page.
  var checks: [CheckResult] {
    let page = world.websites.first { $0.identifier == snapshot.website }?.page
    return checks(of: [snapshot.website] + (page?.frames.compactMap(\.website) ?? []))
  }

  /// The checks of the last response that one of the servers of some websites got.
  func checks(of websites: [String]) -> [CheckResult] {
    let servers = Set(websites.map { Party(.server, $0) })
    var found: [CheckResult] = []
    var last: Party?
    for entry in told {
      switch entry.event {
      case .message(let message)
      where servers.contains(message.recipient) && [.submitResponse, .submitEnvelope].contains(message.kind):
        (found, last) = ([], message.recipient)
      case .check(let result) where servers.contains(entry.party) && (last ?? entry.party) == entry.party:
        found.append(result)
      default: continue
      }
    }
    return found
  }
}
