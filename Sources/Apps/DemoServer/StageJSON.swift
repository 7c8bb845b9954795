import CBOR
import Checks
import Ecosystem
import InteractiveWorlds
import JSON
import Messaging
import MobileDocument
import QRCode
import ScenarioLanguage
import TraceViews

/// The JSON for the stage.
enum StageJSON {
  /// The person's screens.
  struct Screen {
    struct Authorization {
      var style: String
      var app: String
      var requester: String
      var icon: String?
      var isRequesterCertified: Bool
      var origin: String
      var elements: [AuthorizationScreen.Element]
      var title: String?
      var lines: [String]?
      var buttons: [String]
      var agreeing: [String]
      var notice: String?
    }

    /// The QR code of a browser that asks another device.
    struct Code {
      /// The device that shows it.
      var device: String
      var origin: String
      var message: String
      var buttons: [String]
      /// The drawing; nil after a phone has scanned it.
      var svg: String?

      init(_ screen: QRCodeScreen, on device: String) {
        self.device = device
        (origin, message, buttons) = (screen.origin, screen.message, screen.buttons)
        svg = screen.uri.flatMap { try? QRSymbol($0) }?.svg
      }
    }

    /// The device with the apps.
    var device: String
    var website: String
    var now: String
    var code: Code?
    /// The selector, with the display names of document types.
    var selector: SelectorScreen?
    var authorization: Authorization?
    var prompt: PromptScreen?
    /// The message with which the system closed the selector or an app's view.
    var notice: String?

    init(_ snapshot: InteractiveWorld.Snapshot, in world: WorldDescription) {
      let devices = DevicesInUse(world.devices, current: snapshot.device)
      let device = devices.answering
      self.device = device
      code = snapshot.view.code(on: devices.browsing).map { Code($0, on: devices.browsing) }
      website = snapshot.website
      now = snapshot.now.description
      selector = snapshot.view.selector(on: device).map { screen in
        var screen = screen
        for index in screen.offered.indices {
          screen.offered[index].documents = screen.offered[index].documents.map {
            DataElementCatalogue.label(documentType: $0)
          }
        }
        return screen
      }
      prompt = snapshot.view.prompt(on: device)
      notice = snapshot.view.notice(on: device)
      authorization = snapshot.view.authorization(on: device).map { view in
        let apps = world.devices.first { $0.identifier == device }?.apps ?? []
        return Authorization(
          style: (apps.first { $0.name == view.app }?.style ?? .wallet).rawValue, app: view.app,
          requester: view.requester, icon: view.icon, isRequesterCertified: view.isRequesterCertified,
          origin: view.requestingApp ?? view.origin, elements: view.elements, title: view.title,
          lines: view.lines, buttons: view.buttons, agreeing: view.agreeing, notice: view.notice)
      }
    }
  }

  /// A live world.
  struct World {
    struct Website {
      var name: String
      var title: String
      var icon: String
      var url: String
    }

    var id: String
    var world: String?
    var scenario: String?
    var seed: UInt64
    var faults: [String]
    var device: String
    var websites: [Website]
    var actors: [TimelineActor]

    init(_ session: Session, hosts: Hosts) {
      let description = session.world.scenario.world
      id = session.identifier
      world = session.worldName
      scenario = session.scenarioName
      seed = session.setting.seed ?? session.world.scenario.seed
      faults = session.setting.faults.map(\.name)
      device = session.devices.answering
      websites = description.websites.map { website in
        Website(
          name: website.identifier, title: website.brand.name, icon: website.brand.icon,
          url: "\(website.origin.serialized)/?world=\(session.identifier)")
      }
      actors = Self.actors(of: description, on: session.devices)
    }

    /// The person's name, from the first document that contains one.
    private static func name(of description: WorldDescription) -> String {
      let elements = description.devices.flatMap(\.apps).flatMap(\.documents).flatMap(\.nameSpaces).flatMap(\.elements)
      guard case .text(let name)? = elements.first(where: { $0.identifier == "given_name" })?.value else {
        return "The person"
      }
      return name
    }

    /// The parties, in the order of a presentment.
    private static func actors(of description: WorldDescription, on devices: DevicesInUse) -> [TimelineActor] {
      let (browsing, device) = (devices.browsing, devices.answering)
      var actors = [TimelineActor(Party(.person, "person"), title: name(of: description))]
      for website in description.websites {
        actors.append(
          TimelineActor(Party(.page, "\(website.identifier)@\(browsing)"), title: "Page of \(website.brand.name)"))
        actors.append(TimelineActor(Party(.server, website.identifier), title: "Server of \(website.brand.name)"))
      }
      actors.append(TimelineActor(Party(.browser, browsing)))
      if devices.areDifferent {
        actors.append(TimelineActor(Party(.clientPlatform, browsing)))
        actors.append(TimelineActor(WorldDescription.Bluetooth.party))
        actors += description.tunnelHosts.map { TimelineActor(Party(.tunnelService, $0)) }
        actors.append(TimelineActor(Party(.authenticator, device)))
      }
      actors.append(TimelineActor(Party(.operatingSystem, device)))
      let isConfined = description.devices.first { $0.identifier == device }?.sandbox == .process
      actors.append(TimelineActor(Party(.sandbox, device), title: isConfined ? nil : "Sandbox, not confined"))
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
      return actors
    }
  }
}

extension StageJSON.World.Website: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("icon", icon)
      json.member("name", name)
      json.member("title", title)
      json.member("url", url)
    }
  }
}

extension StageJSON.World: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("actors", actors)
      json.member("device", device)
      json.member("faults", faults)
      json.member("id", id)
      json.member("scenario", scenario)
      json.member("seed", seed)
      json.member("websites", websites)
      json.member("world", world)
    }
  }
}

extension StageJSON.Screen.Code: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("buttons", buttons)
      json.member("device", device)
      json.member("message", message)
      json.member("origin", origin)
      json.member("svg", svg)
    }
  }
}

extension StageJSON.Screen.Authorization: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("agreeing", agreeing)
      json.member("app", app)
      json.member("buttons", buttons)
      json.member("elements", elements)
      json.member("icon", icon)
      json.member("isRequesterCertified", isRequesterCertified)
      json.member("lines", lines)
      json.member("notice", notice)
      json.member("origin", origin)
      json.member("requester", requester)
      json.member("style", style)
      json.member("title", title)
    }
  }
}

extension StageJSON.Screen: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("authorization", authorization)
      json.member("code", code)
      json.member("device", device)
      json.member("notice", notice)
      json.member("now", now)
      json.member("prompt", prompt)
      json.member("selector", selector)
      json.member("website", website)
    }
  }
}
