import HybridTransport
import Messaging
import SimulationKernel
import Vocabulary

/// The parts of a device that reach other devices: the client platform, which asks one, and the authenticator of an iPhone or
/// iPad, which answers one. Devices of a world without another device to ask have neither.
package struct CrossDeviceParts: Sendable {
  /// The client platform, on a device that can ask another one.
  package let clientPlatform: Party?
  /// The authenticator, on a device that answers.
  package let authenticator: Party?
  private let tunnelServices: [Party]

  /// Builds the part of a device.
  package init(
    _ device: WorldDescription.Device, in world: WorldDescription, announcer: Party, network: Network,
    conduct: any CrossDeviceConduct, station: (Party) -> Station
  ) {
    var clientPlatform: Party?
    var authenticator: Party?
    if world.canAskAnother(device) {
      let party = Party(.clientPlatform, device.identifier)
      let actor = ClientPlatform(device, announcer: announcer, conduct: conduct, station: station(party))
      network.register(party) { await actor.receive($0) }
      clientPlatform = party
    }
    if device.kind.answersOthers, world.isCrossDevice {
      let party = Party(.authenticator, device.identifier)
      let actor = Authenticator(device, conduct: conduct, station: station(party))
      network.register(party) { await actor.receive($0) }
      authenticator = party
    }
    self.clientPlatform = clientPlatform
    self.authenticator = authenticator
    tunnelServices =
      Self.parties(clientPlatform, authenticator).isEmpty ? [] : world.tunnelHosts.map(TunnelService.party)
  }

  /// The parties.
  package var parties: [Party] { Self.parties(clientPlatform, authenticator) }

  private static func parties(_ parties: Party?...) -> [Party] { parties.compactMap(\.self) }

  /// Connects the part with the rest of the device and of the world.
  package func connect(_ network: Network, announcer: Party, apps: [Party]) {
    for party in parties {
      for other in [Party.person, BLEAir.party] + tunnelServices { network.connect(party, other) }
    }
    if let clientPlatform {
      for other in [announcer, Party(.browser, clientPlatform.name)] { network.connect(clientPlatform, other) }
    }
    if let authenticator {
      let parts = [Party.Role.operatingSystem, .sandbox].map { Party($0, authenticator.name) }
      for other in parts + apps { network.connect(authenticator, other) }
    }
  }
}
