import CBOR
import Checks
import Ecosystem
import InteractiveWorlds
import JSON
import Messaging
import MobileDocument
import ScenarioLanguage
import Telling
import TraceViews
import Vocabulary

/// The JSON for the stage.
package enum StageJSON {
  /// The contents of the devices and the acts by hand, by the names of the devices.
  package struct Hands: JSONWritable {
    var devices: [String: Hand] = [:]

    package init(_ snapshot: InteractiveWorld.Snapshot, in world: WorldDescription, byHand: ByHand) {
      for device in world.devices.map(\.identifier) {
        devices[device] = Hand(
          apps: snapshot.contents[device]?.apps ?? [], deeds: byHand.deeds(on: device, in: snapshot))
      }
    }

    package func write(to json: inout JSONWriter) { devices.write(to: &json) }
  }

  /// The contents of a device and the acts by hand.
  struct Hand {
    var apps: [DeviceContents.App]
    var deeds: [ByHand.Deed]
  }

  /// A live world.
  package struct World {
    var id: String
    var world: String?
    var scenario: String?
    /// The screens at the start; nil where they come with the events.
    package var screen: StageScreen?
    var seed: UInt64
    var faults: [String]
    /// The number of steps after which the scenario was taken over.
    var steps: Int?
    var device: String
    var devices: [PlayJSON.Device]
    var terminals: [ListedTerminal]
    var websites: [StageWebsite]
    var appIcons: [String: String]
    var actors: [TimelineActor]
    /// The parties whose columns are there before any takes part.
    var core: [String]

    /// Creates the JSON of a world.
    /// - Parameters:
    ///   - identifier: The name of the world in addresses.
    ///   - setting: Its configuration.
    ///   - file: The catalogue's names of the world's file and of the scenario.
    ///   - devices: The devices in use.
    package init(
      _ played: Scenario, identifier: String, setting: DemoConfiguration, file: (world: String?, scenario: String?),
      devices used: DevicesInUse
    ) {
      let description = played.world
      id = identifier
      (world, scenario) = file
      seed = setting.seed ?? played.seed
      faults = setting.faults.map(\.name)
      steps = setting.steps
      device = used.answering
      devices = PlayJSON.Device.all(of: description)
      terminals = ListedTerminal.all(of: description)
      websites = StageWebsite.all(of: description, live: identifier)
      appIcons = description.appIcons
      let parties = WorldParties(of: description, on: used)
      actors = Actors.columns(of: parties.all, in: description)
      core = parties.core.map(\.description)
    }
  }
}

extension StageJSON.World: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("actors", actors)
    json.member("appIcons", appIcons)
    json.member("core", core)
    json.member("device", device)
    json.member("devices", devices)
    json.member("faults", faults)
    json.member("id", id)
    json.member("scenario", scenario)
    json.member("screen", screen)
    json.member("seed", seed)
    json.member(orNull: "steps", steps)
    json.member("terminals", terminals)
    json.member("websites", websites)
    json.member("world", world)
  }
}

extension StageJSON.Hand: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("apps", apps)
    json.member("deeds", deeds)
  }
}

extension DeviceContents.App: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("documents", documents)
    json.member("isOn", isOn)
    json.member("name", name)
  }
}

extension ByHand.Deed: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    if case .app(let app) = place { json.member("app", app) }
    json.member("label", label)
    json.member("longestText", asksText ? Self.longestText : nil)
    json.member("place", place.name)
    if case .terminal(let terminal) = place { json.member("terminal", terminal) }
    json.member("text", step.text)
    json.member("words", words)
  }
}

extension ByHand.Place {
  /// The name on the stage.
  fileprivate var name: String {
    switch self {
    case .screen: "screen"
    case .home: "home"
    case .settings: "settings"
    case .store: "store"
    case .app: "app"
    case .browser: "browser"
    case .terminal: "terminal"
    case .person: "person"
    }
  }
}
