import Messaging
import Vocabulary

/// The part of a device that presents documents to readers near it.
package struct InPersonPart: Sendable {
  /// The party.
  package let party: Party
  private let device: String
  private let mdoc: MDoc

  /// Builds the part of a device.
  package init(
    _ device: WorldDescription.Device, isUnlocked: Bool, conduct: any InPersonConduct, network: Network,
    station: (Party) -> Station
  ) {
    let party = Party(.mdoc, device.identifier)
    let mdoc = MDoc(device, isUnlocked: isUnlocked, conduct: conduct, station: station(party))
    network.register(party) { await mdoc.receive($0) }
    self.party = party
    self.device = device.identifier
    self.mdoc = mdoc
  }

  /// True while the part waits for the person to unlock the device.
  package var isLocked: Bool { get async { await !mdoc.isUnlocked } }

  /// Connects the part with the rest of the device and of the world.
  package func connect(_ network: Network, apps: [Party]) {
    let parts = [Party(.operatingSystem, device), Party(.sandbox, device)] + apps
    for other in [Party.person, BLEAir.party, WorldDescription.nearField] + parts { network.connect(party, other) }
  }
}
