import Crypto
import Messaging
import NearbyDevices
import Primitives
import SimulationKernel
import Vocabulary

/// A device of an account with its keys, and the parties of the account's other devices.
struct NearbyAccount: Sendable {
  /// The device.
  let device: CircleDevice
  /// The devices that it works with: the iPhones of the account, and for an iPhone the devices that ask it.
  let peers: [DeviceIdentifier: Party]

  /// The account of a device, or nil if the world has no device in it to work with.
  init?(of device: WorldDescription.Device, in world: WorldDescription, paired: PairedDevice) {
    let devices = world.devices.filter { $0.account == device.account && $0.identifier != device.identifier }
    let others = devices.filter { $0.kind.answersNearby || device.kind.answersNearby }.map(\.identifier)
    guard !others.isEmpty else { return nil }
    self.device = paired.device
    peers = Dictionary(
      paired.device.circle.members.filter { others.contains($0.name) }.map { ($0.identifier, Party(.nearby, $0.name)) }
    ) { first, _ in first }
  }

  /// The parties of the peers, in the order of their names.
  var parties: [Party] { peers.values.sorted() }

  /// The party of a device.
  func party(of device: DeviceIdentifier) -> Party? { peers[device] }

  /// The device of a party.
  func device(of party: Party) -> DeviceIdentifier? { peers.first { $0.value == party }?.key }

  /// The name of a device.
  func name(of device: DeviceIdentifier) -> String { self.device.circle[device]?.name ?? "another device" }
}

/// A device's own record of its account: its private key, and the public keys of the account's devices.
package struct PairedDevice: Sendable {
  let device: CircleDevice
}

/// The pairing of the devices of a world's accounts, which took place before the world begins. Each device made its own key
/// and gave the others the public half.
package struct AccountPairing: Sendable {
  private var records: [String: PairedDevice] = [:]

  /// Pairs the devices of every account.
  package init(of world: WorldDescription, entropy: Entropy) {
    for account in world.devices.compactMap(\.account).uniqued() {
      let keys = world.devices.filter { $0.account == account }.compactMap { device in
        DeviceKey(of: device.identifier, entropy.stream("account/\(account)/devices/\(device.identifier)"))
      }
      var secret = entropy.stream("account/\(account)/secret")
      let circle = AccountCircle(secret: secret.bytes(32), members: keys.map(\.card))
      for own in keys { records[own.card.name] = own.record(in: circle) }
    }
  }

  /// The record of a device; nil without an account. No other device has its private key.
  package func record(of device: String) -> PairedDevice? { records[device] }
}

/// The long-term key of a device, before it is paired.
private struct DeviceKey {
  /// The part for the other devices of the account.
  let card: AccountCircle.Member
  private let key: P256.KeyAgreement.PrivateKey

  init?(of device: String, _ stream: EntropyStream) {
    var stream = stream
    guard let identifier = DeviceIdentifier(stream.bytes(DeviceIdentifier.length)) else { return nil }
    key = stream.keyAgreementKey()
    card = AccountCircle.Member(identifier: identifier, name: device, key: key.publicKey)
  }

  func record(in circle: AccountCircle) -> PairedDevice {
    PairedDevice(device: CircleDevice(identifier: card.identifier, key: key, circle: circle))
  }
}
