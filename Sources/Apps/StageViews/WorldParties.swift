import InteractiveWorlds
import Messaging
import Vocabulary

/// The parties of a world that can take part in a run, known before anything happens.
struct WorldParties {
  /// Every party, those of all devices included.
  let all: [Party]
  /// The parties whose columns are there before any takes part: those of a presentment on the devices in use.
  let core: [Party]

  init(of world: WorldDescription, on devices: DevicesInUse) {
    let websites = world.websites.map(\.identifier)
    core =
      [Party(.person, "person")]
      + websites.prefix(1).flatMap { [Party(.page, "\($0)@\(devices.browsing)"), Party(.server, $0)] }
      + [Party(.browser, devices.browsing)]
      + [.operatingSystem, .sandbox].map { Party($0, devices.answering) }
    let surroundings: [[Party]] = [
      [Party(.person, "person")],
      websites.map { Party(.server, $0) },
      world.websites.filter { $0.server != nil }.map { Party(.ownServer, $0.identifier) },
      world.devices.flatMap { Self.parties(of: $0, in: world) },
      world.tunnelHosts.map { Party(.tunnelService, $0) },
      world.hasBluetooth ? [WorldDescription.Bluetooth.party] : [],
      world.isInPerson ? [WorldDescription.nearField] : [],
      world.terminals.map { Party(.terminal, $0.identifier) },
      world.requestingApps.isEmpty ? [] : [Party(.portal, "portal")],
      world.readerAuthorities.map { Party(.readerAuthority, $0.identifier) },
      world.issuers.map { Party(.issuer, $0.identifier) },
      world.listOperators.map { Party(.listOperator, $0.identifier) },
    ]
    all = surroundings.flatMap(\.self)
  }

  private static func parties(of device: WorldDescription.Device, in world: WorldDescription) -> [Party] {
    let name = device.identifier
    let pages = world.websites.flatMap { [Party(.page, "\($0.identifier)@\(name)")] + $0.frameParties(on: name) }
    let roles: [Party.Role] = [
      .browser, .clientPlatform, .authenticator, .nearby, .mdoc, .operatingSystem, .sandbox,
    ]
    let apps = device.apps.flatMap { app in
      (app.program == nil ? [.app] : [Party.Role.app, .ownWallet]).map { Party($0, "\(name)/\(app.name)") }
    }
    return pages + roles.map { Party($0, name) } + apps
      + world.requestingApps(on: name).map { Party(.requestingApp, "\(name)/\($0.name)") }
  }
}
