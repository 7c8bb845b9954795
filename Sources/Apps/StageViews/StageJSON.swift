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
  /// The person's screens.
  package struct Screen {
    /// The device with the apps.
    var device: String
    var website: String
    var now: String
    /// The screens of every device.
    var devices: DeviceScreens
    var terminals: TerminalScreens
    /// The end of the last presentment; nil while none has ended.
    var conclusion: Conclusion?

    package init(_ snapshot: InteractiveWorld.Snapshot, of live: InteractiveWorld) {
      let world = live.scenario.world
      let entries = live.journal.entries.prefix(snapshot.lines)
      terminals = TerminalScreens(TerminalView.all(in: world, after: entries))
      conclusion = live.conclusion
      device = DevicesInUse(world.devices, current: snapshot.device).answering
      website = snapshot.website
      now = snapshot.now.description
      devices = DeviceScreens(
        DeviceScreen.all(
          snapshot.view, snapshot.focus, settings: snapshot.contents.mapValues(\.settings), in: world))
    }
  }

  /// The contents of the devices and the acts by hand, by the names of the devices.
  package struct Hands {
    var devices: [(device: String, hand: Hand)]

    package init(_ snapshot: InteractiveWorld.Snapshot, in world: WorldDescription, byHand: ByHand) {
      devices = world.devices.map(\.identifier).sorted().map { device in
        let apps = snapshot.contents[device]?.apps ?? []
        return (device, Hand(apps: apps, deeds: byHand.deeds(on: device, in: snapshot)))
      }
    }
  }

  /// The contents of a device and the acts by hand.
  struct Hand {
    var apps: [DeviceContents.App]
    var deeds: [ByHand.Deed]
  }

  /// A live world.
  package struct World {
    struct Website {
      var name: String
      var title: String
      var icon: String
      var origin: String
      var url: String
    }

    var id: String
    var world: String?
    var scenario: String?
    /// The screens at the start; nil where they come with the events.
    package var screen: Screen?
    var seed: UInt64
    var faults: [String]
    /// The number of steps after which the scenario was taken over.
    var steps: Int?
    var device: String
    var devices: [PlayJSON.Device]
    var terminals: [ListedTerminal]
    var websites: [Website]
    var appIcons: AppIcons
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
      websites = description.websites.map { website in
        Website(
          name: website.identifier, title: website.brand.name, icon: website.brand.picture,
          origin: website.origin.serialized,
          url: "\(website.origin.serialized)/?world=\(identifier)")
      }
      appIcons = AppIcons(of: description)
      let parties = WorldParties(of: description, on: used)
      actors = Actors.columns(of: parties.all, in: description)
      core = parties.core.map(\.description)
    }
  }
}

extension StageJSON.World.Website: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("icon", icon)
      json.member("name", name)
      json.member("origin", origin)
      json.member("title", title)
      json.member("url", url)
    }
  }
}

extension StageJSON.World: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
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
}

extension StageJSON.Screen: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("conclusion", conclusion)
      json.member("device", device)
      json.member("devices", devices)
      json.member("now", now)
      json.member("terminals", terminals)
      json.member("website", website)
    }
  }
}

extension StageJSON.Hands: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      for (device, hand) in devices { json.member(device, hand) }
    }
  }
}

extension StageJSON.Hand: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("apps", apps)
      json.member("deeds", deeds)
    }
  }
}

extension DeviceContents.App: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("documents", documents)
      json.member("isOn", isOn)
      json.member("name", name)
    }
  }
}

extension ByHand.Deed: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      if case .app(let app) = place { json.member("app", app) }
      json.member("label", label)
      json.member("longestText", asksText ? Self.longestText : nil)
      json.member("place", place.name)
      if case .terminal(let terminal) = place { json.member("terminal", terminal) }
      json.member("text", step.text)
      json.member("words", words)
    }
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
