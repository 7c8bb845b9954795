import Messaging
import NearbyDevices
import SimulationKernel
import Vocabulary

/// The parts of a device in the model of a nearby iPhone: the one that asks, and on an iPhone the one that answers. A device
/// without an account, or with nothing to work with in its account, has none.
package struct NearbyParts: Sendable {
  /// The party; nil without a part.
  package let party: Party?
  /// The party, on a device that asks: an iPhone of its account can be near.
  package let asking: Party?
  /// The party, on an iPhone, which answers the devices of its account.
  package var answering: Party? { iPhone == nil ? nil : party }
  private let iPhone: NearbyIPhone?
  private let peers: [Party]

  /// Builds the part of a device.
  package init(
    _ device: WorldDescription.Device, in world: WorldDescription, paired: PairedDevice?, network: Network,
    boot: Int, station: (Party) -> Station
  ) {
    guard let account = paired.flatMap({ NearbyAccount(of: device, in: world, paired: $0) }) else {
      party = nil
      asking = nil
      iPhone = nil
      peers = []
      return
    }
    let party = Party(.nearby, device.identifier)
    let others = world.devices.filter { $0.account == device.account && $0.identifier != device.identifier }
    let mac =
      others.contains(where: \.kind.answersNearby)
      ? NearbyClient(account, on: device, station: station(party)) : nil
    let iPhone =
      device.kind.answersNearby
      ? NearbyIPhone(account, on: device, isUnlocked: !device.isLocked(inBoot: boot), station: station(party))
      : nil
    network.register(party) { message in
      let receivers = mac != nil && iPhone != nil ? Self.receivers(of: message) : [.asking, .answering]
      if receivers.contains(.asking) { await mac?.receive(message) }
      if receivers.contains(.answering) { await iPhone?.receive(message) }
    }
    self.iPhone = iPhone
    asking = mac == nil ? nil : party
    self.party = party
    peers = account.parties
  }

  /// True while the part that answers waits for the person to unlock the device.
  package var isLocked: Bool { get async { await iPhone?.isUnlocked == false } }

  private enum Part { case asking, answering }

  /// The parts of a device with both that receive a message. Each ignores the frames of the other's sessions.
  private static func receivers(of message: Message) -> [Part] {
    switch (message.sender.role, message.kind) {
    case (.nearby, _): [.asking, .answering]
    case (.operatingSystem, .announce), (.operatingSystem, .dismiss), (.clientPlatform, _), (.browser, _): [.asking]
    case (.person, _):
      [ContinueScreen.useQRCode, ContinueScreen.cancel].contains(message.body(TapBody.self)?.label)
        ? [.asking] : [.answering]
    case (.bluetooth, .linkLost): [.asking, .answering]
    case (.bluetooth, _): message.bytes.first == NearbyAdvert.Kind.presence.rawValue ? [.asking] : [.answering]
    default: [.answering]
    }
  }

  /// Connects the part with the rest of the device and of the world.
  package func connect(_ network: Network, clientPlatform: Party?, apps: [Party]) {
    guard let party else { return }
    func part(_ role: Party.Role) -> Party { Party(role, party.name) }
    let own =
      (asking == nil ? [] : [part(.browser), clientPlatform].compactMap(\.self))
      + (iPhone == nil ? [] : [part(.sandbox)] + apps)
    for other in own + [part(.operatingSystem), Party.person, BLEAir.party] + peers { network.connect(party, other) }
  }

  /// Begins to listen for beacons, on an iPhone.
  package func begin(_ scheduler: WorldScheduler) {
    guard let iPhone else { return }
    scheduler.spawn { await iPhone.start() }
  }
}

extension WorldDescription.Device {
  /// True for a device that the person must unlock before it answers a nearby one. It is locked when it was restarted.
  package func isLocked(inBoot boot: Int) -> Bool { kind.answersNearby && startsLocked(inBoot: boot) }

  /// True for a device that the person has not unlocked since it was switched on.
  package func startsLocked(inBoot boot: Int) -> Bool { !isUnlocked || boot > 1 }
}
