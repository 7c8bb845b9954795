import InteractiveWorlds
import JSON
import ScenarioLanguage
import Telling
import Vocabulary

/// The screens of every device and of the terminals at a moment.
package struct StageScreen {
  /// The device with the apps.
  var device: String
  var website: String
  var now: String
  var devices: [String: DeviceScreen]
  var terminals: [String: TerminalView]
  /// The end of the last presentment of a live world; nil while none has ended, and for a play.
  var conclusion: Conclusion?

  /// A moment of a live world.
  package init(_ snapshot: InteractiveWorld.Snapshot, of live: InteractiveWorld) {
    let world = live.scenario.world
    terminals = Self.byName(TerminalView.all(in: world, after: live.journal.entries.prefix(snapshot.lines)))
    conclusion = live.conclusion
    device = DevicesInUse(world.devices, current: snapshot.device).answering
    website = snapshot.website
    now = snapshot.now.description
    devices = DeviceScreen.all(
      snapshot.view, snapshot.focus, settings: snapshot.contents.mapValues(\.settings), in: world)
  }

  /// A moment of a play.
  init(_ moment: Playback.Moment, in world: WorldDescription) {
    now = moment.now.description
    device = moment.focus.device
    website = moment.focus.website
    devices = DeviceScreen.all(moment.view, moment.focus, settings: moment.settings, in: world)
    terminals = Self.byName(moment.terminals)
  }

  /// The dark screens of a world that could not be made.
  init(beginning scenario: Scenario, device: String) {
    now = scenario.clock.description
    self.device = device
    website = scenario.world.websites.first?.identifier ?? ""
    terminals = [:]
    // Nothing on a dark screen is in a language.
    let world = scenario.speaking(.english).world
    devices = DeviceScreen.all(PersonView(), Focus(website: website, device: device), settings: [:], in: world)
  }

  private static func byName(_ terminals: [TerminalView]) -> [String: TerminalView] {
    Dictionary(terminals.map { ($0.identifier, $0) }) { first, _ in first }
  }
}

extension StageScreen: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("conclusion", conclusion)
    json.member("device", device)
    json.member("devices", devices)
    json.member("now", now)
    json.member("terminals", terminals)
    json.member("website", website)
  }
}
