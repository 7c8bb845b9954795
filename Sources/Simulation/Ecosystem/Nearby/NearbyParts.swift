import Messaging
import SimulationKernel

/// The part of a device in the model of a nearby iPhone: that of a Mac, or of an iPhone or iPad. A device without an account, or
/// with nothing to work with in its account, has none.
struct NearbyParts: Sendable {
  /// The party; nil without a part.
  let party: Party?
  /// True for a Mac.
  let isMac: Bool
  private let iPhone: NearbyIPhone?
  private let peers: [Party]

  /// Builds the part of a device.
  init(
    _ device: WorldDescription.Device, in world: WorldDescription, network: Network, entropy: Entropy,
    station: (Party) -> Station
  ) {
    isMac = device.kind == .mac
    guard let account = NearbyAccount(of: device, in: world, entropy: entropy) else {
      party = nil
      iPhone = nil
      peers = []
      return
    }
    let party = Party(.nearby, device.identifier)
    if device.kind == .mac {
      let mac = NearbyMac(
        account, hasBluetooth: device.bluetooth == .on, browser: Party(.browser, device.identifier),
        sandbox: Party(.sandbox, device.identifier),
        clientPlatform: Party(.clientPlatform, device.identifier), person: World.personParty, station: station(party))
      network.register(party) { await mac.receive($0) }
      iPhone = nil
    } else {
      let iPhone = NearbyIPhone(
        account, on: device, system: Party(.operatingSystem, device.identifier),
        person: World.personParty, station: station(party))
      network.register(party) { await iPhone.receive($0) }
      self.iPhone = iPhone
    }
    self.party = party
    peers = account.parties
  }

  /// Connects the part with the rest of the device and of the world.
  func connect(
    _ network: Network, browser: Party, clientPlatform: Party?, system: Party, sandbox: Party, apps: [Party]
  ) {
    guard let party else { return }
    let own = isMac ? [browser, sandbox] + (clientPlatform.map { [$0] } ?? []) : [system] + apps
    for other in own + [World.personParty, BLEAir.party] + peers { network.connect(party, other) }
  }

  /// Begins to listen for beacons, on an iPhone.
  func begin(_ scheduler: WorldScheduler) {
    guard let iPhone else { return }
    scheduler.spawn { await iPhone.start() }
  }
}
