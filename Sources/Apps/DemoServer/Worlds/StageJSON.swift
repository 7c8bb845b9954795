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
enum StageJSON {
  /// The person's screens.
  struct Screen {
    /// The device with the apps.
    var device: String
    var website: String
    var now: String
    /// The screens of every device.
    var devices: DeviceScreens
    /// The end of the last presentment; nil while none has ended.
    var conclusion: Conclusion?

    init(_ snapshot: InteractiveWorld.Snapshot, in world: WorldDescription, conclusion: Conclusion? = nil) {
      self.conclusion = conclusion
      device = DevicesInUse(world.devices, current: snapshot.device).answering
      website = snapshot.website
      now = snapshot.now.description
      devices = DeviceScreens(DeviceScreen.all(snapshot.view, snapshot.focus, in: world))
    }
  }

  /// A live world.
  struct World {
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
    var seed: UInt64
    var faults: [String]
    /// The number of steps after which the scenario was taken over.
    var steps: Int?
    var device: String
    var devices: [PlayJSON.Device]
    var websites: [Website]
    var appIcons: AppIcons
    var actors: [TimelineActor]

    init(_ session: Session, hosts: Hosts) {
      let description = session.world.scenario.world
      id = session.identifier
      world = session.worldName
      scenario = session.scenarioName
      seed = session.setting.seed ?? session.world.scenario.seed
      faults = session.setting.faults.map(\.name)
      steps = session.setting.steps
      device = session.devices.answering
      devices = PlayJSON.Device.all(of: description)
      websites = description.websites.map { website in
        Website(
          name: website.identifier, title: website.brand.name, icon: website.brand.icon,
          origin: website.origin.serialized,
          url: "\(website.origin.serialized)/?world=\(session.identifier)")
      }
      appIcons = AppIcons(of: description)
      actors = Self.actors(of: description, on: session.devices)
    }

    /// The parties, in the order of a presentment.
    private static func actors(of description: WorldDescription, on devices: DevicesInUse) -> [TimelineActor] {
      let (browsing, device) = (devices.browsing, devices.answering)
      var actors = [TimelineActor(Party(.person, "person"), title: description.names.person)]
      for website in description.websites {
        actors.append(
          TimelineActor(Party(.page, "\(website.identifier)@\(browsing)"), title: "Page of \(website.brand.name)"))
        actors += website.frameParties(on: browsing).map {
          TimelineActor($0, title: description.names.title(of: $0, in: description))
        }
        actors.append(TimelineActor(Party(.server, website.identifier), title: "Server of \(website.brand.name)"))
      }
      actors.append(TimelineActor(Party(.browser, browsing)))
      if devices.areDifferent {
        actors += [browsing, device].map { TimelineActor(Party(.nearby, $0)) }
        actors.append(TimelineActor(Party(.clientPlatform, browsing)))
        actors.append(TimelineActor(WorldDescription.Bluetooth.party))
        actors += description.tunnelHosts.map { TimelineActor(Party(.tunnelService, $0)) }
        actors.append(TimelineActor(Party(.authenticator, device)))
      }
      if description.isInPerson {
        actors += description.terminals.map {
          TimelineActor(Party(.terminal, $0.identifier), title: "Terminal of \($0.brand.name)")
        }
        if !devices.areDifferent { actors.append(TimelineActor(WorldDescription.Bluetooth.party)) }
        actors.append(TimelineActor(WorldDescription.nearField))
        actors.append(TimelineActor(Party(.mdoc, device)))
      }
      actors.append(TimelineActor(Party(.operatingSystem, device)))
      let sandbox = Party(.sandbox, device)
      actors.append(TimelineActor(sandbox, note: description.note(on: sandbox)))
      for app in description.devices.first(where: { $0.identifier == device })?.apps ?? [] {
        actors.append(TimelineActor(Party(.app, "\(device)/\(app.name)")))
      }
      let requesting = description.requestingApps.filter { $0.devices?.contains(device) ?? true }
      for app in requesting { actors.append(TimelineActor(Party(.requestingApp, "\(device)/\(app.name)"))) }
      if !requesting.isEmpty { actors.append(TimelineActor(Party(.portal, "portal"))) }
      for reader in description.readerAuthorities {
        actors.append(TimelineActor(Party(.readerAuthority, reader.identifier), title: reader.name))
      }
      for issuer in description.issuers {
        actors.append(TimelineActor(Party(.issuer, issuer.identifier), title: issuer.name))
      }
      for listed in description.listOperators {
        actors.append(TimelineActor(Party(.listOperator, listed.identifier), title: listed.name))
      }
      return actors
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
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("actors", actors)
      json.member("appIcons", appIcons)
      json.member("device", device)
      json.member("devices", devices)
      json.member("faults", faults)
      json.member("id", id)
      json.member("scenario", scenario)
      json.member("seed", seed)
      json.member(orNull: "steps", steps)
      json.member("websites", websites)
      json.member("world", world)
    }
  }
}

extension StageJSON.Screen: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("conclusion", conclusion)
      json.member("device", device)
      json.member("devices", devices)
      json.member("now", now)
      json.member("website", website)
    }
  }
}
