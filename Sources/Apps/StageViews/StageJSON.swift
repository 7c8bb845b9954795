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
  package static func hands(
    _ snapshot: InteractiveWorld.Snapshot, in world: WorldDescription, byHand: ByHand
  ) -> some JSONWritable {
    let hands = world.devices.map(\.identifier).map { device in
      (device, Hand(apps: snapshot.contents[device]?.apps ?? [], deeds: byHand.deeds(on: device, in: snapshot)))
    }
    return Dictionary(hands) { first, _ in first }
  }

  /// The contents of a device and the acts by hand.
  struct Hand: JSONObjectWritable {
    let apps: [DeviceContents.App]
    let deeds: [ByHand.Deed]

    func writeMembers(to json: inout JSONWriter) {
      json.member("apps", apps)
      json.member("deeds", deeds)
    }
  }

  /// A live world.
  package struct World {
    private let played: Scenario
    private let identifier: String
    private let setting: DemoConfiguration
    private let file: (world: String?, scenario: String?)
    private let devices: DevicesInUse
    /// The screens at the start; nil where they come with the events.
    package var screen: StageScreen?

    /// Creates the JSON of a world.
    /// - Parameters:
    ///   - identifier: The name of the world in addresses.
    ///   - setting: Its configuration.
    ///   - file: The catalogue's names of the world's file and of the scenario.
    ///   - devices: The devices in use.
    package init(
      _ played: Scenario, identifier: String, setting: DemoConfiguration, file: (world: String?, scenario: String?),
      devices: DevicesInUse
    ) {
      self.played = played
      self.identifier = identifier
      self.setting = setting
      self.file = file
      self.devices = devices
    }
  }
}

extension StageJSON.World: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    let world = played.world
    let parties = WorldParties(of: world, on: devices)
    json.member("actors", Actors.columns(of: parties.all, in: world))
    json.member("appIcons", world.appIcons)
    // The parties whose columns are there before any takes part.
    json.member("core", parties.core.map(\.description))
    json.member("device", devices.answering)
    json.member("devices", StageDevice.all(of: world))
    json.member("faults", setting.faults.map(\.name))
    json.member("id", identifier)
    json.member("scenario", file.scenario)
    json.member("screen", screen)
    json.member("seed", setting.seed ?? played.seed)
    // The number of steps after which the scenario was taken over.
    json.member(orNull: "steps", setting.steps)
    json.member("terminals", ListedTerminal.all(of: world))
    json.member("websites", StageWebsite.all(of: world, live: identifier))
    json.member("world", file.world)
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
