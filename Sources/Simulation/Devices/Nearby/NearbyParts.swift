import Messaging
import SimulationKernel
import Synchronization
import Vocabulary

/// The part of a device in the model of a nearby iPhone: that of a Mac, or of an iPhone or iPad. A device without an account, or
/// with nothing to work with in its account, has none.
package struct NearbyParts: Sendable {
  /// The party; nil without a part.
  package let party: Party?
  /// True for a Mac.
  package let isMac: Bool
  private let mac: NearbyMac?
  private let iPhone: NearbyIPhone?
  private let peers: [Party]

  /// Builds the part of a device.
  package init(
    _ device: WorldDescription.Device, in world: WorldDescription, network: Network, entropy: Entropy,
    lock: DeviceLock, station: (Party) -> Station
  ) {
    isMac = device.kind == .mac
    guard let account = NearbyAccount(of: device, in: world, entropy: entropy) else {
      party = nil
      mac = nil
      iPhone = nil
      peers = []
      return
    }
    let party = Party(.nearby, device.identifier)
    if device.kind == .mac {
      let mac = NearbyMac(
        account, hasBluetooth: device.bluetooth == .on, browser: Party(.browser, device.identifier),
        sandbox: Party(.sandbox, device.identifier),
        clientPlatform: Party(.clientPlatform, device.identifier), person: Party.person, station: station(party))
      network.register(party) { await mac.receive($0) }
      self.mac = mac
      iPhone = nil
    } else {
      let iPhone = NearbyIPhone(
        account, on: device, lock: lock, system: Party(.operatingSystem, device.identifier),
        person: Party.person, station: station(party))
      network.register(party) { await iPhone.receive($0) }
      mac = nil
      self.iPhone = iPhone
    }
    self.party = party
    peers = account.parties
  }

  /// Connects the part with the rest of the device and of the world.
  package func connect(
    _ network: Network, browser: Party, clientPlatform: Party?, system: Party, sandbox: Party, apps: [Party]
  ) {
    guard let party else { return }
    let own = isMac ? [browser, sandbox] + (clientPlatform.map { [$0] } ?? []) : [system] + apps
    for other in own + [Party.person, BLEAir.party] + peers { network.connect(party, other) }
  }

  /// Begins to listen for beacons, on an iPhone.
  package func begin(_ scheduler: WorldScheduler) {
    guard let iPhone else { return }
    scheduler.spawn { await iPhone.start() }
  }

  /// Ends the sessions with a device of the account that was switched off.
  package func lostLink(to party: Party) async {
    guard peers.contains(party) else { return }
    await mac?.lostLink(to: party)
    await iPhone?.lostLink(to: party)
  }
}

/// The lock of a device: closed when it was restarted, until the person uses the device.
///
/// The lock of a device has an effect in the model of a nearby iPhone only.
package final class DeviceLock: Sendable {
  private let state: Mutex<Bool>

  /// Makes the lock of a device that was just switched on.
  package init(_ device: WorldDescription.Device, boot: Int) {
    state = Mutex(device.isUnlocked && boot == 1)
  }

  /// Indicates whether the person unlocked the device after it was switched on.
  var isUnlocked: Bool { state.withLock { $0 } }

  /// Opens the lock if the person sent the message.
  package func notice(_ message: Message) {
    if message.sender.role == .person { state.withLock { $0 = true } }
  }
}
